// thresholds.h: the numbers that decide how a surface is seen: rounding, and sharp edges.
//
// All other thresholds of contact are in contact/thresholds.h; tools/bite tries both.
#ifndef PL_GEOM_THRESHOLDS_H
#define PL_GEOM_THRESHOLDS_H

// Ratio, cells. A value below this fraction of its own scale is rounding error: facets whose distances from a
// vertex differ by less are equally near, as above their common edge; an edge whose facets lie in one plane
// to this accuracy is flat.
#define PL_ROUNDING 1e-9
// Cosine. An edge is sharp if the normals of its facets have a smaller product (37 degrees). A mesh without
// sharp edges stands for a round surface: the edges of a sphere of 80 facets turn by up to 22 degrees, while
// those of an icosahedron and of a prism of nine sides are sharp.
#define PL_SHARP 0.8

#endif
