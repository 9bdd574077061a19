/*
 * cmd_completion.c: jweave completion bash|zsh: scripts made from the tables of commands and
 * options.
 */
#include <string.h>

#include "cli/cli.h"

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
static const char bash_files[] = "\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
				 "\t\tcompopt -o filenames 2>/dev/null\n";

static void bash_values(struct cli *cli)
{
	for (size_t i = 0; i < CLI_OPT_COUNT; i++) {
		const struct cli_option *o = &cli_options[i];

		if (o->kind == CLI_FLAG)
			continue;
		cli_put(cli, "\t--%s", o->name);
		if (o->letter)
			cli_put(cli, " | -%c", o->letter);
		cli_put(cli, ")\n");
		if (o->kind == CLI_CHOICE) {
			cli_put(cli, "%s", bash_words);
			put_choices(cli, o->arg);
			cli_put(cli, "%s", bash_words_end);
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
			cli_put(cli, "%s--%s%s", between, o->name, o->kind == CLI_FLAG ? "" : "=");
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

/* Presets are asked for when they are wanted. */
static void bash_operands(struct cli *cli)
{
	cli_put(cli, "\tcase $command in\n\tcompletion)\n%sbash zsh%s\t\treturn ;;\n\thelp)\n%s",
		bash_words, bash_words_end, bash_words);
	put_commands(cli, " ");
	cli_put(cli,
		"%s\t\treturn ;;\n\tpresets)\n"
		"\t\tCOMPREPLY=($(compgen -W \"$(jweave presets 2>/dev/null)\" -- \"$cur\"))\n"
		"\t\treturn ;;\n\t*)\n%s\tesac\n\t((COMP_CWORD > 1)) && return\n"
		"\tlocal files=(\"${COMPREPLY[@]}\")\n%s",
		bash_words_end, bash_files, bash_words + 1);
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
	bool value = o->kind != CLI_FLAG;

	if (o->letter)
		cli_put(cli, "\t\t'(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter,
			value ? "+" : "", o->name, value ? "=" : "");
	else
		cli_put(cli, "\t\t'%s--%s%s[", o->kind == CLI_LIST ? "*" : "", o->name,
			value ? "=" : "");
	put_zsh_text(cli, o->help);
	cli_put(cli, "]");
	if (value)
		cli_put(cli, ":%s:", o->name);
	if (o->kind == CLI_CHOICE) {
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
		cli_put(cli, "\t\t'*:shell:(bash zsh)' ;;\n");
		return;
	case CLI_CMD_help:
		cli_put(cli, "\t\t'*:command:(");
		put_commands(cli, " ");
		break;
	case CLI_CMD_presets:
		cli_put(cli, "\t\t'*:preset:{compadd - $(jweave presets 2>/dev/null)}' ;;\n");
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
			if (cli_option_takes(&cli_options[i], (enum cli_command_id)id))
				zsh_option(cli, &cli_options[i]);
		zsh_operand(cli, (enum cli_command_id)id);
	}
	cli_put(cli, "\tesac\n}\n\n_jweave \"$@\"\n");
}

enum jw_status cli_run_completion(struct cli *cli, struct jw_err *e)
{
	const char *shell = cli->args.operands[0];

	if (strcmp(shell, "bash") == 0)
		put_bash(cli);
	else if (strcmp(shell, "zsh") == 0)
		put_zsh(cli);
	else
		return jw_fail(e, JW_USAGE, "no completion for '%s': bash or zsh", shell);
	return JW_OK;
}
