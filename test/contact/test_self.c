// Bodies that touch themselves, and bodies that must not: a short slice of bench/selfcontact.
#include "base/memory.h"
#include "math/random_vec3.h"
#include "self_scenes.h"
#include "model/side.h"
#include "model/work.h"
#include "contact/self.h"
#include "output/field.h"

static plMesh* ring_mesh(void) {
  Ring ring = {.radius = 0.04, .thick = 0.01, .width = 0.02};
  return bent_mesh(24, 1, 2, true, ring_bend, &ring);
}

// A ring between plates that leave its walls 4 mm less than they need.
static World pressed_ring(bool self, int threads) {
  World w = begin_press(0.0905, 0.0745);
  plMesh* mesh = ring_mesh();
  plDeformableDef def = self_def(mesh, self);
  def.pose.p.z = 0.0453, def.material.damping_stiffness = 0.01;
  pl_spec_options(w.spec)->threads = threads;
  add_self(&w, &def);
  build(&w);
  pl_mesh_destroy(mesh);
  return w;
}

static void the_walls_of_a_ring_carry_each_other(void) {
  double force[2];
  for (int on = 0; on < 2; on++) {
    World w = pressed_ring(on, 1);
    SelfRun r = run_self(&w, 0, 120, 0.01, 30);
    print_run(on ? "ring" : "ring, off", &r);
    force[on] = plate_force(&w);
    CHECK_INT(r.failed, 0);
    CHECK_INT(r.deep, 0);
    CHECK(on ? r.last.inside == 0 && r.worst.inside == 0 && r.points_max > 10
             : r.last.inside > 0 && r.points_max == 0);
    end(&w);
  }
  printf("plate %.1f N, without self-contact %.1f N\n", force[1], force[0]);
  CHECK(force[1] > 3 * force[0]);
}

static void bits_do_not_depend_on_threads_and_restarts(void) {
  uint64_t hash[3];
  void* bytes = NULL;
  for (int i = 0; i < 3; i++) {
    World w = pressed_ring(true, i == 1 ? 3 : 1);
    if (i == 2)
      CHECK_INT(pl_state_set(w.data, bytes, pl_state_size(w.data), &w.error), PL_OK);
    else
      run(&w, 80);
    if (i == 0) {
      bytes = malloc(pl_state_size(w.data));
      CHECK_INT(pl_state_get(w.data, bytes, pl_state_size(w.data), &w.error), PL_OK);
    }
    run(&w, 15);
    hash[i] = pl_state_hash(w.data);
    end(&w);
  }
  free(bytes);
  CHECK(hash[0] == hash[1] && hash[0] == hash[2]);
}

// A torso with limbs that stick out of it anywhere, or overlap each other: crotches, armpits, slits.
static World limbs(plRandom* random) {
  char text[4000];
  int at = snprintf(text, sizeof text,
                    "pliant: 1\noptions: {dt: 0.02, threads: 1}\ndeformables:\n  - name: body\n    shape: "
                    "union\n    edge: %g\n    self_contact: true\n    parts:\n      - {shape: ellipsoid, "
                    "semi_axes: [0.037, 0.042, 0.05]}\n",
                    pl_random(random, 0.012, 0.016));
  for (int i = 0; i < 6; i++) {
    double pitch = pl_random(random, -3, 3), roll = pl_random(random, -3, 3);
    double z = pl_random(random, -0.05, 0.05), y = pl_random(random, -0.04, 0.04),
           x = pl_random(random, -0.04, 0.04), radius = pl_random(random, 0.013, 0.017);
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "      - {shape: capsule, radius: %g, length: 0.04, pose: {position: [%g, %g, %g], rpy: "
                   "[%g, %g, 0]}}\n",
                   radius, x, y, z, roll, pitch);
  }
  snprintf(text + at, sizeof text - (size_t)at, "    material: {young: 1e5, poisson: 0.4, density: 1000}\n");
  return begin_scene(text);
}

