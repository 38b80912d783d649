// bench_press.c: force over travel of the paper's cylinder (scenes/cylinder_press.yaml) while it is run
// whole.
//
// The plate is pushed with a force F that grows linearly to 1.4 MN per metre. Stiffness damping answers a
// slow load with beta dF/dt (each part of the body lags by beta), 1.4 kN/m in 500 s at beta = 0.5 s; the
// elastic force is F less that.
#include "bench_press.h"

#include <math.h>

static const double peak = 1400;  // kN/m, at the scene's end
static const double band = 2;     // %

// Rubber cylinder, radius 0.2 m, plane strain, C1 = 0.293, C2 = 0.177, bulk 1410 MPa, rest-stable
// Mooney-Rivlin law: kN/m at travel 0.05, 0.06 ... 0.20 m, by 9-node quadrilaterals with discontinuous linear
// pressure (12481 nodes a quarter).
static const double reference[PRESS_POINTS] = {82.46,  108.00,  137.19,  170.55, 208.79, 252.80,
                                               303.56, 362.28,  430.60,  510.34, 603.75, 713.94,
                                               844.37, 1000.01, 1186.69, 1412.77};

static double travel_at(int point) { return 0.05 + 0.01 * point; }

void press_follow(Press* press, const plData* data) {
  double travel = data->q[0], time = data->time, rate = peak / data->model->options.duration;
  while (press->n < PRESS_POINTS && travel >= travel_at(press->n) && travel > press->travel) {
    double part = (travel_at(press->n) - press->travel) / (travel - press->travel);
    press->force[press->n++] = rate * (press->time + part * (time - press->time));
  }
  press->travel = travel;
  press->time = time;
}

static void track(double error, double* worst, double* sum) {
  *worst = fmax(*worst, fabs(error));
  *sum += fabs(error);
}

void press_print(FILE* out, const Press* press, const plModel* model) {
  if (press->n == 0) return;
  double damper = model->deform_material[0].damping_stiffness * peak / model->options.duration;
  double worst[2] = {0, 0}, sum[2] = {0, 0};
  fprintf(out, "\ncylinder_press: force over travel; the damper's beta dF/dt is %.3g kN/m\n", damper);
  fprintf(out, "%8s %15s %14s %8s %18s %8s\n", "travel m", "reference kN/m", "pushed kN/m", "error %",
          "less damper kN/m", "error %");
  for (int i = 0; i < press->n; i++) {
    double f = press->force[i], elastic = f - damper;
    double error[2] = {100 * (f / reference[i] - 1), 100 * (elastic / reference[i] - 1)};
    for (int k = 0; k < 2; k++) track(error[k], &worst[k], &sum[k]);
    fprintf(out, "%8.2f %15.2f %14.2f %+8.2f %18.2f %+8.2f\n", travel_at(i), reference[i], f, error[0],
            elastic, error[1]);
  }
  for (int k = 0; k < 2; k++)
    fprintf(out, "%s: mean error %.2f %%, worst %.2f %%%s\n", k ? "less damper" : "pushed", sum[k] / press->n,
            worst[k],
            k == 0             ? ""
            : worst[k] <= band ? " (band 2 %: holds)"
                               : " (band 2 %: broken)");
}
