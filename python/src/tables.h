// Made by tools/python_tables from include/pliant/*.h: change those, then run it.
#ifndef PL_PYTHON_TABLES_H
#define PL_PYTHON_TABLES_H

#include "fields.h"

extern const Word words_plSideKind[];
extern const Word words_plContactLaw[];
extern const Word words_plRigidContact[];
extern const Word words_plCoupling[];
extern const Word words_plMaterialKind[];
extern const Word words_plVolumetric[];
extern const Word words_plElement[];
extern const Word words_plMass[];
extern const Word words_plRotation[];
extern const Word words_plStatus[];
extern const Word words_plColour[];
extern const Word words_plRegionKind[];
extern const Word words_plLoadKind[];
extern const Word words_plShapeKind[];
extern const Word words_plJointKind[];
extern const Word words_plActuatorKind[];
extern const Word words_plInterpolation[];
extern const Word words_plConstraintKind[];
extern const Word words_plSensorKind[];
extern const Word words_plBase[];
extern const Word words_plFrictionMode[];
extern const Word words_plInertiaMode[];
extern const Word words_plMeshMode[];
extern const Word words_plOverlapMode[];
extern const Word words_plIkGoal[];
extern const Word words_plImpulseKind[];
extern const Word words_plStage[];
extern const Word words_plSwitch[];
extern const Word words_plSapLaw[];
extern const Word words_plOutputKind[];

extern const Table table_plSide;
extern const Table table_plOptions;
extern const Table table_plMaterial;
extern const Table table_plSurface;
extern const Table table_plDofDef;
extern const Table table_plSapReport;
extern const Table table_plReport;
extern const Table table_plRigidState;
extern const Table table_plRigidTotals;
extern const Table table_plSiteState;
extern const Table table_plBodyState;
extern const Table table_plElementState;
extern const Table table_plEnergyBudget;
extern const Table table_plContactPair;
extern const Table table_plMeshReport;
extern const Table table_plReplayInfo;
extern const Table table_plPictureOptions;
extern const Table table_plSapOptions;
extern const Table table_plSapCoulomb;
extern const Table table_plSapCoulombError;
extern const Table table_plSapCone;
extern const Table table_plSapHuntCrossley;
extern const Table table_plSapRow;
extern const Table table_plSapActuator;
extern const Table table_plRegion;
extern const Table table_plDeformableDef;
extern const Table table_plFixDef;
extern const Table table_plLoadDef;
extern const Table table_plAttachDef;
extern const Table table_plGeometryDef;
extern const Table table_plBodyDef;
extern const Table table_plJointDef;
extern const Table table_plActuatorDef;
extern const Table table_plConstraintDef;
extern const Table table_plSiteDef;
extern const Table table_plSensorDef;
extern const Table table_plRobotDef;
extern const Table table_plIkDef;
extern const Table table_plRecordingDef;
extern const Table table_plContact;
extern const Table table_plImpulse;

enum { MODEL_SLOTS = 84, DATA_SLOTS = 11 };

