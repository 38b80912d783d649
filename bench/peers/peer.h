// peer.h: what a peer solver offers to bench/cholesky. Each peer is a module of its own, built where its
// headers are found and loaded at run time; neither the library nor the benchmark is linked with it.
#ifndef PL_BENCH_PEER_H
#define PL_BENCH_PEER_H

// A scalar symmetric matrix, lower columns; order lists the rows as they are to be eliminated, the last
// nschur being the ones whose Schur complement is wanted.
typedef struct PeerMatrix {
  int n, nschur;
  const int *col0, *row;
  const double* value;
  const int* order;
} PeerMatrix;

typedef struct Peer {
  const char* name;
  void* (*create)(const PeerMatrix* matrix);  // analysis; NULL if it fails
  int (*factor)(void* solver,
                double* A_hat);  // numbers, and A_hat (nschur x nschur, either triangle) if wanted; 0 if fine
  int (*solve)(void* solver, const double* b, double* x);
  void (*destroy)(void* solver);
} Peer;

#endif
