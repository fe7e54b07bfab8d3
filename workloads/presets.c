// SPDX-License-Identifier: MIT
// Named combinations of a workload and its keys, each a rough likeness of a
// kind of application. Rule: a preset only sets keys; it can do nothing that
// a user could not have typed.
#include <ioduel/workload.h>

#include <stddef.h>

const struct workload_preset workload_presets[] = {
	{ "oltp", "a database: 8k pages, 70 % reads, a few hot tables, synchronous writes", "randrw",
	  "bs=8k,qd=16,read=70,dist=zipf:0.9,sync=dsync" },
	{ "fileserver", "many users' files: 64k pieces, 60 % reads, through the page cache", "randrw",
	  "bs=64k,qd=8,threads=2,read=60,direct=0" },
	{ "vm", "virtual disks: 4k, 60 % reads, a flush every 64 writes", "randrw",
	  "bs=4k,qd=32,read=60,fsync=64,dist=zipf:0.7" },
	{ "boot", "many clients starting up: 16k random reads, half of the data compressible", "randread",
	  "bs=16k,qd=8,threads=2,compress=50" },
	{ NULL, NULL, NULL, NULL },
};
