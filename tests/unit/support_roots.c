// SPDX-License-Identifier: MIT
// Recorded roots for the tests of the probes: opened, sampled and resolved by
// the very code that reads the running machine.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support_roots.h"

#include <stdio.h>
#include <string.h>

struct sysroot *
roots_open(const char *story, const char *instant)
{
	char path[4096];
	struct error err = {0};
	snprintf(path, sizeof(path), IODUEL_SOURCE_DIR "/tests/roots/%s/%s", story, instant);
	struct sysroot *root = sysroot_new(path, &err);
	if (!root)
		fail_msg("%s", err.text);
	return root;
}

void
roots_sample(const char *story, const char *instant, struct sample *ret)
{
	struct sysroot *root = roots_open(story, instant);
	struct probes *probes = probes_new(root, NULL);
	assert_non_null(probes);
	sample_init(ret);
	probes_read(probes, ret);
	probes_free(probes);
	sysroot_free(root);
}

const struct stack *
roots_stack(const char *story, const char *path)
{
	static struct stack stack;
	struct error err = {0};
	struct sysroot *root = roots_open(story, "t0");
	if (stack_resolve(root, path, &stack, &err) < 0)
		fail_msg("%s", err.text);
	sysroot_free(root);
	return &stack;
}

const struct layer *
roots_layer(const struct stack *stack, enum layer_kind kind, const char *name)
{
	for (int i = 0; i < stack->n_layers; i++)
		if (stack->layer[i].kind == kind && (!name || strcmp(stack->layer[i].name, name) == 0))
			return &stack->layer[i];
	return NULL;
}

int
roots_children(const struct stack *stack, const struct layer *parent)
{
	int n = 0;
	for (int i = 0; i < stack->n_layers; i++)
		n += stack->layer[i].parent == (int)(parent - stack->layer);
	return n;
}
