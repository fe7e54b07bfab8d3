// SPDX-License-Identifier: MIT
// Questions to a resolved stack. One rule: pure; two layers are the same
// device if they have the same number.

#include <ioduel/stack.h>

#include "sysroot.h"

#include <string.h>

const char *
layer_kind_name(enum layer_kind kind)
{
	static const char *const names[] = {
		[LAYER_PATH] = "path", [LAYER_MOUNT] = "mount", [LAYER_FS] = "fs", [LAYER_POOL] = "pool",
		[LAYER_VDEV] = "vdev", [LAYER_RAID] = "raid", [LAYER_DM] = "dm", [LAYER_CACHE] = "cache",
		[LAYER_LOOP] = "loop", [LAYER_FILE] = "file", [LAYER_PARTITION] = "partition",
		[LAYER_MULTIPATH] = "multipath", [LAYER_DISK] = "disk", [LAYER_NETWORK] = "network",
		[LAYER_MEMORY] = "memory", [LAYER_UNKNOWN] = "unknown",
	};
	return kind <= LAYER_UNKNOWN ? names[kind] : "unknown";
}

const char *
layer_role_name(enum layer_role role)
{
	static const char *const names[] = {
		[ROLE_DATA] = "", [ROLE_LOG] = "log", [ROLE_CACHE] = "cache", [ROLE_SPARE] = "spare",
		[ROLE_SPECIAL] = "special",
	};
	return role <= ROLE_SPECIAL ? names[role] : "";
}

static bool
same_device(const struct layer *a, const struct layer *b)
{
	return a->has_dev && b->has_dev && a->major == b->major && a->minor == b->minor;
}

bool
stack_is_first_leaf(const struct stack *stack, int layer)
{
	const struct layer *leaf = &stack->layer[layer];
	for (int i = 0; i < layer && leaf->leaf; i++) {
		const struct layer *before = &stack->layer[i];
		if (before->leaf && (same_device(before, leaf) || (!leaf->has_dev && !before->has_dev && strcmp(before->name, leaf->name) == 0)))
			return false;
	}
	return leaf->leaf;
}

int
stack_leaves(const struct stack *stack, const struct layer **ret, int max)
{
	int n = 0;
	for (int i = 0; i < stack->n_layers && n < max; i++)
		if (stack->layer[i].has_dev && stack_is_first_leaf(stack, i))
			ret[n++] = &stack->layer[i];
	return n;
}

bool
stack_share_device(const struct stack *a, const struct stack *b, char *name, size_t size)
{
	for (int i = 0; i < a->n_layers; i++)
		for (int k = 0; k < b->n_layers; k++) {
			const struct layer *x = &a->layer[i], *y = &b->layer[k];
			if (!x->leaf || !y->leaf || !same_device(x, y))
				continue;
			if (name)
				text_copy(name, size, x->name);
			return true;
		}
	return false;
}

// Length of the common beginning of two sysfs paths, whole components only.
static size_t
common_length(const char *a, const char *b)
{
	size_t common = 0;
	for (size_t i = 0;; i++) {
		bool end_a = a[i] == '/' || a[i] == '\0', end_b = b[i] == '/' || b[i] == '\0';
		if (end_a && end_b)
			common = i;
		if (a[i] != b[i] || a[i] == '\0')
			return common;
	}
}

// Names the last component of path: what the two have in common.
static void
name_wire(const struct layer *layer, const char *path, size_t length, bool whole, char *name, size_t size)
{
	size_t start = length;
	while (start > 0 && path[start - 1] != '/')
		start--;
	const char *component = path + start;
	int n = (int)(length - start);
	const char *what = "PCI port";
	if (strncmp(component, "usb", 3) == 0)
		what = "USB bus";
	else if (memchr(component, ':', (size_t)n) == NULL)
		what = "USB hub";
	else if (whole)
		what = strncmp(layer->name, "nvme", 4) == 0 ? "NVMe controller" : "controller";
	snprintf(name, size, "%s %.*s", what, n, component);
}

bool
stack_share_controller(const struct stack *a, const struct stack *b, char *name, size_t size)
{
	for (int i = 0; i < a->n_layers; i++)
		for (int k = 0; k < b->n_layers; k++) {
			const struct layer *x = &a->layer[i], *y = &b->layer[k];
			if (!x->leaf || !y->leaf || !x->controller[0] || !y->controller[0] || same_device(x, y))
				continue;
			size_t n = common_length(x->controller, y->controller);
			const char *root = strstr(x->controller, "/pci"); // the root complex itself is no shared link
			const char *below = root ? strchr(root + 1, '/') : NULL;
			if (!below || n <= (size_t)(below - x->controller))
				continue;
			if (name)
				name_wire(x, x->controller, n, strcmp(x->controller, y->controller) == 0, name, size);
			return true;
		}
	return false;
}

// The child of layer top under which index lies, or -1 if it does not.
static int
child_towards(const struct stack *stack, int top, int index)
{
	while (index >= 0 && stack->layer[index].parent != top)
		index = stack->layer[index].parent;
	return index;
}

static bool
holds_copies(const struct stack *stack, int top, int index)
{
	for (; index != top; index = stack->layer[index].parent)
		if (stack->layer[index].role != ROLE_DATA)
			return false;
	return true;
}

