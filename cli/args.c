/*
 * args.c: the words of a call -> struct cli_args.
 *
 * Options and operands may be mixed. The first operand decides: with a '.' or a '/' in it, or as
 * "-", it is a file, and the call is the three-operand form; else it names a command. So new
 * commands never clash with files. Which options a command takes is checked when it is known.
 */
#include "cli/args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/nearest.h"
#include "cli/argfile.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/safe_text.h"

#include "base/banned.h"

struct parser {
	struct jw_arena *arena;
	struct cli_args *args;
	size_t count, at;
	const char *const *words;
	enum cli_option_id given[CLI_OPT_COUNT]; /* in order of first use */
	size_t given_count;
	bool file_first; /* "--" came before the first operand */
};

/* The command that is named by now, or CLI_CMD_COUNT. */
static enum cli_command_id command_so_far(const struct parser *p)
{
	return p->args->operand_count ? cli_command_find(p->args->operands[0]) : CLI_CMD_COUNT;
}

static enum jw_status unknown_option(struct parser *p, const char *word, struct jw_err *e)
{
	const char *names[CLI_OPT_COUNT + 1];
	size_t n = strcspn(word, "=");
	const char *bare = jw_arena_str(p->arena, jw_span(word, n));

	for (size_t i = 0; i < CLI_OPT_COUNT; i++) {
		names[i] = jw_arena_fmt(p->arena, "--%s", cli_options[i].name);
		if (!names[i])
			return jw_nomem(e);
	}
	if (!bare)
		return jw_nomem(e);
	const char *near = jw_nearest(bare, names, CLI_OPT_COUNT);
	if (near)
		return jw_fail(e, JW_USAGE, "unknown option '%s'; did you mean '%s'?", bare, near);
	return jw_fail(e, JW_USAGE, "unknown option '%s'%s", bare,
		       cli_see(p->arena, command_so_far(p)));
}

static enum jw_status take_number(const struct cli_option *o, const char *shown, const char *value,
				  long *out, struct jw_err *e)
{
	char *end;

	errno = 0;
	*out = strtol(value, &end, 10);
	if (end == value || *end || errno || *out < o->low || *out > o->high)
		return jw_fail(e, JW_USAGE, "option '%s' takes a number from %ld to %ld, not '%s'",
			       shown, o->low, o->high, value);
	return JW_OK;
}

static enum jw_status take_choice(const struct cli_option *o, const char *value, long *out,
				  struct jw_err *e)
{
	size_t n = strlen(value);
	long index = 0;

	for (const char *word = o->arg;; word++, index++) {
		size_t length = strcspn(word, "|");

		if (length == n && strncmp(word, value, n) == 0) {
			*out = index;
			return JW_OK;
		}
		word += length;
		if (!*word)
			return jw_fail(e, JW_USAGE, "option '--%s' takes %s, not '%s'", o->name,
				       o->arg, value);
	}
}

static enum jw_status remember(struct parser *p, enum cli_option_id id, const char *shown,
			       const char *value, struct jw_err *e)
{
	const struct cli_option *o = &cli_options[id];
	struct cli_args *args = p->args;

	if (!args->values[id])
		p->given[p->given_count++] = id;
	else if (o->kind != CLI_FLAG && o->kind != CLI_LIST && o->kind != CLI_PRESETS &&
		 o->kind != CLI_GATES)
		return jw_fail(e, JW_USAGE, "option '%s' is given twice ('%s' and '%s')%s", shown,
			       args->values[id], value,
			       id == CLI_OPT_rules ? "; 'match:LINE,LINE' takes several patterns, "
						     "and a file may include others"
						   : "");
	if (o->kind != CLI_FLAG && !cli_value_is_optional(o->kind) && !*value)
		return jw_fail(e, JW_USAGE, "option '%s' has an empty value", shown);
	args->values[id] = value;
	if (o->kind == CLI_FLAG)
		args->numbers[id]++;
	if (o->kind == CLI_LIST)
		args->maps[args->map_count++] = value;
	if (o->kind == CLI_PRESETS)
		args->presets[args->preset_count++] = value;
	if (o->kind == CLI_GATES)
		args->gates[args->gate_count++] = value;
	if (o->kind == CLI_NUMBER || (o->kind == CLI_COUNT && *value))
		return take_number(o, shown, value, &args->numbers[id], e);
	if (o->kind == CLI_CHOICE || o->kind == CLI_SWITCH)
		return take_choice(o, value, &args->numbers[id], e);
	return JW_OK;
}

static bool is_number(const char *word)
{
	return *word && strspn(word, "0123456789") == strlen(word);
}

/* An option without its value in the same word: it needs none, or the next word is it. */
static enum jw_status take(struct parser *p, enum cli_option_id id, const char *shown,
			   struct jw_err *e)
{
	const struct cli_option *o = &cli_options[id];
	bool counted = o->kind == CLI_COUNT && p->at < p->count && is_number(p->words[p->at]);

