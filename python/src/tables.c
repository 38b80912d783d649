// Made by tools/python_tables from include/pliant/*.h: change those, then run it.
#include "tables.h"

const Word words_plSideKind[] = {{"any", 0}, {"world", 1}, {"body", 2}, {"shape", 3}, {"deformable", 4}, {NULL, 0}};
const Word words_plContactLaw[] = {{"cone", 0}, {"similar", 2}, {"coulomb", 3}, {NULL, 0}};
const Word words_plRigidContact[] = {{"patch", 0}, {"point", 1}, {NULL, 0}};
const Word words_plCoupling[] = {{"converged", 0}, {"once", 1}, {NULL, 0}};
const Word words_plMaterialKind[] = {{"linear", 0}, {"linear_corotated", 1}, {"corotated", 2}, {"saint_venant_kirchhoff", 3}, {"neo_hookean", 4}, {"mooney_rivlin", 5}, {"fixed_corotated", 6}, {NULL, 0}};
const Word words_plVolumetric[] = {{"element", 0}, {"patch", 1}, {NULL, 0}};
const Word words_plElement[] = {{"tet4", 0}, {"tet4_smoothed", 1}, {"tet10", 2}, {NULL, 0}};
const Word words_plMass[] = {{"consistent", 0}, {"lumped", 1}, {NULL, 0}};
const Word words_plRotation[] = {{"consistent", 0}, {"lagged", 1}, {NULL, 0}};
const Word words_plStatus[] = {{"ok", 0}, {"input", 1}, {"io", 2}, {"memory", 3}, {"too_large", 4}, {"not_converged", 5}, {"indefinite", 6}, {"not_finite", 7}, {"unstable", 8}, {"mismatch", 9}, {"cancelled", 10}, {"rows", 11}, {"passage", 12}, {NULL, 0}};
const Word words_plColour[] = {{"body", 0}, {"displacement", 1}, {"speed", 2}, {"strain", 3}, {"von_mises", 4}, {"pressure", 5}, {NULL, 0}};
const Word words_plRegionKind[] = {{"all", 0}, {"box", 1}, {"sphere", 2}, {"half_space", 3}, {"indices", 4}, {NULL, 0}};
const Word words_plLoadKind[] = {{"vertex", 0}, {"force_density", 1}, {"traction", 2}, {"pressure", 3}, {NULL, 0}};
const Word words_plShapeKind[] = {{"half_space", 0}, {"sphere", 1}, {"box", 2}, {"capsule", 3}, {"cylinder", 4}, {"ellipsoid", 5}, {"mesh", 6}, {NULL, 0}};
const Word words_plJointKind[] = {{"fixed", 0}, {"revolute", 1}, {"continuous", 2}, {"prismatic", 3}, {"screw", 4}, {"universal", 5}, {"ball", 6}, {"planar", 7}, {"free", 8}, {NULL, 0}};
const Word words_plActuatorKind[] = {{"motor", 0}, {"position", 1}, {"velocity", 2}, {"pd", 3}, {"affine", 4}, {NULL, 0}};
const Word words_plInterpolation[] = {{"linear", 0}, {"cubic", 1}, {NULL, 0}};
const Word words_plConstraintKind[] = {{"ball", 0}, {"weld", 1}, {"distance", 2}, {"coupler", 3}, {"tendon", 4}, {"motion", 5}, {NULL, 0}};
const Word words_plSensorKind[] = {{"joint_position", 0}, {"joint_velocity", 1}, {"joint_effort", 2}, {"actuator_force", 3}, {"position", 4}, {"orientation", 5}, {"pose", 6}, {"velocity", 7}, {"wrench", 8}, {"force", 9}, {"torque", 10}, {"gyro", 11}, {"accelerometer", 12}, {"imu", 13}, {"contact", 14}, {"touch", 15}, {"volume", 16}, {"taxels", 17}, {"markers", 18}, {"depth", 19}, {"rgb", 20}, {"segmentation", 21}, {NULL, 0}};
const Word words_plBase[] = {{"file", 0}, {"weld", 1}, {"free", 2}, {NULL, 0}};
const Word words_plFrictionMode[] = {{"file", 0}, {"ignore", 1}, {"value", 2}, {NULL, 0}};
const Word words_plInertiaMode[] = {{"file", 0}, {"shapes", 1}, {NULL, 0}};
const Word words_plMeshMode[] = {{"convex", 0}, {"exact", 1}, {NULL, 0}};
const Word words_plOverlapMode[] = {{"exclude", 0}, {"keep", 1}, {NULL, 0}};
const Word words_plIkGoal[] = {{"pose", 0}, {"position", 1}, {"velocity", 2}, {NULL, 0}};
const Word words_plImpulseKind[] = {{"limit", 0}, {"friction", 1}, {"actuator", 2}, {"constraint", 3}, {"attachment", 4}, {"effort", 5}, {NULL, 0}};
const Word words_plStage[] = {{"control", 0}, {"kinematics", 1}, {"contacts", 2}, {"partition", 3}, {"momentum", 4}, {"factor", 5}, {"free_motion", 6}, {"constraints", 7}, {"contact_solve", 8}, {"interior", 9}, {"coupling", 10}, {"guard", 11}, {"advance", 12}, {"sensors", 13}, {NULL, 0}};
const Word words_plSwitch[] = {{"constraint", 0}, {"limit", 1}, {"friction", 2}, {"actuator", 3}, {"shape", 4}, {"deformable", 5}, {NULL, 0}};
const Word words_plSapLaw[] = {{"cone", 0}, {"similar", 1}, {"bilateral", 2}, {"unilateral", 3}, {"bounded", 4}, {"actuator", 5}, {NULL, 0}};
const Word words_plOutputKind[] = {{"recording", 0}, {"table", 1}, {"state", 2}, {"json", 3}, {"png", 4}, {"gif", 5}, {NULL, 0}};

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

