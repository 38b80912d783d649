// The three contact laws with deformable bodies, end to end: the reduced problem is the full one, weight is
// carried, friction holds, and nonlinear materials meet their balance of momentum.
#include "model/spec.h"
#include "model/work.h"
#include "world.h"

static const char* const names[] = {"cone", "coulomb", "similar"};
static const plContactLaw laws[] = {PL_LAW_CONE, PL_LAW_COULOMB, PL_LAW_SIMILAR};
static const plVec3 down = {0, 0, -9.81};

static World make(plContactLaw law, plVec3 gravity, double tolerance) {
  World w = begin(gravity, 0.01);
  pl_spec_options(w.spec)->contact_law = law;
  pl_spec_options(w.spec)->tolerance = tolerance;
  return w;
}

static void add_ground(World* w) {
  plSurface s = pl_default_surface();
  s.friction = 0.5;
  add_shape(w, "ground", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, 0}, (plVec3){0, 0, 0}, s);
}

// All vertices in the problem, or those alone that contacts touch: the same velocities.
static void reduced_and_full_problems_agree(void) {
  for (int law = 0; law < 3; law++) {
    World w = make(laws[law], down, 1e-12);
    for (int k = 0; k < 2; k++) {
      int id =
          add_block(&w, (plVec3){0.1, 0.1, 0.1}, 3, 3, 3, pose_at(0.01 * k, 0, 0.0495 + 0.0995 * k), 1e5);
      w.spec->deform[id].velocity.x = 0.3 * k;
    }
    add_ground(&w);
    build(&w);
    plData* full = pl_data_create(w.model, &w.error);
    full->work->participate_all = true;
    // the two solve their rounds of friction on different ways to the same solution
    plData* both[] = {w.data, full};
    for (int k = 0; k < 2; k++)
      both[k]->work->coulomb.relative_tolerance = both[k]->work->coulomb.absolute_tolerance = 1e-8;
    double worst = 0, size = 0;
    for (int i = 0; i < 8; i++) {
      run(&w, 1);
      CHECK_INT(pl_step(full, &w.error), PL_OK);
      for (int j = 0; j < w.model->nv; j++)
        worst = fmax(worst, fabs(w.data->v[j] - full->v[j])), size = fmax(size, fabs(full->v[j]));
    }
    printf("  %s: off by %.1e of %.2f m/s, %d contacts\n", names[law], worst, size, w.data->ncontact);
    CHECK(w.data->ncontact > 20);
    if (laws[law] == PL_LAW_COULOMB)
      CHECK_BELOW(worst, 1.2e-5, 1);  // wide: rounds of friction may end differently
    else
      CHECK_BELOW(worst, 1e-11, size);  // wide: rounding grows from step to step
    pl_data_destroy(full);
    end(&w);
  }
}

// A block comes to rest on a slope of tan 0.3 with friction 0.5: the ground carries its weight, nothing but
// creep is left.
static void a_block_rests_on_a_slope(void) {
  for (int law = 0; law < 3; law++)
    for (int kind = 0; kind < 2; kind++) {
      double angle = atan(0.3), fx = 0, fz = 0;
      World w = make(laws[law], (plVec3){9.81 * sin(angle), 0, -9.81 * cos(angle)}, 1e-6);
      int id = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 3, 3, 3, pose_at(0, 0, 0.051), 1e5);
      if (kind) w.spec->deform[id].material.kind = PL_MATERIAL_NEO_HOOKEAN;
      add_ground(&w);
      build(&w);
      int most = run_most(&w, 200);
      plBodyState s;
      pl_deformable_state(w.data, 0, &s);
      for (int i = 0; i < w.data->ncontact; i++)
        fx -= w.data->contact[i].force.x, fz -= w.data->contact[i].force.z;
      double speed = sqrt(2 * s.kinetic_energy / s.mass);
      printf("  %s, %s: carries %.5f and %.5f of the weight's parts, speed %.1e m/s, at most %d iterations\n",
             names[law], kind ? "neo_hookean" : "linear_corotated", fz / (9.81 * cos(angle)),
             -fx / (9.81 * sin(angle)), speed, most);
      CHECK_NEAR(fz, 9.81 * cos(angle), 1.5e-6 * 9.81);
      CHECK_NEAR(fx, -9.81 * sin(angle), 5e-7 * 9.81);
      CHECK_BELOW(speed, 2.4e-4, 1);
      end(&w);
    }
}

// An impact of a nonlinear block: change of momentum = weight and contact forces, whatever the law.
static void nonlinear_materials_meet_their_balance(void) {
  for (int law = 0; law < 3; law++) {
    World w = make(laws[law], down, 1e-6);
    int id = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 3, 3, 3, pose_at(0, 0, 0.056), 2e4), rounds = 0,
        touched = 0;
    w.spec->deform[id].material.kind = PL_MATERIAL_NEO_HOOKEAN,
    w.spec->deform[id].velocity = (plVec3){0.5, 0, -1.5};
    add_ground(&w);
    build(&w);
    double worst = 0;
    for (int i = 0; i < 50; i++) {
      plBodyState before, after;
      pl_deformable_state(w.data, 0, &before);
      run(&w, 1);
      pl_deformable_state(w.data, 0, &after);
      double fz = 0, fx = 0;
      for (int c = 0; c < w.data->ncontact; c++)
        fz -= w.data->contact[c].force.z, fx -= w.data->contact[c].force.x;
      worst =
          fmax(worst, fabs((after.momentum.z - before.momentum.z) / 0.01 - (fz - 9.81)) / (fabs(fz) + 9.81));
      worst = fmax(worst, fabs((after.momentum.x - before.momentum.x) / 0.01 - fx) / (fabs(fz) + 9.81));
      rounds += w.data->report.couplings, touched += w.data->ncontact > 0;
      if (w.data->ncontact) CHECK_BELOW(w.data->report.coupled_residual, 1e-6, 1);
    }
    printf("  %s: %d steps in contact, %d linearisations, balance to %.1e\n", names[law], touched, rounds,
           worst);
    CHECK(touched > 10 && rounds > 0);
    CHECK_BELOW(worst, 1.5e-14, 1);
    end(&w);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(reduced_and_full_problems_agree);
  RUN(a_block_rests_on_a_slope);
  RUN(nonlinear_materials_meet_their_balance);
  return CHECK_END;
}
