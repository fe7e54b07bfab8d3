// SPDX-License-Identifier: MIT
// From the statistic to a word and a sentence. One rule: an estimate is never
// printed without its interval, and a bound is rounded outward, never inward.
#include "session/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PAIRS_LEAST 6
#define TIMES_FROM 2.0	     // from here on "2.6 times" reads better than "160 %"
#define TIMES_BOUND_FROM 1.5 // ... if the nearer bound is not close to 1
#define DISTANT_PLAN 200     // pairs beyond which a larger difference is offered

struct text {
	char *buf;
	size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void
say(struct text *t, const char *fmt, ...)
{
	va_list ap;
	if (t->used + 1 >= t->size)
		return;
	va_start(ap, fmt);
	int n = vsnprintf(t->buf + t->used, t->size - t->used, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->used += (size_t)n < t->size - t->used ? (size_t)n : t->size - t->used - 1;
}

const char *
verdict_word_name(enum verdict_word word)
{
	static const char *const names[] = {
		[VERDICT_NONE] = "none", [VERDICT_UNDECIDED] = "undecided", [VERDICT_A] = "a",
		[VERDICT_B] = "b", [VERDICT_SMALL] = "small", [VERDICT_SAME] = "same",
	};
	return names[word];
}

void
verdict_format_number(double value, int mode, char *buf, unsigned size)
{
	if (!isfinite(value) || value < 0) {
		snprintf(buf, size, "?");
		return;
	}
	int exponent = value > 0 ? (int)floor(log10(value) + 1e-12) : 0;
	double unit = pow(10, exponent - 1), digits = value / unit;
	// A bound that is whole up to rounding noise stays what it is.
	digits = mode < 0 ? floor(digits * (1 + 1e-9)) : mode > 0 ? ceil(digits * (1 - 1e-9)) : round(digits);
	int decimals = exponent < 1 ? 1 - exponent : 0;
	char plain[64];
	snprintf(plain, sizeof(plain), "%.*f", decimals > 9 ? 9 : decimals, digits * unit);
	if (strchr(plain, '.')) {
		char *end = plain + strlen(plain) - 1;
		while (*end == '0')
			*end-- = '\0';
		if (*end == '.')
			*end = '\0';
	}
	// Thousands apart, in whole numbers only.
	struct text t = {buf, size, 0};
	size_t length = strcspn(plain, ".");
	if (size)
		buf[0] = '\0';
	for (size_t i = 0; plain[i]; i++)
		say(&t, "%s%c", i > 0 && i < length && (length - i) % 3 == 0 ? "," : "", plain[i]);
}

// Distance from 1 in percent, always positive: 1.12 gives 12, 0.88 gives 12.
static double
percent(double ratio)
{
	return 100 * fabs(ratio - 1);
}

static void
say_number(struct text *t, double value, int mode)
{
	char number[40];
	verdict_format_number(value, mode, number, sizeof(number));
	say(t, "%s", number);
}

// True where ratios are better told as "times".
static int
in_times(double lo, double hi)
{
	double near = lo > 1 ? lo : 1 / hi, far = lo > 1 ? hi : 1 / lo;
	return (lo > 1 || hi < 1) && near >= TIMES_BOUND_FROM && sqrt(near * far) >= TIMES_FROM;
}

void
verdict_format_range(double lo_ratio, double hi_ratio, char *buf, unsigned size)
{
	struct text t = {buf, size, 0};
	if (size)
		buf[0] = '\0';
	if (in_times(lo_ratio, hi_ratio)) {
		int up = lo_ratio > 1;
		say_number(&t, up ? lo_ratio : 1 / hi_ratio, -1);
		say(&t, "..");
		say_number(&t, up ? hi_ratio : 1 / lo_ratio, 1);
		say(&t, " times");
	} else if (lo_ratio <= 1 && hi_ratio >= 1) {
		say(&t, "-");
		say_number(&t, percent(lo_ratio), 1);
		say(&t, "..+");
		say_number(&t, percent(hi_ratio), 1);
		say(&t, " %%");
	} else {
		double near = lo_ratio > 1 ? lo_ratio : hi_ratio, far = lo_ratio > 1 ? hi_ratio : lo_ratio;
		say_number(&t, percent(near), -1);
		say(&t, "..");
		say_number(&t, percent(far), 1);
		say(&t, " %%");
	}
}

static void
say_range(struct text *t, double lo, double hi)
{
	char range[80];
	verdict_format_range(lo, hi, range, sizeof(range));
	say(t, "%s", range);
}

static void
say_time(struct text *t, double seconds)
{
	long s = lround(seconds);
	if (s >= 3600)
		say(t, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
	else
		say(t, "%ld:%02ld", s / 60, s % 60);
}

// What the texts need, with ratios in the direction of the words: B's speed
// over A's, or with a noun the figure itself, B's over A's.
struct case_text {
	const struct verdict_rule *rule;
	const struct pair_stats *stats;
	const struct verdict *v;
	enum figure_kind kind;
	double ratio, lo, hi;
};

static void
say_claim(struct text *t, const struct case_text *c)
{
	const char *noun = c->rule->noun;
	double times = c->ratio > 1 ? c->ratio : 1 / c->ratio;
	char winner = c->ratio > 1 ? 'B' : 'A', other = c->ratio > 1 ? 'A' : 'B';
	int by_times = in_times(c->lo, c->hi);
	if (noun)
		say(t, "%c's %s is ", by_times ? winner : 'B', noun);
	else
		say(t, "%c is ", by_times ? winner : 'B');
	say_number(t, by_times ? times : percent(c->ratio), 0);
	if (by_times && noun)
		say(t, " times %c's", other);
	else if (by_times)
		say(t, " times as fast as %c", other);
	else if (noun)
		say(t, " %% %s than A's", c->ratio > 1 ? "higher" : "lower");
	else
		say(t, " %% %s than A", c->ratio > 1 ? "faster" : "slower");
}

static void
say_claim_by_range(struct text *t, const struct case_text *c)
{
	const char *noun = c->rule->noun;
	char winner = c->ratio > 1 ? 'B' : 'A', other = c->ratio > 1 ? 'A' : 'B';
	if (in_times(c->lo, c->hi)) {
		if (noun)
			say(t, "%c's %s is ", winner, noun);
		else
			say(t, "%c is ", winner);
		say_range(t, c->lo, c->hi);
		say(t, noun ? " %c's" : " as fast as %c", other);
		return;
	}
	if (noun)
		say(t, "B's %s is %s than A's, by ", noun, c->ratio > 1 ? "higher" : "lower");
	else
		say(t, "B is %s than A, by ", c->ratio > 1 ? "faster" : "slower");
	say_range(t, c->lo, c->hi);
}

static void
say_between(struct text *t, const struct case_text *c)
{
	const char *noun = c->rule->noun;
	if (noun)
		say(t, "B's %s is between ", noun);
	else
		say(t, "B is between ");
	say_number(t, percent(c->lo), c->lo <= 1 ? 1 : -1);
	say(t, " %% %s and ", c->lo <= 1 ? (noun ? "lower" : "slower") : (noun ? "higher" : "faster"));
	say_number(t, percent(c->hi), c->hi >= 1 ? 1 : -1);
	say(t, " %% %s", c->hi >= 1 ? (noun ? "higher than A's" : "faster") : (noun ? "lower than A's" : "slower"));
}

static void
say_too_few(struct text *t, const struct case_text *c, const double *a, const double *b, int n)
{
	int more = PAIRS_LEAST - n;
	say(t, "not enough evidence yet: %d more pair%s", more, more == 1 ? "" : "s");
	if (c->rule->pair_seconds > 0) {
		say(t, " (");
		say_time(t, more * c->rule->pair_seconds);
		say(t, ")");
	}
	for (int i = 0; i < n; i++) {
		double ratio = c->kind == FIGURE_DURATION ? a[i] / b[i] : b[i] / a[i];
		say(t, i ? ", " : ". So far per pair, B against A: ");
		if (isfinite(ratio) && ratio >= 0)
			say(t, "%+.3g %%", 100 * (ratio - 1));
		else
			say(t, "?");
	}
}

static void
say_early(struct text *t, const struct case_text *c)
{
	int n = c->v->pairs, planned = c->rule->n_planned;
	char count[64];
	if (n > planned)
		snprintf(count, sizeof(count), "%d pairs, %d planned", n, planned);
	else
		snprintf(count, sizeof(count), "%d of %d pairs", n, planned);
	if (!verdict_is_claim(c->v)) {
		say(t, c->v->stopped_early ? "stopped early: undecided after %s" : "undecided after %s", count);
		if (c->v->has_interval) {
			say(t, " (");
			say_range(t, c->lo, c->hi);
			say(t, " so far, %g %% interval)", 100 * c->v->confidence);
		}
		return;
	}
	say_claim_by_range(t, c);
	say(t, " (%g %% interval, valid at any time; %s%s)", 100 * c->v->confidence,
	    c->v->stopped_early ? "stopped early after " : "", count);
	if (c->v->word == VERDICT_SMALL)
		say(t, ": real, but below the %g %% that matters here", 100 * c->rule->effect);
	else if (n < planned && !c->v->stopped_early)
		say(t, ". Space: go on to the planned end for a narrower one; x: stop here");
}

// Which difference could be seen, and with how many pairs.
static void
say_advice(struct text *t, const struct case_text *c)
{
	static const double steps[] = {0.05, 0.1, 0.2, 0.5};
	double s = c->stats->s, v = c->stats->v, d = steps[0];
	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		d = steps[i];
		if (stats_pairs_needed(s, v, d) <= DISTANT_PLAN)
			break;
	}
	if (stats_pairs_needed(s, v, d) <= c->v->pairs)
		d = c->rule->effect;
	int needed = stats_pairs_needed(s, v, d);
	if (needed <= c->v->pairs || needed > 10000)
		return;
	say(t, ". To see a %g %% difference, plan about %d pairs", 100 * d, needed);
	if (c->rule->pair_seconds > 0) {
		say(t, " (");
		say_time(t, needed * c->rule->pair_seconds);
		say(t, ")");
	}
}

// Of a duration: what the ratio of work means in time.
static void
say_time_line(struct text *t, const struct case_text *c)
{
	if (c->kind != FIGURE_DURATION || in_times(c->lo, c->hi))
		return;
	say(t, "; B needs ");
	say_number(t, percent(1 / c->ratio), 0);
	say(t, " %% %s time (", c->ratio > 1 ? "less" : "more");
	say_range(t, 1 / c->hi, 1 / c->lo);
	say(t, ")");
}

static void
say_end(struct text *t, const struct case_text *c)
{
	int n = c->v->pairs;
	switch (c->v->word) {
	case VERDICT_A:
	case VERDICT_B:
	case VERDICT_SMALL:
		say_claim(t, c);
		say(t, " (%g %% CI ", 100 * c->v->confidence);
		say_range(t, c->lo, c->hi);
		if (c->v->word == VERDICT_SMALL) {
			say(t, "): real, but below the %g %% that matters here", 100 * c->rule->effect);
		} else {
			say(t, ", %d pairs)", n);
			say_time_line(t, c);
		}
		return;
	case VERDICT_SAME:
		say(t, "no difference that matters: ");
		say_between(t, c);
		say(t, " (within +-%g %%)", 100 * c->rule->effect);
		return;
	case VERDICT_NONE:
	case VERDICT_UNDECIDED:
		break;
	}
	say(t, "not enough evidence: ");
	say_between(t, c);
	say(t, " (%d pairs)", n);
	say_advice(t, c);
}

static const char *
defect_text(enum pair_defect defect)
{
	switch (defect) {
	case PAIRS_NO_SPREAD:
		return "undecided: every pair shows exactly the same ratio, so there is no spread to judge it by";
	case PAIRS_ONE_ORDER:
		return "undecided: every pair ran in the same order, so order and difference cannot be told apart";
	case PAIRS_NOT_POSITIVE:
		return "undecided: a slice has no figure that can be compared";
	case PAIRS_OK:
	case PAIRS_TOO_FEW:
	case PAIRS_ODD:
		break;
	}
	return "undecided";
}

// The word for an interval. Rows of doc/METHOD.md, the first that matches wins.
static enum verdict_word
choose_word(const struct verdict *v, const struct verdict_rule *rule)
{
	double band = log1p(rule->effect);
	if (!v->has_interval)
		return VERDICT_UNDECIDED;
	if (verdict_is_claim(v)) {
		if (fabs(log(v->ratio)) < band)
			return VERDICT_SMALL;
		return v->ratio > 1 ? VERDICT_B : VERDICT_A;
	}
	if (!v->anytime && log(v->lo) >= -band && log(v->hi) <= band)
		return VERDICT_SAME;
	return VERDICT_UNDECIDED;
}

static void
take_interval(const struct pair_stats *s, const struct verdict_rule *rule, double sign, struct verdict *v)
{
	v->anytime = v->pairs != rule->n_planned;
	double level = v->anytime ? rule->level_any : rule->level_end;
	double factor = v->anytime ? stats_anytime_bound(v->pairs, level) : stats_t_quantile(1 - level / 2, s->nu);
	v->confidence = 1 - level;
	if (!isfinite(factor))
		return;
	double l = sign * s->l;
	v->has_interval = 1;
	v->ratio = exp(l);
	v->lo = exp(l - factor * s->se);
	v->hi = exp(l + factor * s->se);
}

static void
write_text(const struct case_text *c, const double *a, const double *b, int n, char *buf, size_t size)
{
	struct text t = {buf, size, 0};
	buf[0] = '\0';
	if (n < PAIRS_LEAST)
		say_too_few(&t, c, a, b, n);
	else if (c->stats->defect != PAIRS_OK)
		say(&t, "%s", defect_text(c->stats->defect));
	else if (c->v->anytime)
		say_early(&t, c);
	else
		say_end(&t, c);
}

void
verdict_reach(const double *a, const double *b, const signed char *order, int n, enum figure_kind kind,
	      const struct verdict_rule *rule, struct pair_stats *ret_stats, struct verdict *ret)
{
	struct verdict v = {.word = VERDICT_UNDECIDED, .ratio = NAN, .lo = NAN, .hi = NAN, .confidence = NAN};
	double sign = rule->lower_is_better && kind != FIGURE_DURATION ? -1 : 1;
	// Looks happen at even numbers: an odd last pair waits for its partner.
	int look = n > PAIRS_LEAST ? n - n % 2 : n;
	stats_pairs(a, b, order, look, kind, ret_stats);
	stats_floor_spread(ret_stats, rule->least_variance);
	v.pairs = look;
	v.stopped_early = rule->stopped && look < rule->n_planned;
	v.anytime = look != rule->n_planned;
	if (ret_stats->defect == PAIRS_OK)
		take_interval(ret_stats, rule, sign, &v);
	v.word = choose_word(&v, rule);
	int flip = rule->noun && sign < 0;
	struct case_text c = {.rule = rule, .stats = ret_stats, .v = &v, .kind = kind,
			      .ratio = flip ? 1 / v.ratio : v.ratio,
			      .lo = flip ? 1 / v.hi : v.lo, .hi = flip ? 1 / v.lo : v.hi};
	write_text(&c, a, b, look, v.text, sizeof(v.text));
	*ret = v;
}

int
verdict_is_claim(const struct verdict *v)
{
	return v->has_interval && (v->lo > 1 || v->hi < 1);
}

void
verdict_format_history(const struct verdict_past *past, int n, char *buf, unsigned size)
{
	struct text t = {buf, size, 0};
	if (size)
		buf[0] = '\0';
	if (n < 1)
		return;
	say(&t, "session %d for this pair since %.10s; earlier: ", n + 1, past[0].date);
	for (int i = 0; i < n; i++) {
		const struct verdict_past *p = &past[i];
		say(&t, "%s", i ? ", " : "");
		if ((p->word != VERDICT_A && p->word != VERDICT_B && p->word != VERDICT_SMALL) || isnan(p->lo) || isnan(p->hi)) {
			say(&t, "%s", p->word == VERDICT_NONE ? "no verdict" : p->word == VERDICT_SAME ? "same" : "undecided");
			continue;
		}
		say(&t, "B %c", p->ratio > 1 ? '+' : '-');
		say_number(&t, percent(p->ratio), 0);
		say(&t, " %% (");
		say_range(&t, p->lo, p->hi);
		say(&t, ")");
	}
}
