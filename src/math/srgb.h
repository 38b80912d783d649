// srgb.h: conversion between colour values (sRGB) and linear light (IEC 61966-2-1), one channel in 0 .. 1.
#ifndef PL_MATH_SRGB_H
#define PL_MATH_SRGB_H

#include <math.h>

static inline double srgb_to_linear(double x) {
  return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}
static inline double linear_to_srgb(double x) {
  return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

#endif
