// mass.c: element mass matrices, assembled into one number per block.
#include "fem/mass.h"

#include "geom/mesh.h"

int pl_pattern_find(const int* col0, const int* row, int i, int j) {
  int r = i > j ? i : j, c = i > j ? j : i, first = col0[c], last = col0[c + 1] - 1;
  while (first < last) {
    int mid = first + (last - first) / 2;
    if (row[mid] < r)
      first = mid + 1;
    else
      last = mid;
  }
  return first == last && row[first] == r ? first : -1;
}

// m += an element's n x n matrix, of which the lower half is read; for a lumped one only the diagonal.
static void add(int n, const int* node, const double* element, const int* col0, const int* row, double* m) {
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++)
      if (element[n * a + b] != 0) m[pl_pattern_find(col0, row, node[a], node[b])] += element[n * a + b];
}

// The integral of N_a N_b over a tet of unit volume, times 420: corners 6 and 1; corner and edge -4 (at it)
// or -6; edges 32, 16 (sharing a corner), 8 (opposite).
static double tet10_entry(int a, int b) {
  if (a < 4 && b < 4) return a == b ? 6 : 1;
  if (a == b) return 32;
  if (a < 4 || b < 4) {
    int c = a < 4 ? a : b;
    const int* e = pl_tet_edge[(a < 4 ? b : a) - 4];
    return e[0] == c || e[1] == c ? -4 : -6;
  }
  const int *e = pl_tet_edge[a - 4], *f = pl_tet_edge[b - 4];
  return e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1] ? 16 : 8;
}

double pl_mass_entry(int n, bool lumped, int a, int b) {
  if (n == 4) return lumped ? (a == b ? 0.25 : 0) : (a == b ? 0.1 : 0.05);
  // lumped: the diagonal scaled to the total mass (row sums would be negative at corners)
  if (lumped) return a != b ? 0 : a < 4 ? 1.0 / 36 : 4.0 / 27;
  return tet10_entry(a, b) / 420;
}

// m += the mass of tetrahedra of n nodes
static void add_tets(const plMesh* mesh, int n, const int* node, double density, bool lumped, const int* col0,
                     const int* row, double* m) {
  double unit[100], element[100];
  for (int i = 0; i < n * n; i++) unit[i] = pl_mass_entry(n, lumped, i / n, i % n);
  for (int t = 0; t < mesh->ntet; t++) {
    double mass = density * pl_mesh_tet_volume6(mesh, t) / 6;
    for (int i = 0; i < n * n; i++) element[i] = mass * unit[i];
    add(n, node + (size_t)n * (size_t)t, element, col0, row, m);
  }
}

void pl_mass_tet4(const plMesh* mesh, double density, bool lumped, const int* col0, const int* row,
                  double* m) {
  add_tets(mesh, 4, mesh->tet, density, lumped, col0, row, m);
}

void pl_mass_tet10(const plMesh* mesh, const int* tet10, double density, bool lumped, const int* col0,
                   const int* row, double* m) {
  add_tets(mesh, 10, tet10, density, lumped, col0, row, m);
}