	if (o->kind == CLI_FLAG || (cli_value_is_optional(o->kind) && !counted))
		return remember(p, id, shown, "", e);
	if (o->kind == CLI_SWITCH)
		return remember(p, id, shown, "on", e);
	if (p->at == p->count)
		return jw_fail(e, JW_USAGE, "option '%s' needs a value: %s %s", shown, shown,
			       cli_option_of(id, command_so_far(p)).arg);
	return remember(p, id, shown, p->words[p->at++], e);
}

/* Names that options have had, and new ones. */
static const char *const old_names[][2] = { { "threads", "thread" } };

static enum jw_status take_long(struct parser *p, const char *given, struct jw_err *e)
{
	const char *word = given;

	for (size_t i = 0; i < sizeof(old_names) / sizeof(*old_names); i++) {
		size_t old = strlen(old_names[i][0]);

		if (strncmp(given + 2, old_names[i][0], old) != 0 || !strchr("=", given[2 + old]))
			continue;
		word = jw_arena_fmt(p->arena, "--%s%s", old_names[i][1], given + 2 + old);
		if (!word)
			return jw_nomem(e);
	}
	size_t n = strcspn(word + 2, "=");

	for (unsigned id = 0; id < CLI_OPT_COUNT; id++) {
		const struct cli_option *o = &cli_options[id];
		const char *shown;

		if (strlen(o->name) != n || strncmp(o->name, word + 2, n) != 0)
			continue;
		shown = jw_arena_fmt(p->arena, "--%s", o->name);
		if (!shown)
			return jw_nomem(e);
		if (!word[2 + n])
			return take(p, (enum cli_option_id)id, shown, e);
		if (o->kind == CLI_FLAG)
			return jw_fail(e, JW_USAGE, "option '%s' takes no value", shown);
		if (cli_value_is_optional(o->kind) && !word[3 + n])
			return jw_fail(e, JW_USAGE, "option '%s' has an empty value", shown);
		return remember(p, (enum cli_option_id)id, shown, word + 3 + n, e);
	}
	return unknown_option(p, word, e);
}

/* "-j2", "-j 2", "-qv", "-qj2". */
static enum jw_status take_short(struct parser *p, const char *word, struct jw_err *e)
{
	for (const char *c = word + 1; *c; c++) {
		char shown[3] = { '-', *c, '\0' };
		unsigned id = 0;

		while (id < CLI_OPT_COUNT && cli_options[id].letter != *c)
			id++;
		if (id ==
		    CLI_OPT_COUNT) /* the word when it can be shown no better: "-x", or "-json" */
			return unknown_option(p, c == word + 1 && c[1] ? word : shown, e);
		if (cli_options[id].kind != CLI_FLAG && c[1]) /* the rest is the value */
			return remember(p, (enum cli_option_id)id, shown,
					c + 1 + (c[1] == '=' && c[2] ? 1 : 0), e);
		JW_TRY(take(p, (enum cli_option_id)id, shown, e));
	}
	return JW_OK;
}

/* Does the command of another program begin here, without a "--"? (These have no other operands.) */
static bool begins_command(const struct cli_args *args)
{
	return args->operand_count == 1 &&
	       (strcmp(args->operands[0], "run") == 0 || strcmp(args->operands[0], "submit") == 0);
}

static void take_rest(struct parser *p)
{
	while (p->at < p->count)
		p->args->operands[p->args->operand_count++] = p->words[p->at++];
}

static enum jw_status take_words(struct parser *p, struct jw_err *e)
{
	struct cli_args *args = p->args;

	while (p->at < p->count) {
		const char *word = p->words[p->at++];

		if (strcmp(word, "--") == 0) {
			p->file_first = args->operand_count == 0;
			take_rest(p);
		} else if (word[0] == '-' && word[1] == '-') {
			JW_TRY(take_long(p, word, e));
		} else if (strcmp(word, "-cp") == 0) { /* as java spells it */
			JW_TRY(take(p, CLI_OPT_classpath, word, e));
		} else if (word[0] == '-' && word[1]) {
			JW_TRY(take_short(p, word, e));
		} else if (begins_command(args)) {
			p->at--;
			take_rest(p);
		} else {
			args->operands[args->operand_count++] = word;
		}
	}
	return JW_OK;
}

static enum jw_status unknown_command(const char *word, struct jw_err *e)
{
	const char *names[CLI_CMD_COUNT];

	if (!*word)
		return jw_fail(e, JW_USAGE, "operand 1 is empty (see 'jweave help')");
	for (size_t i = 0; i < CLI_CMD_COUNT; i++)
		names[i] = cli_commands[i].name;
	const char *near = jw_nearest(word, names, CLI_CMD_COUNT);
	if (near)
		return jw_fail(e, JW_USAGE, "unknown command '%s'; did you mean '%s'?", word, near);
	return jw_fail(e, JW_USAGE,
		       "unknown command '%s', and no file of this name (see 'jweave help')", word);
}

