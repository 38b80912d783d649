// report.h: statistics of a run, for the summary and for --json.
#ifndef PL_CLI_REPORT_H
#define PL_CLI_REPORT_H

#include "cli.h"
#include "pliant/output.h"

typedef struct RunStats {
  long steps;        // taken in this run
  long unconverged;  // steps that did not reach their tolerance (the run ends there)
  double simulated;  // s
  double wall;       // s spent in steps
  double processor;  // s of CPU time in steps, all threads together; other programs disturb it less than wall
  double constraints_sum, iterations_sum;
  int constraints_max, iterations_max;
  bool touched;             // some step had contacts
  long rounds_sum, capped;  // Coulomb's friction: convex solves, steps in which they did not converge
  long damped;              // steps with parts that backward Euler took in place of the scheme
  long coupled;             // steps with parts that the converged coupling took in place of one linearisation
  int deep_max;             // overlaps too deep for contact, in the worst step
  long deep_step;           // the first step that had some
  double energy_gain;       // J, sum of the steps' report.energy_gain
  plSide deep_a, deep_b;    // the two sides there
  double stage_s[PL_STAGE_COUNT];  // s of wall time in each stage
} RunStats;

// Newton iterations of a step: of the contact problem, or of free motion if there are no constraints.
int step_iterations(const plReport* report);
// Counts the last step with its wall time and CPU time.
void stats_add(RunStats* stats, const plReport* report, double wall, double processor);

void print_summary(FILE* out, const char* name, const plData* data, const RunStats* stats);
// The cost groups of the paper's breakdown.
enum { GROUP_GEOMETRY, GROUP_FEM, GROUP_SCHUR, GROUP_SAP, GROUP_OTHER, NGROUP };
// Percentages with three decimals that sum to 100.
void stats_breakdown(const RunStats* stats, double percent[NGROUP]);

// Checks that a file of that kind can be written there, before a long run. An existing file is not changed;
// prints a message if it cannot.
bool can_write(const char* path, plOutputKind kind);
// Whether two names are of one existing plain file.
bool same_file(const char* a, const char* b);
// Checks that no two outputs [n] (NULL: none) are one file, existing or not, and prints a message if two are.
// Devices and pipes may take several.
bool are_apart(const char* const* path, int n);
// A text in JSON's quotes. A byte that is not UTF-8 is written as the character with its number.
void print_json_text(FILE* out, const char* text);
// The report as a JSON object, each line after the given indentation, without a newline at the end. whole:
// statistics of the scene to its end, if the row stops earlier; else NULL.
void print_json(FILE* out, const char* indent, const char* name, const plData* data, const RunStats* stats,
                const RunStats* whole);
// Writes the report of one run as a JSON file (man page, REPORT). False if it cannot be written; a message
// was printed.
bool write_json(const char* path, const char* name, const plData* data, const RunStats* stats);

#endif
