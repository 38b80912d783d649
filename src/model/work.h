// work.h: what the pipeline's stages keep: tables of the model (constant), factors and scratch memory of a simulation.
#ifndef PL_MODEL_WORK_H
#define PL_MODEL_WORK_H

#include "base/memory.h"
#include "base/parallel.h"
#include "linalg/bsym.h"
#include "linalg/chol.h"
#include "pliant/data.h"

// Constant tables, one per model.
typedef struct plModelWork {
  plArena arena;      // every array of the model
  plBsym** pattern;   // [ndeform] the pattern of A; values unused
  int** tet_place;    // [ndeform] [16 tets] where the blocks of a tet stand in A (pl_bsym_places)
  double** mass;      // [ndeform] [blocks] kg, M = mass (x) I_3 on the pattern
} plModelWork;

// One simulation's memory.
typedef struct plWork {
  plArena arena;      // arrays that live as long as the simulation
  plArena step;       // memory of one step
  plPool* pool;       // NULL: one thread
  plControl* control;
  void* control_user;
  plError* error;     // of the step at hand, may be NULL

  plBsym* A;          // [ndeform] tangent; pattern shared with the model
  plChol** chol;      // [ndeform] its factor
  double* v_guess;    // [nv] v0, with the given velocities where motion is given     KINEMATICS
  double* q_end;      // [nq] positions at the end of the step for v = v_guess        KINEMATICS
  double* tet_R;      // [9 ntet] frozen rotations                                    KINEMATICS
  double* m;          // [nv] residual m(v_guess)                                     MOMENTUM
  double* m_scale;    // [nv] sum of the sizes of its terms                           MOMENTUM
  double* v;          // [nv] velocities at the end of the step                       CONTACT_SOLVE, INTERIOR
} plWork;

// The parts of pl_model_create, each in its own file; sizes are added to the model as they become known.
plStatus pl_compile_deformables(const plSpec* spec, plModel* model, plError* error);
plStatus pl_compile_geometries(const plSpec* spec, plModel* model, plError* error);

// count zeroed entries that live as long as the model or the simulation; NULL if memory runs out.
void* pl_keep(plArena* arena, size_t count, size_t size);
#define PL_KEEP(arena, type, count) ((type*)pl_keep((arena), (size_t)(count), sizeof(type)))

#endif
