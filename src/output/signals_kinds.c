// signals_kinds.c: the list of signals, except forces (signals_force.c), and the text that describes all of
// them.
#include <stdio.h>
#include <string.h>

#include "output/signals.h"

static const plSignalKind kinds[] = {
    {"", "time", "s", 's', PL_Q_TIME},
    {"", "step", "1", 's', PL_Q_STEP},
    {"", "momentum", "kg m/s", 'v', PL_Q_MOMENTUM},
    {"energy", "kinetic", "J", 's', PL_Q_ENERGY_KINETIC},
    {"energy", "elastic", "J", 's', PL_Q_ENERGY_ELASTIC},
    {"energy", "gravity", "J", 's', PL_Q_ENERGY_GRAVITY},
    {"energy", "total", "J", 's', PL_Q_ENERGY_TOTAL},
    {"report", "status", "1", 's', PL_Q_STATUS},
    {"report", "constraints", "1", 's', PL_Q_CONSTRAINTS},
    {"report", "contacts", "1", 's', PL_Q_CONTACTS},
    {"report", "iterations", "1", 's', PL_Q_ITERATIONS},
    {"report", "line_search", "1", 's', PL_Q_LINE_SEARCH},
    {"report", "residual", "1", 's', PL_Q_RESIDUAL},
    {"report", "free_iterations", "1", 's', PL_Q_FREE_ITERATIONS},
    {"report", "free_residual", "1", 's', PL_Q_FREE_RESIDUAL},
    {"report", "factorizations", "1", 's', PL_Q_FACTORIZATIONS},
    {"report", "skipped", "1", 's', PL_Q_SKIPPED},
    {"report", "deep", "1", 's', PL_Q_DEEP},
    {"report", "merged", "1", 's', PL_Q_MERGED},
    {"report", "wall", "s", 's', PL_Q_WALL},
    {"report", "cone_violation", "N s", 's', PL_Q_CONE_VIOLATION},
    {"report", "complementarity", "1", 's', PL_Q_COMPLEMENTARITY},
    {"report", "slip_angle", "rad", 's', PL_Q_SLIP_ANGLE},
    {"report", "creep", "m/s", 's', PL_Q_CREEP},
    {"report", "R_n_min", "s/kg", 's', PL_Q_R_N_MIN},
    {"report", "R_n_max", "s/kg", 's', PL_Q_R_N_MAX},
    {"report", "R_t_min", "s/kg", 's', PL_Q_R_T_MIN},
    {"report", "R_t_max", "s/kg", 's', PL_Q_R_T_MAX},
    {"report", "stick", "1", 's', PL_Q_STICK},
    {"report", "slide", "1", 's', PL_Q_SLIDE},
    {"report", "open", "1", 's', PL_Q_OPEN},
    {"report", "couplings", "1", 's', PL_Q_COUPLINGS},
    {"report", "coupled_residual", "1", 's', PL_Q_COUPLED_RESIDUAL},
    {"BODY", "mass", "kg", 's', PL_Q_MASS},
    {"BODY", "com", "m", 'v', PL_Q_COM},
    {"BODY", "velocity", "m/s", 'v', PL_Q_VELOCITY},
    {"BODY", "momentum", "kg m/s", 'v', PL_Q_BODY_MOMENTUM},
    {"BODY", "angular_momentum", "kg m^2/s", 'v', PL_Q_ANGULAR_MOMENTUM},
    {"BODY", "kinetic_energy", "J", 's', PL_Q_KINETIC},
    {"BODY", "elastic_energy", "J", 's', PL_Q_ELASTIC},
    {"BODY", "gravity_energy", "J", 's', PL_Q_GRAVITY},
    {"BODY", "energy", "J", 's', PL_Q_TOTAL},
    {"BODY", "volume", "m^3", 's', PL_Q_VOLUME},
    {"BODY", "lower", "m", 'v', PL_Q_LOWER},
    {"BODY", "upper", "m", 'v', PL_Q_UPPER},
    {"BODY", "displacement_max", "m", 's', PL_Q_DISPLACEMENT_MAX},
    {"BODY", "speed_max", "m/s", 's', PL_Q_SPEED_MAX},
    {"BODY", "von_mises_max", "Pa", 's', PL_Q_VON_MISES_MAX},
    {"BODY", "pressure_max", "Pa", 's', PL_Q_PRESSURE_MAX},
    {"BODY", "volume_ratio_min", "1", 's', PL_Q_VOLUME_RATIO_MIN},
    {"BODY", "contact_force", "N", 'v', PL_Q_CONTACT_FORCE},
    {"LINK", "mass", "kg", 's', PL_Q_RIGID_MASS},
    {"LINK", "position", "m", 'v', PL_Q_RIGID_POSITION},
    {"LINK", "com", "m", 'v', PL_Q_RIGID_COM},
    {"LINK", "velocity", "m/s", 'v', PL_Q_RIGID_VELOCITY},
    {"LINK", "angular_velocity", "rad/s", 'v', PL_Q_RIGID_ANGULAR_VELOCITY},
    {"LINK", "momentum", "kg m/s", 'v', PL_Q_RIGID_MOMENTUM},
    {"LINK", "angular_momentum", "kg m^2/s", 'v', PL_Q_RIGID_ANGULAR_MOMENTUM},
    {"LINK", "kinetic_energy", "J", 's', PL_Q_RIGID_KINETIC},
    {"LINK", "gravity_energy", "J", 's', PL_Q_RIGID_GRAVITY},
    {"LINK", "contact_force", "N", 'v', PL_Q_CONTACT_FORCE},
    {"vertex", "position", "m", 'v', PL_Q_VERTEX},
    {"vertex", "displacement", "m", 'v', PL_Q_VERTEX_DISPLACEMENT},
    {"vertex", "velocity", "m/s", 'v', PL_Q_VERTEX_VELOCITY},
    {"tet", "stress", "Pa", 't', PL_Q_TET_STRESS},
    {"tet", "strain", "1", 't', PL_Q_TET_STRAIN},
    {"tet", "von_mises", "Pa", 's', PL_Q_TET_VON_MISES},
    {"tet", "pressure", "Pa", 's', PL_Q_TET_PRESSURE},
    {"contact", "force", "N", 'v', PL_Q_PAIR_FORCE},
    {"contact", "normal_force", "N", 's', PL_Q_PAIR_NORMAL_FORCE},
    {"contact", "count", "1", 's', PL_Q_PAIR_COUNT},
    {"contact", "area", "m^2", 's', PL_Q_PAIR_AREA},
    {"contact", "pressure", "Pa", 's', PL_Q_PAIR_PRESSURE},
    {"contact", "centre", "m", 'v', PL_Q_PAIR_CENTRE},
    {"contact", "moment", "Nm", 'v', PL_Q_PAIR_MOMENT},
    {"contact", "gap_min", "m", 's', PL_Q_PAIR_GAP_MIN},
    {"contact", "slip_max", "m/s", 's', PL_Q_PAIR_SLIP_MAX},
};
enum { NKIND = sizeof kinds / sizeof *kinds };

