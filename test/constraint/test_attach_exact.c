// Exact attachments: vertices that move with a rigid body or the world have no degrees of freedom of their
// own. Compared with vertices of prescribed motion, with the compliant attachment, and with conserved
// quantities.
#include "base/random.h"
#include "world.h"
#include "model/side.h"

static const plVec3 down = {0, 0, -9.81}, still = {0, 0, 0};

static plRegion half(double x, double y, double z, plVec3 normal) {
  plRegion r = pl_default_region();
  r.kind = PL_REGION_HALF_SPACE, r.centre = (plVec3){x, y, z}, r.normal = normal;
  return r;
}

static void attach(World* w, const char* name, int block, plRegion region, int body, bool exact) {
  plAttachDef def = pl_default_attach_def();
  def.name = name, def.deformable = block, def.region = region, def.body = body, def.exact = exact;
  CHECK_INT(pl_spec_add_attachment(w->spec, &def, NULL, &w->error), PL_OK);
}

static int add_cube(World* w, const char* name, double mass, plPose pose, plVec3 velocity, plVec3 spin) {
  plBodyDef def = pl_default_body_def();
  def.name = name, def.mass = mass, def.pose = pose, def.velocity = velocity, def.angular_velocity = spin;
  for (int k = 0; k < 3; k++) def.inertia[k] = mass * 0.1 * 0.1 / 6;
  int id;
  CHECK_INT(pl_spec_add_body(w->spec, &def, &id, &w->error), PL_OK);
  return id;
}

static double difference(const World* a, const World* b) {
  double most = 0;
  for (int i = 0; i < a->model->nq; i++) most = fmax(most, fabs(a->data->q[i] - b->data->q[i]));
  return most;
}

// The impulses that are listed, added up on the vertices of soft bodies, less dt f_constraint; relative to
// the largest.
static double not_listed(const plData* data) {
  const plModel* m = data->model;
  double *f = malloc((size_t)m->nv * sizeof *f), most = 0, worst = 0, dt = data->report.dt;
  for (int i = 0; i < m->nv; i++) f[i] = -dt * data->f_constraint[i], most = fmax(most, fabs(f[i]));
  for (int i = 0; i < data->nimpulse; i++) {
    const plImpulse* p = &data->impulse[i];
    const plAttachment* a = &data->attach[p->index];
    for (int k = 0; k < 3; k++) {
      f[m->deform_v0[a->deformable] + 3 * a->vert[p->part] + k] += p->gamma[k];
      for (int j = 4 * p->part; a->other >= 0 && j < 4 * p->part + 4; j++)
        f[m->deform_v0[a->other] + 3 * a->target[j] + k] -= a->weight[j] * p->gamma[k];
    }
  }
  for (int i = m->nv_rigid; i < m->nv; i++) worst = fmax(worst, fabs(f[i]));
  free(f);
  return worst / most;
}

// A vertex that is held exactly may hold vertices of another body, and another attachment may hold it too:
// each attachment has its own impulse.
static void exact_vertices_may_hold(void) {
  plRandom r = {5};
  double worst = 0;
  for (int k = 0; k < 16; k++) {
    World w = begin(down, pl_random(&r, 1e-3, 5e-3));
    plVec3 size = {0.2, 0.1, 0.1}, spin = still;
    if (k % 2) pl_spec_options(w.spec)->theta = 0.8, pl_spec_options(w.spec)->theta_vq = 0.7;
    int cube = add_cube(&w, "cube", 2, pose_at(-0.15, 0, 0), (plVec3){pl_random(&r, -1, 1), 0, 0}, spin),
        lower = add_block(&w, size, 2, 1, 1, pose_at(0, 0, 0), 1e6),
        upper = add_block(&w, size, 3, 1, 1, pose_at(pl_random(&r, -0.1, 0.1), 0, 0.1), 3e5);
    attach(&w, "clamp", lower, half(-0.05, 0, 0, (plVec3){1, 0, 0}), k % 4 < 2 ? cube : -1, true);
    plAttachDef glue = pl_default_attach_def();
    glue.name = "glue", glue.deformable = upper, glue.other = lower;
    glue.region = half(0, 0, -0.04, (plVec3){0, 0, 1});
    CHECK_INT(pl_spec_add_attachment(w.spec, &glue, NULL, &w.error), PL_OK);
    build(&w);
    for (int i = 0; i < 10; i++) run(&w, 1), worst = fmax(worst, not_listed(w.data));
    end(&w);
  }
  CHECK_BELOW(worst, 1.4e-14, 1);
}

