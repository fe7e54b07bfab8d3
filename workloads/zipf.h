// SPDX-License-Identifier: MIT
// Zipf-distributed block numbers by rejection-inversion (Hoermann and
// Derflinger 1996): no table, constant time for any exponent. Rule: the ranks
// are scattered over the area by a bijection, so that hot blocks do not lie
// side by side.
#ifndef WORKLOADS_ZIPF_H
#define WORKLOADS_ZIPF_H

#include "random.h"

#include <stdint.h>

struct zipf {
	uint64_t n;
	uint64_t stride;	 // coprime to n
	double theta;
	double h_first, h_last;	 // the integral at 1.5 less one, and at n + 0.5
	double accept;
};

void zipf_init(struct zipf *z, uint64_t n, double theta);

// The rank itself, 1 .. n; rank 1 is the most frequent.
uint64_t zipf_rank(const struct zipf *z, struct random *random);

// A block number, 0 .. n-1.
uint64_t zipf_next(const struct zipf *z, struct random *random);

#endif