// Lists of facets are kept while a body keeps its shape: thrown away before every step, they give the same
// bits.
static void lists_that_are_kept_change_nothing(void) {
  plRandom random = {7};
  for (int member = 0; member < 6; member += 6 / CHECK_MEMBERS(6)) {
    uint64_t hash[2];
    plRandom here = {pl_random_bits(&random)};
    for (int fresh = 0; fresh < 2; fresh++) {
      plRandom same = here;
      World w = member < 3 ? pressed_ring(true, 1) : limbs(&same);
      if (member >= 3) {
        build(&w);
        for (int i = 0; i < w.model->nv; i++) w.data->v[i] = pl_random(&same, -1, 1) * (member - 2);
      }
      for (int i = 0; i < (member < 3 ? 40 + 30 * member : 40); i++) {
        if (fresh && i) w.data->work->contact->collider[0].self->list.room = 0;
        run(&w, 1);
      }
      hash[fresh] = pl_state_hash(w.data);
      end(&w);
    }
    CHECK(hash[0] == hash[1]);
  }
}

static void a_steady_step_allocates_nothing(void) {
  World w = pressed_ring(true, 1);
  run(&w, 170);
  long before = pl_alloc_count();
  run(&w, 10);
  CHECK_INT(pl_alloc_count() - before, 0);
  plContactPair pair;
  pl_contact_pair(w.data, pl_side_of_number(w.data->model, 0), pl_side_of_number(w.data->model, 0), &pair);
  CHECK(pair.count > 0);
  end(&w);
}

// ---- what must not touch itself

// A clip whose legs are apart by 0.01 to 5 mm, or overlap by as much.
static World narrow_clip(double gap, int* id) {
  Clip clip = {.leg = 0.06, .gap = 0.01, .thick = 0.008, .width = 0.02};
  plMesh* mesh = bent_mesh(24, 1, 2, false, clip_bend, &clip);
  for (int v = 0; v < mesh->nvert; v++) {
    double* x = mesh->vert + 3 * (size_t)v;
    if (x[0] > 0) x[2] -= copysign(0.5 * (clip.gap - gap), x[2]) * fmin(1, x[0] / 0.02);
  }
  World w = begin_scene(in_space);
  pl_spec_options(w.spec)->gravity = v3(0, 0, -9.81), pl_spec_options(w.spec)->dt = 0.02;
  plDeformableDef def = self_def(mesh, true);
  def.material.damping_stiffness = 0.02;
  *id = add_self(&w, &def);
  pl_mesh_destroy(mesh);
  return w;
}

// Whatever its mesh, though margins reach 4 mm: parts that overlap at rest or lie in an inner corner never
// touch, those on both sides of a slit are as far apart as they are at rest.
static void a_shape_at_rest_makes_no_points(void) {
  plRandom random = {5};
  for (int member = 0; member < CHECK_MEMBERS(32); member++) {
    int id;
    double gap = copysign(pow(10, pl_random(&random, -5, -2.3)), member % 4 == 1 ? -1 : 1);
    World w = member % 2 ? narrow_clip(gap, &id) : limbs(&random);
    build(&w);
    run(&w, 1);
    CHECK_INT(w.data->work->npoint, 0);
    end(&w);
  }
}

// Legs that all but touch at rest, and are pressed together, do touch. (Later these loads turn the body
// over.)
static void legs_a_hair_apart_touch(void) {
  static const double gap[] = {2e-5, 2e-4, 1e-3};
  for (int i = 0; i < 3; i++) {
    int id;
    World w = narrow_clip(gap[i], &id);
    pl_spec_options(w.spec)->gravity = v3(0, 0, 0), pl_spec_options(w.spec)->dt = 0.01;
    for (int side = -1; side <= 1; side += 2) {
      plLoadDef load = pl_default_load_def();
      load.deformable = id, load.kind = PL_LOAD_TRACTION, load.vector = v3(0, 0, -side * 500.0);
      load.region.kind = PL_REGION_HALF_SPACE, load.region.centre = v3(0, 0, side * 0.0079),
      load.region.normal = v3(0, 0, -side);
      CHECK_INT(pl_spec_add_load(w.spec, &load, &w.error), PL_OK);
    }
    build(&w);
    SelfRun r = run_self(&w, 0, 12, 0.005, 3);
    plContactPair pair;
    pl_contact_pair(w.data, pl_side_of_number(w.model, 0), pl_side_of_number(w.model, 0), &pair);
    printf("legs %.2f mm apart: %.3f N, least gap %.3f mm\n", 1e3 * gap[i], pair.normal_force,
           1e3 * r.gap_min);
    CHECK(!r.failed && pair.normal_force > 0.1 && r.worst.inside == 0 && r.last.inside == 0);
    end(&w);
  }
}

