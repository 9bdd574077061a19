/*
 * cmd_completion.c: jweave completion bash|zsh|fish: scripts made from the tables of commands and
 * options.
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/out.h"

#include "base/banned.h"

static void put_commands(struct cli *cli, const char *between)
{
	for (size_t i = 0; i < CLI_CMD_COUNT; i++)
		cli_put(cli, "%s%s", i ? between : "", cli_commands[i].name);
}

/* "a|b|c" with blanks for the bars. */
static void put_choices(struct cli *cli, const char *choices)
{
	for (; *choices; choices++)
		cli_put(cli, "%c", *choices == '|' ? ' ' : *choices);
}

/* The shells there are: the operands of the command. */
static void put_shells(struct cli *cli)
{
	put_choices(cli, cli_commands[CLI_CMD_completion].operands);
}

static bool wants_value(const struct cli_option *o)
{
	return o->kind != CLI_FLAG && !cli_value_is_optional(o->kind) && o->kind != CLI_SWITCH;
}

static bool names_file(const struct cli_option *o)
{
	return o->kind == CLI_FILE || o->kind == CLI_LIST;
}

/* ---- bash ---- */

static const char bash_begin[] =
	"# bash completion for jweave, made by 'jweave completion bash'\n"
	"_jweave()\n"
	"{\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=weave i\n"
	"\tCOMPREPLY=()\n"
	"\tif [[ $cur == = ]]; then\n"
	"\t\tcur=\n"
	"\telif [[ $prev == = ]]; then\n"
	"\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\tfi\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tcase ${COMP_WORDS[i]} in\n"
	"\t\t";
static const char bash_middle[] = ")\n"
				  "\t\t\tcommand=${COMP_WORDS[i]}\n"
				  "\t\t\tbreak ;;\n"
				  "\t\t[!-]*[./]*) break ;;\n"
				  "\t\tesac\n"
				  "\tdone\n"
				  "\tcase $prev in\n";
static const char bash_words[] = "\t\tCOMPREPLY=($(compgen -W '";
static const char bash_words_end[] = "' -- \"$cur\"))\n";
/* They are asked for when they are wanted. */
#define PRESETS "$(jweave presets -q 2>/dev/null)"
static const char bash_presets[] = "\t\tCOMPREPLY=($(compgen -W \"" PRESETS "\" -- \"$cur\"))\n";
static const char bash_files[] = "\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
				 "\t\tcompopt -o filenames 2>/dev/null\n";

static void bash_choices(struct cli *cli, const char *choices)
{
	cli_put(cli, "%s", bash_words);
	put_choices(cli, choices);
	cli_put(cli, "%s", bash_words_end);
}

static void bash_choices_of(struct cli *cli, enum cli_option_id option)
{
	cli_put(cli, "\t\tcase $command in\n");
	for (unsigned id = 0; id < CLI_CMD_COUNT; id++) {
		const struct cli_option o = cli_option_of(option, (enum cli_command_id)id);

		if (!cli_option_takes(&o, (enum cli_command_id)id))
			continue;
		cli_put(cli, "\t\t%s)\n", cli_commands[id].name);
		bash_choices(cli, o.arg);
		cli_put(cli, "\t\t;;\n");
	}
	cli_put(cli, "\t\tesac\n");
}

static void bash_values(struct cli *cli)
{
	for (size_t i = 0; i < CLI_OPT_COUNT; i++) {
		const struct cli_option *o = &cli_options[i];

		if (!wants_value(o))
			continue;
		cli_put(cli, "\t--%s", o->name);
		if (o->letter)
			cli_put(cli, " | -%c", o->letter);
		cli_put(cli, ")\n");
		if (o->kind == CLI_PRESETS) {
			cli_put(cli, "%s", bash_presets);
		} else if (o->kind == CLI_CHOICE) {
			bash_choices(cli, o->arg);
		} else if (o->kind == CLI_CHOICE_OF) {
			bash_choices_of(cli, (enum cli_option_id)i);
		} else if (names_file(o)) {
			cli_put(cli, "%s", bash_files);
		}
		cli_put(cli, "\t\treturn ;;\n");
	}
}

static void bash_options(struct cli *cli)
{
	cli_put(cli,
		"\tesac\n\tif [[ $cur == -* ]]; then\n\t\tlocal options\n\t\tcase $command in\n");
	for (unsigned id = 0; id < CLI_CMD_COUNT; id++) {
		const char *between = "";

		cli_put(cli, "\t\t%s) options='", cli_commands[id].name);
		for (size_t i = 0; i < CLI_OPT_COUNT; i++) {
			const struct cli_option *o = &cli_options[i];

			if (!cli_option_takes(o, (enum cli_command_id)id))
				continue;
			cli_put(cli, "%s--%s%s", between, o->name, wants_value(o) ? "=" : "");
			between = " ";
		}
		cli_put(cli, "' ;;\n");
	}
	cli_put(cli, "\t\tesac\n"
		     "\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
		     "\t\t[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null\n"
		     "\t\treturn 0\n"
		     "\tfi\n");
}

