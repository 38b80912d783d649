// parameter_list.h: the list of parameters: which numbers of a plParameters have a path.
//
// The numbers are grouped by object: the options, each deformable, shape, body, degree of freedom, actuator
// and attachment. Within a group every item has the same entries, so index and path are computed from each
// other and nothing is stored per number.
#ifndef PL_MODEL_PARAMETER_LIST_H
#define PL_MODEL_PARAMETER_LIST_H

#include <math.h>

#include "model/work.h"
#include "pliant/parameters.h"

typedef struct plParamEntry {
  const char* name;  // of the path, after the item's own name
  size_t pointer;    // in plParameters: the array; 0: the options
  size_t stride;     // bytes from item to item
  size_t at;         // bytes into the item
  const char* unit;
  double lower, upper;
} plParamEntry;

typedef enum plParamGroup {
  PL_PARAM_OPTIONS,
  PL_PARAM_DEFORMABLE,
  PL_PARAM_SHAPE,
  PL_PARAM_BODY,
  PL_PARAM_DOF,
  PL_PARAM_ACTUATOR,
  PL_PARAM_ATTACHMENT,
  PL_PARAM_GROUPS
} plParamGroup;

// The entries that each item of a group has.
typedef struct plParamGroupList {
  const plParamEntry* entry;
  int nentry;
} plParamGroupList;
extern const plParamGroupList pl_param_groups[PL_PARAM_GROUPS];

// One number: its group, item and entry.
typedef struct plParamPlace {
  plParamGroup group;
  int item;
  const plParamEntry* entry;
} plParamPlace;

// The number of items of a group.
int pl_param_items(const plModel* m, plParamGroup g);
// The name of an item; a joint with several degrees of freedom numbers them.
void pl_param_item_name(const plModel* m, plParamGroup g, int i, char* name, size_t size);
// False if there is no parameter of that index.
bool pl_param_place(const plModel* m, int index, plParamPlace* place);

static inline double* pl_param_number(const plParameters* par, plParamPlace p) {
  char* base = p.entry->pointer ? pl_parameters_array(par, p.entry->pointer)
                                : (char*)&((plParameters*)(uintptr_t)par)->options;
  return (double*)(void*)(base + (size_t)p.item * p.entry->stride + p.entry->at);
}

// Whether a value is finite or infinite is structure; given is the scene's value.
static inline bool pl_param_in_range(const plParamEntry* entry, double given, double value) {
  return value >= entry->lower && value <= entry->upper &&
         (isfinite(given) ? fabs(value) <= PL_NUMBER_MAX : value == given);
}

// ---- checks (parameter_check.c)

// Whether an item's numbers are valid together, by the rules of the definition that they came from.
plStatus pl_param_check_item(const plModel* m, const plParameters* par, plParamGroup g, int i,
                             plError* error);
// Whether the material's law uses the entry at all.
plStatus pl_param_check_read(const plMaterial* m, const plParamEntry* e, plError* error);
// Whether one number is in its range; and the error for one that is not.
plStatus pl_param_check_number(const plModel* m, plParamPlace p, double value, plError* error);
plStatus pl_param_out_of_range(const plModel* m, plParamPlace p, double value, plError* error);

#endif
