/*
 * t_args.c: words -> struct cli_args: forms of options, which operand decides, @FILE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "tests/tap.h"
#include "weaver/archive/archive.h"

#include "base/banned.h"

#define MAX_WORDS 16

static struct jw_arena arena;
static struct cli_args args;
static struct jw_err error;

/* Parses the words of LINE, which are separated by single blanks. */
static enum jw_status parse(const char *line)
{
	static char text[512];
	const char *words[MAX_WORDS];
	size_t count = 0;

	jw_arena_free(&arena);
	error = (struct jw_err){ 0 };
	snprintf(text, sizeof(text), "%s", line);
	for (char *at = text; at && *at && count < MAX_WORDS;) {
		words[count++] = at;
		at = strchr(at, ' ');
		if (at)
			*at++ = '\0';
	}
	return cli_parse(count, words, &arena, &args, &error);
}

TEST(three_operands_weave)
{
	is_int(parse("app.jar rules.json out.jar"), JW_OK);
	is_int(args.command, CLI_CMD_weave);
	is_int(args.operand_count, 3);
	is_str(args.operands[0], "app.jar");
	is_str(args.operands[2], "out.jar");
	ok(args.operands[3] == NULL);
}

TEST(first_operand_decides)
{
	is_int(parse("list ./list"), JW_OK);
	is_int(args.command, CLI_CMD_list);
	is_str(args.operands[0], "./list");
	is_int(parse("./list a b"), JW_OK);
	is_int(args.command, CLI_CMD_weave);
	is_int(parse("- rules out"), JW_OK);
	is_int(args.command, CLI_CMD_weave);
	is_int(parse("weave list rules out"), JW_OK);
	is_int(args.command, CLI_CMD_weave);
	is_str(args.operands[0], "list");
	is_int(parse("-- list rules out"), JW_OK);
	is_int(args.command, CLI_CMD_weave);
	is_int(args.operand_count, 3);
}

TEST(options_and_operands_mix)
{
	is_int(parse("-q list --json x.jar -r rules.json"), JW_OK);
	is_int(args.command, CLI_CMD_list);
	is_int(args.operand_count, 1);
	is_str(args.values[CLI_OPT_rules], "rules.json");
	ok(args.values[CLI_OPT_json] != NULL);
	ok(args.values[CLI_OPT_quiet] != NULL);
	ok(args.values[CLI_OPT_verbose] == NULL);
}

TEST(words_of_a_choice_are_those_of_the_command)
{
	is_int(parse("report --by=calls x"), JW_OK);
	is_int(args.numbers[CLI_OPT_by], 3);
	is_int(parse("--by=calls export collapsed x"), JW_OK);
	is_int(args.numbers[CLI_OPT_by], 2);
	is_int(parse("report --by=cpu x"), JW_USAGE);
	is_int(parse("diff --by=cpu a b"), JW_OK);
	is_int(parse("diff --by"), JW_USAGE);
	is_str(error.text, "option '--by' needs a value: --by "
			   "self|total|cpu|calls|exceptions|mean|longest|p50|p90|p99|p99.9");
	is_int(parse("--by=foo --help"), JW_OK); /* of no command */
}

TEST(values_in_all_forms)
{
	static const char *const forms[] = {
		"-j2 a.b r o",      "-j 2 a.b r o",     "-j=2 a.b r o",
		"--jobs=2 a.b r o", "--jobs 2 a.b r o", "a.b -nj2 r o"
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		is_int(parse(forms[i]), JW_OK);
		is_int(args.numbers[CLI_OPT_jobs], 2);
		is_int(args.operand_count, 3);
	}
}

TEST(flags_cluster_and_count)
{
	is_int(parse("-qvv -n a.b r"), JW_OK);
	is_int(args.numbers[CLI_OPT_verbose], 2);
	is_int(args.numbers[CLI_OPT_quiet], 1);
	is_int(args.numbers[CLI_OPT_dry_run], 1);
}

