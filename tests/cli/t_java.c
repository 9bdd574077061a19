/*
 * The command line of java, as `jweave run` reads and rewrites it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/java.h"
#include "cli/java_launcher.h"
#include "cli/words.h"
#include "tests/tap.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct cli_java java;
static struct jw_err error;

/* LINE cut at blanks; "_" is an empty word. */
static enum jw_status parse(const char *line)
{
	static char text[1024];
	static const char *words[64];
	size_t count = 0;

	error = (struct jw_err){ 0 };
	snprintf(text, sizeof(text), "%s", line);
	for (char *save = NULL, *word = strtok_r(text, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		words[count++] = strcmp(word, "_") == 0 ? "" : word;
	return cli_java_parse(count, words, &arena, &java, &error);
}

static const char *rewritten(const char *cp, const char *mp, const char *jar, const char *extra)
{
	static char text[1024];
	const char *const all[] = { extra, NULL };
	const char **words = cli_java_rewrite(&java, cp, mp, jar, all, &arena);
	size_t n = 0;

	text[0] = '\0';
	for (; words && *words && n < sizeof(text); words++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n ? " " : "", *words);
	return text;
}

static void clear_environment(void)
{
	unsetenv("CLASSPATH");
	unsetenv("JDK_JAVA_OPTIONS");
}

TEST(class_path)
{
	clear_environment();
	is_int(parse("java -cp a:b -Dx=y Main -cp c"), JW_OK);
	is_int(java.mode, CLI_JAVA_CLASS);
	is_str(java.words[java.main], "Main");
	is_str(java.class_path_text, "a:b");
	is_str(rewritten("N", NULL, NULL, NULL), "java -cp N -Dx=y Main -cp c");
	is_int(parse("java -classpath a --class-path=b Main"), JW_OK);
	is_str(java.class_path_text, "b");
	is_str(rewritten("N", NULL, NULL, "-E"), "java -E -classpath a --class-path=N Main");
	is_int(parse("java Main"), JW_OK);
	ok(!java.class_path_text);
	is_str(rewritten("N", NULL, NULL, NULL), "java -cp N Main");
	is_str(rewritten(NULL, NULL, NULL, NULL), "java Main");
}

TEST(jar)
{
	clear_environment();
	is_int(parse("java -jar -Xmx1g --add-opens a/b=c app.jar -jar x"), JW_OK);
	is_int(java.mode, CLI_JAVA_JAR);
	is_str(java.words[java.main], "app.jar");
	is_str(rewritten(NULL, NULL, "N", NULL), "java -jar -Xmx1g --add-opens a/b=c N -jar x");
}

TEST(modules)
{
	clear_environment();
	is_int(parse("java -p mods -cp lib -m m/p.Main -p x"), JW_OK);
	is_int(java.mode, CLI_JAVA_MODULE);
	is_str(java.words[java.main] + java.main_skip, "m/p.Main");
	is_str(java.module_path_text, "mods");
	is_str(java.class_path_text, "lib");
	is_str(rewritten("C", "M", NULL, NULL), "java -p M -cp C -m m/p.Main -p x");
	is_int(parse("java --module-path=a --module=m x"), JW_OK);
	is_str(java.words[java.main] + java.main_skip, "m");
	is_str(rewritten(NULL, "M", NULL, NULL), "java --module-path=M --module=m x");
}

/* The launcher after other words, which stay. */
TEST(behind_others)
{
	clear_environment();
	is_int(parse("env A=b nice -n 5 /opt/jdk/bin/java -cp a Main -cp c"), JW_OK);
	is_int(java.mode, CLI_JAVA_CLASS);
	is_str(java.class_path_text, "a");
	is_str(rewritten("N", NULL, NULL, "-E"),
	       "env A=b nice -n 5 /opt/jdk/bin/java -E -cp N Main -cp c");
	is_int(parse("taskset -c 0 java17 -jar a.jar java -jar"), JW_OK);
	is_str(rewritten(NULL, NULL, "N", NULL), "taskset -c 0 java17 -jar N java -jar");
	is_int(parse("env CLASSPATH=x CLASSPATH=y java Main"), JW_OK);
	is_str(java.class_path_text, "y");
	is_str(rewritten("N", NULL, NULL, NULL), "env CLASSPATH=x CLASSPATH=y java -cp N Main");
	is_int(parse("env JDK_JAVA_OPTIONS=-cp=z java Main"), JW_OK);
	is_str(rewritten(NULL, NULL, NULL, NULL), "env JDK_JAVA_OPTIONS=-cp=z java Main");
	/* a launcher by another name */
	is_int(parse("./mine -cp a Main java"), JW_OK);
	is_str(rewritten("N", NULL, NULL, NULL), "./mine -cp N Main java");
}

TEST(no_launcher)
{
	static const char *const lines[] = { "./start.sh", "sh -c x", "javac -d x A.java",
					     "env FOO=1 python3 -m java.py -p 8" };

	clear_environment();
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		is_int(parse(lines[i]), JW_OK);
		ok(java.none);
		is_int(java.mode, CLI_JAVA_OTHER);
		is_str(rewritten(NULL, NULL, NULL, NULL), lines[i]);
	}
	ok(!(parse("java") == JW_OK && java.none));
}

/* LINE where it has a launcher. */
static const char *taken(const char *line)
{
	return parse(line) != JW_OK ? error.text : java.none ? "none" : line;
}

/* Words of scripts and tools that look like the launcher; none of the files but "." and /bin/sh is there. */
static const char *const scripts[] = { "SCRIPT --lang java",
				       "SCRIPT -jar foo.jar",
				       "SCRIPT -cp a Main",
				       "SCRIPT java -cp a Main",
				       "env X=1 SCRIPT --lang java -cp a Main",
				       "env -i SCRIPT -jar a.jar",
				       "/bin/sh SCRIPT java -cp a Main" };
static const char *const none[] = { "mvn-that-is-nowhere -f java test",
				    "./tool java @nowhere",
				    "./tool java -jar nowhere.jar",
				    "./tool java NoClass.java",
				    "./tool java -version",
				    "javap -cp a Main",
				    "env ./mine -cp a Main",
				    "docker run image java -cp a Main",
				    "env -C / java -jar a.jar",
				    "env -iC / java -jar a.jar",
				    "env --chdir=/ java -jar a.jar",
				    "env X=1 --chd / java -jar a.jar",
				    "nice -n 5 env -C/ java -cp a Main",
				    "env -S -iv java -cp a Main",
				    "env -i unshare --wd=/ java -cp a Main",
				    "sudo -D / java -cp a Main",
				    "sudo -i java -cp a Main",
				    "systemd-run --working-directory=/ java -cp a Main",
				    "chroot / java -cp a Main",
				    "env -i chroot / java -cp a Main",
				    "nice -n 5 bwrap --bind / / java -cp a Main",
				    "unshare -rR / java -cp a Main",
				    "nsenter -t 1 -m java -cp a Main" };
static const char *const some[] = { "strace -f java -jar nowhere.jar",
				    "sudo -u sh java -version",
				    "timeout 10 java Main",
				    "strace -o /etc/passwd java -jar a.jar",
				    "sudo -u docker java -version",
				    "sudo -udocker java -version",
				    "sudo --user docker java -version",
				    "env -uCLASSPATH java -version",
				    "env -u CLASSPATH java -version",
				    "unshare -r java -version",
				    "./tool docker java -m m/Main",
				    "./tool java -m m/Main",
				    "./tool --x java17 -cp a Main",
				    "./tool java -jar /bin/sh" };

TEST(java_as_an_argument)
{
	char name[] = "/tmp/jweave-java-XXXXXX", line[128];
	int fd = mkstemp(name);

	clear_environment();
	ok(fd >= 0 && write(fd, "#!/bin/sh\n", 10) == 10);
	close(fd);
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		const char *at = strstr(scripts[i], "SCRIPT");

		snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - scripts[i]), scripts[i], name,
			 at + strlen("SCRIPT"));
		is_str(taken(line), "none");
	}
	unlink(name);
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		is_str(taken(none[i]), "none");
	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		is_str(taken(some[i]), some[i]);
}

