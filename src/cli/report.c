// report.c: the statistics of a run, as a summary for people and as JSON for programs.
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int stage_group[PL_STAGE_COUNT] = {
    [PL_STAGE_CONTROL] = GROUP_OTHER,     [PL_STAGE_COUPLING] = GROUP_SAP,
    [PL_STAGE_KINEMATICS] = GROUP_FEM,    [PL_STAGE_CONTACTS] = GROUP_GEOMETRY,
    [PL_STAGE_PARTITION] = GROUP_OTHER,   [PL_STAGE_CONSTRAINTS] = GROUP_SAP,
    [PL_STAGE_MOMENTUM] = GROUP_FEM,      [PL_STAGE_FACTOR] = GROUP_SCHUR,
    [PL_STAGE_FREE_MOTION] = GROUP_SCHUR, [PL_STAGE_CONTACT_SOLVE] = GROUP_SAP,
    [PL_STAGE_INTERIOR] = GROUP_SCHUR,    [PL_STAGE_GUARD] = GROUP_GEOMETRY,
    [PL_STAGE_ADVANCE] = GROUP_OTHER,     [PL_STAGE_SENSORS] = GROUP_OTHER};

// The names of the paper, for the table of `pliant bench` and for JSON.
static const char* group_name(int group) {
  static const char* const names[NGROUP] = {"geometry", "fem", "schur", "sap", "other"};
  return names[group];
}

int step_iterations(const plReport* report) {
  return report->constraints > 0 ? report->iterations : report->free_iterations;
}

void stats_add(RunStats* stats, const plReport* report, double wall, double processor) {
  int iterations = step_iterations(report);
  stats->steps++;
  stats->wall += wall, stats->processor += processor;
  stats->constraints_sum += report->constraints;
  stats->iterations_sum += iterations;
  if (report->constraints > stats->constraints_max) stats->constraints_max = report->constraints;
  if (iterations > stats->iterations_max) stats->iterations_max = iterations;
  stats->touched |= report->contacts > 0;
  stats->rounds_sum += report->coulomb_rounds, stats->capped += report->coulomb_capped;
  stats->energy_gain += report->energy_gain, stats->damped += report->damped_parts > 0;
  stats->coupled += report->coupled_parts > 0;
  if (report->deep && !stats->deep_max)
    stats->deep_step = stats->steps, stats->deep_a = report->deep_a, stats->deep_b = report->deep_b;
  if (report->deep > stats->deep_max) stats->deep_max = report->deep;
  for (int i = 0; i < PL_STAGE_COUNT; i++) stats->stage_s[i] += report->stage_s[i];
}

static double mean(double sum, long n) { return n ? sum / (double)n : 0; }
static double rate(const RunStats* stats) { return stats->wall > 0 ? stats->simulated / stats->wall : 0; }

void stats_breakdown(const RunStats* stats, double percent[NGROUP]) {
  double total = 0, rest = 100;
  for (int i = 0; i < NGROUP; i++) percent[i] = 0;
  for (int i = 0; i < PL_STAGE_COUNT; i++) total += stats->stage_s[i];
  for (int i = 0; i < PL_STAGE_COUNT && total > 0; i++)
    percent[stage_group[i]] += 100 * stats->stage_s[i] / total;
  for (int i = 0; i < GROUP_OTHER; i++) {
    percent[i] = round(1000 * percent[i]) / 1000;
    rest -= percent[i];
  }
  percent[GROUP_OTHER] = fabs(rest) < 5e-4 ? 0 : rest;
}

// A length in nine characters and its unit.
static void print_length(FILE* out, double x) {
  if (fabs(x) < 5e-5) x = 0;
  fprintf(out, fabs(x) < 1e3 ? " %7.4f m" : " %7.1e m", x);
}

// No real body turns inside out. Where elements of a simulated one do, its contacts and volume say little.
static void print_inverted(FILE* out, const plData* data) {
  const plModel* model = data->model;
  for (int i = 0; i < model->ndeform; i++) {
    plBodyState s;
    if (pl_deformable_state(data, i, &s) || !s.inverted) continue;
    fprintf(out,
            "warning: %d of the %d elements of '%s' are inside out at the end (%s.volume_ratio_min < 0): its "
            "material is too soft for what it carries, or its cells are too large\n",
            s.inverted, model->deform_tet0[i + 1] - model->deform_tet0[i], model->deform_name[i],
            model->deform_name[i]);
  }
}

