// bench_press.c: force over travel of the paper's cylinder (scenes/cylinder_press.yaml) while it is run
// whole.
//
// The plate is pushed with a force F that grows linearly to 1.4 MN per metre. Under a slow load stiffness
// damping adds beta dF/dt (each part of the body lags by beta), 1.4 kN/m in 500 s at beta = 0.5 s; the
// elastic force is F minus that.
#include "bench_press.h"

#include <math.h>

static const double peak = 1400;    // kN/m, at the scene's end
static const double tolerance = 2;  // %

// Rubber cylinder, radius 0.2 m, plane strain, C1 = 0.293, C2 = 0.177, bulk 1410 MPa, rest-stable
// Mooney-Rivlin law: kN/m at travel 0.05, 0.06 ... 0.20 m, by 9-node quadrilaterals with discontinuous linear
// pressure (12481 nodes a quarter).
static const double reference[PRESS_POINTS] = {82.46,  108.00,  137.19,  170.55, 208.79, 252.80,
                                               303.56, 362.28,  430.60,  510.34, 603.75, 713.94,
                                               844.37, 1000.01, 1186.69, 1412.77};

static double travel_at(int point) { return 0.05 + 0.01 * point; }

void press_follow(Press* press, const plData* data) {
  double travel = data->q[0], time = data->time, rate = peak / data->par->options.duration;
  while (press->n < PRESS_POINTS && travel >= travel_at(press->n) && travel > press->travel) {
    double part = (travel_at(press->n) - press->travel) / (travel - press->travel);
    press->force[press->n++] = rate * (press->time + part * (time - press->time));
  }
  press->travel = travel;
  press->time = time;
}

// Between two points the force grows like an exponential; the last interval is 17 % a centimetre.
static double reference_at(double travel) {
  int i = (int)floor((travel - travel_at(0)) / 0.01);
  i = i < 0 ? 0 : i > PRESS_POINTS - 2 ? PRESS_POINTS - 2 : i;
  double part = (travel - travel_at(i)) / 0.01;
  return reference[i] * pow(reference[i + 1] / reference[i], part);
}

// Errors with and without the force of the damper.
typedef struct Errors {
  double worst[2], sum[2];
  int n;
} Errors;

static void print_point(FILE* out, double travel, double wanted, double pushed, double damper, Errors* e) {
  double error[2] = {100 * (pushed / wanted - 1), 100 * ((pushed - damper) / wanted - 1)};
  for (int k = 0; k < 2; k++) {
    e->worst[k] = fmax(e->worst[k], fabs(error[k]));
    e->sum[k] += fabs(error[k]);
  }
  e->n++;
  fprintf(out, "%8.4g %15.2f %14.2f %+8.2f %18.2f %+8.2f\n", travel, wanted, pushed, error[0],
          pushed - damper, error[1]);
}

void press_print(FILE* out, const Press* press, const plModel* model) {
  if (press->n == 0) return;
  double rate = peak / model->par->options.duration,
         damper = model->par->deform_material[0].damping_stiffness * rate;
  Errors e = {0};
  fprintf(out, "\ncylinder_press: force over travel; the damper's beta dF/dt is %.3g kN/m\n", damper);
  fprintf(out, "%8s %15s %14s %8s %18s %8s\n", "travel m", "reference kN/m", "pushed kN/m", "error %",
          "less damper kN/m", "error %");
  for (int i = 0; i < press->n; i++)
    print_point(out, travel_at(i), reference[i], press->force[i], damper, &e);
  // where the ramp ends: 1.4 MN/m do not reach 0.20 m
  print_point(out, press->travel, reference_at(press->travel), rate * press->time, damper, &e);
  fprintf(out, "as pushed: mean error %.2f %%, worst %.2f %%\n", e.sum[0] / e.n, e.worst[0]);
  fprintf(out, "cylinder_press: less the damper, mean error %.2f %%, worst %.2f %% (tolerance %g %%: %s)\n",
          e.sum[1] / e.n, e.worst[1], tolerance, e.worst[1] <= tolerance ? "holds" : "broken");
}
