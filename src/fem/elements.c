// elements.c: the list of elements.
#include "fem/elements.h"

const plWord pl_element_words[PL_ELEMENT_COUNT + 1] = {{"tet4", PL_ELEMENT_TET4},
                                                       {"tet4_smoothed", PL_ELEMENT_TET4_SMOOTHED},
                                                       {"tet10", PL_ELEMENT_TET10},
                                                       {NULL, 0}};

const plElementInfo pl_elements[PL_ELEMENT_COUNT] = {
    [PL_ELEMENT_TET4] = {pl_points_tet4, .points_per_tet = 1},
    [PL_ELEMENT_TET4_SMOOTHED] = {pl_points_tet4_smoothed, .points_per_tet = 0},
    [PL_ELEMENT_TET10] = {pl_points_tet10, .points_per_tet = 4, .quadratic = true},
};
