/* What of the packages of a program is its own: roots, libraries, launchers. */
#include <string.h>

#include "cli/application.h"
#include "tests/tap.h"

#include "base/banned.h"

TEST(roots)
{
	static const char *const cases[][2] = {
		{ "com.acme.shop.web", "com.acme" },
		{ "com.acme", "com.acme" },
		{ "com", "com" },
		{ "", "" },
		{ "kafka", "kafka" },
		{ "kafka.server.log", "kafka" },
		{ "com.google.common.io", "com.google.common" },
		{ "com.google", "com.google" },
		{ "org.apache.kafka.clients", "org.apache.kafka" },
		{ "uk.co.acme.shop", "uk.co.acme" },
		{ "de.acme.shop", "de.acme" },
		{ "io.github.someone.thing", "io.github.someone" },
		{ "company.shop", "company" },
		{ "org.h2.tools", "org.h2" },
		{ "shop.com.google.common.io", "shop.com.google.common" },
		{ "com.acme.deps.org.yaml.snake", "com.acme.deps.org.yaml" },
		{ "com.acme.net.shop", "com.acme" },
		{ "com.acme.io.netty", "com.acme" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = cli_root(cases[i][0]);

		if (!ok(n == strlen(cases[i][1]) && strncmp(cases[i][0], cases[i][1], n) == 0))
			tap_note("root of '%s': %zu characters", cases[i][0], n);
	}
	ok(cli_same_root("com.acme.a", "com.acme.b.c"));
	ok(!cli_same_root("com.acme.a", "com.acmes"));
	ok(!cli_same_root("com.google.common.io", "com.google.gson"));
	ok(cli_root_is_deep("com.acme") && cli_root_is_deep("kafka"));
	ok(!cli_root_is_deep("com") && !cli_root_is_deep("io"));
}

TEST(libraries_and_launchers)
{
	static const char *const libraries[] = {
		"org.apache.kafka",  "com.google.common.io", "scala",
		"org.objectweb.asm", "redis.clients",        "org.h2"
	};

	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		char root[64];
		size_t n = cli_root(libraries[i]);

		memcpy(root, libraries[i], n);
		root[n] = '\0';
		if (!ok(cli_is_library(libraries[i])) || !ok(cli_is_library(root)))
			tap_note("%s, root %s", libraries[i], root);
	}
	ok(!cli_is_library("kafka.server"));
	ok(!cli_is_library("scalable.thing"));
	ok(!cli_is_library(""));
	ok(cli_is_library("shop.com.google.common") && cli_is_relocated("shop.com.google.common"));
	ok(!cli_is_relocated("com.google.common") && !cli_is_relocated("com.acme.com"));
	ok(cli_is_helper("org.slf4j") && cli_is_helper("ch.qos"));
	ok(!cli_is_helper("org.apache") && !cli_is_helper("org.apache.kafka"));
	ok(cli_is_launcher("org.openjdk.jmh.Main"));
	ok(!cli_is_launcher("com.acme.Main"));
	ok(cli_is_launcher("scala.tools.nsc.MainGenericRunner") &&
	   cli_is_launcher("org.jetbrains.kotlin.runner.Main"));
	ok(!cli_is_launcher("scala.tools.nsc.Main") && cli_is_compiler("scala.tools.nsc.Main"));
	ok(cli_is_compiler("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler") &&
	   cli_is_compiler("dotty.tools.dotc.Main") && !cli_is_compiler("com.acme.Main"));
}

TEST(packages_of_classes)
{
	char package[8];

	cli_package_of("a.b.C", package, sizeof(package));
	is_str(package, "a.b");
	cli_package_of("C", package, sizeof(package));
	is_str(package, "");
	cli_package_of("abcdefgh.ijkl.C", package, sizeof(package));
	is_str(package, "abcdefg");
}
