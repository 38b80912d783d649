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
extern const Table table_plShapeDef;
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

enum { MODEL_SLOTS = 87, DATA_SLOTS = 11 };

// Docstrings: the comments of the functions.
#define DOC_pl_status_name "A short name of a status, e.g. \"not converged\". Never None."
#define DOC_pl_error_text "Writes \"file:line:column: message\" into text, always terminated, and returns text."
#define DOC_pl_nearest_word "The one of n candidates that is nearest to a misspelt word by edit distance, for \"did you mean\"; None if none is near."
#define DOC_pl_instruction_set "The bits of a simulation depend on model, parameters and state, and also on the instruction set that is used (\"plain\", \"avx2\", \"avx512\"; the environment variable PLIANT_ISA selects one) and on the compiler that built the library."
#define DOC_pl_compiler "The bits of a simulation depend on model, parameters and state, and also on the instruction set that is used (\"plain\", \"avx2\", \"avx512\"; the environment variable PLIANT_ISA selects one) and on the compiler that built the library."
#define DOC_pl_version "The library's version as \"major.minor.patch\"."
#define DOC_pl_material_name "\"linear\", \"linear_corotated\", ...; None for a number that is not a kind. And back: -1 if the name is unknown."
#define DOC_pl_material_find "\"linear\", \"linear_corotated\", ...; None for a number that is not a kind. And back: -1 if the name is unknown."
#define DOC_pl_material_check "Checks that every value is in its range; the error names the admissible range."
#define DOC_pl_material_lame "The Lame parameters at rest (Pa) of a material that passes the check."
#define DOC_pl_mesh_load "Reads a mesh as the file has it, with its orientations and duplicates (pl_mesh_repair corrects them). Quadrilaterals become two triangles. Of tetrahedra and triangles of higher order only the corners are read (by_corners). Points and lines are skipped. Any other element is an error that names it."
#define DOC_pl_mesh_load_within "The same with another limit on the size of the file; 0: 1 GiB, as pl_mesh_load has."
#define DOC_pl_mesh_parse "The same from memory; name decides the format and appears in errors. (TetGen's pair of files, and glTF with buffers in other files, can only be read by path.)."
#define DOC_pl_mesh_save "Writes a mesh in the format of the extension; a surface format gets the boundary of a tet mesh."
#define DOC_pl_mesh_box "centred."
#define DOC_pl_mesh_box_cells "nx ny nz cells."
#define DOC_pl_mesh_cylinder "axis z, centred."
#define DOC_pl_mesh_capsule "length without the caps."
#define DOC_pl_mesh_torus "axis z."
#define DOC_pl_mesh_report_text "Writes one sentence for each finding that a user should know about into text, separated by newlines, and returns their number."
#define DOC_pl_mesh_repair "Repairs what can be repaired safely: reorients inverted tetrahedra, drops duplicates, flat elements and unused vertices (plMesh.number keeps the numbers of the others), merges coincident vertices (surfaces), and orients triangles outward. Sentences about what was done go into log (may be None)."
#define DOC_pl_mesh_boundary "(Re)computes the triangles of a tet mesh as its boundary, outward. Order: by tet, then by face."
#define DOC_pl_mesh_transform "Transforms the vertices in place: first the scale, then the pose."
#define DOC_pl_mesh_tetrahedralize "Tetrahedra of about the given edge length inside a closed surface (isosurface stuffing: robust, every tet of bounded quality). Refuses with \"too_large\" and an estimate when more than max_tets would result (0: 20 million)."
#define DOC_pl_shape_name "\"half_space\", \"sphere\", ..."
#define DOC_pl_options_check "Fails with \"input\" if a value is outside its range; the error names the option."
#define DOC_pl_scheme_by_name "Named schemes: \"backward_euler\" (1, 1), \"symplectic_euler\" (0, 1), \"midpoint\" (1/2, 1/2)."
#define DOC_pl_spec_add_deformable "*id (may be None) gets the body's index."
#define DOC_pl_load_name "\"vertex\", \"force_density\", \"traction\", \"pressure\"."
#define DOC_pl_spec_set_recording "copied."
#define DOC_pl_spec_create "None if memory runs out."
#define DOC_pl_spec_options "the spec's options, to read and change."
#define DOC_pl_spec_deformable_count "Read the definitions in a spec. An index by name is -1 if there is none."
#define DOC_pl_spec_deformable "Read the definitions in a spec. An index by name is -1 if there is none."
#define DOC_pl_spec_find_deformable "Read the definitions in a spec. An index by name is -1 if there is none."
#define DOC_pl_spec_size "The whole spec as bytes, to send it to another process or to store it without the files it was read from. A spec that is read back compiles to a model with the same hash and the same bits."
#define DOC_pl_spec_write "The whole spec as bytes, to send it to another process or to store it without the files it was read from. A spec that is read back compiles to a model with the same hash and the same bits."
#define DOC_pl_spec_read "Bytes that were cut off, damaged, or written by another version are refused; then *spec is None."
#define DOC_pl_spec_load "Reads a scene file (docs/scene.md). options may be None. Nothing is half-loaded: on failure *spec is None."
#define DOC_pl_spec_parse "The same from memory; name stands for the file in errors, folder is where relative paths start."
#define DOC_pl_spec_add_body "*id (may be None) gets the body's index."
#define DOC_pl_spec_find_body "Index by name, -1 if there is none."
#define DOC_pl_joint_kind_name "\"fixed\", \"revolute\", ..."
#define DOC_pl_joint_nq "positions: 0, 1, 1, 1, 1, 2, 4, 3, 7."
#define DOC_pl_joint_nv "velocities: 0, 1, 1, 1, 1, 2, 3, 3, 6."
#define DOC_pl_spec_add_joint "A body may be the child of several joints if all have the same parent. They act one after the other: F of each later joint is given in the frame that the joints before it move, which coincides with the child's frame. A body cannot have two parents; constraints close such loops."
#define DOC_pl_spec_find_joint "A body may be the child of several joints if all have the same parent. They act one after the other: F of each later joint is given in the frame that the joints before it move, which coincides with the child's frame. A body cannot have two parents; constraints close such loops."
#define DOC_pl_actuator_kind_name "\"motor\", ..."
#define DOC_pl_actuator_nu "inputs: 1, 1, 1, 3, 1."
#define DOC_pl_spec_actuator "Read an actuator's definition, and replace it, for example to change gains or the table after loading a file. Name, joint, dof and tendon cannot change."
#define DOC_pl_spec_set_actuator "Read an actuator's definition, and replace it, for example to change gains or the table after loading a file. Name, joint, dof and tendon cannot change."
#define DOC_pl_constraint_kind_name "\"ball\", ..."
#define DOC_pl_spec_exclude "Turns contact off between two sides, each a rigid body, a deformable or the world."
#define DOC_pl_spec_add_site "*id (may be None) gets the site's index."
#define DOC_pl_spec_add_robot "Adds all bodies, joints, actuators, shapes and constraints of a file. Features of the file that the library does not support are reported to options->warn, each kind once with its line. On failure the spec does not change. options may be None."
#define DOC_pl_spec_parse_robot "The same from memory. def->file names the file in errors and decides the format; relative paths start at folder."
#define DOC_pl_spec_body_pose "The pose of a body in the world with all joints at their start."
#define DOC_pl_is_robot_file "Whether the name ends like a robot file (.urdf, .sdf, .world, .xml, .mjcf)."
#define DOC_pl_spec_body_count "Read the definitions in a spec."
#define DOC_pl_spec_joint_count "Read the definitions in a spec."
#define DOC_pl_spec_actuator_count "Read the definitions in a spec."
#define DOC_pl_spec_constraint_count "Read the definitions in a spec."
#define DOC_pl_spec_shape_count "Read the definitions in a spec."
#define DOC_pl_spec_body "Read the definitions in a spec."
#define DOC_pl_spec_joint "Read the definitions in a spec."
#define DOC_pl_spec_constraint "Read the definitions in a spec."
#define DOC_pl_spec_shape "Read the definitions in a spec."
#define DOC_pl_spec_set_joint_start "Sets a joint's start. position has pl_joint_nq entries, velocity (may be None) pl_joint_nv. Values outside the limits are allowed."
#define DOC_pl_spec_set_surface "Sets the surface of a shape; pl_spec_shape reads it."
#define DOC_pl_spec_set_joint_locked "Sets the surface of a shape; pl_spec_shape reads it."
#define DOC_pl_sensor_kind_name "\"joint_position\", ...; never None."
#define DOC_pl_spec_add_sensor "*id (may be None) gets the sensor's index."
#define DOC_pl_spec_sensor_count "*id (may be None) gets the sensor's index."
#define DOC_pl_spec_sensor "*id (may be None) gets the sensor's index."
#define DOC_pl_sensor_find "Index by name, -1 if there is none."
#define DOC_pl_sensor_size "The number of values of a reading: rows times columns."
#define DOC_pl_sensor_restart "Starts all sensors again at the present state, as at the start of a run: earlier samples are forgotten, forces and contacts are those of a state that no step led to. The noise from here on is that of `seed`, 0 to PL_SENSOR_SEEDS - 1; that of a run is 0's. Episodes that begin with the same seed have the same noise. Fails with \"input\" if there is no such seed, or in a control callback."
#define DOC_pl_sensor_read "Writes the present reading into values [pl_sensor_size]. Fails with \"input\" if there is no such sensor. It works in a replay too."
#define DOC_pl_sensor_values "The same values in the sensor's own type; the pointer is valid until the next step."
#define DOC_pl_sensor_measure "Measures the present state without sample rate, delay and noise. Fails with \"input\" if there is no such sensor, and in a replay. Forces are those of the last step, or zero before the first."
#define DOC_pl_sensor_time "The time at which the reading was sampled (s)."
#define DOC_pl_parameter_count "The number of parameters of a model; they are numbered from 0."
#define DOC_pl_parameter_info "\"input\" if there is no such number."
#define DOC_pl_parameter_find "The number of a path, -1 if there is none."
#define DOC_pl_parameter_set "The error for an unknown path names the nearest one, the error for a value out of range names the range. On failure nothing changes."
#define DOC_pl_parameter_set_index "The error for an unknown path names the nearest one, the error for a value out of range names the range. On failure nothing changes."
#define DOC_pl_parameters_get "Read or set all parameters at once, in the order of their numbers: value [pl_parameter_count]. On failure nothing changes."
#define DOC_pl_parameters_set "Read or set all parameters at once, in the order of their numbers: value [pl_parameter_count]. On failure nothing changes."
#define DOC_pl_options_set "Sets the options of the step; duration and threads do not change. On failure nothing changes."
#define DOC_pl_parameters_override "For a scene with overrides (`--set`) into which a state was loaded: the state brought its own options and parameters, and this call puts the overridden values back. plain is the model of the scene without overrides. Every value in which data's model differs from plain, and every option named in option [noption], is set to that of data's model. *count gets the number of values set."
#define DOC_pl_parameters_reset "Sets all parameters to the model's values."
#define DOC_pl_parameter_hash "A 64-bit hash of the options and parameters that affect results. pl_state_hash does not cover them."
#define DOC_pl_model_create "Compiles a spec. Returns None on failure; then the error says what to change. The spec may be destroyed afterwards."
#define DOC_pl_model_destroy "Releases the model. Its memory is freed when the last simulation made from it is destroyed."
#define DOC_pl_model_info "Counts, options, bodies, joints, actuators, constraints, sites, deformables, attachments, shapes and sensors of a model, at the values of model->par. Writes at most size bytes, terminated unless size is 0 (text may then be None); returns the length of the whole, as snprintf does."
#define DOC_pl_kind_name "\"deformable\", \"body\", ..."
#define DOC_pl_model_count "The number of things of a kind, and the name of each."
#define DOC_pl_model_name "The number of things of a kind, and the name of each."
#define DOC_pl_model_find "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_body "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_joint "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_actuator "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_deformable "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_shape "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_attachment "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_constraint "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_site "The index of a thing by its name, -1 if there is none. The functions below are the same for one kind each."
#define DOC_pl_model_find_side "Finds a deformable, rigid body or shape by name, in this order; \"world\" is the world. Returns False if there is none."
#define DOC_pl_side_name "The name of a side; \"world\" and \"any\" for the sides that are not objects."
#define DOC_pl_side_equal "The name of a side; \"world\" and \"any\" for the sides that are not objects."
#define DOC_pl_side_covers "Whether `side` includes the contact side `of`: they are equal, `of` is a shape of that body or of the world, or `side` is any."
#define DOC_pl_sap_quick_options "For successive solves, as in a simulation: up to 6 sticking steps, and a line search tolerance of 0.1. A grasp takes half the iterations, a sliding arch two thirds; a single solve may take a few more than with the default options."
#define DOC_pl_sap_workspace_create "Memory and the sparsity pattern of the last problem. Each thread needs its own. Repeated solves of problems of the same size allocate nothing."
#define DOC_pl_sap_workspace_destroy "Memory and the sparsity pattern of the last problem. Each thread needs its own. Repeated solves of problems of the same size allocate nothing."
#define DOC_pl_sap_solve "Solves the problem. v_guess [sum of clique_nv] is an initial guess and may be None; parts of it that are not finite or cost more than v_star are ignored. options (None: the default options), solution, report and error may be None. Fails with \"input\" if the problem is malformed, \"not_finite\" if it contains or produces NaN or infinity, \"indefinite\" if a block of A has no Cholesky factor, and \"not_converged\" if the stopping test was not met. The error names the constraint or clique."
#define DOC_pl_sap_solve_coulomb "Like pl_sap_solve, in rounds. Every round converges, or the call fails as pl_sap_solve does. If the shifts do not converge in max_rounds, the result is that of the best round, of which the convex law itself (s = 0) is one; the status is \"ok\" and report->coulomb_capped is 1. coulomb may be None for the default settings."
#define DOC_pl_sap_coulomb_error "constraint is that of the problem, without shifts; vc = J v + b. For laws other than \"cone\" all are zero."
#define DOC_pl_sap_coulomb_holds "1 if s is within its tolerance, else 0."
#define DOC_pl_sap_delassus "The Delassus estimate of a constraint: w = |sum_c J_c diag(A_c)^-1 J_c'|_F / nrow."
#define DOC_pl_sap_cone "Parameters of a contact point with stiffness k, dissipation time tau and gap phi: R_n = max(beta^2 / (4 pi^2) w / share, 1 / (dt k (dt + tau))), R_t = sigma w / share. share is the point's part of the area of its vertex (1 for a single point). With a gap, phi > 0, v_hat_n = -phi / dt and there is no dissipation; otherwise v_hat_n = -phi / (dt + tau), and tau = dt where the near-rigid term decides. k may be infinite."
#define DOC_pl_sap_hunt_crossley "v_s = max(v_stiction, mu sigma w n0) with n0 = dt f_e (1 - d vn0), where vn0 is the last normal velocity. k is limited to the near-rigid stiffness 4 pi^2 / (beta^2 w dt^2), and f_e with it; beta = 0 means no limit."
#define DOC_pl_sap_slow_down "Limits the speed at which a violation is corrected to v_max. If |v_hat| is larger, v_hat becomes v_max and R falls by the same factor, so that the impulse at vc = 0, v_hat / R, does not change. (This is a spring of the same stiffness with a longer relaxation time: a load presses in equally deep, but recovers more slowly.)."
#define DOC_pl_sap_holonomic "A holonomic row g(q, t) = 0: v_hat = -g / (dt + tau), R = max(beta^2 / (4 pi^2) w, 1 / (dt k (dt + tau))), tau = dt if near rigid."
#define DOC_pl_sap_limit "A limit g(q) >= 0, for \"unilateral\". As above; with g > 0 v_hat = -g / dt and no dissipation."
#define DOC_pl_sap_dry_friction "Dry friction of a joint, for \"bounded\": R = sigma w, |gamma| <= dt effort."
#define DOC_pl_sap_actuator "PD control towards q_d, v_d. Gains stiffer than the near-rigid limit are scaled down together."
#define DOC_pl_sap_law "Evaluates one law: cost l, impulse gamma [nrow] and Hessian G = d2l/dvc2 (3 x 3 for contact laws, the diagonal [nrow] for the others) at vc. Each output may be None."
#define DOC_pl_contact_pressure "Pressure is the normal force divided by the area, traction is the force on B divided by the area, and shear is the part of the traction along the surface (all in Pa). They are zero for a point without area."
#define DOC_pl_contact_traction "Pressure is the normal force divided by the area, traction is the force on B divided by the area, and shear is the part of the traction along the surface (all in Pa). They are zero for a point without area."
#define DOC_pl_contact_shear "Pressure is the normal force divided by the area, traction is the force on B divided by the area, and shear is the part of the traction along the surface (all in Pa). They are zero for a point without area."
#define DOC_pl_data_create "A new simulation in the model's initial state. Returns None if memory runs out."
#define DOC_pl_data_destroy "A new simulation in the model's initial state. Returns None if memory runs out."
#define DOC_pl_data_copy "Copies the complete state of src, parameters included, to dst. Both must be simulations of one model."
#define DOC_pl_data_reset "Returns to the model's initial state."
#define DOC_pl_data_set_control "Sets the callback (see plControl); None removes it. user is passed to it."
#define DOC_pl_clear_forces "Sets f_user and f_body to zero."
#define DOC_pl_step "Takes one time step of options.dt; with options.accuracy it consists of inner steps whose length is chosen by their error. If it fails, every byte of the state is as before, inputs and forces included; data->report says why, and error (if not None) gets a sentence. The results of the step before it (contacts, forces, energy budgets) are lost, unless the control callback ended the step. A data of None fails an assertion (pliant.h)."
#define DOC_pl_advance "Steps to the time t_end with an accuracy (m): the estimated error of every inner step stays below it. The error is the largest distance over all vertices and rigid bodies (of their origins, and of their rotation times the radius of gyration). accuracy = 0 uses that of the options. The control callback is called and sensors are sampled every options.dt, which is also the longest inner step; tables of inputs are evaluated in every inner step if there is no callback. On failure the state is that of the last complete sample. report may be None."
#define DOC_pl_describe_start "Describes violations that constraints will correct once stepping begins: joints outside their limits, and pairs whose overlap is larger than options.push_out_speed can undo in one step, or too deep for contact (report.deep). warn gets one sentence for each. The state does not change."
#define DOC_pl_data_refresh "Recomputes tet_pi, the only result that depends on q alone. Call it after changing q by hand."
#define DOC_pl_attach "Attaches vertices of a deformable to a rigid body (-1 for the world) at their present relative positions, with infinite stiffness (as stiff as the time step allows). *id (may be None) gets the index in data->attach. Fails with \"not_finite\" if q is not finite."
#define DOC_pl_attach_deformable "The same with another deformable: each vertex moves with the tetrahedron behind the facet that is nearest to it now."
#define DOC_pl_attachment_set "Switches an attachment on or off. When switched on, it holds its vertices at their present relative positions."
#define DOC_pl_switch_set "Switches one thing on or off; plSwitch says what index counts."
#define DOC_pl_switch_count "The number of switches of a kind that a model has."
#define DOC_pl_state_size "pl_state_get writes pl_state_size bytes; pl_state_set restores them in any simulation of the same model: one of the same model->hash, which may have other parameters; they are part of the state and are replaced. The state of another model is refused with \"mismatch\" and changes nothing, also where the sizes agree. Ask for the size each time: attachments, forces on bodies and steps in parts change it."
#define DOC_pl_state_get "pl_state_get writes pl_state_size bytes; pl_state_set restores them in any simulation of the same model: one of the same model->hash, which may have other parameters; they are part of the state and are replaced. The state of another model is refused with \"mismatch\" and changes nothing, also where the sizes agree. Ask for the size each time: attachments, forces on bodies and steps in parts change it."
#define DOC_pl_state_set "pl_state_get writes pl_state_size bytes; pl_state_set restores them in any simulation of the same model: one of the same model->hash, which may have other parameters; they are part of the state and are replaced. The state of another model is refused with \"mismatch\" and changes nothing, also where the sizes agree. Ask for the size each time: attachments, forces on bodies and steps in parts change it."
#define DOC_pl_state_hash "A 64-bit hash of the state's bits."
#define DOC_pl_state_save "Save the state as a file with a checksum, and load it. Loading the state of another model fails with \"mismatch\" and changes nothing."
#define DOC_pl_state_load "Save the state as a file with a checksum, and load it. Loading the state of another model fails with \"mismatch\" and changes nothing."
#define DOC_pl_contact_pair "Sums up the last step's contacts between two sides of any kind. Forces act on b. For contacts of a body with itself (a = b) the resultant force and moment are zero; the other fields are as usual."
#define DOC_pl_deformable_mass "Mass of a deformable (kg)."
#define DOC_pl_deformable_state "Mass, motion, energies and extent of a deformable in the present state."
#define DOC_pl_element_state "Results of tetrahedron tet (counted over the whole model)."
#define DOC_pl_vertex_state "The same at a vertex: means over the tetrahedra around it, weighted by volume. energy is the vertex's share of their energies."
#define DOC_pl_energy_budget "Fails with \"input\" if no step led to the state (at the start, after a reset, after a state was set, after a step that failed) and for a replayed recording."
#define DOC_pl_rigid_body_state "Fails with \"input\" if there is no such body."
#define DOC_pl_rigid_poses "Poses of all bodies, [nbody]."
#define DOC_pl_shape_poses "World poses of all shapes, [nshape], those fixed in the world included."
#define DOC_pl_site_state "Fails with \"input\" if there is no such site."
#define DOC_pl_rigid_mass_matrix "The mass matrix M [nv_rigid x nv_rigid], armatures included."
#define DOC_pl_rigid_bias "M vdot + bias = tau: bias holds Coriolis forces and gravity; damping, springs and actuators are not in it."
#define DOC_pl_rigid_inverse_dynamics "M vdot + bias = tau: bias holds Coriolis forces and gravity; damping, springs and actuators are not in it."
#define DOC_pl_rigid_forward_dynamics "M vdot + bias = tau: bias holds Coriolis forces and gravity; damping, springs and actuators are not in it."
#define DOC_pl_rigid_gravity_forces "The generalised forces that balance gravity at rest."
#define DOC_pl_rigid_jacobian "J [6 x nv_rigid], column-major: angular velocity of the body (rows 0-2) and velocity of its point (given in its frame; rows 3-5)."
#define DOC_pl_rigid_add_force "Adds a force (world axes) at a point of a body (in its frame), and a moment, to data->f_body."
#define DOC_pl_ik_step "Computes joint velocities rate [nv_rigid] (rad/s or m/s) from the present state; 0 where a joint may not move."
#define DOC_pl_joint_wrenches "The wrench that each joint [njoint] transmits from its parent to its child: force and moment on the child at the origin of the joint's frame M, in the axes of M, which move with the child. It contains the reaction that holds the child and the efforts of actuators, springs, damping, friction and limits about the axes, except the part that accelerates an armature. It balances weight, inertia, contacts, constraints, attachments and the user's forces (f_body) of everything that the joint carries. f_user counts as an effort at its joint; on a free joint it counts as an external force. frame (may be None) gets the world poses of the frames M for which the step evaluated its forces: at the start of the step, with the midpoint rule at its middle. Fails with \"input\" if no step led to the present state: at the start, after loading a state, after a step that failed, and for a replayed recording."
#define DOC_pl_limit_force "The forces of the limits, of the dry friction and of the actuators of a degree of freedom, along it (N or Nm)."
#define DOC_pl_friction_force "The forces of the limits, of the dry friction and of the actuators of a degree of freedom, along it (N or Nm)."
#define DOC_pl_motor_force "The forces of the limits, of the dry friction and of the actuators of a degree of freedom, along it (N or Nm)."
#define DOC_pl_constraint_force "The force of a constraint. If it joins bodies, wrench gets force and moment on b at the point pose_b (for a weld in the middle of both points), world axes. If it has one row, effort gets its force (N or Nm): for a distance along the line, positive pushes apart; for a coupler and a motion on joint a; for a tendon on its length, negative pulls. Either may be None. Both are zero if the constraint is off."
#define DOC_pl_attachment_force "The force of an attachment (index into data->attach) on its vertices, world axes, with the moment about their centre, which is the mean of their positions at the start of the step. If it is off, the wrench is zero and the centre is NaN."
#define DOC_pl_output_check_below "Fails with \"input\" unless the path, with links resolved, lies below the working folder. Scene files may only write there."
#define DOC_pl_output_json "Writes a JSON text as a file. A file that holds something else is not overwritten."
#define DOC_pl_output_make_plain "Replaces control characters and bytes that are not UTF-8 by '?', in place, so that the text can be shown on a terminal."
#define DOC_pl_output_utf8 "The number of bytes of the UTF-8 character at text (1 to 4); 0 if it is not one."
#define DOC_pl_recording_open "A file that holds something else than a recording is not overwritten."
#define DOC_pl_recording_continue "Continues a recording of the same model whose last complete frame has data's time; new frames are appended. Incomplete bytes that a crash left after that frame are removed."
#define DOC_pl_recording_write "Appends the present state, contacts and report as a frame, in one write."
#define DOC_pl_recording_close "Marks the recording as finished and frees it, whatever the status. None is allowed."
#define DOC_pl_replay_time "s."
#define DOC_pl_replay_nearest "the frame nearest in time, -1 if there is none."
#define DOC_pl_replay_seek "Loads a frame into the replay's data. On failure the data stays as it was."
#define DOC_pl_replay_data "Loads a frame into the replay's data. On failure the data stays as it was. before the first pl_replay_seek it holds the initial state, in which moving shapes have no pose yet."
#define DOC_pl_replay_restore "Sets a simulation of the same model to the frame that was loaded last; it continues with the same bits as the recorded run."
#define DOC_pl_signals_create "A vector becomes four signals: x, y, z and norm. The name * stands for every deformable body."
#define DOC_pl_signals_destroy "A vector becomes four signals: x, y, z and norm. The name * stands for every deformable body."
#define DOC_pl_signals_count "A vector becomes four signals: x, y, z and norm. The name * stands for every deformable body."
#define DOC_pl_signals_name "A vector becomes four signals: x, y, z and norm. The name * stands for every deformable body. \"block.com.z\"."
#define DOC_pl_signals_unit "A vector becomes four signals: x, y, z and norm. The name * stands for every deformable body. \"m\"; \"1\" for a pure number."
#define DOC_pl_signals_eval "row[pl_signals_count]."
#define DOC_pl_signals_help "A text with all kinds of signals and their units, one per line."
#define DOC_pl_csv_open_contacts "A CSV table of contact points: one line per point and call with time, sides, position, normal, gap, area, force on B, pressure, shear traction, slip, stick, and the facets and tetrahedra of both sides (-1 for none), numbered as in the model."
#define DOC_pl_csv_write "A CSV table of contact points: one line per point and call with time, sides, position, normal, gap, area, force on B, pressure, shear traction, slip, stick, and the facets and tetrahedra of both sides (-1 for none), numbered as in the model."
#define DOC_pl_csv_close "A CSV table of contact points: one line per point and call with time, sides, position, normal, gap, area, force on B, pressure, shear traction, slip, stick, and the facets and tetrahedra of both sides (-1 for none), numbered as in the model. frees it, whatever the status; None is fine."
#define DOC_pl_series_open "Creates the folder if needed. FOLDER/NAME.pvd lists the files, where NAME is the folder's name."
#define DOC_pl_series_write "One file per deformable body (displacement, velocity, stress, strain, ...), one for the rigid shapes, one for the contacts."
#define DOC_pl_series_close "One file per deformable body (displacement, velocity, stress, strain, ...), one for the rigid shapes, one for the contacts. frees it, whatever the status; None is fine."
#define DOC_pl_colour_name "\"body\", \"displacement\", \"speed\", \"strain\", \"von_mises\", \"pressure\"."
#define DOC_pl_colour_by_name "\"body\", \"displacement\", \"speed\", \"strain\", \"von_mises\", \"pressure\"."
#define DOC_pl_picture_include "Widens lower, upper and range of *options to include the bodies and field values of data. Call it for many frames to draw them all with the same view and colours."
#define DOC_pl_picture_pixels "Draws into rgb [3 width height], 8 bits each, rows from the top."
#define DOC_pl_picture_draw "Writes a PNG file."
#define DOC_pl_sensor_sheet "The readings of cameras, grids of taxels and grids of markers (sensor.h) as panes of one PNG file. Colours show distances (cameras), normal forces in N (taxels) or displacements along z in m (markers); arrows show shear forces (taxels) or displacements along x and y (markers)."
#define DOC_pl_gif_open "seconds is the time for which each picture is shown, at least 0.02, rounded to 0.01 s."
#define DOC_pl_gif_include "rgb [3 width height] as pl_picture_pixels writes it."
#define DOC_pl_gif_add "rgb [3 width height] as pl_picture_pixels writes it."
#define DOC_pl_gif_close "Writes the file and frees the GIF, whatever the status. None is allowed."
#define DOC_pl_gif_discard "Frees the GIF and writes nothing."
#define DOC_pl_stream_scene "The scene: \"PLSC\", size of a JSON text, the text, then the arrays it refers to. name is shown as the title. *bytes belongs to the stream and is valid until the next call with it."
#define DOC_pl_stream_frame "A frame: head bytes for the caller's own use (a multiple of 4), then \"PLFR\" and the numbers. *bytes belongs to the stream and is valid until the next call with it."
#define DOC_pl_view_open "Serves a page on a simulation, which must outlive the view. Pages opened with the token in the address may control the simulation, others may only watch. Fails with \"input\" if the address or port is not available, or if the library was built without the page."
#define DOC_pl_view_open_recording "The same for a recording, which a thread of the view plays."
#define DOC_pl_view_address "\"http://127.0.0.1:8080/#token=...\", for a browser; lasts as long as the view."
#define DOC_pl_view_note "A remark on a recording, for example that it was not finished; \"\" if there is none."
#define DOC_pl_view_pages "The number of open pages."
#define DOC_pl_view_sync "The thread that steps calls this after each step. It shows the state, carries out what the pages ask for (play, pause, inputs, pulling on bodies, rewinding) and keeps real time. It returns True if the next step may be taken. It returns False if the given seconds (at most 1e9) passed before the play button or the clock allowed a step; then call it again. While a user pulls on a body, the view writes f_user and f_body. It returns True at once while a thread of the view steps, and for a recording."
#define DOC_pl_view_start "Lets a thread of the view step the simulation from now on, by the clock and the page's buttons. A recording plays without this."
#define DOC_pl_view_stop "Stops that thread. Returns True once the caller may use the simulation again, False if a step takes longer than the given seconds. The view still serves pages and can be started again."
#define DOC_pl_view_close "Stops serving and frees the view, after waiting for a step in progress. None is allowed. In a forked child, which has no threads of the view, it only closes what the child inherited."
#define DOC_pl_batch_create "Creates a batch of nrow rows in the model's initial state with the model's parameters. threads = 0 uses one thread for each processor that the program may use. Returns None on failure."
#define DOC_pl_batch_destroy "Creates a batch of nrow rows in the model's initial state with the model's parameters. threads = 0 uses one thread for each processor that the program may use. Returns None on failure."
#define DOC_pl_batch_step "Takes nstep steps of each row. A row that fails keeps its error and the state before the failed step; the other rows continue. In that case the function returns \"rows\", and batch->status says which rows failed. The next call tries them again."
#define DOC_pl_batch_error "What went wrong in a row, as a sentence; \"\" if nothing did."
#define DOC_pl_batch_rollout "Repeats n times: sets the inputs to u [nrow][n][nu] (None leaves them), takes nstep steps, and writes the signals of a view to out [nrow][n][width]. Entry i of u and out belongs to row i of the list. Rows do not wait for each other. After a failed step the rest of the row's out is NaN."
#define DOC_pl_batch_set_stop "Sets the callback; None removes it. user is passed to it. It is called on the calling thread about every 50 ms, between two steps of a row or while other threads finish. After it returned True each row ends with the step that it is in, and the call returns \"cancelled\". The state of each row is then that after batch->steps of its steps, 0 for a row that did not begin, and the rest of its out in a rollout is NaN."
#define DOC_pl_batch_watch "Adds a list of signals (output.h) that is evaluated for each row after it was stepped, reset or set; *view gets its index in batch->view. A row that fails keeps its old values. If no step led to the state, there are no contacts and no forces."
#define DOC_pl_batch_width "Adds a list of signals (output.h) that is evaluated for each row after it was stepped, reset or set; *view gets its index in batch->view. A row that fails keeps its old values. If no step led to the state, there are no contacts and no forces."
#define DOC_pl_batch_signals "The signals of a view, for their names and units."
#define DOC_pl_batch_look "Evaluates all views for the present state. Call it after writing the state by hand."
#define DOC_pl_batch_restart_sensors "Starts the sensors of rows again at the present state, as pl_sensor_restart does: with a seed of the noise for each row of the list (None: 0), for episodes that differ in it. Call it after writing the state by hand."
#define DOC_pl_batch_reset "Sets rows to the model's initial state; their parameters do not change."
#define DOC_pl_batch_copy "Sets rows to the state of another row."
#define DOC_pl_batch_set "Set rows to the state of a simulation of the same model, and a simulation to that of a row."
#define DOC_pl_batch_get "Set rows to the state of a simulation of the same model, and a simulation to that of a row."
#define DOC_pl_batch_state_set "Set rows from the bytes of pl_state_get, and write a row as such bytes."
#define DOC_pl_batch_state_size "Set rows from the bytes of pl_state_get, and write a row as such bytes."
#define DOC_pl_batch_state_get "Set rows from the bytes of pl_state_get, and write a row as such bytes."
#define DOC_pl_batch_ik "Calls pl_ik_step for each row with a target of its own: target [nrow] replaces def->target, and the result is rate [nrow][nv_rigid]. Entry i of both belongs to row i of the list. No row changes."
#define DOC_pl_batch_vary "Sets a parameter of the listed rows to value [nrow]. On failure no row changes."
#define DOC_pl_batch_parameter "The value of a parameter by its number; NaN if there is no such row or parameter."
#define DOC_pl_batch_parameters_reset "Sets the parameters of rows to the model's."
#define DOC_pl_batch_memory "Bytes of memory of the rows, not counting the simulations of the threads."

#endif