// Welded to the world is the same as given: a bar swings down from its clamp, and lies on the ground later.
static void welded_to_the_world_is_fixed(void) {
  World w[2];
  for (int k = 0; k < 2; k++) {
    w[k] = begin(down, 0.005);
    pl_spec_options(w[k].spec)->tolerance = 1e-12;
    int b = add_block(&w[k], (plVec3){0.4, 0.1, 0.1}, 6, 2, 2, pose_at(0, 0, 0.12), 3e4);
    plRegion clamp = half(-0.199, 0, 0, (plVec3){1, 0, 0});
    plFixDef fix = pl_default_fix_def();
    fix.deformable = b, fix.region = clamp;
    if (k)
      CHECK_INT(pl_spec_add_fix(w[k].spec, &fix, &w[k].error), PL_OK);
    else
      attach(&w[k], "clamp", b, clamp, -1, true);
    add_shape(&w[k], "ground", PL_SHAPE_HALF_SPACE, still, still, pl_default_surface());
    build(&w[k]);
    run(&w[k], 60);
    CHECK(w[k].data->ncontact > 0);
  }
  CHECK_BELOW(difference(&w[0], &w[1]), 1.5e-14, 1);
  // the clamp carries the weight minus the force of the ground
  plBodyState state;
  plContactPair ground;
  run(&w[0], 2000);
  pl_deformable_state(w[0].data, 0, &state);
  pl_contact_pair(w[0].data, (plSide){PL_SIDE_ANY, 0}, pl_side_of_number(w[0].data->model, 0), &ground);
  double sum = 0;
  for (int i = 2; i < w[0].model->nv; i += 3) sum += w[0].data->f_constraint[i];
  CHECK_NEAR(sum, state.mass * 9.81, 2.5e-13 * state.mass * 9.81);
  CHECK(ground.force.z > 0.05 * sum && ground.force.z < 0.95 * sum);
  end(&w[0]), end(&w[1]);
}

// Momentum of everything about the origin.
static void momenta(const World* w, plVec3* p, plVec3* l) {
  *p = *l = still;
  const plModel* m = w->model;
  for (int i = 0; i < m->ndeform + m->nbody; i++) {
    plVec3 x, momentum, spin;
    if (i < m->ndeform) {
      plBodyState s;
      pl_deformable_state(w->data, i, &s);
      x = s.com, momentum = s.momentum, spin = s.angular_momentum;
    } else {
      // cubes: free bodies in the order of their coordinates
      const double *q = w->data->q + 7 * (i - m->ndeform), *v = w->data->v + 6 * (i - m->ndeform);
      double mass = m->par->body_mass[i - m->ndeform], inertia = mass * 0.1 * 0.1 / 6;
      x = (plVec3){q[0], q[1], q[2]};
      momentum = (plVec3){mass * v[0], mass * v[1], mass * v[2]};
      spin = (plVec3){inertia * v[3], inertia * v[4], inertia * v[5]};
    }
    p->x += momentum.x, p->y += momentum.y, p->z += momentum.z;
    l->x += spin.x + x.y * momentum.z - x.z * momentum.y,
        l->y += spin.y + x.z * momentum.x - x.x * momentum.z;
    l->z += spin.z + x.x * momentum.y - x.y * momentum.x;
  }
}

