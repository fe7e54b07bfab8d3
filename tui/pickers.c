// SPDX-License-Identifier: MIT
// Fills the pickers' lists from the mounted file systems and the data
// directory. Rule: nothing that may hang is asked (network file systems are
// listed without their size).
#include "pickers.h"

#include <ioduel/stack.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/library.h"

static void
fill_place(struct sysroot *root, const struct mount_entry *mount, struct stack *stack, struct view_place *ret)
{
	struct error err;
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->path, sizeof(ret->path), "%.255s", mount->mount_point);
	ret->free_bytes = mount->free_bytes ? (double)mount->free_bytes : NAN;
	if (!mount->is_network && stack_resolve(root, mount->mount_point, stack, &err) == 0)
		stack_format_line(stack, ret->line, sizeof(ret->line));
	else
		snprintf(ret->line, sizeof(ret->line), "%.60s on %.180s", mount->fs_type, mount->source);
	if (!mount->writable) {
		ret->refused = 1;
		snprintf(ret->against, sizeof(ret->against), "mounted read-only");
	} else if (mount->is_memory) {
		snprintf(ret->against, sizeof(ret->against), "memory, not a disk");
	} else if (mount->is_network) {
		snprintf(ret->against, sizeof(ret->against), "a network file system: its devices are out of sight");
	}
}

static void
read_places(struct pickers *p, struct sysroot *root)
{
	struct error err;
	struct mount_entry *mounts = calloc(PICKERS_PLACES_MAX, sizeof(*mounts));
	struct stack *stack = malloc(sizeof(*stack));
	int n = mounts && stack ? stack_list_mounts(root, mounts, PICKERS_PLACES_MAX, &err) : 0;
	for (int i = 0; i < n; i++)
		fill_place(root, &mounts[i], stack, &p->place[p->n_places++]);
	free(stack);
	free(mounts);
}

static void
read_saved(struct pickers *p)
{
	char dir[4096];
	struct error err;
	struct library library = {0};
	if (library_dir(dir, sizeof(dir), &err) || library_read(dir, &library, &err))
		return;
	for (int i = 0; i < library.n && p->n_saved < PICKERS_SAVED_MAX; i++) {
		const struct library_entry *e = &library.entry[i];
		struct view_saved *to = &p->saved[p->n_saved++];
		memset(to, 0, sizeof(*to));
		snprintf(to->name, sizeof(to->name), "%.127s", e->name);
		snprintf(to->created, sizeof(to->created), "%.39s", e->created);
		snprintf(to->summary, sizeof(to->summary), "%.40s  %.50s : %.50s  %.100s", e->workload, e->target[SIDE_A],
			 e->target[SIDE_B], e->readable ? e->text : e->error);
		to->bytes = e->bytes;
	}
	library_fini(&library);
}

void
pickers_refresh(struct pickers *p, struct sysroot *root)
{
	p->n_places = p->n_saved = 0;
	read_places(p, root);
	read_saved(p);
}

void
pickers_show(const struct pickers *p, struct view *view)
{
	view->n_places = p->n_places;
	view->places = p->place;
	view->n_saved = p->n_saved;
	view->saved = p->saved;
}
