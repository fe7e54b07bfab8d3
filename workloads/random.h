// SPDX-License-Identifier: MIT
// Random numbers for workloads: small, fast, and the same sequence for the
// same seed everywhere. Rule: all state is the caller's.
#ifndef WORKLOADS_RANDOM_H
#define WORKLOADS_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t s[4];
};

// splitmix64: spreads any seed, also 0 and neighbouring ones.
static inline uint64_t
random_mix(uint64_t *seed)
{
	uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline void
random_init(struct random *r, uint64_t seed, uint64_t stream)
{
	uint64_t mixed = seed ^ (stream * UINT64_C(0xd1342543de82ef95));
	for (int i = 0; i < 4; i++)
		r->s[i] = random_mix(&mixed);
}

// xoshiro256**
static inline uint64_t
random_next(struct random *r)
{
	uint64_t x = r->s[1] * 5;
	uint64_t result = ((x << 7) | (x >> 57)) * 9;
	uint64_t t = r->s[1] << 17;
	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = (r->s[3] << 45) | (r->s[3] >> 19);
	return result;
}

// Uniform in 0 .. n-1 (n > 0). The bias of the multiplication is below n / 2^64.
static inline uint64_t
random_below(struct random *r, uint64_t n)
{
	__extension__ typedef unsigned __int128 wide;
	return (uint64_t)(((wide)random_next(r) * n) >> 64);
}

// Uniform in [0, 1).
static inline double
random_unit(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1.0p-53;
}

// Fills with incompressible bytes; size is a multiple of 8.
static inline void
random_fill(struct random *r, void *buffer, uint64_t size)
{
	uint64_t *word = buffer;
	for (uint64_t i = 0; i < size / 8; i++)
		word[i] = random_next(r);
}

#endif
