// judge.h: one run of a scene and the laws it is measured against.
#ifndef TORTURE_JUDGE_H
#define TORTURE_JUDGE_H

#include "torture.h"

// Sums over all bodies.
typedef struct Sums {
  double kinetic, gravity, elastic;  // J
  plVec3 momentum, angular;          // kg m/s; kg m^2/s about the origin
  plVec3 torque;         // N m, torque of the weights about the origin at the positions after the next step
  plVec3 com;            // m
  double moved, turned;  // sums of |p| and |L| over the bodies: the scale of rounding errors
} Sums;

// Properties of a scene that are known before it moves.
typedef struct Facts {
  bool isolated;     // no external force acts on it except gravity
  bool budget;       // all work done on it is counted: no loads, no prescribed motion, no driven distance
  bool passive;      // no work is done on it
  bool flat;         // it starts at rest on the ground, under its weight, and must stay at rest
  bool still;        // it starts at rest without weight, and only overlaps can move it
  bool nonlinear;    // all soft bodies have nonlinear laws
  bool free_bodies;  // all rigid bodies are free, without constraints
  bool trees;        // some rigid bodies hang on joints
  bool rigid_only;   // no soft bodies
  bool implicit;     // backward Euler
  plVec3 push;       // N, weight of all bodies
  double stiffness;  // J, sum of modulus times volume: the scale of rounding errors of elastic energy
  double mass;       // kg
} Facts;

typedef struct Run {
  const plModel* model;
  plData* data;
  Facts facts;
  Sums start, last;
  plVec3 angular;   // kg m^2/s, at the start, plus what the weights have added since
  double work;      // J, work done so far by actuators, driven joints and belts
  double gain;      // J, sum of the positive energy_gain so far
  double scale;     // J, largest energy of any kind so far
  double contacts;  // kg, total mass of bodies that had contacts; the allowance for push-out is a speed
  double impulse;   // N s, of all contacts and constraints so far
  double overlap;   // m, largest at the start
  double pushed;    // J, work that contacts can have done by removing overlaps so far
  double drift;     // m, way of the centre at the speeds that this energy allows, so far
  double unsolved;  // N s, sum of the residuals of the contact solves so far
  double stored;    // J, in near-rigid constraints (allowances.c)
  double turned;    // sum over the steps of (rotation of slow joints)^2 (allowances.c)
  double lag;       // J, what Coriolis forces at the start of steps leave out (allowances.c)
  double weight;    // J, the kinetic energy that weights added, less the potential energy that they took
  double* before;   // [nq + nv] state before the step
  double* part_q;   // [nq] before the current part of the step
  double* part_v;   // [2 nv] the same, and scratch
  plData* probe;    // another simulation of the model, to be set to any state
  plPose* pose;     // [nshape] before the step
  double* watch;    // [3 ndeform] sum of gains, its lowest value, largest energy: the numbers behind the
                    // warning of pliant run
  Overlaps* overlaps;
} Run;

void run_facts(Run* run, const char* text);
void run_sums(const Run* run, Sums* sums);
// A constraint whose length, offset or position is a function of time.
bool is_driven(const plConstraintDef* c);
// Whether all constraints hold at the start, up to the energy that goes to run->stored; otherwise they store
// energy.
bool start_is_fulfilled(Run* run);
// After each part of a step: stored, turned.
void run_count_allowances(Run* run);
// Called before and after each step to count the work done.
void run_before(Run* run);
void run_count_part(const plData* data, void* user);
void run_count(Run* run, Verdict* verdict);
// Checks the laws after a step.
void run_laws(Run* run, Verdict* verdict);

void fail(Verdict* v, Outcome outcome, int step, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