// ---- fast parts

// A clip whose legs are beside each other and, moved obliquely, meet on the way: none of their facets lie
// above each other when the step begins.
typedef struct Scissors {
  Clip clip;
  double aside;  // m, of a tip
} Scissors;
static plVec3 scissors_bend(double s, double t, double w, const void* parameters) {
  const Scissors* p = parameters;
  plVec3 x = clip_bend(s, t, w, &p->clip);
  if (x.x > 0) x.y += (s > 0.5 ? 1 : -1) * p->aside * x.x / p->clip.leg;
  return x;
}

// The deepest overlap at positions between q0 and q1.
static double deepest_on_the_way(plData* data, const double* q0, const double* q1, double cell) {
  enum { PLACES = CHECK_MEMBERS(12) };
  double deepest = 0;
  for (int k = 1; k <= PLACES; k++) {
    for (int i = 0; i < data->model->nq; i++) data->q[i] = q0[i] + (q1[i] - q0[i]) * k / PLACES;
    deepest = fmax(deepest, judge(data, 0, cell).depth);
  }
  memcpy(data->q, q1, (size_t)data->model->nq * sizeof *q1);
  return deepest;
}

static void legs_that_meet_on_the_way_do_not_pass(void) {
  enum { FAST_STEPS = 4 };
  plRandom random = {18};
  int rounds = 0;
  for (int member = 0; member < CHECK_MEMBERS(8); member++) {
    double speed = pow(10, pl_random(&random, 0.6, 1.8)), slope = pl_random(&random, 0.4, 1);
    Scissors p = {{.leg = 0.08, .gap = 0.02, .thick = 0.008, .width = 0.02}, pl_random(&random, 0.02, 0.04)};
    plMesh* mesh = bent_mesh(32, 1, 3, false, scissors_bend, &p);
    World w = begin_scene(in_space);
    plDeformableDef def = self_def(mesh, true);
    def.material.kind = PL_MATERIAL_COROTATED;
    add_self(&w, &def);
    build(&w);
    for (int v = 0; v < w.model->nvert; v++) {
      const double* x = w.data->q + 3 * (size_t)v;
      double f = x[0] > 0 ? 0.5 * speed * x[0] / p.clip.leg : 0;
      w.data->v[3 * v + 1] = -copysign(f, x[2]), w.data->v[3 * v + 2] = -copysign(f * slope, x[2]);
    }
    size_t size = (size_t)w.model->nq * sizeof(double);
    double *q0 = malloc(size), *q1 = malloc(size), deepest = 0, energy = whole_energy(w.data, 0);
    for (int i = 0; i < FAST_STEPS; i++) {
      memcpy(q0, w.data->q, size);
      run(&w, 1);
      memcpy(q1, w.data->q, size);
      rounds += w.data->report.guard_rounds;
      // the path of a step in parts has corners
      if (w.data->report.parts == 1) deepest = fmax(deepest, deepest_on_the_way(w.data, q0, q1, 0.005));
      CHECK(whole_energy(w.data, 0) <= energy * (1 + 1e-6));
    }
    SelfRun r = run_self(&w, 0, 20, 0.005, 5);
    printf("legs at %4.1f m/s, %2.0f mm aside: deepest on the way %.3f mm\n", speed, 1e3 * p.aside,
           1e3 * deepest);
    CHECK_BELOW(deepest, 3e-4, 1);
    CHECK(!r.failed);
    CHECK_BELOW(r.worst.depth, 1.5e-14, 1);
    CHECK(r.last.inside == 0);
    free(q0), free(q1), pl_mesh_destroy(mesh), end(&w);
  }
  CHECK(rounds > 2);
}

// ---- margins, starts, results