/* Whose command begins with the first word that is none of its options, or after --. */
TEST(command_of_another_program)
{
	is_int(parse("run -o x -r r.json java -jar a.jar -o y --keep"), JW_OK);
	is_str(args.values[CLI_OPT_output], "x");
	is_int(args.operand_count, 6);
	is_str(args.operands[0], "java");
	is_str(args.operands[5], "--keep");
	ok(args.values[CLI_OPT_keep] == NULL);
	is_int(parse("run --keep -- -odd --keep"), JW_OK);
	is_int(args.operand_count, 2);
	is_str(args.operands[0], "-odd");
}

TEST(presets_and_a_switch)
{
	is_int(parse("run --preset=io --preset rmi --keep -- java X"), JW_OK);
	is_int(args.preset_count, 2);
	is_str(args.presets[0], "io");
	is_str(args.presets[1], "rmi");
	ok(args.presets[2] == NULL);
	is_int(args.map_count, 0);
	is_str(args.values[CLI_OPT_keep], "on");
	is_int(args.operand_count, 2);
	is_int(parse("run --keep=auto -- java X"), JW_OK);
	is_str(args.values[CLI_OPT_keep], "auto");
	is_int(parse("run --keep=never -- java X"), JW_USAGE);
	is_str(error.text, "option '--keep' takes auto|on|off, not 'never'");
	is_int(parse("run --keep --keep=off -- java X"), JW_USAGE);
	is_int(parse("list --preset=io a.jar"), JW_USAGE);
	is_str(error.text, "'jweave list' takes no option '--preset' (see 'jweave help list')");
}

TEST(numbers_have_limits)
{
	is_int(parse("-j1 a.b r o"), JW_OK);
	is_int(parse("-j1024 a.b r o"), JW_OK);
	is_int(parse("-j0 a.b r o"), JW_USAGE);
	is_int(parse("-j1025 a.b r o"), JW_USAGE);
	is_int(parse("-j2x a.b r o"), JW_USAGE);
	is_int(parse("-j99999999999999999999 a.b r o"), JW_USAGE);
	is_str(error.text, "option '-j' takes a number from 1 to 1024, not '99999999999999999999'");
	is_int(parse("--compress=12 a.b r o"), JW_OK);
	is_int(parse("--compress=13 a.b r o"), JW_USAGE);
}

TEST(choices_are_whole_words)
{
	is_int(parse("--runtime=embed a.b r o"), JW_OK);
	is_int(args.numbers[CLI_OPT_runtime], WEAVE_RUNTIME_EMBED);
	is_int(parse("--runtime=classpath a.b r o"), JW_OK);
	is_int(args.numbers[CLI_OPT_runtime], WEAVE_RUNTIME_CLASSPATH);
	is_int(parse("--runtime=none a.b r o"), JW_OK);
	is_int(args.numbers[CLI_OPT_runtime], WEAVE_RUNTIME_NONE);
	is_int(parse("--runtime=non a.b r o"), JW_USAGE);
	is_int(parse("--runtime=nonee a.b r o"), JW_USAGE);
	is_int(parse("--signed=fail a.b r o"), JW_OK);
	is_int(args.numbers[CLI_OPT_signed], WEAVE_SIGNED_FAIL);
	is_int(parse("--on-woven=skip a.b r o"), JW_OK);
	is_int(args.numbers[CLI_OPT_on_woven], WEAVE_WOVEN_SKIP);
}

TEST(lists_gather_others_refuse_twice)
{
	is_int(parse("prv x.jwr --map a --map=b"), JW_OK);
	is_int(args.map_count, 2);
	is_str(args.maps[0], "a");
	is_str(args.maps[1], "b");
	is_int(parse("list x.jar -r a -r b"), JW_USAGE);
	is_str(error.text,
	       "option '-r' is given twice ('a' and 'b'); 'match:LINE,LINE' takes several "
	       "patterns, and a file may include others");
	is_int(parse("prv x.jwr -o a -o b"), JW_USAGE);
	is_str(error.text, "option '-o' is given twice ('a' and 'b')");
}

TEST(options_belong_to_commands)
{
	is_int(parse("list x.jar --jobs 2"), JW_USAGE);
	is_str(error.text, "'jweave list' takes no option '--jobs' (see 'jweave help list')");
	is_int(parse("prv x.jwr --force"), JW_OK);
	is_int(parse("a.jar r o --force"), JW_USAGE);
}