// Docstrings: the comments of the functions.
#define DOC_pl_status_name "A short name of a status, e.g. \"not converged\". Never None."
#define DOC_pl_error_text "\"file:line:column: message\" into text (always terminated); returns text."
#define DOC_pl_instruction_set "What bits depend on besides model, parameters and state: the path of instructions taken (\"plain\", \"avx2\", \"avx512\"; PLIANT_ISA in the environment chooses one) and the compiler that built the library."
#define DOC_pl_compiler "What bits depend on besides model, parameters and state: the path of instructions taken (\"plain\", \"avx2\", \"avx512\"; PLIANT_ISA in the environment chooses one) and the compiler that built the library."
#define DOC_pl_version "The library's version as \"major.minor.patch\"."
#define DOC_pl_material_name "\"linear\", \"linear_corotated\", ...; None for a number that is no kind. And back: -1 if the name is unknown."
#define DOC_pl_material_find "\"linear\", \"linear_corotated\", ...; None for a number that is no kind. And back: -1 if the name is unknown."
#define DOC_pl_material_check "Refuses what has no meaning, with the admissible range."
#define DOC_pl_material_lame "The Lame parameters at rest (Pa) of a material that passes the check."
#define DOC_pl_mesh_load "Elements that are neither tetrahedra nor triangles nor quadrilaterals are refused by name; quadrilaterals become two triangles, elements of higher order are read by their corners (by_corners). Reads a mesh as it stands in the file: orientation and duplicates are left alone (see pl_mesh_repair)."
#define DOC_pl_mesh_load_within "The same with another limit on the size of the file; 0: 1 GiB, as pl_mesh_load has."
#define DOC_pl_mesh_parse "The same from memory; name decides the format and appears in errors. (TetGen's pair of files, and glTF with buffers in other files, can only be read by path.)."
#define DOC_pl_mesh_save "Writes a mesh in the format of the extension; a surface format gets the boundary of a tet mesh."
#define DOC_pl_mesh_box "centred."
#define DOC_pl_mesh_box_cells "nx ny nz cells."
#define DOC_pl_mesh_cylinder "axis z, centred."
#define DOC_pl_mesh_capsule "length without the caps."
#define DOC_pl_mesh_torus "axis z."
#define DOC_pl_mesh_report_text "One sentence for each finding that a user should know, separated by newlines, into text; returns how many there are."
#define DOC_pl_mesh_repair "Mends what is safe: turns inverted tets round, drops duplicates, flat elements and unused vertices, merges coincident vertices (surfaces), turns triangles outward. What was done is written as sentences into log (may be None)."
#define DOC_pl_mesh_boundary "(Re)computes the triangles of a tet mesh as its boundary, outward. Order: by tet, then by face."
#define DOC_pl_mesh_transform "In place: scale, then pose."
#define DOC_pl_mesh_tetrahedralize "Tetrahedra of about the given edge length inside a closed surface (isosurface stuffing: robust, every tet of bounded quality). Refuses with \"too_large\" and an estimate when more than max_tets would result (0: 20 million)."
#define DOC_pl_shape_name "\"half_space\", \"sphere\", ..."
#define DOC_pl_scheme_by_name "Named schemes: \"backward_euler\" (1, 1), \"symplectic_euler\" (0, 1), \"midpoint\" (1/2, 1/2)."
#define DOC_pl_spec_add_deformable "*id (may be None) gets the body's index."
#define DOC_pl_load_name "\"vertex\", \"force_density\", \"traction\", \"pressure\"."
#define DOC_pl_spec_set_recording "copied."
#define DOC_pl_spec_create "None if memory runs out."
#define DOC_pl_spec_options "to read and change."
#define DOC_pl_spec_deformable_count "What is in it, to look at; an index by name is -1 if there is none."
#define DOC_pl_spec_deformable "What is in it, to look at; an index by name is -1 if there is none."
#define DOC_pl_spec_find_deformable "What is in it, to look at; an index by name is -1 if there is none."
#define DOC_pl_spec_size "The whole spec as bytes: for another process, or to keep it without the files that it was read from. What is read back compiles to a model of the same hash and the same bits."
#define DOC_pl_spec_write "The whole spec as bytes: for another process, or to keep it without the files that it was read from. What is read back compiles to a model of the same hash and the same bits."
#define DOC_pl_spec_read "Bytes that were cut off, damaged, or written by another version are refused; then *spec is None."
#define DOC_pl_spec_load "Reads a scene file (docs/scene.md). options may be None. Nothing is half-loaded: on failure *spec is None."
#define DOC_pl_spec_parse "The same from memory; name stands for the file in errors, folder is where relative paths start."
#define DOC_pl_spec_add_body "*id (may be None) gets the body's index."
#define DOC_pl_spec_find_body "Index by name, -1 if there is none."
#define DOC_pl_joint_kind_name "\"fixed\", \"revolute\", ..."
#define DOC_pl_joint_nq "positions: 0, 1, 1, 1, 1, 2, 4, 3, 7."
#define DOC_pl_joint_nv "velocities: 0, 1, 1, 1, 1, 2, 3, 3, 6."
#define DOC_pl_spec_add_joint "A child may have several joints, all with one parent: each later one's F is in the frame that the joints before it move, which coincides with the child's frame. A body may not hang on two parents: such loops are closed by constraints."
#define DOC_pl_spec_find_joint "A child may have several joints, all with one parent: each later one's F is in the frame that the joints before it move, which coincides with the child's frame. A body may not hang on two parents: such loops are closed by constraints."
#define DOC_pl_actuator_kind_name "\"motor\", ..."
#define DOC_pl_actuator_nu "inputs: 1, 1, 1, 3, 1."
#define DOC_pl_spec_actuator "Changes an actuator's gains or table after it was loaded from a file: the definition as stored (name, joint, dof and tendon stay)."
#define DOC_pl_spec_set_actuator "Changes an actuator's gains or table after it was loaded from a file: the definition as stored (name, joint, dof and tendon stay)."
#define DOC_pl_constraint_kind_name "\"ball\", ..."
#define DOC_pl_spec_exclude "No contact between two sides, each a rigid body, a deformable or the world."
#define DOC_pl_spec_add_site "*id (may be None) gets the site's index."
#define DOC_pl_spec_add_robot "Adds all bodies, joints, actuators, shapes and constraints of a file. What it asks for and the library does not have is told to options->warn, each kind once with its line. On failure the spec is as it was. options may be None."
#define DOC_pl_spec_parse_robot "The same from memory; def->file stands for the file in errors and decides the format, folder is where relative paths start."
#define DOC_pl_spec_body_pose "The pose of a body in the world when all joints stand at their start."
#define DOC_pl_is_robot_file "Whether the name ends like a robot file (.urdf, .sdf, .world, .xml, .mjcf)."
#define DOC_pl_spec_body_count "What is in a spec, to look at."
#define DOC_pl_spec_joint_count "What is in a spec, to look at."
#define DOC_pl_spec_actuator_count "What is in a spec, to look at."
#define DOC_pl_spec_constraint_count "What is in a spec, to look at."
#define DOC_pl_spec_geometry_count "What is in a spec, to look at."
#define DOC_pl_spec_body "What is in a spec, to look at."
#define DOC_pl_spec_joint "What is in a spec, to look at."
#define DOC_pl_spec_constraint "What is in a spec, to look at."
#define DOC_pl_spec_geometry "What is in a spec, to look at."
#define DOC_pl_spec_set_joint_start "The joint's start; position has pl_joint_nq entries, velocity (may be None) pl_joint_nv. Outside the limits is allowed."
#define DOC_pl_spec_set_surface "The surface of a shape; pl_spec_geometry has it."
#define DOC_pl_spec_set_joint_locked "The surface of a shape; pl_spec_geometry has it."
#define DOC_pl_sensor_kind_name "\"joint_position\", ...; never None."
#define DOC_pl_spec_add_sensor "*id (may be None) gets the sensor's index."
#define DOC_pl_spec_sensor_count "*id (may be None) gets the sensor's index."
#define DOC_pl_spec_sensor "*id (may be None) gets the sensor's index."
#define DOC_pl_sensor_find "Index by name, -1 if there is none."
#define DOC_pl_sensor_size "rows times columns."
#define DOC_pl_sensor_read "The reading of now: values [pl_sensor_size]. \"input\" if there is no such sensor. It can be read in a replay too."
#define DOC_pl_sensor_values "The same numbers in their own type; valid until the next step."
#define DOC_pl_sensor_measure "What the sensor would sample of the state as it is, without rate, delay and noise. \"input\" if there is no such sensor, and in a replay. Forces are those of the last step, zero where there was none."
#define DOC_pl_sensor_time "The time at which the reading was sampled (s)."
#define DOC_pl_parameter_count "How many parameters a model has; they are numbered from 0."
#define DOC_pl_parameter_info "\"input\" if there is no such number."
#define DOC_pl_parameter_find "The number of a path, -1 if there is none."
#define DOC_pl_parameter_set "An unknown path is an error that names the nearest one; a value out of range is one that names the range. On failure nothing changes."
#define DOC_pl_parameter_set_index "An unknown path is an error that names the nearest one; a value out of range is one that names the range. On failure nothing changes."
#define DOC_pl_parameters_get "All at once, in the order of the numbers: value [pl_parameter_count]. On failure nothing changes."
#define DOC_pl_parameters_set "All at once, in the order of the numbers: value [pl_parameter_count]. On failure nothing changes."
#define DOC_pl_options_set "Other options of the step; duration and threads stay. On failure nothing changes."
#define DOC_pl_parameters_override "After a state was loaded: what the caller changed in the scene takes the model's values again. That is every option and parameter in which the simulation's model differs from plain, the same scene without the changes, and the options that are named; *count: how many numbers."
#define DOC_pl_parameters_reset "Back to the model's."
#define DOC_pl_parameter_hash "64 bits of the options and parameters that decide results. pl_state_hash does not cover them."
#define DOC_pl_model_create "Compiles a spec. On failure None, and the error says what to change. The spec may be destroyed afterwards."
#define DOC_pl_model_destroy "Gives the model up. Simulations that were made of it keep it until the last of them is destroyed."
#define DOC_pl_model_info "Counts, options, bodies, joints, actuators, constraints, sites, deformables, attachments, shapes and sensors of a model, at the values of model->par. Writes at most size bytes, terminated unless size is 0 (text may then be None); returns the length of the whole, as snprintf does."
#define DOC_pl_kind_name "\"deformable\", \"body\", ..."
#define DOC_pl_model_count "How many things of a kind a model has, and the name of each."
#define DOC_pl_model_name "How many things of a kind a model has, and the name of each."
#define DOC_pl_model_find "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_body "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_joint "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_actuator "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_deformable "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_geometry "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_attachment "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_constraint "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_site "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_side "The deformable, rigid body or shape of that name, in this order; `world` is the world. False if there is none."
#define DOC_pl_side_name "Its name; \"world\", \"any\"."
#define DOC_pl_side_equal "Its name; \"world\", \"any\"."
#define DOC_pl_side_covers "Whether the side of a contact belongs to `side`: it is the same, or a shape of that body or of the world, or any will do."
#define DOC_pl_sap_quick_options "For solves one after the other, as in a simulation: up to 6 sticking steps and a line search to 0.1. Half the iterations of a grasp, a third fewer of an arch that slides; single solves may take a few more than by Newton's steps alone."
#define DOC_pl_sap_workspace_create "Memory and the pattern of the last problem. One per thread of use. Steady use allocates nothing."
#define DOC_pl_sap_workspace_destroy "Memory and the pattern of the last problem. One per thread of use. Steady use allocates nothing."
#define DOC_pl_sap_solve "Solves the problem. v_guess [sum of clique_nv] may be None; what costs more than v_star, or is not finite, is ignored: cliques of it, or all. options (the default ones), solution, report and error may be None. \"input\": the problem is malformed; \"not_finite\": NaN or infinity in it, or appeared; \"indefinite\": a block of A has no Cholesky factor; \"not_converged\": the stopping test was not met. The error names constraint or clique."
#define DOC_pl_sap_solve_coulomb "As pl_sap_solve, in rounds. Every round converges or the call fails as pl_sap_solve does. Where the shifts do not settle in max_rounds the answer is the best round (s = 0, the convex law itself, is one of them): the status is \"ok\", report->coulomb_capped is 1. coulomb may be None: the default settings."
#define DOC_pl_sap_coulomb_error "constraint is that of the problem, without shifts; vc = J v + b. All zero for other laws."
#define DOC_pl_sap_coulomb_holds "Whether s is within its tolerance."
#define DOC_pl_sap_delassus "The Delassus estimate of a constraint: w = |sum_c J_c diag(A_c)^-1 J_c'|_F / nrow."
#define DOC_pl_sap_cone "R_n = max(beta^2 / (4 pi^2) w / share, 1 / (dt k (dt + tau))), R_t = sigma w / share. share is the point's part of the area of its vertex (1 for a lone point). With a gap, phi > 0, v_hat_n = -phi / dt and there is no dissipation; otherwise v_hat_n = -phi / (dt + tau), and tau = dt where the near-rigid term decides. k may be infinite."
#define DOC_pl_sap_hunt_crossley "v_s = max(v_stiction, mu sigma w n0); n0 = dt f_e (1 - d vn0) of the last normal velocity vn0. k is limited to the near-rigid stiffness 4 pi^2 / (beta^2 w dt^2) and f_e with it; beta = 0 leaves them alone."
#define DOC_pl_sap_slow_down "Violations are taken back no faster than v_max: where |v_hat| is larger, v_hat = v_max and R falls by the same factor, so that the impulse at vc = 0, v_hat / R, stays. (A spring of the same stiffness with a longer relaxation time: what a load presses in by does not change, how fast it comes out without the load does.)."
#define DOC_pl_sap_holonomic "A holonomic row g(q, t) = 0: v_hat = -g / (dt + tau), R = max(beta^2 / (4 pi^2) w, 1 / (dt k (dt + tau))), tau = dt if near rigid."
#define DOC_pl_sap_limit "A limit g(q) >= 0, for \"unilateral\". As above; with g > 0 v_hat = -g / dt and no dissipation."
#define DOC_pl_sap_dry_friction "Dry friction of a joint, for \"bounded\": R = sigma w, |gamma| <= dt effort."
#define DOC_pl_sap_actuator "PD control towards q_d, v_d. Gains stiffer than the near-rigid limit are scaled down together."
#define DOC_pl_sap_law "One law by itself: cost l, impulse gamma [nrow] and Hessian G = d2l/dvc2 (3 x 3 for contact laws, the diagonal [nrow] for the others) at vc. Each output may be None."
#define DOC_pl_contact_pressure "Normal force over area (Pa), and force on B over area (Pa): along the normal and along the surface. Zero for a point without area."
#define DOC_pl_contact_traction "Normal force over area (Pa), and force on B over area (Pa): along the normal and along the surface. Zero for a point without area."
#define DOC_pl_contact_shear "Normal force over area (Pa), and force on B over area (Pa): along the normal and along the surface. Zero for a point without area."
#define DOC_pl_data_create "None if memory runs out; the state is the model's start."
#define DOC_pl_data_destroy "None if memory runs out; the state is the model's start."
#define DOC_pl_data_copy "dst gets the complete state of src, parameters included; both are simulations of one model."
#define DOC_pl_data_reset "Back to the model's start."
#define DOC_pl_data_set_control "Back to the model's start."
#define DOC_pl_clear_forces "f_user and f_body zero."
#define DOC_pl_step "One time step of options.dt; under options.accuracy it is taken in inner steps of their own length. On failure every byte of the state is as it was before, inputs and forces included, and data->report says why (error, if not None, as a sentence)."
#define DOC_pl_advance "Steps to the time t_end under an accuracy (m): every inner step's error, as estimated, stays below it in the largest distance over all vertices and rigid bodies (their origins, and how far they turned times their radius of gyration). accuracy 0: that of the options. The control callback is called, tables of inputs aside, and sensors are sampled every options.dt, which is the longest inner step as well. On failure the state is that of the last whole sample. report may be None."
#define DOC_pl_describe_start "What the state violates and constraints will take back: joints outside of their limits, pairs that overlap by more than options.push_out_speed makes good in a step. A sentence for each goes to warn; the state stays."
#define DOC_pl_data_refresh "Recomputes what is derived from the state for results (tet_pi) after q was changed by hand."
#define DOC_pl_attach "Holds vertices of a deformable where they are now relative to a rigid body (-1: the world). *id (may be None) gets its index in data->attach."
#define DOC_pl_attach_deformable "The same relative to another deformable: each vertex moves with the tetrahedron behind the facet that is nearest to it now."
#define DOC_pl_attachment_set "Switches an attachment. Switched on, it holds its vertices where they are now."
#define DOC_pl_switch_set "Switches an attachment. Switched on, it holds its vertices where they are now."
#define DOC_pl_switch_count "How many switches of a kind a model has."
#define DOC_pl_state_hash "64 bits of the state: equal bits, equal hash."
#define DOC_pl_state_save "As a file with a check sum; loading another model's state is \"mismatch\" and changes nothing."
#define DOC_pl_state_load "As a file with a check sum; loading another model's state is \"mismatch\" and changes nothing."
#define DOC_pl_contact_pair "The last step's contacts between two sides of any kind. Forces act on b. Points of a body with itself (a = b) count for the normal force, the area and the rest, and have no resultant."
#define DOC_pl_deformable_mass "Mass of a deformable (kg)."
#define DOC_pl_deformable_state "Mass of a deformable (kg)."
#define DOC_pl_element_state "Results of tetrahedron tet (counted over the whole model)."
#define DOC_pl_vertex_state "The same at a vertex: means over the tetrahedra around it, weighted by volume; energy is their share at the vertex."
#define DOC_pl_energy_budget "\"input\" before the first step, and for a replayed recording."
#define DOC_pl_rigid_body_state "\"input\" if there is no such body."
#define DOC_pl_rigid_poses "Poses of all bodies, [nbody]."
#define DOC_pl_geometry_poses "World poses of all shapes, [ngeom], those fixed in the world included."
#define DOC_pl_site_state "\"input\" if there is no such site."
#define DOC_pl_rigid_mass_matrix "M [nv_rigid x nv_rigid], armatures included."
#define DOC_pl_rigid_bias "M vdot + bias = tau: bias holds Coriolis forces and gravity; damping, springs and actuators are not in it."
#define DOC_pl_rigid_inverse_dynamics "M vdot + bias = tau: bias holds Coriolis forces and gravity; damping, springs and actuators are not in it."
#define DOC_pl_rigid_forward_dynamics "M vdot + bias = tau: bias holds Coriolis forces and gravity; damping, springs and actuators are not in it."
#define DOC_pl_rigid_gravity_forces "Forces that hold everything still against gravity."
#define DOC_pl_rigid_jacobian "J [6 x nv_rigid], column-major: angular velocity of the body (rows 0-2) and velocity of its point (given in its frame; rows 3-5)."
#define DOC_pl_rigid_add_force "Adds a force (world axes) at a point of a body (in its frame), and a moment, to data->f_body."
#define DOC_pl_ik_step "rate [nv_rigid] rad/s or m/s from the state as it is; 0 where nothing may move."
#define DOC_pl_joint_wrenches "What each joint transmits from its parent to its child [njoint]: force and moment on the child at the origin of the joint's frame M, in the axes of M, which move with the child. It is all of it: what holds the child, and the efforts of actuators, springs, damping, friction and limits about the axes (less the part that goes into an armature). It is what weight, inertia, contacts, constraints, attachments and the user's forces (f_body) of everything that the joint carries leave to be balanced; f_user counts as an effort at its joint, that of a free joint as a force from outside. frame (may be None) gets the frames M in the world where the step's forces were taken: at its start, with the midpoint rule at its middle. \"input\" when no step led to the state: at the start, after loading one, and for a replayed recording."
#define DOC_pl_limit_force "Forces about a degree of freedom (N or Nm) of its limits, its dry friction and its actuators."
#define DOC_pl_friction_force "Forces about a degree of freedom (N or Nm) of its limits, its dry friction and its actuators."
#define DOC_pl_motor_force "Forces about a degree of freedom (N or Nm) of its limits, its dry friction and its actuators."
#define DOC_pl_constraint_force "A constraint between bodies or joints: force and moment on b at the point pose_b (of a weld: in the middle of both), world axes, where it joins bodies; and its effort (N or Nm) where it has one row: of a distance along the line, positive pushes apart; of a coupler and a motion on the joint a; of a tendon on its length, negative pulls. None: not wanted. Zero when it is off."
#define DOC_pl_attachment_force "An attachment (index into data->attach): force on the attached vertices, world axes, with its moment about their centre, the mean of their positions at the start of the step. Zero, and a centre that is not a number, when it is off."
#define DOC_pl_output_check_below "\"input\" unless the path, its links resolved, lies below the working folder: where a scene may write."
#define DOC_pl_output_json "A text of JSON as a whole file; one that holds something else is not overwritten."
#define DOC_pl_output_make_plain "Control characters, and bytes that are not UTF-8, become '?': what is shown on a terminal. In place."
#define DOC_pl_output_utf8 "How many bytes at text are one character of UTF-8 (1 to 4); 0 if they are none."
#define DOC_pl_recording_open "A file that holds something else than a recording is not overwritten."
#define DOC_pl_recording_continue "Goes on with a recording of the same model whose last whole frame has data's time: the next frame is written behind it. What a crash left behind that frame is cut off."
#define DOC_pl_recording_write "Adds the state, contacts and report of now as a frame, with one write."
#define DOC_pl_recording_close "Marks the recording as finished and frees it, whatever the status; None is fine."
#define DOC_pl_replay_time "s."
#define DOC_pl_replay_nearest "the frame nearest in time, -1 if there is none."
#define DOC_pl_replay_seek "Loads a frame into the replay's data. On failure the data stays as it was."
#define DOC_pl_replay_data "Loads a frame into the replay's data. On failure the data stays as it was. before the first pl_replay_seek: the start, moving shapes not yet placed."
#define DOC_pl_replay_restore "Sets a simulation of the same model to the frame that was loaded last, so that it goes on with the bits of the recorded run."
#define DOC_pl_signals_create "Vectors become x, y, z and norm; a body named * stands for every deformable body."
#define DOC_pl_signals_destroy "Vectors become x, y, z and norm; a body named * stands for every deformable body."
#define DOC_pl_signals_count "Vectors become x, y, z and norm; a body named * stands for every deformable body."
#define DOC_pl_signals_name "Vectors become x, y, z and norm; a body named * stands for every deformable body. \"block.com.z\"."
#define DOC_pl_signals_unit "Vectors become x, y, z and norm; a body named * stands for every deformable body. \"m\"; \"1\" for a pure number."
#define DOC_pl_signals_eval "row[pl_signals_count]."
#define DOC_pl_signals_help "All kinds of signals with units, one per line, for help texts."
#define DOC_pl_csv_open_contacts "A table of contact points: a line per point and call with time, sides, position, normal, gap, area, force on B, pressure, shear traction, slip, stick, and the facets and tetrahedra concerned (-1: none), counted as in the model."
#define DOC_pl_csv_write "A table of contact points: a line per point and call with time, sides, position, normal, gap, area, force on B, pressure, shear traction, slip, stick, and the facets and tetrahedra concerned (-1: none), counted as in the model."
#define DOC_pl_csv_close "A table of contact points: a line per point and call with time, sides, position, normal, gap, area, force on B, pressure, shear traction, slip, stick, and the facets and tetrahedra concerned (-1: none), counted as in the model. frees it, whatever the status; None is fine."
#define DOC_pl_series_open "Makes the folder if needed; FOLDER/NAME.pvd lists the files, NAME being the folder's name."
#define DOC_pl_series_write "One file per deformable body (displacement, velocity, stress, strain, ...), one for the rigid shapes, one for the contacts."
#define DOC_pl_series_close "One file per deformable body (displacement, velocity, stress, strain, ...), one for the rigid shapes, one for the contacts. frees it, whatever the status; None is fine."
#define DOC_pl_colour_name "\"body\", \"displacement\", \"speed\", \"strain\", \"von_mises\", \"pressure\"."
#define DOC_pl_colour_by_name "\"body\", \"displacement\", \"speed\", \"strain\", \"von_mises\", \"pressure\"."
#define DOC_pl_picture_include "What a picture of data would show: the box of its bodies and the range of the colours, to keep both the same over many frames: lower, upper and range of *options are widened to hold it."
#define DOC_pl_picture_pixels "rgb [3 width height]: 8 bits each, rows from the top."
#define DOC_pl_picture_draw "Writes a PNG file."
#define DOC_pl_sensor_sheet "The readings of cameras, grids of taxels and grids of markers (sensor.h) as panes of one PNG file: colours are distances, normal forces (N), displacements along z (m); arrows are shear and displacements along x and y."
#define DOC_pl_gif_open "seconds: how long each picture is shown, 0.02 or more, rounded to 0.01 s."
#define DOC_pl_gif_include "rgb [3 width height] as pl_picture_pixels writes it."
#define DOC_pl_gif_add "rgb [3 width height] as pl_picture_pixels writes it."
#define DOC_pl_gif_close "Writes the file and frees the GIF, whatever the status; None is fine."
#define DOC_pl_gif_discard "Frees the GIF and writes nothing."
#define DOC_pl_stream_scene "The scene: \"PLSC\", size of a JSON text, the text, then the arrays it refers to. name is what the page calls it. *bytes belongs to the stream and lasts until its next call."
#define DOC_pl_stream_frame "A frame: head bytes for the caller's own use (a multiple of 4), then \"PLFR\" and the numbers. *bytes belongs to the stream and lasts until its next call."
#define DOC_pl_view_open "Serves a page on a simulation, which must outlive the view. Pages that show the token in the address may give orders, others may watch. \"input\" if the address or port cannot be had, or if the library was built without the page."
#define DOC_pl_view_open_recording "The same for a recording, which a thread of the view plays."
#define DOC_pl_view_address "\"http://127.0.0.1:8080/#token=...\", for a browser; lasts as long as the view."
#define DOC_pl_view_note "What is odd about a recording, e.g. that it was not finished; \"\" if nothing is."
#define DOC_pl_view_pages "How many pages are open."
#define DOC_pl_view_sync "To be called by whoever steps, after each step: shows the state, obeys the pages (play and pause, inputs, pulls, rewinding) and keeps time. True if the next step may be taken; False if the given seconds (at most 1e9) passed before the page's play button or the clock allowed it: call again. While a hand pulls at a body, f_user and f_body are the hand's. True at once while a thread of the view steps, and for a recording."
#define DOC_pl_view_start "A thread of the view steps from now on, by the clock and the page's buttons. A recording plays by itself."
#define DOC_pl_view_stop "Ends that: True once the simulation is the caller's again, False if a step takes longer than the given seconds. The view still serves, and can be started again."
#define DOC_pl_view_close "Ends everything, waiting for a step that is being computed; None is allowed. In a child of fork, which has no threads of the view, it closes what the child inherited."
#define DOC_pl_batch_create "nrow rows at the model's start with the model's parameters; threads 0: one for each processor that the program may use. None on failure."
#define DOC_pl_batch_destroy "nrow rows at the model's start with the model's parameters; threads 0: one for each processor that the program may use. None on failure."
#define DOC_pl_batch_step "nstep steps of each row. A row that fails keeps the state before the step that failed and its error, the others go on: then \"rows\", and batch->status says which. The next call tries it again."
#define DOC_pl_batch_error "What went wrong in a row, as a sentence; \"\" if nothing did."
#define DOC_pl_batch_rollout "n times: the inputs become u [nrow][n][nu] (None: they stay), then nstep steps, then the signals of a view go to out [nrow][n][width]; i-th of u and out: i-th row of the list. Rows go on without waiting for each other. Behind a failed step out is not a number."
#define DOC_pl_batch_watch "A list of signals (output.h) that is filled for each row after it was stepped, reset or set: *view is its number in batch->view. A row that fails keeps what it had. Where no step led to the state, there are no contacts and no forces."
#define DOC_pl_batch_width "A list of signals (output.h) that is filled for each row after it was stepped, reset or set: *view is its number in batch->view. A row that fails keeps what it had. Where no step led to the state, there are no contacts and no forces."
#define DOC_pl_batch_signals "For names and units."
#define DOC_pl_batch_look "Fills all views from the state as it is now, after it was written by hand."
#define DOC_pl_batch_reset "Back to the model's start; parameters stay."
#define DOC_pl_batch_copy "To the state of another row."
#define DOC_pl_batch_set "To the state of a simulation of the same model, and back."
#define DOC_pl_batch_get "To the state of a simulation of the same model, and back."
#define DOC_pl_batch_state_set "To bytes of pl_state_get, and back."
#define DOC_pl_batch_state_size "To bytes of pl_state_get, and back."
#define DOC_pl_batch_state_get "To bytes of pl_state_get, and back."
#define DOC_pl_batch_ik "As pl_ik_step for each row, with a target of its own: target [nrow] instead of def->target, rate [nrow][nv_rigid]; i-th of both: i-th row of the list. No row changes."
#define DOC_pl_batch_vary "value [nrow] for the rows of the list. On failure no row changes."
#define DOC_pl_batch_parameter "By number; not a number if there is no such row or parameter."
#define DOC_pl_batch_parameters_reset "Back to the model's."
#define DOC_pl_batch_memory "Bytes that the rows take, without the threads' simulations."

#endif