// Two plates that a pressure drives together: two bodies, or the legs of one.
static void the_margin_knows_loads(void) {
  World w = begin_scene(in_space);
  plMesh* mesh = box_mesh(v3(0.1, 0.1, 0.01), 5, 5, 1);
  for (int i = 0; i < 2; i++) {
    plDeformableDef def = self_def(mesh, false);
    def.name = i ? "up" : "low", def.pose.p.z = i ? 0.011 : 0;
    int id = add_self(&w, &def);
    plLoadDef load = pl_default_load_def();
    load.deformable = id, load.kind = PL_LOAD_PRESSURE, load.pressure = 1000;
    load.region.kind = PL_REGION_HALF_SPACE, load.region.centre = v3(0, 0, i ? 0.004 : -0.004),
    load.region.normal = v3(0, 0, i ? -1 : 1);
    CHECK_INT(pl_spec_add_load(w.spec, &load, &w.error), PL_OK);
  }
  build(&w);
  double deepest = 0;
  for (int i = 0; i < 20; i++) {
    run(&w, 1);
    plContactPair pair;
    pl_contact_pair(w.data, pl_side_of_number(w.data->model, 0), pl_side_of_number(w.data->model, 1), &pair);
    deepest = fmin(deepest, pair.gap_min);
  }
  printf("two plates, 1 mm, 1000 Pa: deepest %.3f mm\n", 1e3 * deepest);
  CHECK_BELOW(-deepest, 2.3e-5, 1);
  pl_mesh_destroy(mesh), end(&w);
}

static void the_margin_knows_loads_on_legs(void) {
  Clip clip = {.leg = 0.1, .gap = 0.004, .thick = 0.01, .width = 0.05};
  plMesh* mesh = bent_mesh(24, 1, 4, false, clip_bend, &clip);
  World w = begin_scene(in_space);
  plDeformableDef def = self_def(mesh, true);
  int id = add_self(&w, &def);
  for (int i = -1; i <= 1; i += 2) {
    plLoadDef load = pl_default_load_def();
    load.deformable = id, load.kind = PL_LOAD_TRACTION, load.vector = v3(0, 0, -i * 1000.0);
    load.region.kind = PL_REGION_HALF_SPACE, load.region.centre = v3(0, 0, i * 0.0118),
    load.region.normal = v3(0, 0, -i);
    CHECK_INT(pl_spec_add_load(w.spec, &load, &w.error), PL_OK);
  }
  build(&w);
  SelfRun r = run_self(&w, 0, 20, 0.01, 1);
  print_run("legs under 1000 Pa", &r);
  CHECK_BELOW(-r.gap_min, 1.4e-5, 1);
  CHECK(r.worst.inside == 0 && r.points_max > 0 && !r.failed);
  pl_mesh_destroy(mesh), end(&w);
}

// A spiral whose second turn lies in the first: counted and named in the first step.
static void overlap_at_the_start_is_counted(void) {
  Clip clip = {.leg = 0.06, .gap = 0.01, .thick = 0.008, .width = 0.02};
  plMesh* mesh = bent_mesh(20, 1, 2, false, clip_bend, &clip);
  for (int bad = 0; bad < 2; bad++) {
    for (int v = 0; bad && v < mesh->nvert; v++) {
      double* x = mesh->vert + 3 * (size_t)v;
      if (x[0] > 0 && x[2] > 0) x[2] -= 0.3 * x[0];
    }
    World w = begin_scene(in_space);
    plDeformableDef def = self_def(mesh, true);
    add_self(&w, &def);
    build(&w);
    run(&w, 1);
    CHECK((w.data->report.deep > 0) == bad);
    plSide ring = {PL_SIDE_DEFORMABLE, 0};
    CHECK(!bad || (pl_side_equal(w.data->report.deep_a, ring) && pl_side_equal(w.data->report.deep_b, ring)));
    end(&w);
  }
  pl_mesh_destroy(mesh);
}

// The legs of a clip overlap by a part of their depth limit L: up to 0.2 L they merely touch.
static void legs_that_merely_touch_are_not_counted(void) {
  Clip clip = {.leg = 0.06, .gap = 0.01, .thick = 0.008, .width = 0.02};
  double limit = 0;
  for (int k = 0; k < 3; k++) {
    plMesh* mesh = bent_mesh(20, 1, 2, false, clip_bend, &clip);
    double closed = k ? clip.gap + (k == 1 ? 0.7 : 1.4) * 0.2 * limit : 0;
    for (int v = 0; v < mesh->nvert; v++) {
      double* x = mesh->vert + 3 * (size_t)v;
      if (x[0] > 0 && x[2] > 0) x[2] -= closed * fmin(1, x[0] / 0.03);
    }
    World w = begin_scene(in_space);
    plDeformableDef def = self_def(mesh, true);
    add_self(&w, &def);
    build(&w);
    run(&w, 1);
    limit = w.data->work->contact->collider[0].skin->thinnest;
    CHECK((w.data->report.deep > 0) == (k == 2));
    pl_mesh_destroy(mesh), end(&w);
  }
}

