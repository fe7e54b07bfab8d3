// SPDX-License-Identifier: MIT
// The two clocks of the program, in nanoseconds. All time stamps that cross a
// room are CLOCK_MONOTONIC, so that a clock set back leaves no trace in a rate.
#ifndef IODUEL_CLOCK_H
#define IODUEL_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_US INT64_C(1000)

// CLOCK_MONOTONIC in ns.
static inline int64_t
clock_now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

// CLOCK_BOOTTIME in ns: runs on during suspend, so boot - monotonic jumps then.
static inline int64_t
clock_boot_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

// CLOCK_REALTIME in ns since 1970, for dates in files; never for intervals.
static inline int64_t
clock_wall_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

#endif
