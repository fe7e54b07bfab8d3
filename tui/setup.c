// SPDX-License-Identifier: MIT
// Looks at the targets and fills the session's configuration. Rule: nothing is
// written anywhere before the session asks for it.
#include "setup.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <string.h>

unsigned
setup_allow(const struct options *o)
{
	return (o->overwrite_file ? (unsigned)TARGET_OVERWRITE_FILE : 0) |
	       (o->destroy_data ? (unsigned)TARGET_DESTROY_DATA : 0);
}

static int
parse_workload(const struct options *o, enum side side, const char *workload, struct param_set *ret, struct error *err)
{
	struct options with = *o;
	if (workload)
		with.workload = workload;
	if (!with.workload)
		with.workload = "randread";
	return options_workload(&with, side, ret, err);
}

static int
check_workload(const struct options *o, struct session_side *side, struct error *err)
{
	int rc = target_inspect(side->path, setup_allow(o), &side->target, err);
	return rc ? rc : workload_check(&side->params, &side->target, &side->needs, err);
}

static int
look_at_stack(struct sysroot *root, const char *path, struct session_side *side, struct error *err)
{
	int rc = stack_resolve(root, path, &side->stack, err);
	if (rc == 0)
		trap_read(root, &side->stack, &side->signals);
	return rc;
}

int
setup_side(struct sysroot *root, const struct options *o, enum side side, const char *path, const char *workload,
	   int strict, struct session_side *ret, struct error *err)
{
	const struct side_options *so = &o->side[side];
	size_t at = 0;
	int rc;

	memset(ret, 0, sizeof(*ret));
	path = path ? path : so->target;
	if (!path)
		return 0;
	if (strlen(path) >= sizeof(ret->path))
		return error_set_status(err, -ENAMETOOLONG, EXIT_USAGE, "the path of target %c is too long", side == SIDE_A ? 'A' : 'B');
	ret->present = 1;
	snprintf(ret->path, sizeof(ret->path), "%s", path);
	snprintf(ret->label, sizeof(ret->label), "%.127s", so->label ? so->label : "");
	snprintf(ret->setup, sizeof(ret->setup), "%.1023s", so->setup ? so->setup : "");
	for (int i = 0; i < so->n_set && at < sizeof(ret->overrides); i++) {
		int n = snprintf(ret->overrides + at, sizeof(ret->overrides) - at, "%s\n", so->set[i]);
		at += n > 0 ? (size_t)n : 0;
	}
	if ((rc = parse_workload(o, side, workload, &ret->params, err)))
		return rc;
	if (sysroot_is_recorded(root)) {
		snprintf(ret->refusal, sizeof(ret->refusal), "this is a recorded machine: nothing can run on it");
		return look_at_stack(root, path, ret, err);
	}
	struct error why;
	rc = check_workload(o, ret, &why);
	if (rc && (strict || rc == -ENOENT || rc == -ENOTDIR)) {
		*err = why;
		return rc;
	}
	if (rc)
		snprintf(ret->refusal, sizeof(ret->refusal), "%s", why.text);
	return look_at_stack(root, path, ret, err);
}

// A settings comparison: one place and one layout, so both sides use the same file and layout luck cancels.
static int
can_share_file(const struct session_config *c)
{
	const struct session_side *a = &c->side[SIDE_A], *b = &c->side[SIDE_B];
	const struct workload *workload = workload_find(a->params.workload);
	if (!a->present || !b->present || a->target.kind != TARGET_DIRECTORY || !workload ||
	    workload->shape != WORKLOAD_BLOCK || strcmp(a->params.workload, b->params.workload) != 0)
		return 0;
	return strcmp(a->target.path, b->target.path) == 0 &&
	       param_number(&a->params, "size", 0) == param_number(&b->params, "size", 1) &&
	       strcmp(param_text(&a->params, "compress", ""), param_text(&b->params, "compress", "")) == 0;
}

// A size that was worked out from the free space is the same on both sides: the smaller of the two.
static int
level_sizes(const struct options *o, int strict, struct session_config *c, struct error *err)
{
	struct session_side *a = &c->side[SIDE_A], *b = &c->side[SIDE_B];
	const struct param_value *size_a = param_get(&a->params, "size"), *size_b = param_get(&b->params, "size");
	char text[64], assignment[80];
	if (!a->present || !b->present || !size_a || !size_b || size_a->is_set || size_b->is_set ||
	    strcmp(a->params.workload, b->params.workload) != 0 || !(size_a->number > 0) || !(size_b->number > 0) ||
	    size_a->number == size_b->number)
		return 0;
	enum side larger = size_a->number > size_b->number ? SIDE_A : SIDE_B;
	param_format_size(larger == SIDE_A ? size_b->number : size_a->number, text, sizeof(text));
	snprintf(assignment, sizeof(assignment), "size=%s", text);
	int rc = workload_override(&c->side[larger].params, assignment, err);
	if (rc == 0 && !c->side[larger].refusal[0])
		rc = check_workload(o, &c->side[larger], err);
	return strict ? rc : 0;
}

int
setup_session(struct sysroot *root, const struct options *o, int strict, struct session_config *ret, struct error *err)
{
	time_t now = (time_t)(clock_wall_ns() / NS_PER_S);
	struct tm tm;
	int rc;

	memset(ret, 0, sizeof(*ret));
	for (int i = 0; i < SIDES; i++)
		if ((rc = setup_side(root, o, (enum side)i, NULL, NULL, strict, &ret->side[i], err)))
			return rc;
	if ((rc = level_sizes(o, strict, ret, err)))
		return rc;
	ret->plan = o->plan;
	// An order that is the same every time could keep step with something else that is.
	if (ret->plan.seed == 0)
		ret->plan.seed = (uint64_t)(clock_wall_ns() / NS_PER_US) % 999983 + 1;
	snprintf(ret->workload_text, sizeof(ret->workload_text), "%.511s", o->workload ? o->workload : "randread");
	ret->primary = METRIC_N;
	if (o->primary) {
		const struct metric_info *info = metric_find(o->primary);
		if (!info)
			return error_set_status(err, -EINVAL, EXIT_USAGE, "--primary: there is no metric '%s'", o->primary);
		ret->primary = info->id;
	}
	host_read(root, &ret->host);
	gmtime_r(&now, &tm);
	strftime(ret->created, sizeof(ret->created), "%Y-%m-%dT%H:%M:%SZ", &tm);
	ret->share_file = can_share_file(ret);
	return 0;
}