TEST(away)
{
	static const char *const here[] = { "nice", "-n", "5", "/bin/cat", "docker", "java" };
	static const char *const away[] = { "nice", "-n", "5", "docker", "run", "image" };

	ok(!cli_java_is_away(4, here, &arena) && !cli_java_is_away(0, here, &arena));
	ok(cli_java_is_away(6, away, &arena) && !cli_java_is_away(3, away, &arena));
}

/* A command that is not known starts java where the class is on the class path. */
TEST(behind_the_unknown)
{
	char folder[] = "/tmp/jweave-java-XXXXXX", file[128], line[128];

	clear_environment();
	ok(mkdtemp(folder) != NULL);
	snprintf(file, sizeof(file), "%s/a", folder);
	ok(mkdir(file, 0700) == 0);
	snprintf(file, sizeof(file), "%s/a/Main.class", folder);
	int fd = open(file, O_CREAT | O_WRONLY, 0600);
	ok(fd >= 0);
	close(fd);
	snprintf(line, sizeof(line), "nowhere:%s", folder);
	setenv("CLASSPATH", line, 1);
	ok(parse("./tool java a.Main") == JW_OK && !java.none);
	ok(parse("./tool java b.Main") == JW_OK && java.none);
	setenv("CLASSPATH", "lib/*", 1); /* who knows */
	ok(parse("./tool java b.Main") == JW_OK && !java.none);
	clear_environment();
	unlink(file);
	*strrchr(file, '/') = '\0';
	ok(rmdir(file) == 0 && rmdir(folder) == 0);
}

