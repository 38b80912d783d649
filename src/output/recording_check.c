// recording_check.c: checks a model that came from a file: all indices are in range.
#include <string.h>

#include "output/recording.h"

static const plFlaw none = {NULL, NULL};

static bool in_range(const int* index, size_t n, int lower, int upper) {
  for (size_t i = 0; i < n; i++)
    if (index[i] < lower || index[i] >= upper) return false;
  return true;
}

// 0 = first[0] <= first[1] <= ... <= first[n] = total
static bool ascending(const int* first, int n, int total) {
  for (int i = 0; i < n; i++)
    if (first[i + 1] < first[i]) return false;
  return first[0] == 0 && first[n] == total;
}

static plFlaw check_bodies(const plModel* m) {
  if (!ascending(m->deform_vert0, m->ndeform, m->nvert)) return (plFlaw){"deform_vert0", "does not ascend"};
  if (!ascending(m->deform_tet0, m->ndeform, m->ntet)) return (plFlaw){"deform_tet0", "does not ascend"};
  if (!ascending(m->deform_tri0, m->ndeform, m->ntri)) return (plFlaw){"deform_tri0", "does not ascend"};
  for (int b = 0; b < m->ndeform; b++) {
    int v0 = m->deform_vert0[b], v1 = m->deform_vert0[b + 1];
    long long last = 3LL * (v1 - v0);
    if (m->deform_q0[b] < 0 || m->deform_q0[b] + last > m->nq)
      return (plFlaw){"deform_q0", "is out of range"};
    if (m->deform_v0[b] < 0 || m->deform_v0[b] + last > m->nv)
      return (plFlaw){"deform_v0", "is out of range"};
    size_t t0 = (size_t)m->deform_tet0[b], nt = (size_t)m->deform_tet0[b + 1] - t0;
    if (!in_range(m->tet_vert + 4 * t0, 4 * nt, v0, v1)) return (plFlaw){"tet_vert", "is out of range"};
    // A tet has all six midpoints of its edges, or none.
    for (size_t t = t0; t < t0 + nt; t++)
      if (m->tet_mid[6 * t] >= 0 ? !in_range(m->tet_mid + 6 * t, 6, v0, v1)
                                 : !in_range(m->tet_mid + 6 * t, 6, -1, 0))
        return (plFlaw){"tet_mid", "is out of range"};
    // A patch is known by its first tet.
    for (size_t t = t0; t < t0 + nt; t++)
      if (m->tet_patch[t] >= 0 && !in_range(&m->tet_patch[t], 1, (int)t0, (int)t + 1))
        return (plFlaw){"tet_patch", "is out of range"};
    size_t f0 = (size_t)m->deform_tri0[b], nf = (size_t)m->deform_tri0[b + 1] - f0;
    if (!in_range(m->tri_vert + 3 * f0, 3 * nf, v0, v1)) return (plFlaw){"tri_vert", "is out of range"};
  }
  if (!in_range(m->tri_tet, (size_t)m->ntri, 0, m->ntet)) return (plFlaw){"tri_tet", "is out of range"};
  if (!in_range(m->vert_fix, (size_t)m->nvert, -1, m->nfix)) return (plFlaw){"vert_fix", "is out of range"};
  return none;
}

static plFlaw check_joints(const plModel* m) {
  if (!in_range((const int*)(const void*)m->joint_kind, (size_t)m->njoint, 0, PL_JOINT_COUNT))
    return (plFlaw){"joint_kind", "is out of range"};
  for (int j = 0; j < m->njoint; j++) {
    plJointKind kind = m->joint_kind[j];
    if (m->joint_q0[j] < 0 || (long long)m->joint_q0[j] + pl_joint_nq(kind) > m->nq)
      return (plFlaw){"joint_q0", "is out of range"};
    if (m->joint_v0[j] < 0 || (long long)m->joint_v0[j] + pl_joint_nv(kind) > m->nv)
      return (plFlaw){"joint_v0", "is out of range"};
  }
  return in_range(m->shape_body, (size_t)m->nshape, -1, m->nbody) ? none
                                                                  : (plFlaw){"geom_body", "is out of range"};
}

static plFlaw check_shapes(const plModel* m) {
  if (!in_range((const int*)(const void*)m->shape_kind, (size_t)m->nshape, 0, PL_SHAPE_COUNT))
    return (plFlaw){"geom_kind", "is out of range"};
  for (int g = 0; g < m->nshape; g++) {
    unsigned char byte;
    memcpy(&byte, (char*)m->shape_collide + g, 1);
    if (byte > 1) return (plFlaw){"geom_collide", "is out of range"};
  }
  for (int i = 0; i < m->nfix; i++)
    if (m->fix_knot0[i + 1] < m->fix_knot0[i]) return (plFlaw){"fix_knot0", "does not ascend"};
  if (m->fix_knot0[0] != 0 || m->fix_knot0[m->nfix] < 0) return (plFlaw){"fix_knot0", "does not ascend"};
  return none;
}

plFlaw pl_recording_check_model(const plModel* model) {
  plFlaw flaw = check_bodies(model);
  if (!flaw.section) flaw = check_joints(model);
  if (!flaw.section) flaw = check_shapes(model);
  return flaw;
}