TEST(nearest_names)
{
	is_int(parse("--verbse version"), JW_USAGE);
	is_str(error.text, "unknown option '--verbse'; did you mean '--verbose'?");
	is_int(parse("--dryrun a.b r"), JW_USAGE);
	is_str(error.text, "unknown option '--dryrun'; did you mean '--dry-run'?");
	is_int(parse("chekc x"), JW_USAGE);
	is_str(error.text, "unknown command 'chekc'; did you mean 'check'?");
}

TEST(double_dash_ends_options)
{
	is_int(parse("list -- --json"), JW_OK);
	is_int(args.operand_count, 1);
	is_str(args.operands[0], "--json");
	ok(args.values[CLI_OPT_json] == NULL);
}

TEST(help_and_version_need_no_operands)
{
	is_int(parse("explain -h"), JW_OK);
	is_int(args.command, CLI_CMD_explain);
	is_int(parse("-h"), JW_OK);
	is_int(args.command, CLI_CMD_COUNT);
	is_int(parse("-V"), JW_OK);
	is_int(args.command, CLI_CMD_version);
	is_int(parse(""), JW_USAGE);
}

TEST(every_option_has_a_command_and_a_help)
{
	for (size_t i = 0; i < CLI_OPT_COUNT; i++) {
		const struct cli_option *o = &cli_options[i];

		ok(o->commands != 0 && o->help[0]);
		ok((o->kind == CLI_FLAG) == (o->arg == NULL));
		ok(o->kind != CLI_NUMBER || o->low < o->high);
		for (size_t j = 0; j < i; j++) {
			ok(strcmp(o->name, cli_options[j].name) != 0);
			ok(!o->letter || o->letter != cli_options[j].letter);
		}
	}
}

/* ---- @FILE ---- */

static char path[] = "/tmp/jweave-args-XXXXXX";

static enum jw_status parse_file(const char *text)
{
	char line[64];
	FILE *f = fopen(path, "w");

	if (!f)
		return JW_IO;
	fputs(text, f);
	fclose(f);
	snprintf(line, sizeof(line), "list @%s", path);
	return parse(line);
}

TEST(argument_files)
{
	int fd = mkstemp(path);

	ok(fd >= 0);
	close(fd);
	is_int(parse_file("-r 'my rules.json' # a comment\n\"a \\\"b\\\".jar\""), JW_OK);
	is_int(args.command, CLI_CMD_list);
	is_str(args.values[CLI_OPT_rules], "my rules.json");
	is_str(args.operands[0], "a \"b\".jar");
	is_int(parse_file("a'b c'd.jar"), JW_OK);
	is_str(args.operands[0], "ab cd.jar");
	is_int(parse_file("-- @x.jar"), JW_OK);
	is_str(args.operands[0], "@x.jar");
	is_int(parse_file("@nowhere"), JW_OK); /* files do not nest */
	is_str(args.operands[0], "@nowhere");
	is_int(parse_file("''"), JW_USAGE); /* an empty operand */
	is_int(parse_file("'x"), JW_USAGE);
	/* a backslash counts in "..." alone */
	is_int(parse_file("'a\\\\'b\\c\"d\\n\\\"\""), JW_OK);
	is_str(args.operands[0], "a\\\\b\\cdn\"");
	is_int(parse_file("# nothing\n"), JW_USAGE);
	unlink(path);
	is_int(parse("list @@x.jar"), JW_OK);
	is_str(args.operands[0], "@x.jar");
	is_int(parse("list -- @x.jar"), JW_OK);
	is_str(args.operands[0], "@x.jar");
	is_int(parse("list @/nowhere/at-all"), JW_INPUT);
}

TEST(no_memory_is_an_error)
{
	bool failed = true;

	for (long n = 0; failed && n < 200; n++) {
		jw_mem_fail_after(n);
		enum jw_status status = parse("list -r rules.json --nested=none x.jar");
		failed = jw_mem_fail_after(-1);
		ok(failed ? status == JW_NOMEM : status == JW_OK);
	}
	ok(!failed);
	jw_arena_free(&arena);
}