// A soft bar between two free cubes, which turn and drift: one tree each, coupled by the bar. dt: the
// scheme's error is of first order.
static World dumbbell(double dt, bool exact) {
  World w = begin(still, dt);
  pl_spec_options(w.spec)->tolerance = 1e-10;
  int left = add_cube(&w, "left", 1, pose_at(-0.25, 0, 0), (plVec3){0.1, -0.25, 0}, (plVec3){0, 0, 1});
  int right = add_cube(&w, "right", 2, pose_at(0.25, 0, 0), (plVec3){0, 0.25, 0.1}, (plVec3){0, 0, 1});
  int b = add_block(&w, (plVec3){0.4, 0.1, 0.1}, 4, 1, 1, pose_at(0, 0, 0), 1e5);
  attach(&w, "a", b, half(-0.199, 0, 0, (plVec3){1, 0, 0}), left, exact);
  attach(&w, "b", b, half(0.199, 0, 0, (plVec3){-1, 0, 0}), right, exact);
  build(&w);
  return w;
}

// Linear momentum to rounding; angular momentum as far as the frozen rotations of the soft bar keep it,
// whatever holds its ends.
static void welded_bodies_keep_their_momentum(void) {
  plVec3 p0, l0, p, l;
  double lost[2];
  for (int k = 0; k < 2; k++) {
    World w = dumbbell(1e-3, k == 0);
    momenta(&w, &p0, &l0);
    run(&w, 400);
    momenta(&w, &p, &l);
    CHECK_NEAR(p.x, p0.x, 6.9e-13);
    CHECK_NEAR(p.y, p0.y, 1.3e-12);
    CHECK_NEAR(p.z, p0.z, 1.2e-12);
    lost[k] = sqrt((l.x - l0.x) * (l.x - l0.x) + (l.y - l0.y) * (l.y - l0.y) + (l.z - l0.z) * (l.z - l0.z));
    CHECK_BELOW(lost[k], 2e-4, fabs(l0.z));
    end(&w);
  }
  CHECK_NEAR(lost[0], lost[1], 5.5e-6 * lost[1]);
}

// The attachment that gives does so by 2 dt^2 R F: as dt falls both become one.
static void exact_is_the_limit_of_stiff(void) {
  double apart[2];
  for (int k = 0; k < 2; k++) {
    World a = dumbbell(k ? 5e-4 : 2e-3, true), b = dumbbell(k ? 5e-4 : 2e-3, false);
    run(&a, k ? 400 : 100), run(&b, k ? 400 : 100);
    CHECK_INT(a.data->report.constraints, 0);
    CHECK_INT(b.data->report.constraints, 8);
    apart[k] = difference(&a, &b);
    end(&a), end(&b);
  }
  CHECK_BELOW(apart[0], 6.6e-8, 1);
  CHECK(apart[1] < 0.3 * apart[0]);
}

// A cube stands on a soft foot whose sole, which touches the ground, is welded to it as well: the ground
// carries both.
static void welded_vertices_may_touch(void) {
  World w = begin(down, 0.005);
  int body = add_cube(&w, "cube", 1, pose_at(0, 0, 0.1501), still, still);
  int b = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 2, 2, 2, pose_at(0, 0, 0.0501), 1e5);
  attach(&w, "sole", b, half(0, 0, -0.0499, (plVec3){0, 0, 1}), body, true);
  attach(&w, "top", b, half(0, 0, 0.0499, (plVec3){0, 0, -1}), body, true);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, still, still, pl_default_surface());
  build(&w);
  run(&w, 200);
  plBodyState state;
  plContactPair pair;
  pl_deformable_state(w.data, 0, &state);
  pl_contact_pair(w.data, (plSide){PL_SIDE_ANY, 0}, pl_side_of_number(w.data->model, 0), &pair);
  CHECK_NEAR(pair.force.z, (state.mass + 1) * 9.81, 6.9e-7 * (state.mass + 1) * 9.81);
  // the two welds together carry the cube, the ground's push on the sole aside
  plWrench sole, top;
  CHECK_INT(pl_attachment_force(w.data, 0, &sole, NULL), PL_OK);
  CHECK_INT(pl_attachment_force(w.data, 1, &top, NULL), PL_OK);
  CHECK_NEAR(sole.force.z + top.force.z, -9.81, 1.4e-6 * 9.81);
  // f_constraint: on the cube its own weight is carried
  CHECK_NEAR(w.data->f_constraint[2], 9.81, 1.4e-6 * 9.81);
  CHECK_BELOW(fabs(w.data->v[2]), 8.5e-9, 1);
  end(&w);
}