static void bash_operands(struct cli *cli)
{
	cli_put(cli, "\tcase $command in\n\tcompletion)\n%s", bash_words);
	put_shells(cli);
	cli_put(cli, "%s\t\treturn ;;\n\thelp)\n%s", bash_words_end, bash_words);
	put_commands(cli, " ");
	cli_put(cli,
		"%s\t\treturn ;;\n\tpresets)\n%s"
		"\t\treturn ;;\n\t*)\n%s\tesac\n\t((COMP_CWORD > 1)) && return\n"
		"\tlocal files=(\"${COMPREPLY[@]}\")\n%s",
		bash_words_end, bash_presets, bash_files, bash_words + 1);
	put_commands(cli, " ");
	cli_put(cli, "%s\tCOMPREPLY+=(\"${files[@]}\")\n}\ncomplete -F _jweave jweave\n",
		bash_words_end);
}

static void put_bash(struct cli *cli)
{
	cli_put(cli, "%s", bash_begin);
	put_commands(cli, " | ");
	cli_put(cli, "%s", bash_middle);
	bash_values(cli);
	bash_options(cli);
	bash_operands(cli);
}

/* ---- zsh ---- */

/* Text between single quotes, in which zsh's _arguments gives ':' and ']' a meaning. */
static void put_zsh_text(struct cli *cli, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			cli_put(cli, "'\\''");
		else
			cli_put(cli, strchr(":[]\\", *text) ? "\\%c" : "%c", *text);
	}
}

static void zsh_option(struct cli *cli, const struct cli_option *o)
{
	bool value = wants_value(o);
	bool many = o->kind == CLI_LIST || o->kind == CLI_PRESETS || o->kind == CLI_GATES;

	if (o->letter)
		cli_put(cli, "\t\t'(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter,
			value ? "+" : "", o->name, value ? "=" : "");
	else
		cli_put(cli, "\t\t'%s--%s%s[", many ? "*" : "", o->name,
			value                            ? "="
			: cli_value_is_optional(o->kind) ? "=-"
							 : "");
	put_zsh_text(cli, o->help);
	cli_put(cli, "]");
	if (value)
		cli_put(cli, ":%s:", o->name);
	else if (cli_value_is_optional(o->kind))
		cli_put(cli, "::%s:", o->name);
	if (o->kind == CLI_PRESETS) {
		cli_put(cli, "{compadd - " PRESETS "}");
	} else if (o->kind == CLI_CHOICE || o->kind == CLI_CHOICE_OF) {
		cli_put(cli, "(");
		put_choices(cli, o->arg);
		cli_put(cli, ")");
	} else if (names_file(o)) {
		cli_put(cli, "_files");
	}
	cli_put(cli, "' \\\n");
}

static void zsh_operand(struct cli *cli, enum cli_command_id id)
{
	switch (id) {
	case CLI_CMD_completion:
		cli_put(cli, "\t\t'*:shell:(");
		put_shells(cli);
		break;
	case CLI_CMD_help:
		cli_put(cli, "\t\t'*:command:(");
		put_commands(cli, " ");
		break;
	case CLI_CMD_presets:
		cli_put(cli, "\t\t'*:preset:{compadd - " PRESETS "}' ;;\n");
		return;
	default:
		cli_put(cli, "\t\t'1:command or file:_jweave_first' '*:file:_files' ;;\n");
		return;
	}
	cli_put(cli, ")' ;;\n");
}

static void put_zsh(struct cli *cli)
{
	cli_put(cli, "#compdef jweave\n# made by 'jweave completion zsh'\n\n_jweave_first() {\n"
		     "\tlocal -a commands\n\tcommands=(\n");
	for (size_t i = 0; i < CLI_CMD_COUNT; i++) {
		cli_put(cli, "\t\t'%s:", cli_commands[i].name);
		put_zsh_text(cli, cli_commands[i].summary);
		cli_put(cli, "'\n");
	}
	cli_put(cli, "\t)\n\t_describe -t commands command commands\n\t_files\n}\n\n_jweave() {\n"
		     "\tlocal command=weave word\n\tfor word in ${words[2,CURRENT-1]}; do\n"
		     "\t\tcase $word in\n\t\t(");
	put_commands(cli, "|");
	cli_put(cli, ")\n\t\t\tcommand=$word\n\t\t\tbreak ;;\n\t\t([^-]*[./]*) break ;;\n\t\tesac\n"
		     "\tdone\n\tcase $command in\n");
	for (unsigned id = 0; id < CLI_CMD_COUNT; id++) {
		cli_put(cli, "\t(%s)\n\t\t_arguments -s \\\n", cli_commands[id].name);
		for (size_t i = 0; i < CLI_OPT_COUNT; i++)
			if (cli_option_takes(&cli_options[i], (enum cli_command_id)id)) {
				const struct cli_option o = cli_option_of((enum cli_option_id)i,
									  (enum cli_command_id)id);

				zsh_option(cli, &o);
			}
		zsh_operand(cli, (enum cli_command_id)id);
	}
	cli_put(cli, "\tesac\n}\n\n_jweave \"$@\"\n");
}

