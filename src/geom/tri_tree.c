// tri_tree.c: builds and queries a tree of boxes over triangles. Vertices and triangles -> closest points,
// hits, winding numbers.
//
// Built from the top: the triangles of a node are halved at the median of their centroids along the longest
// side of the centroids' box. The depth is therefore at most log2 of the number of triangles, whatever their
// positions. All traversals use a stack of fixed size.
#include "geom/tri_tree.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"

static const double PI = 3.14159265358979323846;
static const double FAR = 3;  // radii beyond which a node is treated as a dipole

static void corners(const plTriTree* tree, int t, plVec3 x[3]) {
  for (size_t i = 0; i < 3; i++) x[i] = v3_load(tree->vert + 3 * (size_t)tree->tri[3 * (size_t)t + i]);
}

static double component(plVec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

// ---- building

typedef struct Builder {
  plTriTree* tree;
  plVec3* centroid;
  plRandom random;
  int most_node;
} Builder;

// Ascending along the axis, then by index: no two triangles compare equal.
static bool before(const Builder* b, int axis, int s, int t) {
  double x = component(b->centroid[s], axis), y = component(b->centroid[t], axis);
  return x < y || (x == y && s < t);
}

// Rearranges order[begin .. end) so that the middle one is where sorting would put it, with smaller ones
// before it.
static void halve(Builder* b, int axis, int begin, int end) {
  int* order = b->tree->order;
  int middle = begin + (end - begin) / 2;
  while (end - begin > 1) {
    int pivot = order[begin + pl_random_int(&b->random, end - begin)], i = begin, j = end - 1;
    while (i <= j) {
      while (before(b, axis, order[i], pivot)) i++;
      while (before(b, axis, pivot, order[j])) j--;
      if (i > j) break;
      int swap = order[i];
      order[i++] = order[j];
      order[j--] = swap;
    }
    if (middle <= j)
      end = j + 1;
    else if (middle >= i)
      begin = i;
    else
      break;
  }
}

static int longest_axis(const Builder* b, int begin, int end) {
  plVec3 lower = b->centroid[b->tree->order[begin]], upper = lower;
  for (int k = begin + 1; k < end; k++) {
    lower = v3_min(lower, b->centroid[b->tree->order[k]]);
    upper = v3_max(upper, b->centroid[b->tree->order[k]]);
  }
  plVec3 size = v3_sub(upper, lower);
  return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

// The subtree over order[first .. first + count), depth first; returns its root.
static int build(Builder* b, int first, int count) {
  assert(b->tree->nnode < b->most_node);
  int self = b->tree->nnode++;
  plTriNode* node = &b->tree->node[self];
  node->first = first;
  if (count <= PL_TRI_TREE_LEAF) {
    assert(first >= 0 && first + count <= b->tree->ntri);
    node->count = count;
    return self;
  }
  halve(b, longest_axis(b, first, first + count), first, first + count);
  build(b, first, count / 2);
  node->right = build(b, first + count / 2, count - count / 2);
  return self;
}

plStatus pl_tri_tree_create(const double* vert, const int* tri, int ntri, plTriTree** tree, plError* error) {
  size_t n = (size_t)ntri, max_node = 2 * n / (PL_TRI_TREE_LEAF / 2) + 1;
  plTriTree* made = PL_NEW(plTriTree, 1);
  Builder b = {.tree = made, .centroid = PL_NEW(plVec3, n), .most_node = (int)max_node};
  if (made) {
    *made = (plTriTree){.vert = vert, .tri = tri, .ntri = ntri};
    made->order = PL_NEW(int, n);
    made->node = PL_NEW(plTriNode, max_node);
    made->moment = PL_NEW(plTriMoment, max_node);
  }
  if (!made || !b.centroid || !made->order || !made->node || !made->moment) {
    pl_free(b.centroid);
    pl_tri_tree_destroy(made);
    return pl_fail_out_of_memory(error, n * (sizeof(plVec3) + sizeof(plTriNode) + sizeof(plTriMoment)));
  }
  for (int t = 0; t < ntri; t++) {
    plVec3 x[3];
    corners(made, t, x);
    made->order[t] = t;
    b.centroid[t] = v3_scale(1.0 / 3, v3_add(v3_add(x[0], x[1]), x[2]));
  }
  if (ntri > 0) build(&b, 0, ntri);
  pl_free(b.centroid);
  pl_tri_tree_refit(made);
  *tree = made;
  return PL_OK;
}

plStatus pl_tri_tree_share(const plTriTree* from, const double* vert, plTriTree** tree, plError* error) {
  plTriTree* made = PL_NEW(plTriTree, 1);
  if (!made) return pl_fail_out_of_memory(error, sizeof *made);
  *made = *from;
  made->vert = vert, made->shares = true;
  size_t n = (size_t)from->nnode;
  made->node = PL_NEW(plTriNode, n), made->moment = PL_NEW(plTriMoment, n);
  if (!made->node || !made->moment) {
    pl_tri_tree_destroy(made);
    return pl_fail_out_of_memory(error, n * (sizeof(plTriNode) + sizeof(plTriMoment)));
  }
  if (n) memcpy(made->node, from->node, n * sizeof *from->node);
  if (n) memcpy(made->moment, from->moment, n * sizeof *from->moment);
  *tree = made;
  return PL_OK;
}

void pl_tri_tree_destroy(plTriTree* tree) {
  if (!tree) return;
  if (!tree->shares) pl_free(tree->order);
  pl_free(tree->node);
  pl_free(tree->moment);
  pl_free(tree);
}

// ---- boxes and moments

static double far_corner(const plTriNode* node, plVec3 p) {
  plVec3 d = v3_max(v3_sub(node->upper, p), v3_sub(p, node->lower));
  return v3_norm(d);
}

static void refit_leaf(const plTriTree* tree, plTriNode* node, plTriMoment* moment, double* weight) {
  plVec3 sum = {0}, mean = {0}, x[3];
  for (int k = 0; k < node->count; k++) {
    corners(tree, tree->order[node->first + k], x);
    plVec3 low = v3_min(v3_min(x[0], x[1]), x[2]), high = v3_max(v3_max(x[0], x[1]), x[2]);
    node->lower = k ? v3_min(node->lower, low) : low;
    node->upper = k ? v3_max(node->upper, high) : high;
    plVec3 area = v3_scale(0.5, v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
    double size = v3_norm(area);
    moment->area = k ? v3_add(moment->area, area) : area;
    sum = v3_madd(sum, size / 3, v3_add(v3_add(x[0], x[1]), x[2]));
    *weight += size;
  }
  mean = v3_scale(0.5, v3_add(node->lower, node->upper));
  moment->centre = *weight > 0 ? v3_scale(1 / *weight, sum) : mean;
}

static void box_leaf(const plTriTree* tree, plTriNode* node) {
  for (int i = 0; i < node->count; i++) {
    plVec3 x[3];
    corners(tree, tree->order[node->first + i], x);
    plVec3 low = v3_min(v3_min(x[0], x[1]), x[2]), high = v3_max(v3_max(x[0], x[1]), x[2]);
    node->lower = i ? v3_min(node->lower, low) : low;
    node->upper = i ? v3_max(node->upper, high) : high;
  }
}

static void box_leaves(void* context, int begin, int end, int worker) {
  (void)worker;
  plTriTree* tree = context;
  for (int k = begin; k < end; k++) box_leaf(tree, &tree->node[k]);
}

void pl_tri_tree_refit_boxes(plTriTree* tree, plPool* pool) {
  tree->old_moments = true;
  if (pool) pl_parallel_for(pool, tree->nnode, 256, box_leaves, tree);
  for (int k = tree->nnode - 1; k >= 0; k--) {
    plTriNode* node = &tree->node[k];
    if (!node->count) {
      node->lower = v3_min(node[1].lower, tree->node[node->right].lower);
      node->upper = v3_max(node[1].upper, tree->node[node->right].upper);
    } else if (!pool)
      box_leaf(tree, node);
  }
}

// From the last node to the first: children come after their parents. The radius temporarily holds the node's
// area.
void pl_tri_tree_refit(plTriTree* tree) {
  tree->old_moments = false;
  for (int k = tree->nnode - 1; k >= 0; k--) {
    plTriNode* node = &tree->node[k];
    plTriMoment* moment = &tree->moment[k];
    double weight = 0;
    if (node->count) {
      refit_leaf(tree, node, moment, &weight);
    } else {
      const plTriNode *left = node + 1, *right = &tree->node[node->right];
      const plTriMoment *ml = moment + 1, *mr = &tree->moment[node->right];
      node->lower = v3_min(left->lower, right->lower);
      node->upper = v3_max(left->upper, right->upper);
      weight = ml->radius + mr->radius;
      double share = weight > 0 ? mr->radius / weight : 0.5;
      moment->area = v3_add(ml->area, mr->area);
      moment->centre = v3_madd(ml->centre, share, v3_sub(mr->centre, ml->centre));
    }
    moment->radius = weight;
  }
  for (int k = 0; k < tree->nnode; k++)
    tree->moment[k].radius = far_corner(&tree->node[k], tree->moment[k].centre);
}

// ---- closest point

static plVec3 segment_closest(plVec3 a, plVec3 b, plVec3 p) {
  plVec3 ab = v3_sub(b, a);
  double length2 = v3_norm2(ab), t = length2 > 0 ? v3_dot(v3_sub(p, a), ab) / length2 : 0;
  return v3_madd(a, t < 0 ? 0 : t > 1 ? 1 : t, ab);
}

// Inside the triangle by barycentric coordinates, else the nearest of its three sides.
plVec3 pl_tri_closest(plVec3 a, plVec3 b, plVec3 c, plVec3 p) {
  plVec3 ab = v3_sub(b, a), ac = v3_sub(c, a), ap = v3_sub(p, a);
  plVec3 n = v3_cross(ab, ac);
  double n2 = v3_norm2(n);
  if (n2 > 0) {
    double v = v3_dot(v3_cross(ap, ac), n) / n2, w = v3_dot(v3_cross(ab, ap), n) / n2;
    if (v >= 0 && w >= 0 && v + w <= 1) return v3_madd(v3_madd(a, v, ab), w, ac);
  }
  plVec3 side[3] = {segment_closest(a, b, p), segment_closest(b, c, p), segment_closest(c, a, p)};
  plVec3 best = side[0];
  for (int i = 1; i < 3; i++)
    if (v3_norm2(v3_sub(side[i], p)) < v3_norm2(v3_sub(best, p))) best = side[i];
  return best;
}

// Distance of x from the interval [low, high], without branches.
static inline double outside(double x, double low, double high) { return max2(max2(low - x, x - high), 0); }

static double bounds_distance2(plVec3 lower, plVec3 upper, plVec3 p) {
  return v3_norm2(
      v3(outside(p.x, lower.x, upper.x), outside(p.y, lower.y, upper.y), outside(p.z, lower.z, upper.z)));
}

static double box_distance2(const plTriNode* node, plVec3 p) {
  return bounds_distance2(node->lower, node->upper, p);
}

plTriHit pl_tri_tree_closest(const plTriTree* tree, plVec3 point, double max_distance) {
  plTriHit hit = {.tri = -1};
  double best2 = max_distance * max_distance, distance2[PL_TRI_TREE_DEPTH];
  int stack[PL_TRI_TREE_DEPTH], depth = 0;
  if (tree->nnode) distance2[0] = box_distance2(tree->node, point), stack[depth++] = 0;
  while (depth) {
    int k = stack[--depth];
    const plTriNode* node = &tree->node[k];
    if (distance2[depth] > best2) continue;
    if (!node->count) {
      assert(depth + 2 <= PL_TRI_TREE_DEPTH);
      // The nearer child is visited first.
      double left2 = box_distance2(node + 1, point), right2 = box_distance2(&tree->node[node->right], point);
      bool left = left2 <= right2;
      distance2[depth] = left ? right2 : left2;
      stack[depth++] = left ? node->right : k + 1;
      distance2[depth] = left ? left2 : right2;
      stack[depth++] = left ? k + 1 : node->right;
      continue;
    }
    for (int i = 0; i < node->count; i++) {
      plVec3 x[3];
      corners(tree, tree->order[node->first + i], x);
      if (bounds_distance2(v3_min(x[0], v3_min(x[1], x[2])), v3_max(x[0], v3_max(x[1], x[2])), point) > best2)
        continue;
      plVec3 q = pl_tri_closest(x[0], x[1], x[2], point);
      double d2 = v3_norm2(v3_sub(q, point));
      if (d2 < best2 || (d2 == best2 && hit.tri < 0)) {
        best2 = d2;
        hit = (plTriHit){.tri = tree->order[node->first + i], .point = q};
      }
    }
  }
  hit.t = sqrt(best2);
  return hit;
}

plTriHit pl_tri_tree_closest_near(const plTriTree* tree, plVec3 point, double guess) {
  plTriHit hit = pl_tri_tree_closest(tree, point, guess * (1 + 1e-9));
  return hit.tri >= 0 ? hit : pl_tri_tree_closest(tree, point, INFINITY);
}

// ---- rays

// Woop, Benthin and Wald (2013): the triangle is sheared so that the ray is an axis; neighbours see the same
// edge function.
typedef struct Ray {
  plVec3 origin, direction, inverse;
  int axis[3];      // the ray's longest axis last
  double shear[3];  // x, y shear and z scale
} Ray;

static Ray ray_prepare(plVec3 origin, plVec3 direction) {
  plVec3 size = v3(fabs(direction.x), fabs(direction.y), fabs(direction.z));
  int z = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  Ray ray = {.origin = origin, .direction = direction, .axis = {(z + 1) % 3, (z + 2) % 3, z}};
  ray.inverse = v3(1 / direction.x, 1 / direction.y, 1 / direction.z);
  double along = component(direction, z);
  ray.shear[0] = component(direction, ray.axis[0]) / along;
  ray.shear[1] = component(direction, ray.axis[1]) / along;
  ray.shear[2] = 1 / along;
  return ray;
}

// The ray's parameter at the triangle, or NaN.
static double ray_triangle(const Ray* ray, const plVec3 x[3]) {
  double a[3][3];
  for (int i = 0; i < 3; i++) {
    double d[3];
    v3_store(d, v3_sub(x[i], ray->origin));
    double depth = d[ray->axis[2]];
    a[i][0] = d[ray->axis[0]] - ray->shear[0] * depth;
    a[i][1] = d[ray->axis[1]] - ray->shear[1] * depth;
    a[i][2] = ray->shear[2] * depth;
  }
  double u = a[2][0] * a[1][1] - a[2][1] * a[1][0];
  double v = a[0][0] * a[2][1] - a[0][1] * a[2][0];
  double w = a[1][0] * a[0][1] - a[1][1] * a[0][0];
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return NAN;
  double det = u + v + w;
  return det == 0 ? NAN : (u * a[0][2] + v * a[1][2] + w * a[2][2]) / det;
}

// The parameters [*enter, *leave] at which the ray is between two planes of a box across one axis; rounding
// may only add some. False: none.
static inline bool ray_slab(double o, double inverse, double low, double high, double* enter, double* leave) {
  if (isinf(inverse)) return !(o < low || o > high);
  double s = (low - o) * inverse, t = (high - o) * inverse, near = s < t ? s : t, far = s < t ? t : s;
  double slack = 1e-12 * (-near > far ? -near : far);
  near -= slack, far += slack;
  *enter = near > *enter ? near : *enter;
  *leave = far < *leave ? far : *leave;
  return *enter <= *leave;
}

// Whether the ray passes the node's box at some parameter in [0, t_max].
static bool ray_box(const Ray* ray, const plTriNode* node, double t_max) {
  double enter = 0, leave = t_max;
  plVec3 o = ray->origin, inverse = ray->inverse, low = node->lower, high = node->upper;
  return ray_slab(o.x, inverse.x, low.x, high.x, &enter, &leave) &&
         ray_slab(o.y, inverse.y, low.y, high.y, &enter, &leave) &&
         ray_slab(o.z, inverse.z, low.z, high.z, &enter, &leave);
}

plTriHit pl_tri_tree_ray(const plTriTree* tree, plVec3 origin, plVec3 direction, double t_max) {
  plTriHit hit = {.tri = -1, .t = t_max};
  if (v3_norm2(direction) == 0) return hit;
  Ray ray = ray_prepare(origin, direction);
  int stack[PL_TRI_TREE_DEPTH], depth = 0;
  if (tree->nnode) stack[depth++] = 0;
  while (depth) {
    int k = stack[--depth];
    const plTriNode* node = &tree->node[k];
    if (!ray_box(&ray, node, hit.t)) continue;
    if (!node->count) {
      assert(depth + 2 <= PL_TRI_TREE_DEPTH);
      stack[depth++] = node->right;
      stack[depth++] = k + 1;
      continue;
    }
    for (int i = 0; i < node->count; i++) {
      plVec3 x[3];
      corners(tree, tree->order[node->first + i], x);
      double t = ray_triangle(&ray, x);
      if (t >= 0 && (t < hit.t || (t == hit.t && hit.tri < 0)))
        hit.t = t, hit.tri = tree->order[node->first + i];
    }
  }
  hit.point = v3_madd(origin, hit.t, direction);
  return hit;
}

// ---- boxes

static bool boxes_meet(plVec3 lower, plVec3 upper, plVec3 low, plVec3 high) {
  return lower.x <= high.x && upper.x >= low.x && lower.y <= high.y && upper.y >= low.y &&
         lower.z <= high.z && upper.z >= low.z;
}

void pl_tri_tree_box(const plTriTree* tree, plVec3 lower, plVec3 upper, plTriVisit* visit, void* context) {
  int stack[PL_TRI_TREE_DEPTH], depth = 0;
  if (tree->nnode) stack[depth++] = 0;
  while (depth) {
    int k = stack[--depth];
    const plTriNode* node = &tree->node[k];
    if (!boxes_meet(lower, upper, node->lower, node->upper)) continue;
    if (!node->count) {
      assert(depth + 2 <= PL_TRI_TREE_DEPTH);
      stack[depth++] = node->right;
      stack[depth++] = k + 1;
      continue;
    }
    for (int i = 0; i < node->count; i++) {
      int t = tree->order[node->first + i];
      plVec3 x[3];
      corners(tree, t, x);
      plVec3 low = v3_min(v3_min(x[0], x[1]), x[2]), high = v3_max(v3_max(x[0], x[1]), x[2]);
      if (boxes_meet(lower, upper, low, high) && !visit(context, t)) return;
    }
  }
}

// ---- winding number

// The signed solid angle of a triangle seen from p (Van Oosterom and Strackee 1983).
static double solid_angle(const plVec3 x[3], plVec3 p) {
  plVec3 a = v3_sub(x[0], p), b = v3_sub(x[1], p), c = v3_sub(x[2], p);
  double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
  double det = v3_dot(a, v3_cross(b, c));
  return 2 * atan2(det, la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb);
}

double pl_tri_winding(const double* vert, const int* tri, int ntri, plVec3 point) {
  plTriTree flat = {.vert = vert, .tri = tri};
  double sum = 0;
  for (int t = 0; t < ntri; t++) {
    plVec3 x[3];
    corners(&flat, t, x);
    sum += solid_angle(x, point);
  }
  return sum / (4 * PI);
}

double pl_tri_tree_winding(const plTriTree* tree, plVec3 point) {
  if (tree->old_moments) return pl_tri_winding(tree->vert, tree->tri, tree->ntri, point);
  double sum = 0;
  int stack[PL_TRI_TREE_DEPTH], depth = 0;
  if (tree->nnode) stack[depth++] = 0;
  while (depth) {
    int k = stack[--depth];
    const plTriNode* node = &tree->node[k];
    const plTriMoment* moment = &tree->moment[k];
    plVec3 r = v3_sub(moment->centre, point);
    double distance2 = v3_norm2(r);
    if (distance2 > FAR * FAR * moment->radius * moment->radius) {
      sum += v3_dot(moment->area, r) / (distance2 * sqrt(distance2));
    } else if (!node->count) {
      assert(depth + 2 <= PL_TRI_TREE_DEPTH);
      stack[depth++] = node->right;
      stack[depth++] = k + 1;
    } else {
      for (int i = 0; i < node->count; i++) {
        plVec3 x[3];
        corners(tree, tree->order[node->first + i], x);
        sum += solid_angle(x, point);
      }
    }
  }
  return sum / (4 * PI);
}
