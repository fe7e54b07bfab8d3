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
#include "session/text_safe.h"

#define TARGETS_MAX 256

struct target_list {
	struct sysroot *root;
	struct stack *stack[TARGETS_MAX]; // owned
	int n;
	int status;
};

// "931 GB": three digits, powers of 1000 as on a drive's label.
static void
format_size(uint64_t bytes, char *buf, size_t size)
{
	static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double value = (double)bytes;
	size_t i = 0;
	for (; value >= 999.5 && i + 1 < sizeof(unit) / sizeof(unit[0]); i++)
		value /= 1000;
	snprintf(buf, size, value < 9.995 && i ? "%.2f %s" : value < 99.95 && i ? "%.1f %s" : "%.0f %s", value, unit[i]);
}

static void
print_layer(const struct layer *layer, int depth)
{
	char size[32];
	text_safe_printf(stdout, "  %*s%s %s", 2 * depth, "", layer_kind_name(layer->kind), layer->name);
	if (layer->detail[0])
		text_safe_printf(stdout, "  %s", layer->detail);
	if (layer->role != ROLE_DATA)
		text_safe_printf(stdout, "  %s", layer_role_name(layer->role));
	if (layer->model[0])
		text_safe_printf(stdout, "  %s", layer->model);
	if (layer->size_bytes) {
		format_size(layer->size_bytes, size, sizeof(size));
		text_safe_printf(stdout, "  %s", size);
	}
	if (layer->leaf && layer->rotational >= 0)
		text_safe_printf(stdout, "  %s", layer->rotational ? "rotational" : "solid state");
	if (layer->leaf && layer->scheduler[0])
		text_safe_printf(stdout, "  scheduler %s", layer->scheduler);
	if (layer->leaf && layer->write_cache >= 0)
		text_safe_printf(stdout, "  write cache %s", layer->write_cache ? "volatile" : "none");
	if (layer->link[0])
		text_safe_printf(stdout, "  %s", layer->link);
	text_safe_printf(stdout, "%s%s\n", layer->encrypted ? "  encrypted" : "", layer->compressed ? "  compressed" : "");
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
		text_safe_printf(stdout, "  ! this is memory (%s), no storage: no verdict can come of it\n", stack->fs_type);
	if (stack->is_network)
		text_safe_printf(stdout, "  ! this is a network file system: the server's cache and the network are measured too\n");
	if (stack->truncated)
		text_safe_printf(stdout, "  ! there are more than %d layers; the rest is not shown\n", STACK_LAYERS_MAX);
	if (!sysroot_is_recorded(list->root)) {
		if (target_inspect(stack->path, 0, &info, &err) < 0)
			text_safe_printf(stdout, "  ! %s\n", err.text);
		else if (!info.writable && info.kind == TARGET_DIRECTORY)
			text_safe_printf(stdout, "  ! you may not write here\n");
		else if (info.direct_ok == 0)
			text_safe_printf(stdout, "  ! direct I/O is not possible here: reads may come from the page cache\n");
	}
	if (stack_mirror_on_one_device(stack, name, sizeof(name)))
		text_safe_printf(stdout, "  ! a mirror on one device: two copies, one point of failure (%s)\n", name);
	for (int i = 0; i < list->n; i++) {
		if (i == which)
			continue;
		if (stack_share_device(stack, list->stack[i], name, sizeof(name)))
			text_safe_printf(stdout, "  ! shares the device %s with %s\n", name, list->stack[i]->path);
		else if (stack_share_controller(stack, list->stack[i], name, sizeof(name)))
			text_safe_printf(stdout, "  ! shares the %s with %s\n", name, list->stack[i]->path);
	}
}

static void
print_target(const struct target_list *list, int which)
{
	const struct stack *stack = list->stack[which];
	char line[512], size[32], free_size[32];
	stack_format_line(stack, line, sizeof(line));
	if (which)
		putchar('\n');
	text_safe_printf(stdout, "%s\n", stack->path);
	text_safe_printf(stdout, "  %s", line);
	if (stack->fs_size_bytes) {
		format_size(stack->fs_size_bytes, size, sizeof(size));
		format_size(stack->fs_free_bytes, free_size, sizeof(free_size));
		text_safe_printf(stdout, "; %s free of %s", free_size, size);
	}
	text_safe_printf(stdout, "\n");
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

static void
print_unasked(const struct mount_entry *mount)
{
	text_safe_printf(stdout, "%s\n", mount->mount_point);
	text_safe_printf(stdout, "  %s on %s: a network file system; name it to see more\n\n", mount->fs_type, mount->source);
}

// The mounted file systems. Memory is left out, and a network file system is not asked: it may hang.
static int
add_mounts(struct target_list *list, struct error *err)
{
	struct mount_entry *mounts = calloc(TARGETS_MAX, sizeof(*mounts));
	if (!mounts)
		return error_set(err, -ENOMEM, "there is not enough memory");
	int n = stack_list_mounts(list->root, mounts, TARGETS_MAX, err);
	for (int i = 0; i < n; i++) {
		if (mounts[i].is_network)
			print_unasked(&mounts[i]);
		else if (!mounts[i].is_memory)
			add_target(list, mounts[i].mount_point);
	}
	free(mounts);
	if (n >= 0 && list->n == 0)
		text_safe_printf(stdout, "No mounted file system was found that could be a target; name a directory.\n");
	return n < 0 ? n : 0;
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
	if (optind == argc && add_mounts(&list, &err) < 0)
		list.status = cli_fail(&err, EXIT_RUN_FAILED);
	for (int i = 0; i < list.n && !cli_output_gone(); i++)
		print_target(&list, i);
	for (int i = 0; i < list.n; i++)
		free(list.stack[i]);
	sysroot_free(list.root);
	return list.status;
}