static void welds_are_released_and_made_again(void) {
  World w = begin(down, 0.01);
  int b = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 2, 2, 2, pose_at(0, 0, 1), 1e5);
  attach(&w, "hook", b, half(0, 0, 0.0499, (plVec3){0, 0, -1}), -1, true);
  build(&w);
  run(&w, 20);
  plBodyState held, fell, again;
  pl_deformable_state(w.data, 0, &held);
  CHECK_INT(pl_attachment_set(w.data, 0, false, &w.error), PL_OK);
  run(&w, 20);
  pl_deformable_state(w.data, 0, &fell);
  // backward Euler: g dt^2 n (n + 1) / 2
  CHECK_NEAR(held.com.z - fell.com.z, 9.81 * 1e-4 * 20 * 21 / 2, 1.4e-10);
  CHECK_INT(pl_attachment_set(w.data, 0, true, &w.error), PL_OK);
  run(&w, 40);
  pl_deformable_state(w.data, 0, &again);
  CHECK_NEAR(again.com.z, fell.com.z, 6.2e-4);
  end(&w);
}

// How deep a rigid box lies in a block (m) that a link on a vertical hinge holds exactly; mass: of the link.
static double rests_in(double dt, double arm, double mass, double load) {
  World w = begin(down, dt);
  int link = add_cube(&w, "link", mass, pose_at(0, 0, 0), still, still);
  plJointDef hinge = pl_default_joint_def();
  hinge.name = "hinge", hinge.child = link, hinge.axis = (plVec3){0, 0, 1};
  CHECK_INT(pl_spec_add_joint(w.spec, &hinge, NULL, &w.error), PL_OK);
  int block = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 1, 1, 1, pose_at(arm, 0, 0), 1e5);
  attach(&w, "hold", block, pl_default_region(), link, true);
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.06, 0.06, 0.06};
  int on = add_body(&w, "box", box, pose_at(arm, 0, 0.0801), still, load, load * 6e-4);
  build(&w);
  run(&w, (int)(1 / dt));
  plRigidState state;
  CHECK_INT(pl_rigid_body_state(w.data, on, &state), PL_OK);
  end(&w);
  return 0.08 - state.pose.p.z;
}

// What pushes a held vertex meets the vertices' mass: how far a load sinks in does not depend on how light
// the link is.
static void light_links_hold_as_firmly(void) {
  plRandom r = {11};
  double worst = 0;
  for (int k = 0; k < 12; k++) {
    double dt = 1e-3 * pow(10, pl_random(&r, 0, 1)), arm = pl_random(&r, 0.1, 1),
           load = pl_random(&r, 0.1, 2), light = rests_in(dt, arm, pow(10, pl_random(&r, -6, -2)), load),
           heavy = rests_in(dt, arm, 1, load);
    CHECK(heavy > 0);
    worst = fmax(worst, light / heavy);
  }
  CHECK_BELOW(worst, 1.05, 1);
}