// A vertex that is held and touches the world: neither side can move.
static void points_that_nothing_can_move_are_dropped(void) {
  World w = begin_scene(on_ground);
  int id = add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(0, 0, 0.05), 1e5);
  hold_below(&w, id, -0.049);
  build(&w);
  run(&w, 5);
  CHECK_INT(w.data->ncontact, 0);
  CHECK_INT(w.data->report.contacts, 0);
  end(&w);
}

static void results_know_a_body_with_itself(void) {
  World w = pressed_ring(true, 1);
  run(&w, 120);
  plContactPair self, any;
  pl_contact_pair(w.data, pl_side_of_number(w.data->model, 0), pl_side_of_number(w.data->model, 0), &self);
  pl_contact_pair(w.data, pl_side_of_number(w.data->model, 0), (plSide){PL_SIDE_ANY, 0}, &any);
  CHECK(self.normal_force > 5 && self.area > 1e-5 && self.pressing > 0);
  CHECK(v3_norm(self.force) == 0 && v3_norm(self.moment) == 0);
  CHECK(any.count > self.count);
  plSignals* signals = NULL;
  const plError* e = &w.error;
  CHECK_INT(pl_signals_create(w.model,
                              "contact(body,body).normal_force, body.contact_force, contact(body,body).force",
                              &signals, &w.error),
            PL_OK);
  if (!signals) printf("%s\n", e->message), exit(1);
  double row[16];
  CHECK_INT(pl_signals_eval(signals, w.data, row, &w.error), PL_OK);
  CHECK_ROUND(row[0], self.normal_force, 50);
  // only the plates and the ground act on the ring: the sum is its weight once it rests
  plVec3 others = {0, 0, 0};
  for (int i = 0; i < w.data->ncontact; i++) {
    const plContact* c = &w.data->contact[i];
    if (pl_side_equal(c->a, c->b)) continue;
    others = c->b.kind == PL_SIDE_DEFORMABLE ? v3_add(others, c->force) : v3_sub(others, c->force);
  }
  CHECK_ROUND(row[3], others.z, 0.5);
  pl_signals_destroy(signals), end(&w);
}

// Tractions on the surface are equal and opposite where a body touches itself, and a recording knows these
// contacts.
static void tractions_and_recordings_know_a_body_with_itself(void) {
  static const char path[] = "self_contact.plrec";
  World w = pressed_ring(true, 1);
  plRecording* recording = NULL;
  CHECK_INT(pl_recording_open(path, w.model, &recording, &w.error), PL_OK);
  run(&w, 120);
  CHECK_INT(pl_recording_write(recording, w.data, &w.error), PL_OK);
  CHECK_INT(pl_recording_close(recording, &w.error), PL_OK);
  double *traction = malloc(3 * (size_t)w.model->nvert * sizeof *traction), inner = 0;
  plVec3 sum = {0, 0, 0}, others = {0, 0, 0};
  pl_field_contact(w.data, 0, traction);
  const plSkin* skin = w.data->work->deform_skin[0];
  for (int v = 0; v < w.model->nvert; v++) {
    plVec3 f = v3_scale(skin->vert_area[v], v3_load(traction + 3 * (size_t)v));
    sum = v3_add(sum, f);
    // the inner wall of the ring, which nothing else can touch
    const double* rest = w.model->vert_rest + 3 * (size_t)v;
    if (sqrt(rest[0] * rest[0] + rest[2] * rest[2]) < 0.036) inner += fabs(f.z);
  }
  plContactPair self, shown;
  plSide ring = pl_side_of_number(w.model, 0);
  pl_contact_pair(w.data, ring, ring, &self);
  for (int i = 0; i < w.data->ncontact; i++) {
    const plContact* c = &w.data->contact[i];
    if (!pl_side_equal(c->a, c->b))
      others = pl_side_equal(c->b, ring) ? v3_add(others, c->force) : v3_sub(others, c->force);
  }
  printf("inner wall %.2f N on both sides, contact %.2f N; sum %.2g N, of others %.2g N\n", inner,
         self.normal_force, sum.z, others.z);
  CHECK_NEAR(inner, 2 * self.normal_force, 1.1e-3 * self.normal_force);
  CHECK_NEAR(sum.z, others.z, 2.1e-5 * self.normal_force);
  plReplay* replay = NULL;
  CHECK_INT(pl_replay_open(path, &replay, &w.error), PL_OK);
  CHECK_INT(pl_replay_seek(replay, 0, &w.error), PL_OK);
  pl_contact_pair(pl_replay_data(replay), ring, ring, &shown);
  CHECK_INT(shown.count, self.count);
  CHECK_ROUND(shown.normal_force, self.normal_force, 50);
  pl_replay_close(replay), remove(path), free(traction), end(&w);
}

