// SPDX-License-Identifier: MIT
// `ioduel targets`: what lies below a path, layer by layer down to the
// devices, and what speaks against measuring there. Nothing is opened for
// writing; what is unknown is left out, never guessed.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ioduel/probe.h>
#include <ioduel/stack.h>
#include <ioduel/target.h>

#include "cmd.h"

#define TARGETS_MAX 256

struct target_list {
	struct sysroot *root;
	struct stack *stack[TARGETS_MAX]; // owned
	int n;
	int status;
};

static const char *const kind_name[] = {
	[LAYER_PATH] = "path", [LAYER_MOUNT] = "mount", [LAYER_FS] = "file system", [LAYER_POOL] = "pool",
	[LAYER_VDEV] = "vdev", [LAYER_RAID] = "raid", [LAYER_DM] = "dm", [LAYER_CACHE] = "cache", [LAYER_LOOP] = "loop",
	[LAYER_FILE] = "file", [LAYER_PARTITION] = "partition", [LAYER_MULTIPATH] = "multipath", [LAYER_DISK] = "disk",
	[LAYER_NETWORK] = "network", [LAYER_MEMORY] = "memory", [LAYER_UNKNOWN] = "unknown",
};

// "931 GiB": three digits, powers of 1024.
static void
format_size(uint64_t bytes, char *buf, size_t size)
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double value = (double)bytes;
	size_t i = 0;
	for (; value >= 1024 && i + 1 < sizeof(unit) / sizeof(unit[0]); i++)
		value /= 1024;
	snprintf(buf, size, value < 10 && i ? "%.2f %s" : value < 100 && i ? "%.1f %s" : "%.0f %s", value, unit[i]);
}

static void
print_layer(const struct layer *layer, int depth)
{
	char size[32];
	printf("  %*s%s %s", 2 * depth, "", kind_name[layer->kind], layer->name);
	if (layer->detail[0])
		printf("  %s", layer->detail);
	if (layer->model[0])
		printf("  %s", layer->model);
	if (layer->size_bytes) {
		format_size(layer->size_bytes, size, sizeof(size));
		printf("  %s", size);
	}
	if (layer->rotational >= 0 && layer->leaf)
		printf("  %s", layer->rotational ? "rotating" : "solid state");
	if (layer->scheduler[0])
		printf("  scheduler %s", layer->scheduler);
	if (layer->write_cache >= 0)
		printf("  write cache %s", layer->write_cache ? "volatile" : "none");
	printf("%s\n", layer->leaf && !layer->physical && layer->kind != LAYER_MEMORY && layer->kind != LAYER_NETWORK
			       ? "  (not a physical device)" : "");
}

static void
print_children(const struct stack *stack, int parent, int depth)
{
	for (int i = 0; i < stack->n_layers; i++)
		if (stack->layer[i].parent == parent && depth < STACK_LAYERS_MAX) {
			print_layer(&stack->layer[i], depth);
			print_children(stack, i, depth + 1);
		}
}

static void
print_warnings(const struct target_list *list, int which)
{
	const struct stack *stack = list->stack[which];
	struct target_info info;
	struct error err = {0};
	char name[LAYER_NAME_MAX];
	if (stack->is_memory)
		printf("  ! this is memory (%s), no storage: no verdict can come of it\n", stack->fs_type);
	if (stack->is_network)
		printf("  ! this is a network file system: the server's cache and the network are measured too\n");
	if (stack->truncated)
		printf("  ! there are more than %d layers; the rest is not shown\n", STACK_LAYERS_MAX);
	if (!sysroot_is_recorded(list->root)) {
		if (target_inspect(stack->path, 0, &info, &err) < 0)
			printf("  ! %s\n", err.text);
		else if (!info.writable && info.kind == TARGET_DIRECTORY)
			printf("  ! you may not write here\n");
		else if (info.direct_ok == 0)
			printf("  ! direct I/O is not possible here: reads may come from the page cache\n");
	}
	for (int i = 0; i < list->n; i++)
		if (i != which && stack_share_device(stack, list->stack[i], name, sizeof(name)))
			printf("  ! shares the physical device %s with %s\n", name, list->stack[i]->path);
}

static void
print_target(const struct target_list *list, int which)
{
	const struct stack *stack = list->stack[which];
	char line[512], size[32], free_size[32];
	stack_format_line(stack, line, sizeof(line));
	printf("%s%s\n  %s", which ? "\n" : "", stack->path, line);
	if (stack->fs_size_bytes) {
		format_size(stack->fs_size_bytes, size, sizeof(size));
		format_size(stack->fs_free_bytes, free_size, sizeof(free_size));
		printf("; %s free of %s", free_size, size);
	}
	printf("\n");
	print_children(stack, -1, 1);
	print_warnings(list, which);
}

static void
add_target(struct target_list *list, const char *path)
{
	struct error err = {0};
	struct stack *stack = calloc(1, sizeof(*stack));
	if (!stack || list->n == TARGETS_MAX)
		error_set(&err, -ENOMEM, "there are too many targets; name fewer of them");
	else if (stack_resolve(list->root, path, stack, &err) == 0) {
		list->stack[list->n++] = stack;
		return;
	}
	free(stack);
	list->status = cli_fail(&err, EXIT_RUN_FAILED);
}

int
cmd_targets(int argc, char **argv)
{
	static const struct option longs[] = {{"sysroot", required_argument, NULL, 'r'}, {0}};
	struct target_list list = {0};
	struct cli_scan scan = {0};
	struct error err = {0};
	const char *sysroot = "/";
	int c;
	while ((c = cli_next(&scan, argc, argv, "", longs, &err)) != -1) {
		if (c == '?')
			return cli_fail(&err, EXIT_USAGE);
		sysroot = optarg;
	}
	list.root = sysroot_new(sysroot, &err);
	if (!list.root)
		return cli_fail(&err, EXIT_USAGE);
	for (int i = optind; i < argc; i++)
		add_target(&list, argv[i]);
	for (int i = 0; i < list.n && !cli_output_gone(); i++)
		print_target(&list, i);
	for (int i = 0; i < list.n; i++)
		free(list.stack[i]);
	sysroot_free(list.root);
	return list.status;
}