// True if two children of a redundant layer end on one device.
static bool
meets_below(const struct stack *stack, int top, const struct layer **ret)
{
	for (int i = top + 1; i < stack->n_layers; i++) {
		int child = child_towards(stack, top, i);
		if (child < 0 || !stack->layer[i].leaf || !holds_copies(stack, top, i))
			continue;
		for (int k = i + 1; k < stack->n_layers; k++) {
			int other = child_towards(stack, top, k);
			if (other < 0 || other == child || !stack->layer[k].leaf || !holds_copies(stack, top, k) ||
			    !same_device(&stack->layer[i], &stack->layer[k]))
				continue;
			*ret = &stack->layer[i];
			return true;
		}
	}
	return false;
}

bool
stack_mirror_on_one_device(const struct stack *stack, char *what, size_t size)
{
	for (int i = 0; i < stack->n_layers; i++) {
		const struct layer *layer = &stack->layer[i], *leaf;
		if (!layer->redundant)
			continue;
		if (!meets_below(stack, i, &leaf)) {
			// btrfs "dup": two copies by design, on its only device
			if (!strstr(layer->detail, "data dup") || stack_leaves(stack, &leaf, 1) != 1)
				continue;
		}
		if (what)
			snprintf(what, size, "%s%s%s: copies on %s", layer->name,
				 layer->kind == LAYER_VDEV || !layer->detail[0] ? "" : " ",
				 layer->kind == LAYER_VDEV ? "" : layer->detail, leaf->name);
		return true;
	}
	return false;
}

const struct disk_sample *
stack_find_disk(const struct layer *layer, const struct sample *s)
{
	if (layer->has_dev && layer->major != 0)
		return sample_find_disk(s, layer->major, layer->minor);
	return layer->kind == LAYER_DISK ? sample_find_disk_named(s, layer->name) : NULL;
}

static void
format_size(char *buf, size_t size, uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
	double value = (double)bytes;
	size_t unit = 0;
	while (value >= 999.5 && unit < 5) {
		value /= 1000;
		unit++;
	}
	text_append(buf, size, value < 9.95 && unit > 0 ? " %.1f %s" : " %.0f %s", value, units[unit]);
}

// Kind of a vdev: "mirror" of "mirror-0".
static int
kind_length(const char *name)
{
	return (int)strcspn(name, "-");
}

// Groups of a pool that hold data, equal kinds together: " 3 x mirror".
static void
format_groups(const struct stack *stack, char *buf, size_t size)
{
	for (int i = 0; i < stack->n_layers; i++) {
		const struct layer *layer = &stack->layer[i];
		int n = 0, length = kind_length(layer->name);
		bool seen = layer->kind != LAYER_VDEV || layer->role != ROLE_DATA ||
			    layer->parent < 0 || stack->layer[layer->parent].kind != LAYER_POOL;
		for (int k = 0; k < stack->n_layers && !seen; k++) {
			const struct layer *other = &stack->layer[k];
			if (other->kind != LAYER_VDEV || other->role != ROLE_DATA || other->parent != layer->parent ||
			    kind_length(other->name) != length || strncmp(other->name, layer->name, (size_t)length) != 0)
				continue;
			seen = k < i;
			n++;
		}
		if (!seen && n > 1)
			text_append(buf, size, " %d x %.*s", n, length, layer->name);
		else if (!seen)
			text_append(buf, size, " %.*s", length, layer->name);
	}
}

// " +log +cache": what serves the pool beside the groups that hold data.
static void
format_helpers(const struct stack *stack, char *buf, size_t size)
{
	static const enum layer_role roles[] = {ROLE_SPECIAL, ROLE_LOG, ROLE_CACHE, ROLE_SPARE};
	for (size_t r = 0; r < sizeof(roles) / sizeof(roles[0]); r++)
		for (int i = 0; i < stack->n_layers; i++) {
			if (stack->layer[i].role != roles[r])
				continue;
			text_append(buf, size, " +%s", layer_role_name(roles[r]));
			break;
		}
}

// " raid1" out of "data raid1, metadata raid1" of btrfs.
static void
format_profile(const struct stack *stack, char *buf, size_t size)
{
	for (int i = 0; i < stack->n_layers; i++) {
		const struct layer *layer = &stack->layer[i];
		if (layer->kind == LAYER_FS && strncmp(layer->detail, "data ", 5) == 0 &&
		    strncmp(layer->detail, "data single", 11) != 0)
			text_append(buf, size, " %.*s", (int)strcspn(layer->detail + 5, ","), layer->detail + 5);
	}
	format_groups(stack, buf, size);
	format_helpers(stack, buf, size);
}

void
stack_format_line(const struct stack *stack, char *buf, size_t size)
{
	const struct layer *first = NULL;
	char models[96] = "";
	int n = 0;
	buf[0] = '\0';
	text_append(buf, size, "%s", stack->is_device ? "device" : stack->fs_type[0] ? stack->fs_type : "unknown");
	format_profile(stack, buf, size);
	for (int i = 0; i < stack->n_layers; i++) {
		const struct layer *layer = &stack->layer[i];
		bool seen = !layer->leaf;
		for (int k = 0; k < i && !seen; k++)
			seen = stack->layer[k].leaf && same_device(layer, &stack->layer[k]);
		if (seen)
			continue;
		text_append(buf, size, n ? " %s" : " on %s", layer->name);
		first = first ? first : layer;
		if (n++ == 0)
			text_copy(models, sizeof(models), layer->model);
	}
	if (models[0])
		text_append(buf, size, "  %s", models);
	if (first && first->size_bytes)
		format_size(buf, size, first->size_bytes);
}
