// SPDX-License-Identifier: MIT
// The form of a workload, made from its table of parameters. One rule: a value
// that the command line would refuse is refused here, at its field.
#include "screen/ui.h"

#include <stdio.h>
#include <string.h>

int
form_fields(const struct workload *workload)
{
	int n = 0;

	while (n < PARAMS_MAX && workload->params && workload->params[n].name)
		n++;
	return n;
}

// Values of the workload that runs now, "randread bs=4k qd=32", are where the form starts.
static void
take_current(struct dialog *d, const char *current)
{
	char text[160], *at = text, *word;

	snprintf(text, sizeof(text), "%s", current);
	word = strsep(&at, " ");
	if (!word || strcmp(word, d->workload->name) != 0)
		return;
	while ((word = strsep(&at, " "))) {
		char *value = strchr(word, '=');
		if (!value)
			continue;
		*value++ = '\0';
		for (int i = 0; i < form_fields(d->workload); i++)
			if (strcmp(d->workload->params[i].name, word) == 0)
				snprintf(d->value[i].text, sizeof(d->value[i].text), "%s", value);
	}
}

void
form_open(struct ui *ui, const struct view *view, const struct workload *workload)
{
	ui->dialog = (struct dialog){.kind = DIALOG_FORM, .workload = workload};
	take_current(&ui->dialog, view->workload);
}

// Adds ",key=value" with commas kept apart from the next parameter.
static void
append_value(char *text, size_t size, int first, const char *name, const char *value)
{
	size_t n = strlen(text);

	n += (size_t)snprintf(text + n, size - n, "%s%s=", first ? ":" : ",", name);
	for (; *value && n + 3 < size; value++) {
		if (*value == ',' || *value == '\\')
			text[n++] = '\\';
		text[n++] = *value;
	}
	text[n < size ? n : size - 1] = '\0';
}

static int
accept(struct dialog *d, struct command_event *ret)
{
	struct param_set *set = NULL;
	static struct param_set parsed;
	struct error err = {0};
	char text[sizeof(ret->text)];
	int first = 1;

	snprintf(text, sizeof(text), "%s", d->workload->name);
	for (int i = 0; i < form_fields(d->workload); i++) {
		struct param_value value;
		if (!d->value[i].text[0])
			continue;
		if (param_parse_value(&d->workload->params[i], d->value[i].text, &value, &err) < 0) {
			d->selected = i;
			snprintf(d->error, sizeof(d->error), "%.250s", err.text);
			return 1;
		}
		append_value(text, sizeof(text), first, d->workload->params[i].name, d->value[i].text);
		first = 0;
	}
	set = &parsed;
	if (workload_parse(text, set, &err) < 0) {
		snprintf(d->error, sizeof(d->error), "%.250s", err.text);
		return 1;
	}
	ret->command = COMMAND_SET_WORKLOAD;
	snprintf(ret->text, sizeof(ret->text), "%s", text);
	d->kind = DIALOG_NONE;
	return 1;
}

// The next of the choices "a|b|c" after the present value; with a number after it where the choice ends with ':'.
static void
next_choice(const char *choices, struct edit *e)
{
	const char *at = choices;
	size_t n = strcspn(at, "|");

	while (*at) {
		n = strcspn(at, "|");
		if (strncmp(at, e->text, n) == 0 && (e->text[n] == '\0' || at[n - 1] == ':')) {
			at += n + (at[n] == '|');
			break;
		}
		at += n + (at[n] == '|');
	}
	if (!*at)
		at = choices;
	snprintf(e->text, sizeof(e->text), "%.*s", (int)strcspn(at, "|"), at);
}

int
form_key(struct ui *ui, uint32_t key, struct command_event *ret)
{
	struct dialog *d = &ui->dialog;
	const struct param_spec *spec = &d->workload->params[d->selected];

	if (key == KEYC_ENTER)
		return accept(d, ret);
	d->error[0] = '\0';
	if (form_fields(d->workload) == 0)
		return 1;
	if ((key == KEYC_LEFT || key == KEYC_RIGHT) && spec->kind == PARAM_CHOICE && spec->choices)
		next_choice(spec->choices, &d->value[d->selected]);
	else if ((key == KEYC_LEFT || key == KEYC_RIGHT || key == ' ') && spec->kind == PARAM_BOOL)
		snprintf(d->value[d->selected].text, sizeof(d->value[0].text), "%s", d->value[d->selected].text[0] == '1' ? "0" : "1");
	else
		edit_key(&d->value[d->selected], key);
	return 1;
}