/* ---- fish ---- */

/* A word that names a command, or a file, is the first operand: what comes after is of it. */
static const char fish_begin[] = "# fish completion for jweave, made by 'jweave completion fish'\n"
				 "function __jweave_command # the command named so far; weave by a "
				 "file, nothing by neither\n"
				 "\tset -l words (commandline -opc)\n"
				 "\tset -e words[1]\n"
				 "\tfor word in $words\n"
				 "\t\tswitch $word\n"
				 "\t\t\tcase ";
static const char fish_middle[] = "\n"
				  "\t\t\t\techo $word\n"
				  "\t\t\t\treturn\n"
				  "\t\t\tcase '-*'\n"
				  "\t\t\tcase '*.*' '*/*'\n"
				  "\t\t\t\techo weave\n"
				  "\t\t\t\treturn\n"
				  "\t\tend\n"
				  "\tend\n"
				  "end\n"
				  "function __jweave_is\n"
				  "\tset -l command (__jweave_command)\n"
				  "\tcontains -- \"$command\" $argv\n"
				  "end\n";

/* Text in single quotes. */
static void put_fish_text(struct cli *cli, const char *text)
{
	cli_put(cli, "'");
	for (; *text; text++)
		cli_put(cli, *text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
	cli_put(cli, "'");
}

/* Is the option of the command ID what it is of FIRST, too? */
static bool is_alike(enum cli_option_id option, enum cli_command_id id, enum cli_command_id first)
{
	const struct cli_option one = cli_option_of(option, first),
				other = cli_option_of(option, id);

	return cli_option_takes(&other, id) && one.help == other.help && one.arg == other.arg;
}

/* The option, as it is of the command FIRST and of those of which it is the same. */
static void fish_option(struct cli *cli, enum cli_option_id option, enum cli_command_id first)
{
	const struct cli_option of = cli_option_of(option, first), *o = &of;

	cli_put(cli, "complete -c jweave -n '__jweave_is");
	for (unsigned id = first; id < CLI_CMD_COUNT; id++)
		if (is_alike(option, (enum cli_command_id)id, first))
			cli_put(cli, " %s", cli_commands[id].name);
	if (is_alike(option, CLI_CMD_weave, first)) /* which may be left out */
		cli_put(cli, " \"\"");
	cli_put(cli, "' -l %s", o->name);
	if (o->letter)
		cli_put(cli, " -s %c", o->letter);
	if (wants_value(o))
		cli_put(cli, names_file(o) ? " -r -F" : " -x");
	if (o->kind == CLI_PRESETS)
		cli_put(cli, " -a '(jweave presets -q 2>/dev/null)'");
	if (o->kind == CLI_CHOICE || o->kind == CLI_CHOICE_OF) {
		cli_put(cli, " -a '");
		put_choices(cli, o->arg);
		cli_put(cli, "'");
	}
	cli_put(cli, " -d ");
	put_fish_text(cli, o->help);
	cli_put(cli, "\n");
}

static void fish_options(struct cli *cli, enum cli_option_id option)
{
	for (unsigned first = 0; first < CLI_CMD_COUNT; first++) {
		unsigned before = 0;

		while (before < first &&
		       !is_alike(option, (enum cli_command_id)before, (enum cli_command_id)first))
			before++;
		if (before == first &&
		    cli_option_takes(&cli_options[option], (enum cli_command_id)first))
			fish_option(cli, option, (enum cli_command_id)first);
	}
}

static void put_fish(struct cli *cli)
{
	cli_put(cli, "%s", fish_begin);
	put_commands(cli, " ");
	cli_put(cli, "%s", fish_middle);
	for (size_t i = 0; i < CLI_CMD_COUNT; i++) {
		cli_put(cli, "complete -c jweave -n '__jweave_is \"\"' -a %s -d ",
			cli_commands[i].name);
		put_fish_text(cli, cli_commands[i].summary);
		cli_put(cli, "\n");
	}
	for (size_t i = 0; i < CLI_OPT_COUNT; i++)
		fish_options(cli, (enum cli_option_id)i);
	cli_put(cli, "complete -c jweave -n '__jweave_is completion' -f -a '");
	put_shells(cli);
	cli_put(cli, "'\ncomplete -c jweave -n '__jweave_is help' -f -a '");
	put_commands(cli, " ");
	cli_put(cli, "'\ncomplete -c jweave -n '__jweave_is presets' -f -a "
		     "'(jweave presets -q 2>/dev/null)'\n");
}

/* ---- the command ---- */

static const struct shell {
	const char *name;
	void (*put)(struct cli *cli);
} shells[] = { { "bash", put_bash }, { "zsh", put_zsh }, { "fish", put_fish } };

enum jw_status cli_run_completion(struct cli *cli, struct jw_err *e)
{
	const char *wanted = cli->args.operands[0];

	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(wanted, shells[i].name) == 0) {
			shells[i].put(cli);
			return JW_OK;
		}
	}
	return jw_fail(e, JW_USAGE, "no completion for '%s': %s", wanted,
		       cli_commands[CLI_CMD_completion].operands);
}