static const Field fields_plSide[] = {
    {"kind", "what kind of object index refers to", FIELD_ENUM, offsetof(plSide, kind), 1, 1, NULL, words_plSideKind, 0, REFERENCE_NONE},
    {"index", "of the body, shape or deformable; 0 for the other kinds", FIELD_INT, offsetof(plSide, index), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSide = {"Side", "", sizeof(plSide), fields_plSide, 2, NULL};

static void default_plOptions(void* to) { *(plOptions*)to = pl_default_options(); }
static const Field fields_plOptions[] = {
    {"dt", "s, time step; default 0.01", FIELD_DOUBLE, offsetof(plOptions, dt), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"duration", "s, simulated time after which `pliant run` ends; pl_step does not use it; default 1", FIELD_DOUBLE, offsetof(plOptions, duration), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"gravity", "m/s^2; default (0, 0, -9.81)", FIELD_DOUBLE, offsetof(plOptions, gravity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"theta", "forces are taken at theta q + (1-theta) q0, in [0, 1]; default 1 (backward Euler)", FIELD_DOUBLE, offsetof(plOptions, theta), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"theta_vq", "q = q0 + dt (theta_vq v + (1-theta_vq) v0), in [0, 1]; default 1", FIELD_DOUBLE, offsetof(plOptions, theta_vq), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"contact_law", "default \"coulomb\"", FIELD_ENUM, offsetof(plOptions, contact_law), 1, 1, NULL, words_plContactLaw, 0, REFERENCE_NONE},
    {"coulomb_strict", "with \"coulomb\": True makes a step fail if its rounds do not converge; default False: such a step is counted in report.coulomb_capped", FIELD_BOOL, offsetof(plOptions, coulomb_strict), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"tolerance", "relative residual at which the contact problem is solved; default 1e-6", FIELD_DOUBLE, offsetof(plOptions, tolerance), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"free_tolerance", "the same for the free motion of nonlinear materials; default 1e-8", FIELD_DOUBLE, offsetof(plOptions, free_tolerance), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"max_iterations", "Newton iterations after which a step fails with a status; default 500", FIELD_INT, offsetof(plOptions, max_iterations), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"friction_sigma", "sigma of the tangential compliance of every contact, R_t = sigma w; default 1e-3", FIELD_DOUBLE, offsetof(plOptions, friction_sigma), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"near_rigid", "beta of the least normal compliance, R_n >= beta^2/(4 pi^2) w; default 1", FIELD_DOUBLE, offsetof(plOptions, near_rigid), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"gap_closing", "fraction of a gap that may close in one step, in (0, 1]; values below 1 slow approaching bodies down; default 1", FIELD_DOUBLE, offsetof(plOptions, gap_closing), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"push_out_speed", "m/s, largest speed at which near-rigid contacts, limits and constraints correct a violation present at the start of a step; default 0.1; infinity corrects it in one step", FIELD_DOUBLE, offsetof(plOptions, push_out_speed), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"push_out_turn", "rad/s, the same for angles; default 1", FIELD_DOUBLE, offsetof(plOptions, push_out_turn), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"accuracy", "m, error control: each step is divided into inner steps whose estimated error stays below this; default 0: no error control", FIELD_DOUBLE, offsetof(plOptions, accuracy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"contact_points", "a flat patch with more contact points than this is reduced to this number (at least 4); 0: never (default)", FIELD_INT, offsetof(plOptions, contact_points), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"rigid_contact", "between convex rigid shapes and half spaces; default \"patch\"", FIELD_ENUM, offsetof(plOptions, rigid_contact), 1, 1, NULL, words_plRigidContact, 0, REFERENCE_NONE},
    {"coupling", "of nonlinear materials with contact; default \"converged\"", FIELD_ENUM, offsetof(plOptions, coupling), 1, 1, NULL, words_plCoupling, 0, REFERENCE_NONE},
    {"threads", "threads of one simulation; 0 (the default): as many as make it faster. The results do not depend on it", FIELD_INT, offsetof(plOptions, threads), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plOptions = {"Options", "", sizeof(plOptions), fields_plOptions, 20, default_plOptions};

static void default_plMaterial(void* to) { *(plMaterial*)to = pl_default_material(); }
static const Field fields_plMaterial[] = {
    {"kind", "default \"linear_corotated\"", FIELD_ENUM, offsetof(plMaterial, kind), 1, 1, NULL, words_plMaterialKind, 0, REFERENCE_NONE},
    {"young", "Pa, Young's modulus > 0; default 1e5; unused if lame_mu > 0 and by Mooney-Rivlin", FIELD_DOUBLE, offsetof(plMaterial, young), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"poisson", "Poisson's ratio in (-1, 0.5); default 0.4; unused in the same cases", FIELD_DOUBLE, offsetof(plMaterial, poisson), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"lame_lambda", "Pa; used with lame_mu instead of young and poisson; lame_lambda > -2/3 lame_mu; default 0", FIELD_DOUBLE, offsetof(plMaterial, lame_lambda), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"lame_mu", "Pa; 0: young and poisson are used (default)", FIELD_DOUBLE, offsetof(plMaterial, lame_mu), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"c1", "Pa, Mooney-Rivlin: not negative, not both 0; default 0", FIELD_DOUBLE, offsetof(plMaterial, c1), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"c2", "Pa, Mooney-Rivlin: not negative, not both 0; default 0", FIELD_DOUBLE, offsetof(plMaterial, c2), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"bulk", "Pa, Mooney-Rivlin: larger than (4 c2 - 2 c1)/3 and (4 c1 - 2 c2)/3; default 0", FIELD_DOUBLE, offsetof(plMaterial, bulk), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"density", "kg/m^3 > 0; default 1000", FIELD_DOUBLE, offsetof(plMaterial, density), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"damping_mass", "1/s, Rayleigh alpha >= 0; default 0", FIELD_DOUBLE, offsetof(plMaterial, damping_mass), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"damping_stiffness", "s, Rayleigh beta >= 0; default 0.01", FIELD_DOUBLE, offsetof(plMaterial, damping_stiffness), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"volumetric", "default \"element\"", FIELD_ENUM, offsetof(plMaterial, volumetric), 1, 1, NULL, words_plVolumetric, 0, REFERENCE_NONE},
    {"element", "default \"tet4\"", FIELD_ENUM, offsetof(plMaterial, element), 1, 1, NULL, words_plElement, 0, REFERENCE_NONE},
    {"mass", "default \"consistent\"", FIELD_ENUM, offsetof(plMaterial, mass), 1, 1, NULL, words_plMass, 0, REFERENCE_NONE},
    {"rotation", "default \"consistent\"", FIELD_ENUM, offsetof(plMaterial, rotation), 1, 1, NULL, words_plRotation, 0, REFERENCE_NONE},
};
const Table table_plMaterial = {"Material", "", sizeof(plMaterial), fields_plMaterial, 15, default_plMaterial};

static void default_plSurface(void* to) { *(plSurface*)to = pl_default_surface(); }
static const Field fields_plSurface[] = {
    {"friction", "Coulomb coefficient mu >= 0; default 1; two surfaces combine as 2 a b / (a + b)", FIELD_DOUBLE, offsetof(plSurface, friction), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"contact_stiffness", "Pa/m, pressure per depth of penetration; default infinite (then near_rigid sets the stiffness); those of two surfaces combine in series", FIELD_DOUBLE, offsetof(plSurface, contact_stiffness), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"relaxation_time", "s, dissipation time of the laws with linear compliance; default 0.1; those of two surfaces add up", FIELD_DOUBLE, offsetof(plSurface, relaxation_time), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"dissipation", "s/m, Hunt-Crossley dissipation of \"similar\"; default 10; those of two surfaces are averaged with weights by stiffness", FIELD_DOUBLE, offsetof(plSurface, dissipation), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"surface_velocity", "m/s, velocity of the surface relative to its shape, as of a conveyor belt, in the shape's frame; rigid shapes only; default 0", FIELD_DOUBLE, offsetof(plSurface, surface_velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"mesh_compliance", "soft facets that touch a round rigid surface (a shape, or a mesh without sharp edges) get the compliance that their mesh is too coarse to have; default True; a pair has it only if both surfaces do", FIELD_BOOL, offsetof(plSurface, mesh_compliance), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSurface = {"Surface", "", sizeof(plSurface), fields_plSurface, 6, default_plSurface};

static void default_plDofDef(void* to) { *(plDofDef*)to = pl_python_default_dof(); }
static const Field fields_plDofDef[] = {
    {"lower", "limits of the position; default -infinity, infinity. For a ball joint, upper of its first dof is the largest angle", FIELD_DOUBLE, offsetof(plDofDef, lower), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"upper", "limits of the position; default -infinity, infinity. For a ball joint, upper of its first dof is the largest angle", FIELD_DOUBLE, offsetof(plDofDef, upper), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"effort", "largest force of all actuators on it together; default infinity", FIELD_DOUBLE, offsetof(plDofDef, effort), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"force_lower", "further bounds of that force; default -infinity, infinity", FIELD_DOUBLE, offsetof(plDofDef, force_lower), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"force_upper", "further bounds of that force; default -infinity, infinity", FIELD_DOUBLE, offsetof(plDofDef, force_upper), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"speed", "speed limit stated by the robot's file; it is not enforced; default infinity", FIELD_DOUBLE, offsetof(plDofDef, speed), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"damping", "viscous damping, force per velocity, integrated implicitly; default 0", FIELD_DOUBLE, offsetof(plDofDef, damping), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"friction", "dry friction, its largest force; default 0", FIELD_DOUBLE, offsetof(plDofDef, friction), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"stiffness", "spring towards the position rest, integrated implicitly; default 0, 0. For ball joints towards the identity", FIELD_DOUBLE, offsetof(plDofDef, stiffness), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"rest", "spring towards the position rest, integrated implicitly; default 0, 0. For ball joints towards the identity", FIELD_DOUBLE, offsetof(plDofDef, rest), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"armature", "inertia that is added to this dof alone (kg m^2 or kg); default 0", FIELD_DOUBLE, offsetof(plDofDef, armature), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"rotor_inertia", "kg m^2, rotor of a motor behind a gear; adds rotor_inertia gear_ratio^2 to the armature; default 0", FIELD_DOUBLE, offsetof(plDofDef, rotor_inertia), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"gear_ratio", "turns of the rotor per turn of the joint; default 1", FIELD_DOUBLE, offsetof(plDofDef, gear_ratio), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plDofDef = {"Dof", "One degree of freedom of a joint (N, m or Nm, rad).", sizeof(plDofDef), fields_plDofDef, 13, default_plDofDef};

static const Field fields_plSapReport[] = {
    {"status", "what the call returned", FIELD_ENUM, offsetof(plSapReport, status), 1, 1, NULL, words_plStatus, 0, REFERENCE_NONE},
    {"nclique", "size of the solved problem: cliques that a constraint acts on, or that are coupled to such a clique, and their degrees of freedom", FIELD_INT, offsetof(plSapReport, nclique), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"nv", "size of the solved problem: cliques that a constraint acts on, or that are coupled to such a clique, and their degrees of freedom", FIELD_INT, offsetof(plSapReport, nv), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"nconstraint", "size of the solved problem: cliques that a constraint acts on, or that are coupled to such a clique, and their degrees of freedom", FIELD_INT, offsetof(plSapReport, nconstraint), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"nrow", "size of the solved problem: cliques that a constraint acts on, or that are coupled to such a clique, and their degrees of freedom", FIELD_INT, offsetof(plSapReport, nrow), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"iterations", "Newton steps and interior-point steps", FIELD_INT, offsetof(plSapReport, iterations), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"interior_steps", "interior-point steps alone", FIELD_INT, offsetof(plSapReport, interior_steps), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"factorizations", "factorizations of the Hessian; fewer than iterations if it did not change", FIELD_INT, offsetof(plSapReport, factorizations), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"factor_nodes", "supernodes of the Hessian, summed over these factorizations", FIELD_INT, offsetof(plSapReport, factor_nodes), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"renewed_nodes", "those among them that were factored; the others had not changed", FIELD_INT, offsetof(plSapReport, renewed_nodes), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"search_evaluations", "evaluations of all laws in line searches", FIELD_INT, offsetof(plSapReport, search_evaluations), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"warm_start", "1 if the guess was used, 0 if v_star had the lower cost or none was given", FIELD_INT, offsetof(plSapReport, warm_start), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"cost", "cost at the solution", FIELD_DOUBLE, offsetof(plSapReport, cost), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"momentum_residual", "|S g| / (max(|S A v|, |S J' gamma|, norm of all |S J_i' gamma_i|) + absolute / relative tolerance)", FIELD_DOUBLE, offsetof(plSapReport, momentum_residual), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"clique_residual", "largest |S g|_c relative to its scale in the stopping test", FIELD_DOUBLE, offsetof(plSapReport, clique_residual), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"at_rounding", "1 if the rounding allowance was needed to stop", FIELD_INT, offsetof(plSapReport, at_rounding), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"worst_clique", "clique of clique_residual, or the one that failed; -1: none", FIELD_INT, offsetof(plSapReport, worst_clique), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"worst_constraint", "constraint that failed, or the one at worst_clique with the largest impulse; -1: none", FIELD_INT, offsetof(plSapReport, worst_constraint), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"stick", "number of contact points of any law that stick, slide or are open", FIELD_INT, offsetof(plSapReport, stick), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"slide", "number of contact points of any law that stick, slide or are open", FIELD_INT, offsetof(plSapReport, slide), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"open", "number of contact points of any law that stick, slide or are open", FIELD_INT, offsetof(plSapReport, open), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"cone_violation", "N s: largest (|gamma_t| - mu gamma_n)+", FIELD_DOUBLE, offsetof(plSapReport, cone_violation), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"complementarity", "largest |gamma . s| / (|gamma| |s|), s = vc - v_hat + R gamma at sliding points; 0: none", FIELD_DOUBLE, offsetof(plSapReport, complementarity), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"slip_angle", "rad: largest angle between friction and the direction opposite to slip, sliding points of all laws", FIELD_DOUBLE, offsetof(plSapReport, slip_angle), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"R_n_min", "s/kg: smallest and largest normal regularisation", FIELD_DOUBLE, offsetof(plSapReport, R_n_min), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"R_n_max", "s/kg: smallest and largest normal regularisation", FIELD_DOUBLE, offsetof(plSapReport, R_n_max), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"R_t_min", "s/kg: the same, tangential", FIELD_DOUBLE, offsetof(plSapReport, R_t_min), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"R_t_max", "s/kg: the same, tangential", FIELD_DOUBLE, offsetof(plSapReport, R_t_max), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"creep", "m/s: largest slip |R_t gamma_t - h| that the regularisation allows a sticking point (h = 0 except in pl_sap_solve_coulomb)", FIELD_DOUBLE, offsetof(plSapReport, creep), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"rounds", "number of convex solves", FIELD_INT, offsetof(plSapReport, rounds), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"coulomb_residual", "m/s: largest |mu |u_t| - s| of the points that push", FIELD_DOUBLE, offsetof(plSapReport, coulomb_residual), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"coulomb_fallbacks", "number of points where it is above the tolerance; their friction lies between that of the convex law and Coulomb's", FIELD_INT, offsetof(plSapReport, coulomb_fallbacks), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"coulomb_capped", "1 if there are such points, because max_rounds was reached", FIELD_INT, offsetof(plSapReport, coulomb_capped), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"block_count", "number of block rows, and of blocks in the lower triangles of H and L", FIELD_INT, offsetof(plSapReport, block_count), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"block_hessian", "number of block rows, and of blocks in the lower triangles of H and L", FIELD_INT, offsetof(plSapReport, block_hessian), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"block_factor", "number of block rows, and of blocks in the lower triangles of H and L", FIELD_INT, offsetof(plSapReport, block_factor), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"factor_flops", "floating-point operations of one factorization, without once_flops", FIELD_DOUBLE, offsetof(plSapReport, factor_flops), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"once_flops", "those of the cliques with bilateral constraints only, which are factored once", FIELD_DOUBLE, offsetof(plSapReport, once_flops), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"pattern_reused", "1 if the ordering of an earlier call was kept", FIELD_INT, offsetof(plSapReport, pattern_reused), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time_setup", "wall time of the parts of a solve, in s", FIELD_DOUBLE, offsetof(plSapReport, time_setup), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time_law", "wall time of the parts of a solve, in s", FIELD_DOUBLE, offsetof(plSapReport, time_law), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time_assemble", "wall time of the parts of a solve, in s", FIELD_DOUBLE, offsetof(plSapReport, time_assemble), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time_factor", "wall time of the parts of a solve, in s", FIELD_DOUBLE, offsetof(plSapReport, time_factor), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time_solve", "wall time of the parts of a solve, in s", FIELD_DOUBLE, offsetof(plSapReport, time_solve), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time_search", "wall time of the parts of a solve, in s", FIELD_DOUBLE, offsetof(plSapReport, time_search), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time_total", "wall time of the parts of a solve, in s", FIELD_DOUBLE, offsetof(plSapReport, time_total), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSapReport = {"SapReport", "", sizeof(plSapReport), fields_plSapReport, 46, NULL};

static const Field fields_plReport[] = {
    {"status", "of the last step", FIELD_ENUM, offsetof(plReport, status), 1, 1, NULL, words_plStatus, 0, REFERENCE_NONE},
    {"step", "steps taken so far by this plData", FIELD_LONG, offsetof(plReport, step), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"constraints", "number of constraints as the paper counts them: contact points, attached vertices, active limits and so on", FIELD_INT, offsetof(plReport, constraints), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"contacts", "contact points", FIELD_INT, offsetof(plReport, contacts), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"iterations", "Newton iterations of the contact problem", FIELD_INT, offsetof(plReport, iterations), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"line_search", "evaluations of the cost by the line searches of that problem", FIELD_INT, offsetof(plReport, line_search), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"residual", "relative momentum residual of the contact problem, scaled as in sap.h", FIELD_DOUBLE, offsetof(plReport, residual), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"sap", "details of the last solve of the contact problem: cone violation, slip angle, regularisation, timing and so on", FIELD_STRUCT, offsetof(plReport, sap), 1, 1, &table_plSapReport, NULL, 0, REFERENCE_NONE},
    {"coulomb_rounds", "with \"coulomb\": number of convex solves in this step", FIELD_INT, offsetof(plReport, coulomb_rounds), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"coulomb_residual", "m/s, largest deviation from Coulomb's law of any point (pliant/sap.h)", FIELD_DOUBLE, offsetof(plReport, coulomb_residual), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"coulomb_fallbacks", "number of points whose deviation is above the tolerance", FIELD_INT, offsetof(plReport, coulomb_fallbacks), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"coulomb_capped", "1 if coulomb_fallbacks is not 0, else 0", FIELD_INT, offsetof(plReport, coulomb_capped), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"couplings", "how often nonlinear laws were linearised again", FIELD_INT, offsetof(plReport, couplings), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"coupled_residual", "with nonlinear laws in contact: largest |m(v) - J' gamma| of a body or tree, divided by the largest of three: a term of that sum, M v, their rounding error", FIELD_DOUBLE, offsetof(plReport, coupled_residual), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"free_iterations", "Newton iterations of the free motion (1 for linear materials)", FIELD_INT, offsetof(plReport, free_iterations), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"free_residual", "|m(v*)| divided by the largest of three: a term of m(v*), M v, their rounding error; for linear materials divided by |A| |dv|", FIELD_DOUBLE, offsetof(plReport, free_residual), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"free_residual_weight", "for linear materials: largest entry of m(v*) divided by dt times the body's weight", FIELD_DOUBLE, offsetof(plReport, free_residual_weight), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"energy_gain", "J, growth of the energy of deformable bodies beyond the work that gravity, loads, contacts, attachments and prescribed motion did on them. It is negative where damping and the time integration dissipate energy, and 0 if it is below the rounding error. It includes what the springs of mesh_compliance return beyond what they had stored. With theta_vq < 1 it includes the energy that a contact adds to its two sides together, and the energy that contacts, balls, welds and distances add to rigid bodies (docs/materials.md, Reported energy gain)", FIELD_DOUBLE, offsetof(plReport, energy_gain), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"factorizations", "number of Cholesky factorizations of deformable bodies", FIELD_INT, offsetof(plReport, factorizations), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"skipped", "number of degenerate contact candidates that were dropped", FIELD_INT, offsetof(plReport, skipped), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"deep", "number of penetrations that contact ignores because they are deeper than the body is thick there. The first step from a state that was set also counts penetrations that no contact can undo", FIELD_INT, offsetof(plReport, deep), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"deep_a", "the two sides of the first such penetration; equal for a deformable with itself", FIELD_STRUCT, offsetof(plReport, deep_a), 1, 1, &table_plSide, NULL, 0, REFERENCE_NONE},
    {"deep_b", "the two sides of the first such penetration; equal for a deformable with itself", FIELD_STRUCT, offsetof(plReport, deep_b), 1, 1, &table_plSide, NULL, 0, REFERENCE_NONE},
    {"merged", "points that were merged into others; the geometry found contacts + merged points", FIELD_INT, offsetof(plReport, merged), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"guard_rounds", "number of additional solves with contact points where the motion would have passed through a surface", FIELD_INT, offsetof(plReport, guard_rounds), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"guard_points", "number of those contact points", FIELD_INT, offsetof(plReport, guard_points), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"parts", "number of shorter steps that made up this step: 1, or up to 64 if one step had no solution, passed through a surface or gained energy; with options.accuracy those of all inner steps, rejected ones included", FIELD_INT, offsetof(plReport, parts), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"damped_parts", "how many of these were taken by backward Euler because the scene's scheme failed", FIELD_INT, offsetof(plReport, damped_parts), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"coupled_parts", "how many were taken with the converged coupling because `coupling: once` failed", FIELD_INT, offsetof(plReport, coupled_parts), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"inner", "number of inner steps with options.accuracy", FIELD_INT, offsetof(plReport, inner), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"dt", "s, length of the last of these shorter steps; contacts, impulses and forces belong to it", FIELD_DOUBLE, offsetof(plReport, dt), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"searches", "number of contact searches", FIELD_INT, offsetof(plReport, searches), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"rejected", "inner steps under options.accuracy that were taken again, shorter", FIELD_INT, offsetof(plReport, rejected), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"error", "m, largest estimated error of an inner step under options.accuracy", FIELD_DOUBLE, offsetof(plReport, error), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"stage_s", "s of wall time in each stage of this step", FIELD_DOUBLE, offsetof(plReport, stage_s), 14, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"total_stage_s", "the same, added up since pl_data_create", FIELD_DOUBLE, offsetof(plReport, total_stage_s), 14, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"where", "after a failure: the body, vertex or constraint that caused it", FIELD_CHARS, offsetof(plReport, where), 128, 0, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plReport = {"Report", "What a step did.", sizeof(plReport), fields_plReport, 37, NULL};

static const Field fields_plRigidState[] = {
    {"pose", "of the body's frame in the world", FIELD_POSE, offsetof(plRigidState, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"velocity", "m/s of its origin", FIELD_DOUBLE, offsetof(plRigidState, velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"angular_velocity", "rad/s", FIELD_DOUBLE, offsetof(plRigidState, angular_velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"com", "m, centre of mass", FIELD_DOUBLE, offsetof(plRigidState, com), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"com_velocity", "m/s", FIELD_DOUBLE, offsetof(plRigidState, com_velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"momentum", "kg m/s", FIELD_DOUBLE, offsetof(plRigidState, momentum), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"angular_momentum", "kg m^2/s about the centre of mass", FIELD_DOUBLE, offsetof(plRigidState, angular_momentum), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"kinetic_energy", "J, without armatures", FIELD_DOUBLE, offsetof(plRigidState, kinetic_energy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"gravity_energy", "J, -m g . com", FIELD_DOUBLE, offsetof(plRigidState, gravity_energy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plRigidState = {"RigidState", "", sizeof(plRigidState), fields_plRigidState, 9, NULL};

static const Field fields_plRigidTotals[] = {
    {"kinetic_energy", "J", FIELD_DOUBLE, offsetof(plRigidTotals, kinetic_energy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"gravity_energy", "J", FIELD_DOUBLE, offsetof(plRigidTotals, gravity_energy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"elastic_energy", "J", FIELD_DOUBLE, offsetof(plRigidTotals, elastic_energy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"momentum", "kg m/s", FIELD_DOUBLE, offsetof(plRigidTotals, momentum), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"angular_momentum", "kg m^2/s about the world's origin", FIELD_DOUBLE, offsetof(plRigidTotals, angular_momentum), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plRigidTotals = {"RigidTotals", "Sums over all rigid bodies; armatures count in the kinetic energy, springs in the elastic one.", sizeof(plRigidTotals), fields_plRigidTotals, 5, NULL};

static const Field fields_plSiteState[] = {
    {"pose", "in the world", FIELD_POSE, offsetof(plSiteState, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"velocity", "m/s of its origin", FIELD_DOUBLE, offsetof(plSiteState, velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"angular_velocity", "rad/s", FIELD_DOUBLE, offsetof(plSiteState, angular_velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSiteState = {"SiteState", "Pose and velocity of a site.", sizeof(plSiteState), fields_plSiteState, 3, NULL};

static const Field fields_plBodyState[] = {
    {"mass", "kg", FIELD_DOUBLE, offsetof(plBodyState, mass), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"com", "m", FIELD_DOUBLE, offsetof(plBodyState, com), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"momentum", "kg m/s", FIELD_DOUBLE, offsetof(plBodyState, momentum), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"angular_momentum", "kg m^2/s about the centre of mass", FIELD_DOUBLE, offsetof(plBodyState, angular_momentum), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"kinetic_energy", "J", FIELD_DOUBLE, offsetof(plBodyState, kinetic_energy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"elastic_energy", "J", FIELD_DOUBLE, offsetof(plBodyState, elastic_energy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"gravity_energy", "J, -m g . com", FIELD_DOUBLE, offsetof(plBodyState, gravity_energy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"volume", "m^3, present volume", FIELD_DOUBLE, offsetof(plBodyState, volume), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"inverted", "elements turned inside out (det F < 0); the laws allow it, matter does not", FIELD_INT, offsetof(plBodyState, inverted), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"lower", "bounding box (m)", FIELD_DOUBLE, offsetof(plBodyState, lower), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"upper", "bounding box (m)", FIELD_DOUBLE, offsetof(plBodyState, upper), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plBodyState = {"BodyState", "", sizeof(plBodyState), fields_plBodyState, 11, NULL};

static const Field fields_plElementState[] = {
    {"F", "deformation gradient, column-major", FIELD_DOUBLE, offsetof(plElementState, F), 9, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"green_strain", "xx yy zz xy yz xz", FIELD_DOUBLE, offsetof(plElementState, green_strain), 6, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"cauchy_stress", "Pa, xx yy zz xy yz xz", FIELD_DOUBLE, offsetof(plElementState, cauchy_stress), 6, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"von_mises", "Pa", FIELD_DOUBLE, offsetof(plElementState, von_mises), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"pressure", "Pa, -trace/3", FIELD_DOUBLE, offsetof(plElementState, pressure), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"energy", "J, elastic energy of the element", FIELD_DOUBLE, offsetof(plElementState, energy), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plElementState = {"ElementState", "", sizeof(plElementState), fields_plElementState, 6, NULL};

static const Field fields_plEnergyBudget[] = {
    {"kinetic", "at the end of the step", FIELD_DOUBLE, offsetof(plEnergyBudget, kinetic), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"elastic", "at the end of the step", FIELD_DOUBLE, offsetof(plEnergyBudget, elastic), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"kinetic_change", "over the step", FIELD_DOUBLE, offsetof(plEnergyBudget, kinetic_change), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"elastic_change", "over the step", FIELD_DOUBLE, offsetof(plEnergyBudget, elastic_change), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"external_work", "work of gravity, loads and f_user", FIELD_DOUBLE, offsetof(plEnergyBudget, external_work), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"damping_loss", "energy dissipated by Rayleigh damping, >= 0", FIELD_DOUBLE, offsetof(plEnergyBudget, damping_loss), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"rest", "the remainder, see above", FIELD_DOUBLE, offsetof(plEnergyBudget, rest), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plEnergyBudget = {"EnergyBudget", "Energy balance of a deformable body over the last step (J): kinetic_change + elastic_change = external_work - damping_loss + rest. rest contains the work of contacts, attachments and prescribed motion, and the numerical damping of the time integration.", sizeof(plEnergyBudget), fields_plEnergyBudget, 7, NULL};

static const Field fields_plContactPair[] = {
    {"count", "number of contact points, and number of those that carry force", FIELD_INT, offsetof(plContactPair, count), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"pressing", "number of contact points, and number of those that carry force", FIELD_INT, offsetof(plContactPair, pressing), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"stick", "number of force-carrying points that do not slide", FIELD_INT, offsetof(plContactPair, stick), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"area", "m^2, sum over points that carry force or have a gap below a thousandth of the point's size", FIELD_DOUBLE, offsetof(plContactPair, area), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"normal_force", "N, sum of the normal components", FIELD_DOUBLE, offsetof(plContactPair, normal_force), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"force", "N on the second side", FIELD_DOUBLE, offsetof(plContactPair, force), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"centre", "m, centre of the normal forces; NaN if there are none", FIELD_DOUBLE, offsetof(plContactPair, centre), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"moment", "Nm on the second side about the centre", FIELD_DOUBLE, offsetof(plContactPair, moment), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"gap_min", "m, smallest gap; infinity if there are no points", FIELD_DOUBLE, offsetof(plContactPair, gap_min), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"slip_max", "m/s, largest slip speed of the points that carry force", FIELD_DOUBLE, offsetof(plContactPair, slip_max), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plContactPair = {"ContactPair", "The contacts of two sides taken together.", sizeof(plContactPair), fields_plContactPair, 10, NULL};

static const Field fields_plMeshReport[] = {
    {"nvert", "as in the mesh", FIELD_INT, offsetof(plMeshReport, nvert), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"ntet", "as in the mesh", FIELD_INT, offsetof(plMeshReport, ntet), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"ntri", "as in the mesh", FIELD_INT, offsetof(plMeshReport, ntri), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"boundary_tri", "faces of the boundary of the tets (or the triangles of a surface)", FIELD_INT, offsetof(plMeshReport, boundary_tri), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"boundary_vert", "vertices on the boundary", FIELD_INT, offsetof(plMeshReport, boundary_vert), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"component", "number of connected components", FIELD_INT, offsetof(plMeshReport, component), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"lower", "bounding box (m)", FIELD_DOUBLE, offsetof(plMeshReport, lower), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"upper", "bounding box (m)", FIELD_DOUBLE, offsetof(plMeshReport, upper), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"volume", "m^3, of the tets or enclosed by the surface (signed)", FIELD_DOUBLE, offsetof(plMeshReport, volume), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"area", "m^2 of the boundary", FIELD_DOUBLE, offsetof(plMeshReport, area), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"edge_min", "m", FIELD_DOUBLE, offsetof(plMeshReport, edge_min), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"edge_mean", "m", FIELD_DOUBLE, offsetof(plMeshReport, edge_mean), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"edge_max", "m", FIELD_DOUBLE, offsetof(plMeshReport, edge_max), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"inverted", "tets of negative volume", FIELD_INT, offsetof(plMeshReport, inverted), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"flat", "tets of volume below 1e-12 of their longest edge cubed, triangles without area", FIELD_INT, offsetof(plMeshReport, flat), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"duplicate", "elements that repeat another one's vertices", FIELD_INT, offsetof(plMeshReport, duplicate), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"unused", "vertices that no element uses", FIELD_INT, offsetof(plMeshReport, unused), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"coincident", "vertices at the same position as another one", FIELD_INT, offsetof(plMeshReport, coincident), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"boundary_open", "boundary edges with a single facet (a hole)", FIELD_INT, offsetof(plMeshReport, boundary_open), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"nonmanifold", "boundary edges with more than two facets", FIELD_INT, offsetof(plMeshReport, nonmanifold), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"misoriented", "pairs of neighbouring surface triangles with opposite orientation; 1 if instead the whole surface is inside out", FIELD_INT, offsetof(plMeshReport, misoriented), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"not_finite", "vertices with NaN or infinity", FIELD_INT, offsetof(plMeshReport, not_finite), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"looks_like_mm", "1 if the size suggests millimetres (extent above 20 m)", FIELD_INT, offsetof(plMeshReport, looks_like_mm), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"quality", "histogram over [0, 1] of the tets' quality: 1 = regular, 0 = flat", FIELD_INT, offsetof(plMeshReport, quality), 10, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"quality_min", "of the tets, in [0, 1]", FIELD_DOUBLE, offsetof(plMeshReport, quality_min), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"quality_mean", "of the tets, in [0, 1]", FIELD_DOUBLE, offsetof(plMeshReport, quality_mean), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plMeshReport = {"MeshReport", "", sizeof(plMeshReport), fields_plMeshReport, 26, NULL};

static const Field fields_plReplayInfo[] = {
    {"nframe", "complete frames", FIELD_INT, offsetof(plReplayInfo, nframe), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"closed", "True if the recording was finished by pl_recording_close", FIELD_BOOL, offsetof(plReplayInfo, closed), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"lost_bytes", "bytes after the last complete frame, which could not be read", FIELD_INT64, offsetof(plReplayInfo, lost_bytes), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"note", "a sentence about the end of the file for the user, or empty", FIELD_CHARS, offsetof(plReplayInfo, note), 256, 0, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plReplayInfo = {"ReplayInfo", "", sizeof(plReplayInfo), fields_plReplayInfo, 4, NULL};

static void default_plPictureOptions(void* to) { *(plPictureOptions*)to = pl_default_picture_options(); }
static const Field fields_plPictureOptions[] = {
    {"width", "pixels; default 1280 x 800", FIELD_INT, offsetof(plPictureOptions, width), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"height", "pixels; default 1280 x 800", FIELD_INT, offsetof(plPictureOptions, height), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"azimuth", "degrees, angle of the camera about z; 0 is on the x axis; default -60", FIELD_DOUBLE, offsetof(plPictureOptions, azimuth), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"elevation", "degrees above the horizon, in [-89, 89]; default 18", FIELD_DOUBLE, offsetof(plPictureOptions, elevation), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"zoom", "> 0; default 1 shows the whole scene", FIELD_DOUBLE, offsetof(plPictureOptions, zoom), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"lower", "m, box to keep in view; default empty (lower > upper): the scene's own", FIELD_DOUBLE, offsetof(plPictureOptions, lower), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"upper", "m, box to keep in view; default empty (lower > upper): the scene's own", FIELD_DOUBLE, offsetof(plPictureOptions, upper), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"colour", "default \"body\"", FIELD_ENUM, offsetof(plPictureOptions, colour), 1, 1, NULL, words_plColour, 0, REFERENCE_NONE},
    {"range", "values at the ends of the colour scale; default empty (range[0] > range[1]): the scene's own", FIELD_DOUBLE, offsetof(plPictureOptions, range), 2, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"legend", "True draws the scale of the colours for fields; default True", FIELD_BOOL, offsetof(plPictureOptions, legend), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"edges", "True draws the edges of the mesh where they are long enough to see; default True", FIELD_BOOL, offsetof(plPictureOptions, edges), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"contacts", "True draws arrows for contact forces; default False", FIELD_BOOL, offsetof(plPictureOptions, contacts), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"clock", "True writes the time into a corner; default False", FIELD_BOOL, offsetof(plPictureOptions, clock), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"samples", "per pixel and direction, 1 .. 4; default 3", FIELD_INT, offsetof(plPictureOptions, samples), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"threads", "default 1; the picture does not depend on it", FIELD_INT, offsetof(plPictureOptions, threads), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plPictureOptions = {"PictureOptions", "", sizeof(plPictureOptions), fields_plPictureOptions, 15, default_plPictureOptions};

static void default_plSapOptions(void* to) { *(plSapOptions*)to = pl_sap_default_options(); }
static const Field fields_plSapOptions[] = {
    {"relative_tolerance", "default 1e-6", FIELD_DOUBLE, offsetof(plSapOptions, relative_tolerance), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"absolute_tolerance", "kg^1/2 m/s; default 1e-20, so small that the relative test decides even for a milligram", FIELD_DOUBLE, offsetof(plSapOptions, absolute_tolerance), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"max_iterations", "default 2000; after so many, or after 400 without a new smallest residual and 400 more with vc updated by the steps, the call fails with \"not_converged\"", FIELD_INT, offsetof(plSapOptions, max_iterations), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"patience", "default 400; stands for these 400 where the residual is below 1000 tolerances", FIELD_INT, offsetof(plSapOptions, patience), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"search_tolerance", "of the line search: slope at its end relative to that at its start; default 1e-6; a tenth of this where the cost rises again", FIELD_DOUBLE, offsetof(plSapOptions, search_tolerance), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"max_search", "cost evaluations per line search; default 100", FIELD_INT, offsetof(plSapOptions, max_search), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"interior_after", "iterations without progress after which an interior-point phase starts (conic laws); default 12; 0: never", FIELD_INT, offsetof(plSapOptions, interior_after), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"sticking", "largest number of Newton steps per solve that may be replaced by a step after which slowly sliding points stick; default 0", FIELD_INT, offsetof(plSapOptions, sticking), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSapOptions = {"SapOptions", "The stopping test. With S = diag(A)^-1/2, g = A (v - v_star) - J' gamma, and sums over the cliques that constraints touch: |S g| <= absolute + relative max(|S A v|, |S J' gamma|) |S g|_c <= absolute + relative max(|S A v|_c, sum_i |S J_i' gamma_i|_c, 1e-6 s) for each clique c where s is the maximum in the first line. The first line is the test of the reference implementation; the second keeps a light body accurate beside a heavy one. A stalled cost or a small step does not count as convergence. There is one exception: if the residual no longer falls and |S g|_c is within the rounding error of gamma itself (2 eps G |J| |v| per row), up to 100 times the tolerance is accepted, and the report says so (at_rounding). This happens only for tolerances near 1e-13, or R below 1e-9 w. For R below about 1e-14 w no v in double precision yields the impulses that balance momentum. The returned vc yields them; it then equals J v + b to rounding.", sizeof(plSapOptions), fields_plSapOptions, 8, default_plSapOptions};

static void default_plSapCoulomb(void* to) { *(plSapCoulomb*)to = pl_sap_default_coulomb(); }
static const Field fields_plSapCoulomb[] = {
    {"relative_tolerance", "default 1e-3", FIELD_DOUBLE, offsetof(plSapCoulomb, relative_tolerance), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"absolute_tolerance", "m/s; default 1e-4", FIELD_DOUBLE, offsetof(plSapCoulomb, absolute_tolerance), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"creep_tolerance", "m/s, creep of sticking points that needs no correction; default 1e-5", FIELD_DOUBLE, offsetof(plSapCoulomb, creep_tolerance), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"creep_rounds", "number of corrections of h; default 1", FIELD_INT, offsetof(plSapCoulomb, creep_rounds), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"max_rounds", "convex solves; default 60", FIELD_INT, offsetof(plSapCoulomb, max_rounds), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"direct_after", "rounds before Newton's method on Coulomb's law itself is tried, and again after each half as many more; after the first one where a point with friction above 2 has not converged; default 4, 0: never", FIELD_INT, offsetof(plSapCoulomb, direct_after), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSapCoulomb = {"SapCoulomb", "Under the convex law a sliding point separates with mu times its slip velocity. pl_sap_solve_coulomb removes this (De Saxce's correction): it lowers v_hat_n of each point of \"cone\" by a shift s, and repeated convex solves (rounds) bring s to mu |u_t|, where u_t is the slip velocity minus what the regularisation allows. Sliding points then neither rise nor sink. Sticking points creep by R_t gamma_t. To remove this too, friction acts on the slip minus a shift h with two components, which a round takes from R_t gamma_t of the previous one. src/sap/coulomb.c has the derivation.", sizeof(plSapCoulomb), fields_plSapCoulomb, 6, default_plSapCoulomb};

static const Field fields_plSapCoulombError[] = {
    {"F", "m/s: mu |u_t|", FIELD_DOUBLE, offsetof(plSapCoulombError, F), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"s", "m/s: |F - s| for a point that pushes; for an open one, by how much it approaches too fast", FIELD_DOUBLE, offsetof(plSapCoulombError, s), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"creep", "m/s: |R_t gamma_t - h|", FIELD_DOUBLE, offsetof(plSapCoulombError, creep), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSapCoulombError = {"SapCoulombError", "The deviation of a point from Coulomb's law.", sizeof(plSapCoulombError), fields_plSapCoulombError, 3, NULL};

static const Field fields_plSapCone[] = {
    {"mu", "friction coefficient, >= 0", FIELD_DOUBLE, offsetof(plSapCone, mu), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"R_t", "s/kg: regularisation of the tangent rows, > 0", FIELD_DOUBLE, offsetof(plSapCone, R_t), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"R_n", "s/kg: regularisation of the normal row, > 0", FIELD_DOUBLE, offsetof(plSapCone, R_n), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"v_hat_n", "m/s: normal velocity below which the point pushes", FIELD_DOUBLE, offsetof(plSapCone, v_hat_n), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSapCone = {"SapCone", "gamma is the projection of y = (v_hat - vc) / R onto the cone |gamma_t| <= mu gamma_n, in the norm of R.", sizeof(plSapCone), fields_plSapCone, 4, NULL};

static const Field fields_plSapHuntCrossley[] = {
    {"mu", "friction coefficient, >= 0", FIELD_DOUBLE, offsetof(plSapHuntCrossley, mu), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"dt", "s: time step, > 0", FIELD_DOUBLE, offsetof(plSapHuntCrossley, dt), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"k", "N/m: stiffness, >= 0", FIELD_DOUBLE, offsetof(plSapHuntCrossley, k), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"d", "s/m: dissipation, >= 0", FIELD_DOUBLE, offsetof(plSapHuntCrossley, d), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"f_e", "N: elastic force at the start of the step (-k phi; may be negative for a gap)", FIELD_DOUBLE, offsetof(plSapHuntCrossley, f_e), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"v_s", "m/s: slip speed that regularises friction, > 0", FIELD_DOUBLE, offsetof(plSapHuntCrossley, v_s), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSapHuntCrossley = {"SapHuntCrossley", "Normal impulse dt (f_e - dt k vn)+ (1 - d vn)+; friction regularised over the slip speed v_s.", sizeof(plSapHuntCrossley), fields_plSapHuntCrossley, 6, NULL};

static const Field fields_plSapRow[] = {
    {"v_hat", "(unit of the row)/s: velocity at which the impulse vanishes", FIELD_DOUBLE, offsetof(plSapRow, v_hat), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"R", "regularisation, > 0", FIELD_DOUBLE, offsetof(plSapRow, R), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"lower", "bounds of the impulse, lower <= upper, infinite allowed", FIELD_DOUBLE, offsetof(plSapRow, lower), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"upper", "bounds of the impulse, lower <= upper, infinite allowed", FIELD_DOUBLE, offsetof(plSapRow, upper), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSapRow = {"SapRow", "One scalar row of a bilateral, unilateral or bounded constraint. lower and upper are read by \"bounded\" alone.", sizeof(plSapRow), fields_plSapRow, 4, NULL};

static const Field fields_plSapActuator[] = {
    {"dt", "s, > 0", FIELD_DOUBLE, offsetof(plSapActuator, dt), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"kp", "gains, >= 0, not both zero", FIELD_DOUBLE, offsetof(plSapActuator, kp), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"kd", "gains, >= 0, not both zero", FIELD_DOUBLE, offsetof(plSapActuator, kd), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"u0", "N or N m: effort at vc = 0: kp (q_d - q0) + kd v_d + feed-forward", FIELD_DOUBLE, offsetof(plSapActuator, u0), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"lower", "N or N m: limits of the effort, lower <= upper, infinite allowed", FIELD_DOUBLE, offsetof(plSapActuator, lower), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"upper", "N or N m: limits of the effort, lower <= upper, infinite allowed", FIELD_DOUBLE, offsetof(plSapActuator, upper), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSapActuator = {"SapActuator", "gamma = dt clamp(u0 - (dt kp + kd) vc, lower, upper).", sizeof(plSapActuator), fields_plSapActuator, 6, NULL};

static void default_plRegion(void* to) { *(plRegion*)to = pl_default_region(); }
static const Field fields_plRegion[] = {
    {"kind", "default \"all\"", FIELD_ENUM, offsetof(plRegion, kind), 1, 1, NULL, words_plRegionKind, 0, REFERENCE_NONE},
    {"pose", "box: frame of its centre and sides, in the body's frame; default identity", FIELD_POSE, offsetof(plRegion, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"centre", "m, centre of the box (in the frame `pose`) or sphere, or a point on the plane of the half space; default 0", FIELD_DOUBLE, offsetof(plRegion, centre), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"size", "m, full side lengths of the box", FIELD_DOUBLE, offsetof(plRegion, size), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"radius", "m, of the sphere", FIELD_DOUBLE, offsetof(plRegion, radius), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"normal", "the half space is where normal . (x - centre) <= 0", FIELD_DOUBLE, offsetof(plRegion, normal), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"index", "vertex ids. Quadratic tetrahedra also have nodes in the middle of edges, numbered after the vertices in the order of their edges; such a node is included if it or both ends of its edge are listed", FIELD_LIST_INT, offsetof(plRegion, index), 1, 1, NULL, NULL, offsetof(plRegion, nindex), REFERENCE_NONE},
};
const Table table_plRegion = {"region", "A part of a deformable body.", sizeof(plRegion), fields_plRegion, 7, default_plRegion};

static void default_plDeformableDef(void* to) { *(plDeformableDef*)to = pl_default_deformable_def(); }
static const Field fields_plDeformableDef[] = {
    {"name", "unique: letters, digits and _ - . /; default None: must be given", FIELD_TEXT, offsetof(plDeformableDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"mesh", "tetrahedra in the body's frame (m); default None: must be given", FIELD_MESH, offsetof(plDeformableDef, mesh), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"pose", "of the body's frame in the world at the start; default identity", FIELD_POSE, offsetof(plDeformableDef, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"material", "law, density, damping, element; default pl_default_material()", FIELD_STRUCT, offsetof(plDeformableDef, material), 1, 1, &table_plMaterial, NULL, 0, REFERENCE_NONE},
    {"surface", "contact; default pl_default_surface()", FIELD_STRUCT, offsetof(plDeformableDef, surface), 1, 1, &table_plSurface, NULL, 0, REFERENCE_NONE},
    {"velocity", "m/s at the start, world; default 0", FIELD_DOUBLE, offsetof(plDeformableDef, velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"angular_velocity", "rad/s at the start about the centre of mass, world; default 0", FIELD_DOUBLE, offsetof(plDeformableDef, angular_velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"plane_strain", "plane strain: no motion along z and no change along z, as in a slice of an infinitely long body; default False", FIELD_BOOL, offsetof(plDeformableDef, plane_strain), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"self_contact", "contact of the body with itself; default True", FIELD_BOOL, offsetof(plDeformableDef, self_contact), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plDeformableDef = {"add_deformable", "Adds a deformable body; returns its index.", sizeof(plDeformableDef), fields_plDeformableDef, 9, default_plDeformableDef};

static void default_plFixDef(void* to) { *(plFixDef*)to = pl_default_fix_def(); }
static const Field fields_plFixDef[] = {
    {"deformable", "index of the body", FIELD_INT, offsetof(plFixDef, deformable), 1, 1, NULL, NULL, 0, REFERENCE_DEFORMABLE},
    {"region", "which vertices; an empty region is an error", FIELD_STRUCT, offsetof(plFixDef, region), 1, 1, &table_plRegion, NULL, 0, REFERENCE_NONE},
    {"components", "PL_FIX_X | PL_FIX_Y | PL_FIX_Z in world axes; default all", FIELD_INT, offsetof(plFixDef, components), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time", "s, increasing", FIELD_LIST_DOUBLE, offsetof(plFixDef, time), 1, 1, NULL, NULL, offsetof(plFixDef, ntime), REFERENCE_NONE},
    {"offset", "m, displacement in the world; constant before the first and after the last knot", FIELD_LIST_DOUBLE, offsetof(plFixDef, offset), 3, 1, NULL, NULL, offsetof(plFixDef, ntime), REFERENCE_NONE},
};
const Table table_plFixDef = {"add_fix", "Adds vertices whose motion is given: held, or moved by a table.", sizeof(plFixDef), fields_plFixDef, 5, default_plFixDef};

static void default_plLoadDef(void* to) { *(plLoadDef*)to = pl_default_load_def(); }
static const Field fields_plLoadDef[] = {
    {"deformable", "index of the body", FIELD_INT, offsetof(plLoadDef, deformable), 1, 1, NULL, NULL, 0, REFERENCE_DEFORMABLE},
    {"region", "where the load acts; a region without a vertex, tetrahedron or triangle is an error", FIELD_STRUCT, offsetof(plLoadDef, region), 1, 1, &table_plRegion, NULL, 0, REFERENCE_NONE},
    {"kind", "default \"traction\"", FIELD_ENUM, offsetof(plLoadDef, kind), 1, 1, NULL, words_plLoadKind, 0, REFERENCE_NONE},
    {"vector", "load in world axes, with the unit of its kind; default 0", FIELD_DOUBLE, offsetof(plLoadDef, vector), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"pressure", "Pa, positive pushes inward; default 0", FIELD_DOUBLE, offsetof(plLoadDef, pressure), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time", "s, increasing", FIELD_LIST_DOUBLE, offsetof(plLoadDef, time), 1, 1, NULL, NULL, offsetof(plLoadDef, ntime), REFERENCE_NONE},
    {"factor", "copied; linear in between, constant before the first and after the last knot", FIELD_LIST_DOUBLE, offsetof(plLoadDef, factor), 1, 1, NULL, NULL, offsetof(plLoadDef, ntime), REFERENCE_NONE},
};
const Table table_plLoadDef = {"add_load", "Adds a load on a deformable body.", sizeof(plLoadDef), fields_plLoadDef, 7, default_plLoadDef};

static void default_plAttachDef(void* to) { *(plAttachDef*)to = pl_default_attach_def(); }
static const Field fields_plAttachDef[] = {
    {"name", "unique among attachments, as for deformables; default None: must be given", FIELD_TEXT, offsetof(plAttachDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"deformable", "index of the body", FIELD_INT, offsetof(plAttachDef, deformable), 1, 1, NULL, NULL, 0, REFERENCE_DEFORMABLE},
    {"region", "which vertices; an empty region is an error", FIELD_STRUCT, offsetof(plAttachDef, region), 1, 1, &table_plRegion, NULL, 0, REFERENCE_NONE},
    {"body", "rigid body, -1: the world (default)", FIELD_INT, offsetof(plAttachDef, body), 1, 1, NULL, NULL, 0, REFERENCE_BODY},
    {"other", "another deformable that holds the vertices instead: each vertex moves with the tetrahedron behind its nearest facet; default -1: none", FIELD_INT, offsetof(plAttachDef, other), 1, 1, NULL, NULL, 0, REFERENCE_DEFORMABLE},
    {"stiffness", "N/m of the whole attachment, whatever the number of vertices; default infinite (as stiff as the time step allows)", FIELD_DOUBLE, offsetof(plAttachDef, stiffness), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"relaxation_time", "s, dissipation; default 0", FIELD_DOUBLE, offsetof(plAttachDef, relaxation_time), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"exact", "the vertices follow rigidly and have no degrees of freedom of their own (only linear materials, only on a rigid body or the world); default False", FIELD_BOOL, offsetof(plAttachDef, exact), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"off", "True if it is off at the start; default False", FIELD_BOOL, offsetof(plAttachDef, off), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plAttachDef = {"add_attachment", "Adds vertices that move with another body, or stay; returns the index.", sizeof(plAttachDef), fields_plAttachDef, 9, default_plAttachDef};

static void default_plShapeDef(void* to) { *(plShapeDef*)to = pl_default_shape_def(); }
static const Field fields_plShapeDef[] = {
    {"name", "unique, as for deformables; default None: must be given", FIELD_TEXT, offsetof(plShapeDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"body", "index of the rigid body that carries it; -1: the world (default)", FIELD_INT, offsetof(plShapeDef, body), 1, 1, NULL, NULL, 0, REFERENCE_BODY},
    {"pose", "in that body's frame; default identity", FIELD_POSE, offsetof(plShapeDef, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"kind", "default \"box\"", FIELD_ENUM, offsetof(plShapeDef, kind), 1, 1, NULL, words_plShapeKind, 0, REFERENCE_NONE},
    {"size", "m, see the kinds; default 0: must be given where it is used", FIELD_DOUBLE, offsetof(plShapeDef, size), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"radius", "m", FIELD_DOUBLE, offsetof(plShapeDef, radius), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"length", "m", FIELD_DOUBLE, offsetof(plShapeDef, length), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"mesh", "\"mesh\"", FIELD_MESH, offsetof(plShapeDef, mesh), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"convex", "\"mesh\": use the convex hull of its vertices for contact; the mesh need not be closed then; default False", FIELD_BOOL, offsetof(plShapeDef, convex), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"surface", "contact; default pl_default_surface()", FIELD_STRUCT, offsetof(plShapeDef, surface), 1, 1, &table_plSurface, NULL, 0, REFERENCE_NONE},
    {"collide", "takes part in contact; default True", FIELD_BOOL, offsetof(plShapeDef, collide), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"colour", "red, green, blue in [0, 1]; default (0.6, 0.6, 0.6)", FIELD_DOUBLE, offsetof(plShapeDef, colour), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plShapeDef = {"add_shape", "Adds a rigid shape for contact and drawing; returns its index.", sizeof(plShapeDef), fields_plShapeDef, 12, default_plShapeDef};

static void default_plBodyDef(void* to) { *(plBodyDef*)to = pl_default_body_def(); }
static const Field fields_plBodyDef[] = {
    {"name", "unique among bodies: letters, digits and _ - . /; default None: must be given", FIELD_TEXT, offsetof(plBodyDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"mass", "kg; default 0, which is allowed only for a body that is joined to other bodies", FIELD_DOUBLE, offsetof(plBodyDef, mass), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"com", "m, centre of mass in the body's frame; default 0", FIELD_DOUBLE, offsetof(plBodyDef, com), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"inertia", "kg m^2 about the centre of mass, axes of the body: xx yy zz xy xz yz; default 0", FIELD_DOUBLE, offsetof(plBodyDef, inertia), 6, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"gravity", "factor of gravity on this body; default 1; 0 for none", FIELD_DOUBLE, offsetof(plBodyDef, gravity), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"pose", "pose in the world at the start, for a body that is not the child of a joint and so moves freely; default identity", FIELD_POSE, offsetof(plBodyDef, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"velocity", "m/s of the frame's origin at the start, world, for such a body; default 0", FIELD_DOUBLE, offsetof(plBodyDef, velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"angular_velocity", "rad/s at the start, world, for such a body; default 0", FIELD_DOUBLE, offsetof(plBodyDef, angular_velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plBodyDef = {"add_body", "Adds a rigid body; returns its index. inertia: 3 moments, 6 numbers or a symmetric 3 x 3 matrix.", sizeof(plBodyDef), fields_plBodyDef, 8, default_plBodyDef};

static void default_plJointDef(void* to) { *(plJointDef*)to = pl_default_joint_def(); }
static const Field fields_plJointDef[] = {
    {"name", "unique among joints, as for bodies; default None: must be given", FIELD_TEXT, offsetof(plJointDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"kind", "default \"revolute\"", FIELD_ENUM, offsetof(plJointDef, kind), 1, 1, NULL, words_plJointKind, 0, REFERENCE_NONE},
    {"parent", "body, -1: the world (default)", FIELD_INT, offsetof(plJointDef, parent), 1, 1, NULL, NULL, 0, REFERENCE_BODY},
    {"child", "body; default -1: must be given", FIELD_INT, offsetof(plJointDef, child), 1, 1, NULL, NULL, 0, REFERENCE_BODY},
    {"pose", "F in the parent's frame; default identity", FIELD_POSE, offsetof(plJointDef, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"child_pose", "M in the child's frame; default identity", FIELD_POSE, offsetof(plJointDef, child_pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"axis", "in F, any length but 0; default z", FIELD_DOUBLE, offsetof(plJointDef, axis), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"axis2", "universal and planar: second axis, at right angles to the first; default x", FIELD_DOUBLE, offsetof(plJointDef, axis2), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"pitch", "screw: m per turn; default 0", FIELD_DOUBLE, offsetof(plJointDef, pitch), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"dof", "for each degree of freedom", FIELD_STRUCT, offsetof(plJointDef, dof), 6, 0, &table_plDofDef, NULL, 0, REFERENCE_NONE},
    {"position", "position at the start; default 0, quaternions identity", FIELD_DOUBLE, offsetof(plJointDef, position), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"velocity", "velocity at the start; default 0", FIELD_DOUBLE, offsetof(plJointDef, velocity), 6, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"locked", "True fixes the joint at its start; default False", FIELD_BOOL, offsetof(plJointDef, locked), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plJointDef = {"add_joint", "Adds a joint; returns its index.", sizeof(plJointDef), fields_plJointDef, 13, default_plJointDef};

static void default_plActuatorDef(void* to) { *(plActuatorDef*)to = pl_default_actuator_def(); }
static const Field fields_plActuatorDef[] = {
    {"name", "unique among actuators, as for bodies; default None: must be given", FIELD_TEXT, offsetof(plActuatorDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"kind", "default \"motor\"", FIELD_ENUM, offsetof(plActuatorDef, kind), 1, 1, NULL, words_plActuatorKind, 0, REFERENCE_NONE},
    {"joint", "index of the joint; default -1: must be given; ball and free joints cannot be driven", FIELD_INT, offsetof(plActuatorDef, joint), 1, 1, NULL, NULL, 0, REFERENCE_JOINT},
    {"dof", "which degree of freedom of the joint; default 0", FIELD_INT, offsetof(plActuatorDef, dof), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"tendon", "joints; `joint` is the first of them", FIELD_LIST_INT, offsetof(plActuatorDef, tendon), 1, 1, NULL, NULL, offsetof(plActuatorDef, njoint), REFERENCE_JOINT},
    {"coefficient", "one for each entry", FIELD_LIST_DOUBLE, offsetof(plActuatorDef, coefficient), 1, 1, NULL, NULL, offsetof(plActuatorDef, njoint), REFERENCE_NONE},
    {"site", "of pl_spec_add_site; a site may be listed more than once", FIELD_LIST_INT, offsetof(plActuatorDef, site), 1, 1, NULL, NULL, offsetof(plActuatorDef, nsite), REFERENCE_NONE},
    {"wrench", "N and Nm for f = 1, for one site; default 0", FIELD_DOUBLE, offsetof(plActuatorDef, wrench), 6, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"kp", "N/m or Nm/rad, and N s/m or Nm s/rad; default 0", FIELD_DOUBLE, offsetof(plActuatorDef, kp), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"kd", "N/m or Nm/rad, and N s/m or Nm s/rad; default 0", FIELD_DOUBLE, offsetof(plActuatorDef, kd), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"gain", "affine; default 1, 0", FIELD_DOUBLE, offsetof(plActuatorDef, gain), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"bias", "affine; default 1, 0", FIELD_DOUBLE, offsetof(plActuatorDef, bias), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"gear", "the law uses gear * q and gear * v, and gear * f acts on the joint; default 1", FIELD_DOUBLE, offsetof(plActuatorDef, gear), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"effort", "N or Nm, largest |gear * f|, which acts on the joint or along the tendon; default infinity. The limits of the dofs apply too: to the sum of all actuators on a dof. A tendon or cable with kp or kd is not part of that sum: a tendon then stays within the limits of each of its dofs by itself, a cable within its own.", FIELD_DOUBLE, offsetof(plActuatorDef, effort), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"force_lower", "further bounds of gear * f; default -infinity, infinity", FIELD_DOUBLE, offsetof(plActuatorDef, force_lower), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"force_upper", "further bounds of gear * f; default -infinity, infinity", FIELD_DOUBLE, offsetof(plActuatorDef, force_upper), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"lower", "u (for PD u0) is clamped to these; default -infinity, infinity", FIELD_DOUBLE, offsetof(plActuatorDef, lower), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"upper", "u (for PD u0) is clamped to these; default -infinity, infinity", FIELD_DOUBLE, offsetof(plActuatorDef, upper), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"input", "u at the start. If has_input is False, position, PD and affine actuators (with gain and bias[1]) start with the u that exerts no force while the joint rests at its start; the others start with 0", FIELD_DOUBLE, offsetof(plActuatorDef, input), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"has_input", "True if input is given; default False", FIELD_BOOL, offsetof(plActuatorDef, has_input), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"off", "True if it is off at the start (\"actuator\"); default False", FIELD_BOOL, offsetof(plActuatorDef, off), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"spring", "True for a spring or damper: the limits of dofs do not apply to it; default False", FIELD_BOOL, offsetof(plActuatorDef, spring), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time", "s, increasing", FIELD_LIST_DOUBLE, offsetof(plActuatorDef, time), 1, 1, NULL, NULL, offsetof(plActuatorDef, ntime), REFERENCE_NONE},
    {"value", "one for each entry", FIELD_LIST_DOUBLE, offsetof(plActuatorDef, value), 1, 1, NULL, NULL, offsetof(plActuatorDef, ntime), REFERENCE_NONE},
    {"interpolation", "default \"linear\"", FIELD_ENUM, offsetof(plActuatorDef, interpolation), 1, 1, NULL, words_plInterpolation, 0, REFERENCE_NONE},
    {"zero_velocity", "PD: desired velocity 0 instead of the table's derivative; default False", FIELD_BOOL, offsetof(plActuatorDef, zero_velocity), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plActuatorDef = {"add_actuator", "Adds an actuator; returns its index.", sizeof(plActuatorDef), fields_plActuatorDef, 26, default_plActuatorDef};

static void default_plConstraintDef(void* to) { *(plConstraintDef*)to = pl_default_constraint_def(); }
static const Field fields_plConstraintDef[] = {
    {"name", "unique among constraints, as for bodies; default None: must be given", FIELD_TEXT, offsetof(plConstraintDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"kind", "default \"ball\"", FIELD_ENUM, offsetof(plConstraintDef, kind), 1, 1, NULL, words_plConstraintKind, 0, REFERENCE_NONE},
    {"a", "bodies (-1 for the world); joints for a coupler; for a motion a is the joint; default -1", FIELD_INT, offsetof(plConstraintDef, a), 1, 1, NULL, NULL, 0, REFERENCE_SIDE},
    {"b", "bodies (-1 for the world); joints for a coupler; for a motion a is the joint; default -1", FIELD_INT, offsetof(plConstraintDef, b), 1, 1, NULL, NULL, 0, REFERENCE_SIDE},
    {"pose_a", "in the bodies' frames; default identity", FIELD_POSE, offsetof(plConstraintDef, pose_a), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"pose_b", "in the bodies' frames; default identity", FIELD_POSE, offsetof(plConstraintDef, pose_b), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"length", "m, distance; default 0", FIELD_DOUBLE, offsetof(plConstraintDef, length), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"ratio", "of a coupler; offset also of a tendon and a motion; default 1, 0", FIELD_DOUBLE, offsetof(plConstraintDef, ratio), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"offset", "of a coupler; offset also of a tendon and a motion; default 1, 0", FIELD_DOUBLE, offsetof(plConstraintDef, offset), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"joint", "one for each entry", FIELD_LIST_INT, offsetof(plConstraintDef, joint), 1, 1, NULL, NULL, offsetof(plConstraintDef, njoint), REFERENCE_JOINT},
    {"coefficient", "one for each entry", FIELD_LIST_DOUBLE, offsetof(plConstraintDef, coefficient), 1, 1, NULL, NULL, offsetof(plConstraintDef, njoint), REFERENCE_NONE},
    {"lower", "of a tendon or a distance; default -infinity, infinity", FIELD_DOUBLE, offsetof(plConstraintDef, lower), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"upper", "of a tendon or a distance; default -infinity, infinity", FIELD_DOUBLE, offsetof(plConstraintDef, upper), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"stiffness", "N/m or Nm/rad; default infinity (as stiff as the time step allows)", FIELD_DOUBLE, offsetof(plConstraintDef, stiffness), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"damping", "N s/m or Nm s/rad; default 0", FIELD_DOUBLE, offsetof(plConstraintDef, damping), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"off", "True if it is off at the start; default False", FIELD_BOOL, offsetof(plConstraintDef, off), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"time", "s, increasing", FIELD_LIST_DOUBLE, offsetof(plConstraintDef, time), 1, 1, NULL, NULL, offsetof(plConstraintDef, ntime), REFERENCE_NONE},
    {"value", "m or rad", FIELD_LIST_DOUBLE, offsetof(plConstraintDef, value), 1, 1, NULL, NULL, offsetof(plConstraintDef, ntime), REFERENCE_NONE},
    {"interpolation", "default \"linear\"", FIELD_ENUM, offsetof(plConstraintDef, interpolation), 1, 1, NULL, words_plInterpolation, 0, REFERENCE_NONE},
    {"amplitude", "m or rad, 1/s, rad; default 0", FIELD_DOUBLE, offsetof(plConstraintDef, amplitude), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"frequency", "m or rad, 1/s, rad; default 0", FIELD_DOUBLE, offsetof(plConstraintDef, frequency), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"phase", "m or rad, 1/s, rad; default 0", FIELD_DOUBLE, offsetof(plConstraintDef, phase), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plConstraintDef = {"add_constraint", "Adds a constraint between bodies or joints; returns its index.", sizeof(plConstraintDef), fields_plConstraintDef, 22, default_plConstraintDef};

static void default_plSiteDef(void* to) { *(plSiteDef*)to = pl_default_site_def(); }
static const Field fields_plSiteDef[] = {
    {"name", "unique among sites; default None: must be given", FIELD_TEXT, offsetof(plSiteDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"body", "default -1: the world", FIELD_INT, offsetof(plSiteDef, body), 1, 1, NULL, NULL, 0, REFERENCE_BODY},
    {"pose", "in the body's frame; default identity", FIELD_POSE, offsetof(plSiteDef, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSiteDef = {"add_site", "Adds a named frame on a rigid body or in the world; returns its index.", sizeof(plSiteDef), fields_plSiteDef, 3, default_plSiteDef};

static void default_plSensorDef(void* to) { *(plSensorDef*)to = pl_default_sensor_def(); }
static const Field fields_plSensorDef[] = {
    {"name", "unique among sensors: letters, digits and _ - . /; default None: must be given", FIELD_TEXT, offsetof(plSensorDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"kind", "default \"joint_position\"", FIELD_ENUM, offsetof(plSensorDef, kind), 1, 1, NULL, words_plSensorKind, 0, REFERENCE_NONE},
    {"on", "name of the joint, actuator, rigid body, deformable or shape. If a name is used twice, a deformable comes before a body, and a body before a joint or shape. Cameras and sensors with a frame need a rigid body or \"world\". Default None: must be given", FIELD_TEXT, offsetof(plSensorDef, on), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"other", "contact and taxels: the other side by name; default None: any", FIELD_TEXT, offsetof(plSensorDef, other), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"pose", "of the frame, see the kinds; default identity", FIELD_POSE, offsetof(plSensorDef, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"rate", "samples per second, at most 1/dt; between two samples the reading does not change; default 0: every step", FIELD_DOUBLE, offsetof(plSensorDef, rate), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"delay", "s from a sample until it can be read; default 0. Until the first sample arrives, the reading is that of the start", FIELD_DOUBLE, offsetof(plSensorDef, delay), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"noise", "standard deviation of normal noise, per column, in its unit; default 0", FIELD_DOUBLE, offsetof(plSensorDef, noise), 9, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"seed", "seed of the noise, which depends only on seed, sensor name, sample number and index of the value; default 0", FIELD_UINT64, offsetof(plSensorDef, seed), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"region", "touch: of space, in the sensor's frame; taxels and markers on a deformable: of its vertices; taxels on a rigid body or shape: of its facets, in its frame; default all", FIELD_STRUCT, offsetof(plSensorDef, region), 1, 1, &table_plRegion, NULL, 0, REFERENCE_NONE},
    {"size", "m, of the grid's rectangle in the frame's x and y about its origin; default 0", FIELD_DOUBLE, offsetof(plSensorDef, size), 2, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"cells", "of the grid in x and y; default 0", FIELD_INT, offsetof(plSensorDef, cells), 2, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"mount", "taxels on a deformable, markers: name of the rigid body in whose frame the reading is given; default None: the world", FIELD_TEXT, offsetof(plSensorDef, mount), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"point", "markers: [npoint] m in the mesh's frame, instead of region or grid", FIELD_LIST_DOUBLE, offsetof(plSensorDef, point), 3, 1, NULL, NULL, offsetof(plSensorDef, npoint), REFERENCE_NONE},
    {"cavity", "volume: True measures the cavities that inner surfaces of the deformable enclose; default False", FIELD_BOOL, offsetof(plSensorDef, cavity), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"width", "pixels, 1 to 4096; default 160 x 120", FIELD_INT, offsetof(plSensorDef, width), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"height", "pixels, 1 to 4096; default 160 x 120", FIELD_INT, offsetof(plSensorDef, height), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"focal", "pixels, focal lengths along x and y; default 0, 0: 0.8 width for both", FIELD_DOUBLE, offsetof(plSensorDef, focal), 2, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"centre", "pixels, where the optical axis meets the picture; default negative: the middle of the picture", FIELD_DOUBLE, offsetof(plSensorDef, centre), 2, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"near", "m, objects nearer or farther than this are not seen; default 0.001, 10", FIELD_DOUBLE, offsetof(plSensorDef, near), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"far", "m, objects nearer or farther than this are not seen; default 0.001, 10", FIELD_DOUBLE, offsetof(plSensorDef, far), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"range", "depth: True measures distance along the ray instead of along the axis; default False", FIELD_BOOL, offsetof(plSensorDef, range), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"shadows", "rgb: True draws shadows of the light; default False", FIELD_BOOL, offsetof(plSensorDef, shadows), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"hide", "deformables, rigid bodies and shapes that are not seen, separated by commas; default None: none", FIELD_TEXT, offsetof(plSensorDef, hide), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plSensorDef = {"add_sensor", "Adds a sensor; returns its index.", sizeof(plSensorDef), fields_plSensorDef, 24, default_plSensorDef};

static void default_plRobotDef(void* to) { *(plRobotDef*)to = pl_default_robot_def(); }
static const Field fields_plRobotDef[] = {
    {"file", ".urdf, .sdf, .xml, .mjcf; default None: must be given", FIELD_TEXT, offsetof(plRobotDef, file), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"name", "prefix of all names; default None: the name in the file", FIELD_TEXT, offsetof(plRobotDef, name), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"pose", "of the model's frame; default identity", FIELD_POSE, offsetof(plRobotDef, pose), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"parent", "name of the body whose frame the pose refers to and to which a welded base is attached; default None: the world", FIELD_TEXT, offsetof(plRobotDef, parent), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"base", "default \"file\"", FIELD_ENUM, offsetof(plRobotDef, base), 1, 1, NULL, words_plBase, 0, REFERENCE_NONE},
    {"gravity", "factor on all bodies; default 1", FIELD_DOUBLE, offsetof(plRobotDef, gravity), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"friction", "default \"file\"", FIELD_ENUM, offsetof(plRobotDef, friction), 1, 1, NULL, words_plFrictionMode, 0, REFERENCE_NONE},
    {"joint_friction", "N or Nm, for \"value\"", FIELD_DOUBLE, offsetof(plRobotDef, joint_friction), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"keyframe", "MJCF: name of the keyframe whose positions, velocities and inputs are used at the start; default None: none", FIELD_TEXT, offsetof(plRobotDef, keyframe), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"inertia", "default \"file\"", FIELD_ENUM, offsetof(plRobotDef, inertia), 1, 1, NULL, words_plInertiaMode, 0, REFERENCE_NONE},
    {"density", "kg/m^3 for \"shapes\"; default 1000", FIELD_DOUBLE, offsetof(plRobotDef, density), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"take_timestep", "MJCF: True takes the value of the file's <option> into the spec's options; default False", FIELD_BOOL, offsetof(plRobotDef, take_timestep), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"take_gravity", "MJCF: True takes the value of the file's <option> into the spec's options; default False", FIELD_BOOL, offsetof(plRobotDef, take_gravity), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"meshes", "default \"convex\"", FIELD_ENUM, offsetof(plRobotDef, meshes), 1, 1, NULL, words_plMeshMode, 0, REFERENCE_NONE},
    {"overlaps", "default \"exclude\"", FIELD_ENUM, offsetof(plRobotDef, overlaps), 1, 1, NULL, words_plOverlapMode, 0, REFERENCE_NONE},
};
const Table table_plRobotDef = {"add_robot", "Adds all bodies, joints, actuators and shapes of a robot file (URDF, SDFormat, MJCF).", sizeof(plRobotDef), fields_plRobotDef, 15, default_plRobotDef};

static void default_plIkDef(void* to) { *(plIkDef*)to = pl_default_ik_def(); }
static const Field fields_plIkDef[] = {
    {"point", "m, in the body's frame; default its origin", FIELD_DOUBLE, offsetof(plIkDef, point), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"goal", "default \"pose\"", FIELD_ENUM, offsetof(plIkDef, goal), 1, 1, NULL, words_plIkGoal, 0, REFERENCE_NONE},
    {"target", "desired pose in the world of the body's frame shifted to the point; default identity", FIELD_POSE, offsetof(plIkDef, target), 7, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"velocity", "m/s, world; with a pose or position goal the velocity of the target, which is then followed without lag; default 0", FIELD_DOUBLE, offsetof(plIkDef, velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"angular_velocity", "rad/s, the same for rotation", FIELD_DOUBLE, offsetof(plIkDef, angular_velocity), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"time", "s in which the target is to be reached; no joint passes a limit within it; default 0.01", FIELD_DOUBLE, offsetof(plIkDef, time), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"damping", "m, weight of small joint velocities against errors, see above; default 0.02", FIELD_DOUBLE, offsetof(plIkDef, damping), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"length", "m, length by which rotation errors are weighted against position errors; default 0.3", FIELD_DOUBLE, offsetof(plIkDef, length), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"speed", "rad/s or m/s, largest speed of a joint, besides the joint's own limit; infinity: none; default 1.5", FIELD_DOUBLE, offsetof(plIkDef, speed), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"rest_gain", "1/s, gain of that motion; default 1", FIELD_DOUBLE, offsetof(plIkDef, rest_gain), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plIkDef = {"ik", "Joint rates that make a point of a body follow a target.", sizeof(plIkDef), fields_plIkDef, 10, default_plIkDef};

static void default_plRecordingDef(void* to) { *(plRecordingDef*)to = pl_default_recording_def(); }
static const Field fields_plRecordingDef[] = {
    {"file", "recording of all frames (output.h), None: none (default)", FIELD_TEXT, offsetof(plRecordingDef, file), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"csv", "table of signals, None: none (default)", FIELD_TEXT, offsetof(plRecordingDef, csv), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"signals", "names of the table's signals, separated by commas; None: none (default)", FIELD_TEXT, offsetof(plRecordingDef, signals), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"rate", "frames per simulated second; 0: `every` counts instead (default)", FIELD_DOUBLE, offsetof(plRecordingDef, rate), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"every", "steps from one frame to the next, >= 1; default 1", FIELD_INT, offsetof(plRecordingDef, every), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plRecordingDef = {"set_recording", "What the command writes while it simulates the scene.", sizeof(plRecordingDef), fields_plRecordingDef, 5, default_plRecordingDef};

static const Field fields_plContact[] = {
    {"a", "the two sides, rigid shapes or deformables; equal for a deformable that touches itself", FIELD_STRUCT, offsetof(plContact, a), 1, 1, &table_plSide, NULL, 0, REFERENCE_NONE},
    {"b", "the two sides, rigid shapes or deformables; equal for a deformable that touches itself", FIELD_STRUCT, offsetof(plContact, b), 1, 1, &table_plSide, NULL, 0, REFERENCE_NONE},
    {"position", "m, world", FIELD_DOUBLE, offsetof(plContact, position), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"normal", "unit, from A to B", FIELD_DOUBLE, offsetof(plContact, normal), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"gap", "m, signed distance at the start of the step; negative means overlap", FIELD_DOUBLE, offsetof(plContact, gap), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"area", "m^2 of surface that the point represents", FIELD_DOUBLE, offsetof(plContact, area), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"force", "N on B, mean over the step", FIELD_DOUBLE, offsetof(plContact, force), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"slip", "m/s, tangential velocity of B relative to A", FIELD_DOUBLE, offsetof(plContact, slip), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"stick", "True if the friction force is inside the friction cone, so that the point does not slide", FIELD_BOOL, offsetof(plContact, stick), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"tri_a", "facet of each side that the point lies on. On a deformable it is a boundary triangle of the model (model->tri_tet is the tetrahedron behind it), on a rigid mesh or box a triangle of that shape; -1 on smooth and convex shapes and at vertices of a crushed body that lie inside the other side", FIELD_INT, offsetof(plContact, tri_a), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"tri_b", "facet of each side that the point lies on. On a deformable it is a boundary triangle of the model (model->tri_tet is the tetrahedron behind it), on a rigid mesh or box a triangle of that shape; -1 on smooth and convex shapes and at vertices of a crushed body that lie inside the other side", FIELD_INT, offsetof(plContact, tri_b), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plContact = {"contact", "One contact point of the last step. Forces act on B; A feels the opposite.", sizeof(plContact), fields_plContact, 11, NULL};

static const Field fields_plImpulse[] = {
    {"kind", "kind of the constraint", FIELD_ENUM, offsetof(plImpulse, kind), 1, 1, NULL, words_plImpulseKind, 0, REFERENCE_NONE},
    {"index", "of the degree of freedom, actuator, constraint or attachment, depending on kind", FIELD_INT, offsetof(plImpulse, index), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"part", "for limits and tendons 0 is the lower bound and 1 the upper one; for an attachment it counts its vertices", FIELD_INT, offsetof(plImpulse, part), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"nrow", "number of rows of the constraint: 1, 3 or 6", FIELD_INT, offsetof(plImpulse, nrow), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"gamma", "N s or Nm s, impulse of each row. Rows that form a vector are in world axes; a weld has the moment first, then the force", FIELD_DOUBLE, offsetof(plImpulse, gamma), 6, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"a", "rigid bodies on which the impulse acts, -1 for none. For an attachment, b stands for the vertex and is -1", FIELD_INT, offsetof(plImpulse, a), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"b", "rigid bodies on which the impulse acts, -1 for none. For an attachment, b stands for the vertex and is -1", FIELD_INT, offsetof(plImpulse, b), 1, 1, NULL, NULL, 0, REFERENCE_NONE},
    {"point_a", "m, points of the bodies where it acts, world", FIELD_DOUBLE, offsetof(plImpulse, point_a), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"point_b", "m, points of the bodies where it acts, world", FIELD_DOUBLE, offsetof(plImpulse, point_b), 3, 0, NULL, NULL, 0, REFERENCE_NONE},
    {"push", "N s and Nm s, impulse on b at point_b, world axes; the opposite acts on a at point_a. Zero for constraints that act on joint coordinates", FIELD_DOUBLE, offsetof(plImpulse, push), 6, 0, NULL, NULL, 0, REFERENCE_NONE},
};
const Table table_plImpulse = {"impulse", "", sizeof(plImpulse), fields_plImpulse, 10, NULL};

static Py_ssize_t count_plModel_deform_name(const plModel* m) { return m->ndeform; }
static Py_ssize_t count_plModel_deform_vert0(const plModel* m) { return m->ndeform + 1; }
static Py_ssize_t count_plModel_deform_tet0(const plModel* m) { return m->ndeform + 1; }
static Py_ssize_t count_plModel_deform_tri0(const plModel* m) { return m->ndeform + 1; }
static Py_ssize_t count_plModel_deform_q0(const plModel* m) { return m->ndeform; }
static Py_ssize_t count_plModel_deform_v0(const plModel* m) { return m->ndeform; }
static Py_ssize_t count_plModel_deform_volume(const plModel* m) { return m->ndeform; }
static Py_ssize_t count_plModel_deform_plane(const plModel* m) { return m->ndeform; }
static Py_ssize_t count_plModel_deform_self(const plModel* m) { return m->ndeform; }
static Py_ssize_t count_plModel_vert_rest(const plModel* m) { return m->nvert; }
static Py_ssize_t count_plModel_vert_number(const plModel* m) { return m->nvert; }
static Py_ssize_t count_plModel_vert_volume(const plModel* m) { return m->nvert; }
static Py_ssize_t count_plModel_vert_fixed(const plModel* m) { return m->nvert; }
static Py_ssize_t count_plModel_vert_fix(const plModel* m) { return m->nvert; }
static Py_ssize_t count_plModel_tet_vert(const plModel* m) { return m->ntet; }
static Py_ssize_t count_plModel_tet_volume(const plModel* m) { return m->ntet; }
static Py_ssize_t count_plModel_tet_grad(const plModel* m) { return m->ntet; }
static Py_ssize_t count_plModel_tet_mid(const plModel* m) { return m->ntet; }
static Py_ssize_t count_plModel_tet_patch(const plModel* m) { return m->ntet; }
static Py_ssize_t count_plModel_tet_patch_volume(const plModel* m) { return m->ntet; }
static Py_ssize_t count_plModel_tri_vert(const plModel* m) { return m->ntri; }
static Py_ssize_t count_plModel_tri_tet(const plModel* m) { return m->ntri; }
static Py_ssize_t count_plModel_fix_knot0(const plModel* m) { return m->nfix + 1; }
static Py_ssize_t count_plModel_knot_time(const plModel* m) { return m->fix_knot0[m->nfix]; }
static Py_ssize_t count_plModel_knot_offset(const plModel* m) { return m->fix_knot0[m->nfix]; }
static Py_ssize_t count_plModel_attach_name(const plModel* m) { return m->nattach; }
static Py_ssize_t count_plModel_attach_deform(const plModel* m) { return m->nattach; }
static Py_ssize_t count_plModel_attach_body(const plModel* m) { return m->nattach; }
static Py_ssize_t count_plModel_attach_other(const plModel* m) { return m->nattach; }
static Py_ssize_t count_plModel_attach_vert0(const plModel* m) { return m->nattach + 1; }
static Py_ssize_t count_plModel_attach_vert(const plModel* m) { return m->attach_vert0[m->nattach]; }
static Py_ssize_t count_plModel_attach_exact(const plModel* m) { return m->nattach; }
static Py_ssize_t count_plModel_attach_off(const plModel* m) { return m->nattach; }
static Py_ssize_t count_plModel_shape_name(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_body(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_kind(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_pose(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_size(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_radius(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_length(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_mesh(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_convex(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_collide(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_shape_colour(const plModel* m) { return m->nshape; }
static Py_ssize_t count_plModel_body_name(const plModel* m) { return m->nbody; }
static Py_ssize_t count_plModel_body_parent(const plModel* m) { return m->nbody; }
static Py_ssize_t count_plModel_body_node(const plModel* m) { return m->nbody; }
static Py_ssize_t count_plModel_body_pose(const plModel* m) { return m->nbody; }
static Py_ssize_t count_plModel_joint_name(const plModel* m) { return m->njoint; }
static Py_ssize_t count_plModel_joint_kind(const plModel* m) { return m->njoint; }
static Py_ssize_t count_plModel_joint_parent(const plModel* m) { return m->njoint; }
static Py_ssize_t count_plModel_joint_child(const plModel* m) { return m->njoint; }
static Py_ssize_t count_plModel_joint_q0(const plModel* m) { return m->njoint; }
static Py_ssize_t count_plModel_joint_v0(const plModel* m) { return m->njoint; }
static Py_ssize_t count_plModel_dof_joint(const plModel* m) { return m->nv_rigid; }
static Py_ssize_t count_plModel_dof_q(const plModel* m) { return m->nv_rigid; }
static Py_ssize_t count_plModel_dof_effort(const plModel* m) { return m->nv_rigid; }
static Py_ssize_t count_plModel_dof_force_lower(const plModel* m) { return m->nv_rigid; }
static Py_ssize_t count_plModel_dof_force_upper(const plModel* m) { return m->nv_rigid; }
static Py_ssize_t count_plModel_dof_speed(const plModel* m) { return m->nv_rigid; }
static Py_ssize_t count_plModel_dof_locked(const plModel* m) { return m->nv_rigid; }
static Py_ssize_t count_plModel_tree_v0(const plModel* m) { return m->ntree + 1; }
static Py_ssize_t count_plModel_act_name(const plModel* m) { return m->nact; }
static Py_ssize_t count_plModel_act_kind(const plModel* m) { return m->nact; }
static Py_ssize_t count_plModel_act_dof(const plModel* m) { return m->nact; }
static Py_ssize_t count_plModel_act_term0(const plModel* m) { return m->nact + 1; }
static Py_ssize_t count_plModel_act_term(const plModel* m) { return m->act_term0[m->nact]; }
static Py_ssize_t count_plModel_act_coefficient(const plModel* m) { return m->act_term0[m->nact]; }
static Py_ssize_t count_plModel_act_site0(const plModel* m) { return m->nact + 1; }
static Py_ssize_t count_plModel_act_site(const plModel* m) { return m->act_site0[m->nact]; }
static Py_ssize_t count_plModel_act_wrench(const plModel* m) { return m->nact; }
static Py_ssize_t count_plModel_act_u0(const plModel* m) { return m->nact; }
static Py_ssize_t count_plModel_act_gear(const plModel* m) { return m->nact; }
static Py_ssize_t count_plModel_act_off(const plModel* m) { return m->nact; }
static Py_ssize_t count_plModel_act_zero_velocity(const plModel* m) { return m->nact; }
static Py_ssize_t count_plModel_act_knot0(const plModel* m) { return m->nact + 1; }
static Py_ssize_t count_plModel_act_time(const plModel* m) { return m->act_knot0[m->nact]; }
static Py_ssize_t count_plModel_act_value(const plModel* m) { return m->act_knot0[m->nact]; }
static Py_ssize_t count_plModel_act_slope(const plModel* m) { return m->act_knot0[m->nact]; }
static Py_ssize_t count_plModel_act_interpolation(const plModel* m) { return m->nact; }
static Py_ssize_t count_plModel_exclude(const plModel* m) { return m->nexclude; }
static Py_ssize_t count_plModel_start_u(const plModel* m) { return m->nu; }
static Py_ssize_t count_plModel_site_name(const plModel* m) { return m->nsite; }
static Py_ssize_t count_plModel_site_body(const plModel* m) { return m->nsite; }
static Py_ssize_t count_plModel_site_pose(const plModel* m) { return m->nsite; }
static Py_ssize_t count_plModel_start_q(const plModel* m) { return m->nq; }
static Py_ssize_t count_plModel_start_v(const plModel* m) { return m->nv; }
const Array model_arrays[] = {
    {"nq", "Generalised positions.", 'i', offsetof(plModel, nq), NULL, 0, 0, 0, NULL, -1},
    {"nv", "Generalised velocities.", 'i', offsetof(plModel, nv), NULL, 0, 0, 0, NULL, -1},
    {"nu", "Actuator inputs.", 'i', offsetof(plModel, nu), NULL, 0, 0, 0, NULL, -1},
    {"ndeform", "Deformable bodies.", 'i', offsetof(plModel, ndeform), NULL, 0, 0, 0, NULL, -1},
    {"nvert", "Vertices of all deformables together.", 'i', offsetof(plModel, nvert), NULL, 0, 0, 0, NULL, -1},
    {"ntet", "Tetrahedra of all deformables together.", 'i', offsetof(plModel, ntet), NULL, 0, 0, 0, NULL, -1},
    {"ntri", "Boundary triangles of all deformables together.", 'i', offsetof(plModel, ntri), NULL, 0, 0, 0, NULL, -1},
    {"nfix", "Groups of vertices whose motion is prescribed (plFixDef).", 'i', offsetof(plModel, nfix), NULL, 0, 0, 0, NULL, -1},
    {"nshape", "Rigid shapes.", 'i', offsetof(plModel, nshape), NULL, 0, 0, 0, NULL, -1},
    {"deform_name", "of length ndeform.", 's', offsetof(plModel, deform_name), count_plModel_deform_name, 1, 0, 0, NULL, 0},
    {"deform_vert0", "int32 (ndeform + 1,), read-only: first vertex.", 'n', offsetof(plModel, deform_vert0), count_plModel_deform_vert0, 1, 0, 0, NULL, 1},
    {"deform_tet0", "int32 (ndeform + 1,), read-only: first tetrahedron.", 'n', offsetof(plModel, deform_tet0), count_plModel_deform_tet0, 1, 0, 0, NULL, 2},
    {"deform_tri0", "int32 (ndeform + 1,), read-only: first boundary triangle.", 'n', offsetof(plModel, deform_tri0), count_plModel_deform_tri0, 1, 0, 0, NULL, 3},
    {"deform_q0", "int32 (ndeform,), read-only: first position in q; vertex i of body b is at q + deform_q0[b] + 3 i.", 'n', offsetof(plModel, deform_q0), count_plModel_deform_q0, 1, 0, 0, NULL, 4},
    {"deform_v0", "int32 (ndeform,), read-only: first velocity in v.", 'n', offsetof(plModel, deform_v0), count_plModel_deform_v0, 1, 0, 0, NULL, 5},
    {"deform_volume", "float64 (ndeform,), read-only: m^3 at rest.", 'd', offsetof(plModel, deform_volume), count_plModel_deform_volume, 1, 0, 0, NULL, 6},
    {"deform_plane", "int32 (ndeform,), read-only: 1 for plane strain, else 0.", 'n', offsetof(plModel, deform_plane), count_plModel_deform_plane, 1, 0, 0, NULL, 7},
    {"deform_self", "int32 (ndeform,), read-only: 1 if contact with itself is on, else 0.", 'n', offsetof(plModel, deform_self), count_plModel_deform_self, 1, 0, 0, NULL, 8},
    {"vert_rest", "float64 (nvert, 3), read-only: m, the undeformed mesh in the body's frame.", 'd', offsetof(plModel, vert_rest), count_plModel_vert_rest, 3, 0, 0, NULL, 9},
    {"vert_number", "int32 (nvert,), read-only: index of the vertex in scene files and signals: that in the mesh file of its body.", 'n', offsetof(plModel, vert_number), count_plModel_vert_number, 1, 0, 0, NULL, 10},
    {"vert_volume", "float64 (nvert,), read-only: m^3, row sums of the mass matrix for density 1 (negative at the corners of quadratic tetrahedra).", 'd', offsetof(plModel, vert_volume), count_plModel_vert_volume, 1, 0, 0, NULL, 11},
    {"vert_fixed", "int32 (nvert,), read-only: bits PL_FIX_X, PL_FIX_Y, PL_FIX_Z of the components whose motion is prescribed.", 'n', offsetof(plModel, vert_fixed), count_plModel_vert_fixed, 1, 0, 0, NULL, 12},
    {"vert_fix", "int32 (nvert,), read-only: group that prescribes it, or -1.", 'n', offsetof(plModel, vert_fix), count_plModel_vert_fix, 1, 0, 0, NULL, 13},
    {"tet_vert", "int32 (ntet, 4), read-only: vertex ids, counted from the first vertex of the model.", 'n', offsetof(plModel, tet_vert), count_plModel_tet_vert, 4, 0, 0, NULL, 14},
    {"tet_volume", "float64 (ntet,), read-only: m^3 at rest.", 'd', offsetof(plModel, tet_volume), count_plModel_tet_volume, 1, 0, 0, NULL, 15},
    {"tet_grad", "float64 (ntet, 12), read-only: gradients of the four linear shape functions at rest, 3 each (1/m).", 'd', offsetof(plModel, tet_grad), count_plModel_tet_grad, 12, 0, 0, NULL, 16},
    {"tet_mid", "int32 (ntet, 6), read-only: for quadratic tetrahedra the vertices in the middle of edges 01 02 03 12 13 23; else -1.", 'n', offsetof(plModel, tet_mid), count_plModel_tet_mid, 6, 0, 0, NULL, 17},
    {"tet_patch", "int32 (ntet,), read-only: first tetrahedron of the patch over which volume changes are averaged; -1 for none.", 'n', offsetof(plModel, tet_patch), count_plModel_tet_patch, 1, 0, 0, NULL, 18},
    {"tet_patch_volume", "float64 (ntet,), read-only: m^3, volume of that patch; 0 for none.", 'd', offsetof(plModel, tet_patch_volume), count_plModel_tet_patch_volume, 1, 0, 0, NULL, 19},
    {"tri_vert", "int32 (ntri, 3), read-only: vertex ids, counterclockwise seen from outside.", 'n', offsetof(plModel, tri_vert), count_plModel_tri_vert, 3, 0, 0, NULL, 20},
    {"tri_tet", "int32 (ntri,), read-only: the tetrahedron that the triangle is a face of.", 'n', offsetof(plModel, tri_tet), count_plModel_tri_tet, 1, 0, 0, NULL, 21},
    {"fix_knot0", "int32 (nfix + 1,), read-only: first knot.", 'n', offsetof(plModel, fix_knot0), count_plModel_fix_knot0, 1, 0, 0, NULL, 22},
    {"knot_time", "float64 (fix_knot0[nfix],), read-only: s, time of each knot.", 'd', offsetof(plModel, knot_time), count_plModel_knot_time, 1, 0, 0, NULL, 23},
    {"knot_offset", "float64 (fix_knot0[nfix], 3), read-only: m, displacement at each knot.", 'd', offsetof(plModel, knot_offset), count_plModel_knot_offset, 3, 0, 0, NULL, 24},
    {"nattach", "Attachments, see plAttachDef.", 'i', offsetof(plModel, nattach), NULL, 0, 0, 0, NULL, -1},
    {"attach_name", "of length nattach.", 's', offsetof(plModel, attach_name), count_plModel_attach_name, 1, 0, 0, NULL, 25},
    {"attach_deform", "int32 (nattach,), read-only: deformable body.", 'n', offsetof(plModel, attach_deform), count_plModel_attach_deform, 1, 0, 0, NULL, 26},
    {"attach_body", "int32 (nattach,), read-only: rigid body; -1 for the world.", 'n', offsetof(plModel, attach_body), count_plModel_attach_body, 1, 0, 0, NULL, 27},
    {"attach_other", "int32 (nattach,), read-only: deformable that holds the vertices instead of a rigid body; -1 for none.", 'n', offsetof(plModel, attach_other), count_plModel_attach_other, 1, 0, 0, NULL, 28},
    {"attach_vert0", "int32 (nattach + 1,), read-only: first entry in attach_vert.", 'n', offsetof(plModel, attach_vert0), count_plModel_attach_vert0, 1, 0, 0, NULL, 29},
    {"attach_vert", "int32 (attach_vert0[nattach],), read-only: vertices, counted from the first vertex of their deformable.", 'n', offsetof(plModel, attach_vert), count_plModel_attach_vert, 1, 0, 0, NULL, 30},
    {"attach_exact", "bool (nattach,), read-only: True if the vertices follow rigidly, without compliance.", '?', offsetof(plModel, attach_exact), count_plModel_attach_exact, 1, 0, 0, NULL, 31},
    {"attach_off", "bool (nattach,), read-only: True if it is off at the start.", '?', offsetof(plModel, attach_off), count_plModel_attach_off, 1, 0, 0, NULL, 32},
    {"shape_name", "of length nshape.", 's', offsetof(plModel, shape_name), count_plModel_shape_name, 1, 0, 0, NULL, 33},
    {"shape_body", "int32 (nshape,), read-only: rigid body that carries the shape; -1 for the world.", 'n', offsetof(plModel, shape_body), count_plModel_shape_body, 1, 0, 0, NULL, 34},
    {"shape_kind", "of length nshape.", 'e', offsetof(plModel, shape_kind), count_plModel_shape_kind, 1, 0, 0, words_plShapeKind, 35},
    {"shape_pose", "float64 (nshape, 7), read-only: pose of the shape in the body's frame.", 'd', offsetof(plModel, shape_pose), count_plModel_shape_pose, 7, 0, 0, NULL, 36},
    {"shape_size", "float64 (nshape, 3), read-only: m, dimensions as plShapeKind defines them.", 'd', offsetof(plModel, shape_size), count_plModel_shape_size, 3, 0, 0, NULL, 37},
    {"shape_radius", "float64 (nshape,), read-only: m.", 'd', offsetof(plModel, shape_radius), count_plModel_shape_radius, 1, 0, 0, NULL, 38},
    {"shape_length", "float64 (nshape,), read-only: m.", 'd', offsetof(plModel, shape_length), count_plModel_shape_length, 1, 0, 0, NULL, 39},
    {"shape_mesh", "of length nshape: None unless \"mesh\".", 'm', offsetof(plModel, shape_mesh), count_plModel_shape_mesh, 1, 0, 0, NULL, 40},
    {"shape_convex", "bool (nshape,), read-only: True if the convex hull of the mesh is used for contact.", '?', offsetof(plModel, shape_convex), count_plModel_shape_convex, 1, 0, 0, NULL, 41},
    {"shape_collide", "bool (nshape,), read-only: True if the shape takes part in contact.", '?', offsetof(plModel, shape_collide), count_plModel_shape_collide, 1, 0, 0, NULL, 42},
    {"shape_colour", "float64 (nshape, 3), read-only: red, green, blue in [0, 1].", 'd', offsetof(plModel, shape_colour), count_plModel_shape_colour, 3, 0, 0, NULL, 43},
    {"nbody", "Rigid bodies.", 'i', offsetof(plModel, nbody), NULL, 0, 0, 0, NULL, -1},
    {"njoint", "Joints; a body without a joint gets a free joint with the body's name.", 'i', offsetof(plModel, njoint), NULL, 0, 0, 0, NULL, -1},
    {"nact", "Actuators.", 'i', offsetof(plModel, nact), NULL, 0, 0, 0, NULL, -1},
    {"ntree", "Kinematic trees: groups of bodies connected by joints, not counting connections through the world.", 'i', offsetof(plModel, ntree), NULL, 0, 0, 0, NULL, -1},
    {"nconstraint", "Constraints between bodies or joints.", 'i', offsetof(plModel, nconstraint), NULL, 0, 0, 0, NULL, -1},
    {"nexclude", "Pairs of bodies without contact.", 'i', offsetof(plModel, nexclude), NULL, 0, 0, 0, NULL, -1},
    {"nq_rigid", "The part of nq and nv that belongs to rigid bodies.", 'i', offsetof(plModel, nq_rigid), NULL, 0, 0, 0, NULL, -1},
    {"nv_rigid", "The part of nq and nv that belongs to rigid bodies.", 'i', offsetof(plModel, nv_rigid), NULL, 0, 0, 0, NULL, -1},
    {"body_name", "of length nbody.", 's', offsetof(plModel, body_name), count_plModel_body_name, 1, 0, 0, NULL, 44},
    {"body_parent", "int32 (nbody,), read-only: parent body; -1 for the world.", 'n', offsetof(plModel, body_parent), count_plModel_body_parent, 1, 0, 0, NULL, 45},
    {"body_node", "int32 (nbody,), read-only: moving frame that carries the body; -1 if it is fixed in the world.", 'n', offsetof(plModel, body_node), count_plModel_body_node, 1, 0, 0, NULL, 46},
    {"body_pose", "float64 (nbody, 7), read-only: pose in that frame (or in the world).", 'd', offsetof(plModel, body_pose), count_plModel_body_pose, 7, 0, 0, NULL, 47},
    {"joint_name", "of length njoint.", 's', offsetof(plModel, joint_name), count_plModel_joint_name, 1, 0, 0, NULL, 48},
    {"joint_kind", "of length njoint.", 'e', offsetof(plModel, joint_kind), count_plModel_joint_kind, 1, 0, 0, words_plJointKind, 49},
    {"joint_parent", "int32 (njoint,), read-only: parent body; -1 for the world.", 'n', offsetof(plModel, joint_parent), count_plModel_joint_parent, 1, 0, 0, NULL, 50},
    {"joint_child", "int32 (njoint,), read-only: child body.", 'n', offsetof(plModel, joint_child), count_plModel_joint_child, 1, 0, 0, NULL, 51},
    {"joint_q0", "int32 (njoint,), read-only: first position in q.", 'n', offsetof(plModel, joint_q0), count_plModel_joint_q0, 1, 0, 0, NULL, 52},
    {"joint_v0", "int32 (njoint,), read-only: first velocity in v.", 'n', offsetof(plModel, joint_v0), count_plModel_joint_v0, 1, 0, 0, NULL, 53},
    {"dof_joint", "int32 (nv_rigid,), read-only: joint of each degree of freedom.", 'n', offsetof(plModel, dof_joint), count_plModel_dof_joint, 1, 0, 0, NULL, 54},
    {"dof_q", "int32 (nv_rigid,), read-only: index in q of its position; -1 in ball and free joints.", 'n', offsetof(plModel, dof_q), count_plModel_dof_q, 1, 0, 0, NULL, 55},
    {"dof_effort", "float64 (nv_rigid,), read-only: N or Nm, effort limit of the actuators; may be infinite.", 'd', offsetof(plModel, dof_effort), count_plModel_dof_effort, 1, 0, 0, NULL, 56},
    {"dof_force_lower", "float64 (nv_rigid,), read-only: N or Nm, limits of the sum of all actuators, within dof_effort; may be infinite.", 'd', offsetof(plModel, dof_force_lower), count_plModel_dof_force_lower, 1, 0, 0, NULL, 57},
    {"dof_force_upper", "float64 (nv_rigid,), read-only.", 'd', offsetof(plModel, dof_force_upper), count_plModel_dof_force_upper, 1, 0, 0, NULL, 58},
    {"dof_speed", "float64 (nv_rigid,), read-only: m/s or rad/s, speed limit that the robot's file states; it is not enforced.", 'd', offsetof(plModel, dof_speed), count_plModel_dof_speed, 1, 0, 0, NULL, 59},
    {"dof_locked", "bool (nv_rigid,), read-only: True if it cannot move.", '?', offsetof(plModel, dof_locked), count_plModel_dof_locked, 1, 0, 0, NULL, 60},
    {"tree_v0", "int32 (ntree + 1,), read-only: first velocity.", 'n', offsetof(plModel, tree_v0), count_plModel_tree_v0, 1, 0, 0, NULL, 61},
    {"act_name", "of length nact.", 's', offsetof(plModel, act_name), count_plModel_act_name, 1, 0, 0, NULL, 62},
    {"act_kind", "of length nact.", 'e', offsetof(plModel, act_kind), count_plModel_act_kind, 1, 0, 0, words_plActuatorKind, 63},
    {"act_dof", "int32 (nact,), read-only: degree of freedom that it drives; the first one of a tendon.", 'n', offsetof(plModel, act_dof), count_plModel_act_dof, 1, 0, 0, NULL, 64},
    {"act_term0", "int32 (nact + 1,), read-only: first entry in act_term.", 'n', offsetof(plModel, act_term0), count_plModel_act_term0, 1, 0, 0, NULL, 65},
    {"act_term", "int32 (act_term0[nact],), read-only: degrees of freedom that it drives.", 'n', offsetof(plModel, act_term), count_plModel_act_term, 1, 0, 0, NULL, 66},
    {"act_coefficient", "float64 (act_term0[nact],), read-only: the actuator's coordinate is the sum of coefficient * q; on each degree of freedom acts coefficient * force; 0 for actuators on sites, whose coefficients change with the state.", 'd', offsetof(plModel, act_coefficient), count_plModel_act_coefficient, 1, 0, 0, NULL, 67},
    {"act_site0", "int32 (nact + 1,), read-only: first entry in act_site.", 'n', offsetof(plModel, act_site0), count_plModel_act_site0, 1, 0, 0, NULL, 68},
    {"act_site", "int32 (act_site0[nact],), read-only: the one site on which it acts, or those that its cable runs through.", 'n', offsetof(plModel, act_site), count_plModel_act_site, 1, 0, 0, NULL, 69},
    {"act_wrench", "float64 (nact, 6), read-only: N and Nm, force and moment at the one site for f = 1.", 'd', offsetof(plModel, act_wrench), count_plModel_act_wrench, 6, 0, 0, NULL, 70},
    {"act_u0", "int32 (nact,), read-only: first input in u.", 'n', offsetof(plModel, act_u0), count_plModel_act_u0, 1, 0, 0, NULL, 71},
    {"act_gear", "float64 (nact,), read-only: factor of the coordinate and of the force in the actuator's law.", 'd', offsetof(plModel, act_gear), count_plModel_act_gear, 1, 0, 0, NULL, 72},
    {"act_off", "bool (nact,), read-only: True if it is off at the start.", '?', offsetof(plModel, act_off), count_plModel_act_off, 1, 0, 0, NULL, 73},
    {"act_zero_velocity", "bool (nact,), read-only: True if the desired velocity of a table is 0 instead of the table's derivative.", '?', offsetof(plModel, act_zero_velocity), count_plModel_act_zero_velocity, 1, 0, 0, NULL, 74},
    {"act_knot0", "int32 (nact + 1,), read-only: first knot of the table for u.", 'n', offsetof(plModel, act_knot0), count_plModel_act_knot0, 1, 0, 0, NULL, 75},
    {"act_time", "float64 (act_knot0[nact],), read-only: s, times of the knots.", 'd', offsetof(plModel, act_time), count_plModel_act_time, 1, 0, 0, NULL, 76},
    {"act_value", "float64 (act_knot0[nact],), read-only: u at these times.", 'd', offsetof(plModel, act_value), count_plModel_act_value, 1, 0, 0, NULL, 77},
    {"act_slope", "float64 (act_knot0[nact],), read-only: 1/s, slope at each knot of a cubic table.", 'd', offsetof(plModel, act_slope), count_plModel_act_slope, 1, 0, 0, NULL, 78},
    {"act_interpolation", "of length nact.", 'e', offsetof(plModel, act_interpolation), count_plModel_act_interpolation, 1, 0, 0, words_plInterpolation, 79},
    {"exclude", "int32 (nexclude, 4), read-only: pairs of rigid bodies, deformables or the world.", 'n', offsetof(plModel, exclude), count_plModel_exclude, 4, 0, 0, NULL, 80},
    {"start_u", "float64 (nu,), read-only: inputs at the start.", 'd', offsetof(plModel, start_u), count_plModel_start_u, 1, 0, 0, NULL, 81},
    {"nsite", "Named frames.", 'i', offsetof(plModel, nsite), NULL, 0, 0, 0, NULL, -1},
    {"site_name", "of length nsite.", 's', offsetof(plModel, site_name), count_plModel_site_name, 1, 0, 0, NULL, 82},
    {"site_body", "int32 (nsite,), read-only: rigid body; -1 for the world.", 'n', offsetof(plModel, site_body), count_plModel_site_body, 1, 0, 0, NULL, 83},
    {"site_pose", "float64 (nsite, 7), read-only: pose in the body's frame.", 'd', offsetof(plModel, site_pose), count_plModel_site_pose, 7, 0, 0, NULL, 84},
    {"nsensor", "Sensors.", 'i', offsetof(plModel, nsensor), NULL, 0, 0, 0, NULL, -1},
    {"start_q", "float64 (nq,), read-only: positions.", 'd', offsetof(plModel, start_q), count_plModel_start_q, 1, 0, 0, NULL, 85},
    {"start_v", "float64 (nv,), read-only: velocities.", 'd', offsetof(plModel, start_v), count_plModel_start_v, 1, 0, 0, NULL, 86},
    {"hash", "Identifies the structure and the initial state, without par; a saved state can be loaded into models of the same hash.", 'h', offsetof(plModel, hash), NULL, 0, 0, 0, NULL, -1},
};
const int model_array_count = 108;

static Py_ssize_t count_plData_q(const plModel* m) { return m->nq; }
static Py_ssize_t count_plData_v(const plModel* m) { return m->nv; }
static Py_ssize_t count_plData_u(const plModel* m) { return m->nu; }
static Py_ssize_t count_plData_f_user(const plModel* m) { return m->nv; }
static Py_ssize_t count_plData_f_body(const plModel* m) { return m->nbody; }
static Py_ssize_t count_plData_v_star(const plModel* m) { return m->nv; }
static Py_ssize_t count_plData_energy(const plModel* m) { return m->ndeform; }
static Py_ssize_t count_plData_energy_gain(const plModel* m) { return m->ndeform; }
static Py_ssize_t count_plData_f_constraint(const plModel* m) { return m->nv; }
static Py_ssize_t count_plData_tet_pi(const plModel* m) { return m->ntet; }
static Py_ssize_t count_plData_actuator_force(const plModel* m) { return m->nact; }
const Array data_arrays[] = {
    {"q", "float64 (nq,), live, may be written: positions; for deformables the vertices' world coordinates (m).", 'd', offsetof(plData, q), count_plData_q, 1, 0, 1, NULL, 0},
    {"v", "float64 (nv,), live, may be written: velocities (m/s, rad/s).", 'd', offsetof(plData, v), count_plData_v, 1, 0, 1, NULL, 1},
    {"u", "float64 (nu,), live, may be written: inputs of the actuators.", 'd', offsetof(plData, u), count_plData_u, 1, 0, 1, NULL, 2},
    {"f_user", "float64 (nv,), live, may be written: generalised forces of the user (N, Nm); they stay until changed.", 'd', offsetof(plData, f_user), count_plData_f_user, 1, 0, 1, NULL, 3},
    {"f_body", "float64 (nbody, 6), live, may be written: forces of the user on rigid bodies, at the origin of each body's frame, world axes (N, Nm); they stay until changed.", 'd', offsetof(plData, f_body), count_plData_f_body, 6, 0, 1, NULL, 4},
    {"v_star", "float64 (nv,), live: free-motion velocities.", 'd', offsetof(plData, v_star), count_plData_v_star, 1, 0, 0, NULL, 5},
    {"energy", "float64 (ndeform,), live: J, kinetic and elastic energy of each body at the end of the step; None in a replay.", 'd', offsetof(plData, energy), count_plData_energy, 1, 0, 0, NULL, 6},
    {"energy_gain", "float64 (ndeform,), live: J, growth of that energy beyond the work done on the body (see plReport.energy_gain); None in a replay.", 'd', offsetof(plData, energy_gain), count_plData_energy_gain, 1, 0, 0, NULL, 7},
    {"f_constraint", "float64 (nv,), live: generalised forces of all constraints (N, Nm), mean over the step.", 'd', offsetof(plData, f_constraint), count_plData_f_constraint, 1, 0, 0, NULL, 8},
    {"tet_pi", "float64 (ntet,), live: pressure of the patch that the tetrahedron belongs to (Pa, tension is positive); 0 without patches.", 'd', offsetof(plData, tet_pi), count_plData_tet_pi, 1, 0, 0, NULL, 9},
    {"actuator_force", "float64 (nact,), live: N or Nm, force of each actuator at its joint, mean over the step ADVANCE.", 'd', offsetof(plData, actuator_force), count_plData_actuator_force, 1, 0, 0, NULL, 10},
};
const int data_array_count = 11;

const StatusClass status_classes[] = {
    {PL_ERROR_INPUT, "InputError", "ValueError", "A file, definition or argument is wrong; the error says what to do."},
    {PL_ERROR_IO, "FileError", "OSError", "A file cannot be opened, read or written."},
    {PL_ERROR_MEMORY, "OutOfMemory", "MemoryError", "Memory ran out."},
    {PL_ERROR_TOO_LARGE, "TooLarge", "", "The input would need too much memory or time and is refused; the error gives an estimate."},
    {PL_ERROR_NOT_CONVERGED, "NotConverged", "", "A solve did not reach its tolerance."},
    {PL_ERROR_INDEFINITE, "Indefinite", "", "A pivot was not positive."},
    {PL_ERROR_NOT_FINITE, "NotFinite", "", "NaN or infinity appeared."},
    {PL_ERROR_UNSTABLE, "Unstable", "", "The time step is beyond the stability limit of an explicit scheme, or a body is too stiff for double precision."},
    {PL_ERROR_MISMATCH, "Mismatch", "", "A state or recording belongs to another model."},
    {PL_ERROR_CANCELLED, "Cancelled", "", "The user's callback asked to stop."},
    {PL_ERROR_ROWS, "RowsFailed", "", "Some simulations of a batch failed (pliant/batch.h); the others were stepped."},
    {PL_ERROR_PASSAGE, "Passage", "", "One body would pass through another; the error names both."},
};
const int status_class_count = 12;