void print_summary(FILE* out, const char* name, const plData* data, const RunStats* stats) {
  const plModel* model = data->model;
  say(out, "%s: %.6g s simulated in %ld steps of %g s; %d DoFs, ", name, stats->simulated, stats->steps,
      model->par->options.dt, model->nv);
  int threads = model->par->options.threads;
  fprintf(out, threads ? "%d thread%s\n" : "threads chosen automatically\n", threads, threads > 1 ? "s" : "");
  fprintf(out,
          "wall time %.3g s, %.3g times real time; Newton iterations %.1f on average, %d at most; "
          "constraints %.1f on average, %d at most\n",
          stats->wall, rate(stats), mean(stats->iterations_sum, stats->steps), stats->iterations_max,
          mean(stats->constraints_sum, stats->steps), stats->constraints_max);
  double percent[NGROUP];
  stats_breakdown(stats, percent);
  fprintf(
      out,
      "time spent: contact search %.0f %%, elements %.0f %%, factorization %.0f %%, contact solve %.0f %%, "
      "other %.0f %%\n",
      percent[GROUP_GEOMETRY], percent[GROUP_FEM], percent[GROUP_SCHUR], percent[GROUP_SAP],
      percent[GROUP_OTHER]);
  double capped = 100 * mean((double)stats->capped, stats->steps);
  if (model->par->options.contact_law == PL_LAW_COULOMB && stats->touched)
    fprintf(out, "Coulomb's friction: %.2f rounds per step, not converged in %.2g %% of the steps\n",
            mean((double)stats->rounds_sum, stats->steps), capped);
  if (capped > 1)
    fprintf(out,
            "warning: friction did not satisfy Coulomb's law at some points in more than 1 %% of the steps "
            "(options.coulomb_strict makes such a step fail)\n");
  if (stats->damped)
    fprintf(out,
            "the scheme found no solution in %ld step%s, even in parts of dt / 16, or contacts gave energy; "
            "backward Euler, which damps, "
            "took those parts\n",
            stats->damped, stats->damped > 1 ? "s" : "");
  if (stats->coupled)
    fprintf(out,
            "one linearisation found no solution in %ld step%s, even in parts of dt / 16; the converged "
            "coupling took those parts\n",
            stats->coupled, stats->coupled > 1 ? "s" : "");
  if (stats->deep_max)
    fprintf(
        out,
        "penetrations too deep for contact were ignored: %d in the worst step, first in step %ld, between %s "
        "and %s\n",
        stats->deep_max, stats->deep_step, pl_side_name(model, stats->deep_a),
        pl_side_equal(stats->deep_a, stats->deep_b) ? "itself" : pl_side_name(model, stats->deep_b));
  print_inverted(out, data);
  if (model->ndeform)
    fprintf(out, "\n%-16s %9s %9s %9s %9s %9s %9s %10s\n", "body at the end", "com x", "com y", "com z",
            "lowest", "highest", "speed m/s", "elastic J");
  for (int i = 0; i < model->ndeform; i++) {
    plBodyState s;
    if (pl_deformable_state(data, i, &s)) continue;
    plVec3 p = s.momentum;
    double speed = s.mass > 0 ? sqrt(p.x * p.x + p.y * p.y + p.z * p.z) / s.mass : 0;
    double lengths[] = {s.com.x, s.com.y, s.com.z, s.lower.z, s.upper.z};
    say(out, "%-16.16s", model->deform_name[i]);
    for (int k = 0; k < 5; k++) print_length(out, lengths[k]);
    fprintf(out, " %9.4g %10.4g\n", speed, s.elastic_energy);
  }
}

// ---- JSON

void print_json_text(FILE* out, const char* text) {
  fputc('"', out);
  for (const char* c = text; *c;) {
    int n = pl_output_utf8(c);
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else if (n == 0 || (unsigned char)*c < 32 || *c == 127)
      fprintf(out, "\\u%04x", (unsigned char)*c);
    else
      fwrite(c, 1, (size_t)n, out);
    c += n ? n : 1;
  }
  fputc('"', out);
}

// A number; JSON has no infinity, so it becomes null.
static void print_number(FILE* out, const char* indent, const char* key, double x) {
  if (isfinite(x))
    fprintf(out, "%s  \"%s\": %.17g,\n", indent, key, x);
  else
    fprintf(out, "%s  \"%s\": null,\n", indent, key);
}

// The results of a run beside the row, on one line.
static void print_other(FILE* out, const char* indent, const char* key, const RunStats* s) {
  fprintf(out,
          "%s  \"%s\": {\"steps\": %ld, \"simulated_s\": %.17g, \"wall_s\": %.17g, \"realtime_rate\": %.17g, "
          "\"constraints_avg\": %.17g, \"constraints_max\": %d, \"newton_iterations_avg\": %.17g, "
          "\"newton_iterations_max\": %d, \"unconverged_steps\": %ld},\n",
          indent, key, s->steps, s->simulated, s->wall, rate(s), mean(s->constraints_sum, s->steps),
          s->constraints_max, mean(s->iterations_sum, s->steps), s->iterations_max, s->unconverged);
}