// Two boxes as one surface: a cube of side 1 at the origin, and a box of these half sides at a pose.
static plSkin* two_boxes(plVec3 half, plPose pose) {
  static const int side[36] = {0, 4, 6, 0, 6, 2, 1, 7, 5, 1, 3, 7, 0, 1, 5, 0, 5, 4,
                               2, 7, 3, 2, 6, 7, 0, 2, 3, 0, 3, 1, 4, 7, 6, 4, 5, 7};
  int tri[72];
  for (int i = 0; i < 36; i++) tri[i] = side[i], tri[36 + i] = 8 + side[i];
  plSkin* skin = NULL;
  CHECK_INT(pl_skin_create(16, tri, 24, &skin, NULL), PL_OK);
  for (int i = 0; i < 8; i++) {
    plVec3 at = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    v3_store(skin->x + 3 * (size_t)i, v3_scale(0.5, at));
    v3_store(skin->x + 24 + 3 * (size_t)i, pose_apply(pose, v3(half.x * at.x, half.y * at.y, half.z * at.z)));
  }
  CHECK_INT(pl_skin_tree(skin, NULL), PL_OK);
  pl_skin_update(skin);
  return skin;
}

// A corner is counted as too deep only if it lies in the other part, however that part overlaps the material
// below the corner; and it is counted if it does.
static void a_corner_outside_is_not_too_deep(void) {
  plRandom r = {18};
  const double limit = 0.5;
  int in = 0, beside = 0;
  for (int i = 0; i < 2000; i++) {
    plVec3 half = v3_random(&r, 0.1, 0.5), turn = v3_random(&r, -2, 2), off = v3_random(&r, 0, 0.8);
    plPose pose = {off, quat_exp(turn)};
    plSkin* skin = two_boxes(half, pose);
    // corner 7 of the cube, seen from the box
    plVec3 x = skin_x(skin, 7), n = pl_skin_vert_normal(skin, 7), y = pose_apply_inverse(pose, x);
    double depth = fmin(half.x - fabs(y.x), fmin(half.y - fabs(y.y), half.z - fabs(y.z)));
    bool counted = pl_self_lies_in(skin, x, n, limit), buried = pl_self_is_buried(skin, x, n, limit);
    if (fabs(depth) > PL_SELF_BEHIND * limit) CHECK_INT(counted, buried && depth > 0);
    if (depth > PL_BURIED * limit) CHECK(counted);
    in += counted, beside += buried && depth < 0;
    pl_skin_destroy(skin);
  }
  CHECK(in > 100 && beside > 100);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_walls_of_a_ring_carry_each_other);
  RUN(bits_do_not_depend_on_threads_and_restarts);
  RUN(lists_that_are_kept_change_nothing);
  RUN(a_steady_step_allocates_nothing);
  RUN(squeezed_cubes_make_no_points);
  RUN(a_bent_plate_does_not_touch_its_back);
  RUN(a_spinning_clip_makes_no_points);
  RUN(a_shape_at_rest_makes_no_points);
  RUN(legs_a_hair_apart_touch);
  RUN(legs_that_meet_on_the_way_do_not_pass);
  RUN(the_margin_knows_loads);
  RUN(the_margin_knows_loads_on_legs);
  RUN(overlap_at_the_start_is_counted);
  RUN(legs_that_merely_touch_are_not_counted);
  RUN(a_corner_outside_is_not_too_deep);
  RUN(points_that_nothing_can_move_are_dropped);
  RUN(results_know_a_body_with_itself);
  RUN(tractions_and_recordings_know_a_body_with_itself);
  return CHECK_END;
}
