// judge.h: one run of a scene and the laws it is measured against.
#ifndef TORTURE_JUDGE_H
#define TORTURE_JUDGE_H

#include "torture.h"

// Sums over all bodies.
typedef struct Sums {
  double kinetic, gravity, elastic;  // J
  plVec3 momentum, angular;          // kg m/s; kg m^2/s about the origin
  plVec3 torque;                     // N m, of the weights about the origin, where the next step takes them
  plVec3 com;                        // m
  double moved, turned;              // sums of |p| and |L| of bodies: what rounding is relative to
} Sums;

// What is known about a scene before it moves.
typedef struct Facts {
  bool isolated;     // nothing of the world acts on it but gravity
  bool budget;       // all that puts energy in is counted: no loads, no given motion, no driven distance
  bool passive;      // nothing puts energy in
  bool rest;         // it starts at rest and stays there
  bool nonlinear;    // all soft bodies have nonlinear laws
  bool free_bodies;  // all rigid bodies are free, without constraints
  bool trees;        // some rigid bodies hang on joints
  bool rigid_only;   // no soft bodies
  bool implicit;     // backward Euler
  plVec3 push;       // N, weight of all bodies
  double stiffness;  // J, moduli times volumes: what the rounding of elastic energy is relative to
  double mass;       // kg
} Facts;

typedef struct Run {
  const plModel* model;
  plData* data;
  Facts facts;
  Sums start, last;
  plVec3 angular;   // kg m^2/s, at the start and what the weights gave since
  double work;      // J, put in so far by actuators, driven joints and belts
  double gain;      // J, sum of the positive energy_gain so far
  double scale;     // J, largest energy of any kind so far
  double contacts;  // kg: push-out allowance is a speed; mass that contacts touched
  double impulse;   // N s, of all contacts and constraints so far
  double* before;   // [nq + nv] state before the step
  double* part_q;   // [nq] before the part of the step at hand
  plPose* pose;     // [nshape] before the step
  double* watch;    // [3 ndeform] sum of gains, its lowest value, largest energy: as pliant run warns
  Overlaps* overlaps;
} Run;

void run_facts(Run* run, const char* text);
void run_sums(const Run* run, Sums* sums);
// Before and after each step: what was put in.
void run_before(Run* run);
void run_count_part(const plData* data, void* user);
void run_count(Run* run, Verdict* verdict);
// The laws, after a step.
void run_laws(Run* run, Verdict* verdict);

void fail(Verdict* v, Outcome outcome, int step, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