TEST(no_program)
{
	static const char *const lines[] = {
		"java",        "java -version",     "java --list-modules -p x Main",
		"java A.java", "java -cp",          "java -m",
		"java -jar",   "java --source 17 A"
	};

	clear_environment();
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		is_int(parse(lines[i]), JW_OK);
		is_int(java.mode, CLI_JAVA_OTHER);
	}
}

TEST(environment)
{
	clear_environment();
	setenv("CLASSPATH", "env", 1);
	is_int(parse("java Main"), JW_OK);
	is_str(java.class_path_text, "env");
	is_int(parse("java -jar a.jar"), JW_OK);
	ok(!java.class_path_text);
	setenv("JDK_JAVA_OPTIONS", "-Da='b c' -cp \"x y\" -p mods -Djweave.output=o", 1);
	is_int(parse("java Main"), JW_OK);
	is_str(java.class_path_text, "x y");
	is_str(java.module_path_text, "mods");
	is_str(java.texts[CLI_JAVA_OUTPUT], "o");
	is_int(parse("java -cp z -Djweave.output=p Main"), JW_OK);
	is_str(java.class_path_text, "z");
	is_str(java.texts[CLI_JAVA_OUTPUT], "p");
	clear_environment();
}

/* The launcher makes this property of a class path; where both are given, the last one counts. */
TEST(class_path_as_a_property)
{
	clear_environment();
	setenv("CLASSPATH", "env", 1);
	is_int(parse("java -Djava.class.path=a:b Main"), JW_OK);
	is_str(java.class_path_text, "a:b");
	is_str(rewritten("N", NULL, NULL, NULL), "java -Djava.class.path=N Main");
	is_int(parse("java -cp a -Djava.class.path=b Main"), JW_OK);
	is_str(java.class_path_text, "b");
	is_str(rewritten("N", NULL, NULL, NULL), "java -cp a -Djava.class.path=N Main");
	is_int(parse("java -Djava.class.path=a -cp b Main"), JW_OK);
	is_str(java.class_path_text, "b");
	is_str(rewritten("N", NULL, NULL, NULL), "java -Djava.class.path=a -cp N Main");
	setenv("JDK_JAVA_OPTIONS", "-Djava.class.path=c", 1);
	is_int(parse("java Main"), JW_OK);
	is_str(java.class_path_text, "c");
	is_str(rewritten("N", NULL, NULL, NULL), "java -cp N Main");
	clear_environment();
}