static void what_cannot_be_exact_is_refused(void) {
  for (int k = 0; k < 4; k++) {
    World w = begin(down, 0.01);
    int b = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 1, 1, 1, pose_at(0, 0, 1), 1e5),
        c = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 1, 1, 1, pose_at(1, 0, 1), 1e5);
    plAttachDef def = pl_default_attach_def();
    def.name = "hook", def.deformable = b, def.region = half(0, 0, 0.0499, (plVec3){0, 0, -1}),
    def.exact = true;
    if (k == 0) def.stiffness = 1e3;
    if (k == 1) def.other = c;
    plStatus status = pl_spec_add_attachment(w.spec, &def, NULL, &w.error);
    CHECK_INT(status, k < 2 ? PL_ERROR_INPUT : PL_OK);
    plFixDef fix = pl_default_fix_def();
    fix.deformable = b, fix.region = def.region;
    if (k == 2) CHECK_INT(pl_spec_add_fix(w.spec, &fix, &w.error), PL_OK);
    if (k == 3) attach(&w, "again", b, def.region, -1, true);
    if (k >= 2) CHECK(pl_model_create(w.spec, &w.error) == NULL);
    CHECK_HAS(w.error.message, "exact");
    pl_spec_destroy(w.spec);
  }
}

// A state cannot move an attachment of the model to other vertices or bodies: an exact one would hold a body
// with a nonlinear material, or a vertex twice, which no model may.
static void states_do_not_move_welds(void) {
  World w = begin(down, 0.01);
  int cube = add_cube(&w, "cube", 1, pose_at(-1, 0, 1), still, still);
  for (int k = 0; k < 3; k++) {
    plDeformableDef def = pl_default_deformable_def();
    const char* names[3] = {"linear", "rubber", "third"};
    def.name = names[k], def.mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 1, 1, 1), def.pose = pose_at(k, 0, 1);
    if (k == 1) def.material.kind = PL_MATERIAL_NEO_HOOKEAN;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy((plMesh*)def.mesh);
  }
  attach(&w, "a", 0, half(0, 0, 0.0499, (plVec3){0, 0, -1}), -1, true);
  attach(&w, "b", 0, half(0, 0, -0.0499, (plVec3){0, 0, 1}), cube, true);
  attach(&w, "c", 1, half(0, 0, 0.0499, (plVec3){0, 0, -1}), -1, false);
  build(&w);
  run(&w, 3);
  const uint64_t hash = pl_state_hash(w.data);
  size_t size = pl_state_size(w.data);
  unsigned char* bytes = malloc(size);
  plRandom r = {17};
  for (int trial = 0; trial < 300; trial++) {
    plAttachment* a = &w.data->attach[trial % 3];
    int k = pl_random_int(&r, a->nvert);
    int* of[4] = {&a->deformable, &a->body, &a->vert[k], &a->nvert};
    int *changed = of[pl_random_int(&r, 4)], kept = *changed;
    const int count = changed == of[0] ? 3 : changed == of[1] ? 1 : changed == of[2] ? 8 : a->nvert;
    *changed = changed == of[1] ? -1 - kept : pl_random_int(&r, count) + (changed == of[3]);
    bool same = *changed == kept;
    size_t now = pl_state_size(w.data);
    CHECK(now <= size);
    CHECK_INT(pl_state_get(w.data, bytes, now, &w.error), PL_OK);
    *changed = kept;
    CHECK_INT(pl_state_set(w.data, bytes, now, &w.error), same ? PL_OK : PL_ERROR_MISMATCH);
    CHECK(pl_state_hash(w.data) == hash);
  }
  run(&w, 3);
  free(bytes);
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(welded_to_the_world_is_fixed);
  RUN(exact_vertices_may_hold);
  RUN(welded_bodies_keep_their_momentum);
  RUN(exact_is_the_limit_of_stiff);
  RUN(welded_vertices_may_touch);
  RUN(welds_are_released_and_made_again);
  RUN(light_links_hold_as_firmly);
  RUN(what_cannot_be_exact_is_refused);
  RUN(states_do_not_move_welds);
  return CHECK_END;
}