static const char help[] =
    "  time                      s         simulated time\n"
    "  step                      1         steps taken\n"
    "  energy.kinetic            J         of all bodies; also .elastic .gravity .total\n"
    "  momentum                  kg m/s    of all bodies\n"
    "  BODY.com                  m         centre of mass\n"
    "  BODY.velocity             m/s       of the centre of mass\n"
    "  BODY.momentum             kg m/s    linear momentum\n"
    "  BODY.angular_momentum     kg m^2/s  about the centre of mass\n"
    "  BODY.kinetic_energy       J         also .elastic_energy .gravity_energy .energy (their sum)\n"
    "  BODY.mass                 kg\n"
    "  BODY.volume               m^3       now\n"
    "  BODY.lower  BODY.upper    m         corners of the bounding box\n"
    "  BODY.displacement_max     m         largest displacement of a vertex from the start\n"
    "  BODY.speed_max            m/s       of a vertex\n"
    "  BODY.von_mises_max        Pa        of a tetrahedron; also .pressure_max\n"
    "  BODY.volume_ratio_min     1         smallest det F: 1 at rest, 0 flat, negative inverted\n"
    "  BODY.contact_force        N         sum over its contacts; also SHAPE.contact_force\n"
    "  BODY.vertex(I)            m         position; also .displacement, .velocity (m/s); I counts as in "
    "the mesh file\n"
    "  BODY.tet(I).stress        Pa        Cauchy: .xx .yy .zz .xy .yz .xz; also .strain, .von_mises, "
    ".pressure\n"
    "  LINK.com                  m         of a rigid body; also .velocity (m/s), .momentum, "
    ".angular_momentum, .mass,\n"
    "                                      .kinetic_energy, .gravity_energy, .contact_force\n"
    "  LINK.position             m         origin of its frame; also .angular_velocity (rad/s)\n"
    "  JOINT.q  JOINT.v          rad, m    position and velocity of a joint; .q(I), .v(I) where it has "
    "several\n"
    "  JOINT.force               N         that the joint transmits to its child, in the joint's axes; also "
    ".moment (Nm)\n"
    "  JOINT.motor               N, Nm     effort of its actuators; also .limit, .friction; (I) where it has "
    "several\n"
    "  actuator(NAME).force      N, Nm     its effort at the joint\n"
    "  constraint(NAME).force    N         on b, where it joins bodies; also .moment (Nm)\n"
    "  constraint(NAME).effort   N, Nm     of a distance, coupler, tendon or motion\n"
    "  attachment(NAME).force    N         on its vertices; also .moment (Nm) about their .centre (m)\n"
    "  contact(A,B).force        N         on B, sum over the contacts of A and B (* any, world: all shapes "
    "fixed in it)\n"
    "  contact(A,B).normal_force N         sum of the normal parts\n"
    "  contact(A,B).count        1         contact points\n"
    "  contact(A,B).area         m^2       also .pressure (Pa), normal force over area\n"
    "  contact(A,B).centre       m         centre of pressure; also .moment (Nm on B about it)\n"
    "  contact(A,B).gap_min      m         also .slip_max (m/s)\n"
    "  sensor(NAME).COLUMN       as named  reading of a sensor (sensors.md); .COLUMN(ROW) of one with "
    "several "
    "rows, .COLUMN.sum\n"
    "                                      all of them added; sensor(NAME): every number\n"
    "  report.iterations         1         Newton iterations of the step; also .constraints .contacts "
    ".line_search\n"
    "                                      .residual .free_iterations .free_residual .factorizations "
    ".skipped .deep .merged .status\n"
    "  report.cone_violation     N s       largest; also .complementarity (1), .slip_angle (rad), .creep "
    "(m/s), .stick\n"
    "                                      .slide .open (points), .R_n_min .R_n_max .R_t_min .R_t_max "
    "(s/kg), "
    ".couplings\n"
    "                                      .coupled_residual\n"
    "  report.wall               s         wall time of the step\n"
    "A vector becomes .x .y .z .norm unless one of them is named. BODY may be * for every deformable body.\n";

const char* pl_signals_help(void) { return help; }

const plSignalKind* pl_signal_kind(const char* owner, const char* name) {
  for (int i = 0; i < NKIND; i++)
    if (!strcmp(kinds[i].owner, owner) && !strcmp(kinds[i].name, name)) return &kinds[i];
  return NULL;
}

plStatus pl_signal_unknown_kind(const plSignalItem* item, const char* owner, const char* word,
                                plError* error) {
  const char* names[NKIND];
  int n = 0;
  for (int i = 0; i < NKIND; i++)
    if (!strcmp(kinds[i].owner, owner)) names[n++] = kinds[i].name;
  char what[64];
  snprintf(what, sizeof what, "a signal of a %s",
           !strcmp(owner, "BODY") || !strcmp(owner, "LINK") ? "body" : owner);
  return pl_signal_unknown(item, word, what, names, n, error);
}