TEST(argument_files_of_the_environment)
{
	char name[] = "/tmp/jweave-java-XXXXXX", line[128];
	int fd = mkstemp(name);
	static const char text[] = "-cp \"x y\" -Djweave.job=j @nowhere\n";

	clear_environment();
	ok(fd >= 0 && write(fd, text, sizeof(text) - 1) == (ssize_t)sizeof(text) - 1);
	close(fd);
	snprintf(line, sizeof(line), "-p mods @%s", name);
	setenv("JDK_JAVA_OPTIONS", line, 1);
	is_int(parse("java Main"), JW_OK);
	is_str(java.class_path_text, "x y");
	is_str(java.module_path_text, "mods");
	is_str(java.texts[CLI_JAVA_JOB], "j");
	unlink(name);
	is_int(parse("java Main"), JW_OK); /* the launcher says so */
	ok(!java.class_path_text && !java.module_path_text);
	setenv("JDK_JAVA_OPTIONS", "-cp @@a", 1);
	is_int(parse("java Main"), JW_OK);
	is_str(java.class_path_text, "@a");
	clear_environment();
}

/* What the JVM keeps of classes between runs, of every place that options are read from. */
TEST(options_that_are_asked_for)
{
	clear_environment();
	is_int(parse("java -XX:SharedArchiveFile=a -XX:AOTCache=c -XX:SharedArchiveFile=b Main "
		     "-XX:ArchiveClassesAtExit=x"),
	       JW_OK);
	is_str(java.texts[CLI_JAVA_ARCHIVE], "b");
	is_str(java.texts[CLI_JAVA_AOT_CACHE], "c");
	ok(!java.texts[CLI_JAVA_ARCHIVE_WRITTEN]);
	is_int(parse("env JAVA_TOOL_OPTIONS=-XX:SharedArchiveFile=t java Main"), JW_OK);
	is_str(java.texts[CLI_JAVA_ARCHIVE], "t");
	setenv("JDK_JAVA_OPTIONS", "-Xmx1g -XX:SharedArchiveFile=j", 1);
	is_int(parse("env JAVA_TOOL_OPTIONS=-XX:SharedArchiveFile=t java Main"), JW_OK);
	is_str(java.texts[CLI_JAVA_ARCHIVE], "j");
	is_int(parse("java -XX:SharedArchiveFile= Main"), JW_OK);
	is_str(java.texts[CLI_JAVA_ARCHIVE], "");
	clear_environment();
}

TEST(options_that_are_left_out)
{
	clear_environment();
	is_int(parse("java -XX:SharedArchiveFile=a -cp b -XX:SharedArchiveFile=c -p m Main "
		     "-XX:SharedArchiveFile=d"),
	       JW_OK);
	cli_java_leave_out(&java, CLI_JAVA_ARCHIVE);
	is_str(rewritten(NULL, NULL, NULL, NULL), "java -cp b -p m Main -XX:SharedArchiveFile=d");
	is_str(rewritten("N", "M", NULL, NULL), "java -cp N -p M Main -XX:SharedArchiveFile=d");
	is_int(parse("java -cp -XX:SharedArchiveFile=a -jar b.jar"), JW_OK); /* (a class path) */
	cli_java_leave_out(&java, CLI_JAVA_ARCHIVE);
	is_str(rewritten(NULL, NULL, "N", NULL), "java -cp -XX:SharedArchiveFile=a -jar N");
}