/* Is the first operand an input, and no command's name? */
static bool is_file(const char *first)
{
	if (strpbrk(first, "./") || strcmp(first, "-") == 0)
		return true;
	return cli_command_find(first) == CLI_CMD_COUNT && cli_exists(first);
}

static enum jw_status find_command(struct parser *p, struct jw_err *e)
{
	struct cli_args *args = p->args;
	const char *first = args->operand_count ? args->operands[0] : NULL;

	args->command = CLI_CMD_COUNT;
	if (!first && args->values[CLI_OPT_help])
		return JW_OK;
	if (!first && args->values[CLI_OPT_version]) {
		args->command = CLI_CMD_version;
		return JW_OK;
	}
	if (!first && p->given_count == 0)
		return jw_fail(e, JW_USAGE,
			       "nothing to do: usage: jweave [OPTIONS] IN RULES OUT "
			       "(see 'jweave help')");
	if (!first || p->file_first || is_file(first)) {
		args->command = CLI_CMD_weave;
		return JW_OK;
	}
	args->command = cli_command_find(first);
	if (args->command == CLI_CMD_COUNT)
		return unknown_command(first, e);
	args->operands++;
	args->operand_count--;
	return JW_OK;
}

/* The operand that looks like the rules that a command takes by -r; NULL: none. */
static const char *rules_operand(const struct cli_args *args)
{
	if (!cli_option_takes(&cli_options[CLI_OPT_rules], args->command) ||
	    args->values[CLI_OPT_rules])
		return NULL;
	for (size_t i = 0; i < args->operand_count; i++)
		if (cli_ends(args->operands[i], ".json"))
			return args->operands[i];
	return NULL;
}

/* Choices among words of the command, which is known by now. */
static enum jw_status take_choices_of(struct parser *p, struct jw_err *e)
{
	struct cli_args *args = p->args;

	for (size_t i = 0; i < p->given_count; i++) {
		enum cli_option_id id = p->given[i];
		const struct cli_option o = cli_option_of(id, args->command);

		if (o.kind == CLI_CHOICE_OF)
			JW_TRY(take_choice(&o, args->values[id], &args->numbers[id], e));
	}
	return JW_OK;
}

static enum jw_status check_fit(struct parser *p, struct jw_err *e)
{
	struct cli_args *args = p->args;
	const struct cli_command *command = &cli_commands[args->command];

	for (size_t i = 0; i < p->given_count; i++)
		if (!cli_option_takes(&cli_options[p->given[i]], args->command))
			return jw_fail(e, JW_USAGE, "'jweave %s' takes no option '--%s'%s",
				       command->name, cli_options[p->given[i]].name,
				       cli_see(p->arena, args->command));
	JW_TRY(take_choices_of(p, e));
	if (args->values[CLI_OPT_help] || args->values[CLI_OPT_version])
		return JW_OK;
	if (args->operand_count < command->least)
		return jw_fail(e, JW_USAGE, "too few operands: jweave %s %s%s", command->name,
			       command->operands, cli_see(p->arena, args->command));
	if (args->operand_count > command->most && rules_operand(args))
		return jw_fail(e, JW_USAGE,
			       "too many operands: the rules are named by -r: jweave %s -r %s%s",
			       command->name, rules_operand(args),
			       cli_see(p->arena, args->command));
	if (args->operand_count > command->most)
		return jw_fail(e, JW_USAGE, "too many operands ('%s'): jweave %s%s%s%s",
			       args->operands[command->most], command->name,
			       *command->operands ? " " : "", command->operands,
			       cli_see(p->arena, args->command));
	if (args->command == CLI_CMD_run ||
	    args->command == CLI_CMD_submit) /* another program's words */
		return JW_OK;
	for (size_t i = 0; i < args->operand_count; i++) {
		JW_ASSERT(args->operands[i]);
		if (!*args->operands[i])
			return jw_fail(e, JW_USAGE, "operand %zu is empty%s", i + 1,
				       cli_see(p->arena, args->command));
	}
	return JW_OK;
}

enum jw_status cli_parse(size_t count, const char *const *words, struct jw_arena *arena,
			 struct cli_args *out, struct jw_err *e)
{
	struct parser p = { .arena = arena, .args = out };

	*out = (struct cli_args){ .command = CLI_CMD_COUNT };
	JW_TRY(cli_expand(count, words, arena, &p.count, &p.words, e));
	out->operands = JW_NEW_ARRAY(arena, const char *, p.count + 1);
	out->maps = JW_NEW_ARRAY(arena, const char *, p.count + 1);
	out->presets = JW_NEW_ARRAY(arena, const char *, p.count + 1);
	out->gates = JW_NEW_ARRAY(arena, const char *, p.count + 1);
	if (!out->operands || !out->maps || !out->presets || !out->gates)
		return jw_nomem(e);
	JW_TRY(take_words(&p, e));
	JW_TRY(find_command(&p, e));
	return out->command == CLI_CMD_COUNT ? JW_OK : check_fit(&p, e);
}