void print_json(FILE* out, const char* indent, const char* name, const plData* data, const RunStats* stats,
                const RunStats* whole) {
  const plOptions* options = &data->par->options;
  fprintf(out, "%s{\n%s  \"name\": ", indent, indent);
  print_json_text(out, name);
  fprintf(out, ",\n%s  \"dofs\": %d,\n", indent, data->model->nv);
  print_number(out, indent, "dt", options->dt);
  fprintf(out, "%s  \"steps\": %ld,\n", indent, stats->steps);
  print_number(out, indent, "simulated_s", stats->simulated);
  print_number(out, indent, "wall_s", stats->wall);
  print_number(out, indent, "cpu_s", stats->processor);
  print_number(out, indent, "realtime_rate", rate(stats));
  print_number(out, indent, "constraints_avg", mean(stats->constraints_sum, stats->steps));
  fprintf(out, "%s  \"constraints_max\": %d,\n", indent, stats->constraints_max);
  print_number(out, indent, "newton_iterations_avg", mean(stats->iterations_sum, stats->steps));
  fprintf(out, "%s  \"newton_iterations_max\": %d,\n", indent, stats->iterations_max);
  fprintf(out, "%s  \"unconverged_steps\": %ld,\n", indent, stats->unconverged);
  if (options->contact_law == PL_LAW_COULOMB) {
    print_number(out, indent, "coulomb_rounds_avg", mean((double)stats->rounds_sum, stats->steps));
    fprintf(out, "%s  \"coulomb_capped_steps\": %ld,\n", indent, stats->capped);
  }
  print_number(out, indent, "energy_gain", stats->energy_gain);
  fprintf(out, "%s  \"threads\": %d,\n", indent, options->threads);
  fprintf(out, "%s  \"instruction_set\": \"%s\",\n%s  \"compiler\": ", indent, pl_instruction_set(), indent);
  print_json_text(out, pl_compiler());
  fprintf(out, ",\n");
  fprintf(out, "%s  \"state_hash\": \"%016" PRIx64 "\",\n", indent, pl_state_hash(data));
  fprintf(out, "%s  \"parameter_hash\": \"%016" PRIx64 "\",\n", indent, pl_parameter_hash(data));
  if (whole) print_other(out, indent, "whole", whole);
  fprintf(out, "%s  \"breakdown\": {", indent);
  double percent[NGROUP];
  stats_breakdown(stats, percent);
  for (int i = 0; i < NGROUP; i++) fprintf(out, "%s\"%s\": %.3f", i ? ", " : "", group_name(i), percent[i]);
  fprintf(out, "}\n%s}", indent);
}

bool can_write(const char* path, plOutputKind kind) {
  struct stat info;
  plError error;
  bool good;
  if (pl_output_check_kind(path, kind, &error)) return complain_error(&error), false;
  if (stat(path, &info) == 0) {  // a pipe must not be opened and closed again: its reader would stop
    good = access(path, W_OK) == 0;
    if (S_ISDIR(info.st_mode)) good = false, errno = EISDIR;
  } else {
    FILE* out = fopen(path, "a");
    good = out != NULL;
    char target[PATH_SIZE];  // behind a link
    if (out) fclose(out);
    if (out && realpath(path, target)) remove(target);
  }
  if (!good) complain("'%s' cannot be written: %s", path, strerror(errno));
  return good;
}

bool same_file(const char* a, const char* b) {
  struct stat one, other;
  return !stat(a, &one) && !stat(b, &other) && S_ISREG(one.st_mode) && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

bool are_apart(const char* const* path, int n) {
  struct stat info;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) {
      if (!path[i] || !path[k]) continue;
      bool missing = stat(path[i], &info) != 0;
      if (!same_file(path[i], path[k]) && !(missing && !strcmp(path[i], path[k]))) continue;
      complain("two outputs are to go into '%s'; give each a file of its own", path[i]);
      return false;
    }
  return true;
}

bool write_json(const char* path, const char* name, const plData* data, const RunStats* stats) {
  char* text = NULL;
  size_t size = 0;
  plError error;
  FILE* out = open_memstream(&text, &size);
  if (out) print_json(out, "", name, data, stats, NULL), fprintf(out, "\n");
  bool good = out && !fclose(out);
  if (!good)
    complain("the report '%s' cannot be written: %s", path, strerror(errno));
  else if (pl_output_json(path, text, size, &error))
    complain_error(&error), good = false;
  free(text);
  return good;
}