TEST(what_may_run_before_main)
{
	static const char *const early[] = {
		"java -javaagent:a.jar -jar b.jar",
		"java -agentpath:/l.so=x -jar b.jar",
		"java -Djava.system.class.loader=L -jar b.jar",
		"env JAVA_TOOL_OPTIONS=-javaagent:a.jar java -jar b.jar",
		"env JDK_JAVA_OPTIONS=@more java -jar b.jar",
		"env _JAVA_OPTIONS=-Xbootclasspath/a:c java -jar b.jar",
	};
	static const char *const late[] = {
		"java -jar b.jar",
		"java -jar b.jar -javaagent:a.jar",
		"java -cp -javaagent:a Main",
		"env JAVA_TOOL_OPTIONS=-Xmx1g java -jar b.jar",
	};

	clear_environment();
	for (size_t i = 0; i < sizeof(early) / sizeof(*early); i++) {
		is_int(parse(early[i]), JW_OK);
		ok(java.early);
	}
	for (size_t i = 0; i < sizeof(late) / sizeof(*late); i++) {
		is_int(parse(late[i]), JW_OK);
		ok(!java.early);
	}
}

TEST(argument_files)
{
	char name[] = "/tmp/jweave-java-XXXXXX", line[128];
	int fd = mkstemp(name);
	static const char text[] =
		"# a comment\n-cp \"a\\\\b:c \\\n   d\"\n'-Dq=\"'\n-Dn=\"x\\ty\"\nMain @z\n";

	clear_environment();
	ok(fd >= 0 && write(fd, text, sizeof(text) - 1) == (ssize_t)sizeof(text) - 1);
	close(fd);
	snprintf(line, sizeof(line), "java -Dx @%s @%s", name, name);
	is_int(parse(line), JW_OK);
	is_str(java.class_path_text, "a\\b:c d");
	is_str(java.words[4], "-Dq=\"");
	is_str(java.words[5], "-Dn=x\ty");
	is_str(java.words[java.main], "Main");
	is_str(java.words[7], "@z");
	ok(java.words[8] && java.words[8][0] == '@'); /* after the main class: not opened */
	unlink(name);
	is_int(parse("java @nowhere Main"), JW_INPUT); /* as jweave's own @FILE */
	is_int(parse("java --disable-@files @nowhere Main"), JW_OK);
	is_int(parse("java -cp @@x Main @@y"), JW_OK); /* the launcher takes the first one away */
	is_str(java.class_path_text, "@x");
	is_str(java.words[java.main + 1], "@@y");
	is_str(rewritten("@N", NULL, NULL, NULL), "java -cp @@N Main @@y");
	is_int(parse("java -p @@x -m m @@y"), JW_OK);
	is_str(rewritten("@N", NULL, NULL, NULL), "java -cp @@N -p @@x -m m @@y");
	is_int(parse("java --disable-@files -cp @x Main"), JW_OK);
	is_str(rewritten("@N", NULL, NULL, NULL), "java --disable-@files -cp @N Main");
}

/* What we write is what the launcher, and so we, read. */
TEST(lines_of_an_argument_file)
{
	static const char *const all[] = { "-cp",       "",          "@a",  "# b",   "c \\ d",
					   "\"e\" 'f'", "\n\r\t\f.", "\\n", "-Dg=#h" };
	struct cli_words w = { .arena = &arena };
	struct jw_buf text = { 0 };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		cli_words_put(&text, all[i]);
	is_int(cli_words_read(&w, jw_buf_span(&text), CLI_QUOTING_JAVA, &error), JW_OK);
	is_int(w.count, sizeof(all) / sizeof(*all));
	for (size_t i = 0; i < w.count; i++)
		is_str(w.items[i], all[i]);
	jw_buf_free(&text);
}

TEST(release)
{
	is_int((long)cli_java_release("./nowhere/java", &arena), 0);
	jw_arena_free(&arena);
}
