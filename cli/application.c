#include "cli/application.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

/* Beginnings of packages that an application takes from elsewhere. */
static const char *const libraries[] = {
	"antlr.",
	"ch.qos.",
	"clojure.",
	"com.beust.",
	"com.carrotsearch.",
	"com.codahale.",
	"com.ctc.",
	"com.esotericsoftware.",
	"com.fasterxml.",
	"com.google.",
	"com.ibm.ws.",
	"com.jayway.",
	"com.mysql.",
	"com.networknt.",
	"com.nimbusds.",
	"com.opencsv.",
	"com.squareup.",
	"com.sun.",
	"com.thoughtworks.",
	"com.typesafe.",
	"com.yammer.",
	"com.zaxxer.",
	"dagger.",
	"freemarker.",
	"graphql.",
	"groovy.",
	"io.dropwizard.",
	"io.grpc.",
	"io.helidon.",
	"io.javalin.",
	"io.jsonwebtoken.",
	"io.lettuce.",
	"io.micrometer.",
	"io.micronaut.",
	"io.netty.",
	"io.opentelemetry.",
	"io.prometheus.",
	"io.quarkus.",
	"io.reactivex.",
	"io.smallrye.",
	"io.swagger.",
	"io.undertow.",
	"io.vavr.",
	"io.vertx.",
	"it.unimi.",
	"jakarta.",
	"javassist.",
	"javax.",
	"jline.",
	"joptsimple.",
	"junit.",
	"kotlin.",
	"kotlinx.",
	"lombok.",
	"net.bytebuddy.",
	"net.jcip.",
	"net.jpountz.",
	"net.minidev.",
	"nonapi.",
	"okhttp3.",
	"okio.",
	"org.HdrHistogram.",
	"org.agrona.",
	"org.antlr.",
	"org.aopalliance.",
	"org.apache.",
	"org.apiguardian.",
	"org.aspectj.",
	"org.assertj.",
	"org.attoparser.",
	"org.bouncycastle.",
	"org.bson.",
	"org.cache2k.",
	"org.checkerframework.",
	"org.codehaus.",
	"org.conscrypt.",
	"org.eclipse.",
	"org.ehcache.",
	"org.flywaydb.",
	"org.fusesource.",
	"org.glassfish.",
	"org.gradle.",
	"org.h2.",
	"org.hamcrest.",
	"org.hdrhistogram.",
	"org.hibernate.",
	"org.hsqldb.",
	"org.iq80.",
	"org.jboss.",
	"org.jctools.",
	"org.jdom.",
	"org.jetbrains.",
	"org.jline.",
	"org.joda.",
	"org.jooq.",
	"org.json.",
	"org.jsoup.",
	"org.jspecify.",
	"org.junit.",
	"org.mapstruct.",
	"org.mariadb.",
	"org.mockito.",
	"org.mortbay.",
	"org.mozilla.",
	"org.msgpack.",
	"org.objectweb.",
	"org.openjdk.",
	"org.opentest4j.",
	"org.osgi.",
	"org.pcollections.",
	"org.postgresql.",
	"org.quartz.",
	"org.reactivestreams.",
	"org.reflections.",
	"org.rocksdb.",
	"org.slf4j.",
	"org.springframework.",
	"org.sqlite.",
	"org.stringtemplate.",
	"org.testcontainers.",
	"org.testng.",
	"org.threeten.",
	"org.thymeleaf.",
	"org.tukaani.",
	"org.unbescape.",
	"org.w3c.",
	"org.wildfly.",
	"org.xbean.",
	"org.xerial.",
	"org.xml.",
	"org.xmlresolver.",
	"org.xnio.",
	"org.yaml.",
	"org.zeromq.",
	"oshi.",
	"picocli.",
	"reactor.",
	"redis.",
	"rx.",
	"scala.",
	"software.amazon.",
	NULL,
};

/* Of them the roots that programs of every kind load much of, and hardly one is about. */
static const char *const helpers[] = {
	"ch.qos.",
	"com.fasterxml.",
	"com.google.common.",
	"org.apache.commons.",
	"org.apache.log4j.",
	"org.apache.logging.",
	"org.jboss.logging.",
	"org.jboss.logmanager.",
	"org.slf4j.",
	NULL,
};

/* Domains that hold the projects of many. */
static const char *const shared[] = {
	"com.amazonaws.",   "com.azure.",
	"com.facebook.",    "com.github.",
	"com.gitlab.",      "com.google.",
	"com.googlecode.",  "com.ibm.",
	"com.linkedin.",    "com.microsoft.",
	"com.oracle.",      "com.sun.",
	"com.twitter.",     "com.yahoo.",
	"dev.java.",        "io.github.",
	"io.gitlab.",       "net.java.",
	"net.sf.",          "net.sourceforge.",
	"org.apache.",      "org.bitbucket.",
	"org.codehaus.",    "org.eclipse.",
	"org.github.",      "org.glassfish.",
	"org.gradle.",      "org.jboss.",
	"org.jetbrains.",   "org.openjdk.",
	"org.sourceforge.", "org.springframework.",
	"software.amazon.", NULL,
};

/* Domains of the top that packages begin with; those of countries have two letters. */
static const char *const tops[] = {
	"aero.", "app.",  "biz.",   "cloud.", "com.",   "coop.", "dev.",    "edu.",      "gov.",
	"info.", "int.",  "mil.",   "mobi.",  "name.",  "net.",  "online.", "org.",      "pro.",
	"site.", "tech.", "tools.", "tv.",    "world.", "xyz.",  "zone.",   "software.", NULL,
};

/* Below a country: "uk.co.acme". */
static const char *const seconds[] = { "ac.", "co.", "com.", "edu.", "gov.", "net.", "org.", NULL };

/* Main classes that start what others wrote. */
static const char *const launchers[] = {
	"clojure.main",
	"com.intellij.rt.",
	"dotty.tools.MainGenericRunner",
	"groovy.ui.",
	"io.micronaut.function.",
	"junit.",
	"org.apache.maven.surefire.",
	"org.apache.tools.ant.",
	"org.codehaus.classworlds.",
	"org.codehaus.groovy.",
	"org.codehaus.plexus.classworlds.",
	"org.eclipse.equinox.launcher.",
	"org.eclipse.jdt.internal.jarinjarloader.",
	"org.eclipse.jetty.start.",
	"org.eclipse.jetty.xml.XmlConfiguration",
	"org.gradle.",
	"org.jboss.modules.",
	"org.jetbrains.kotlin.runner.",
	"org.junit.",
	"org.openjdk.jmh.",
	"org.springframework.boot.loader.",
	"org.testng.",
	"sbt.",
	"scala.tools.nsc.MainGenericRunner",
	"worker.org.gradle.",
	NULL,
};

/* Main classes of tools that build: what they start is looked at, they themselves are not. */
static const char *const builders[] = {
	"org.codehaus.classworlds.",
	"org.codehaus.plexus.classworlds.",
	"org.gradle.launcher.",
	"org.gradle.wrapper.",
	"net.bytebuddy.agent.", /* by which Mockito loads its agent */
	NULL,
};

/* Main classes of compilers that take code out of the libraries of their language, of which they need the same. */
static const char *const compilers[] = { "dotty.tools.", "org.jetbrains.kotlin.", "scala.tools.",
					 "xsbt.", NULL };

/* By which Surefire asks the java of tests for names of modules. */
static const char *const askers[] = { "org.codehaus.plexus.languages.java.jpms.", NULL };

static bool among(const char *const *beginnings, const char *text)
{
	for (; *beginnings; beginnings++)
		if (strncmp(text, *beginnings, strlen(*beginnings)) == 0)
			return true;
	return false;
}

/* PACKAGE begins with one of BEGINNINGS, or is one without its dot. */
static bool is_in(const char *const *beginnings, const char *package)
{
	size_t n = strlen(package);

	for (; *beginnings; beginnings++) {
		size_t m = strlen(*beginnings);

		if (strncmp(package, *beginnings, m) == 0 ||
		    (n == m - 1 && strncmp(package, *beginnings, n) == 0))
			return true;
	}
	return false;
}

/* Where in PACKAGE the name of a library begins that has been put after that of who brings it along; 0: nowhere. What
 * has a domain in its midst was given another name before: "io" alone is a name for what somebody reads and writes. */
static size_t relocated_at(const char *package)
{
	static const char *const domains[] = { "com.", "net.", "org.", NULL };

	for (const char *dot = package; (dot = strchr(dot, '.')); dot++)
		if (among(domains, dot + 1) && is_in(libraries, dot + 1))
			return (size_t)(dot + 1 - package);
	return 0;
}

static size_t root_of(const char *package)
{
	size_t first = strcspn(package, "."), n = first;
	unsigned parts = 1;

	if (package[first] && (first == 2 || among(tops, package)))
		parts = 2;
	if (parts == 2 && (among(shared, package) || (first == 2 && among(seconds, package + 3))))
		parts = 3;
	while (--parts > 0 && package[n])
		n += 1 + strcspn(package + n + 1, ".");
	return n;
}

size_t cli_root(const char *package)
{
	size_t at = relocated_at(package);

	return at + root_of(package + at);
}

bool cli_root_is_deep(const char *root)
{
	return strchr(root, '.') || (strlen(root) != 2 && !is_in(tops, root));
}

bool cli_same_root(const char *a, const char *b)
{
	size_t n = cli_root(a);

	return n == cli_root(b) && strncmp(a, b, n) == 0;
}

void cli_package_of(const char *class_name, char *package, size_t size)
{
	const char *dot = strrchr(class_name, '.');

	snprintf(package, size, "%.*s", dot ? (int)(dot - class_name) : 0, class_name);
}

bool cli_is_library(const char *package)
{
	return is_in(libraries, package) || cli_is_relocated(package);
}

bool cli_is_relocated(const char *package)
{
	return relocated_at(package) > 0;
}

bool cli_is_helper(const char *package)
{
	return is_in(helpers, package);
}

struct jw_span cli_maven_group(struct jw_span entry)
{
	const struct jw_span maven = JW_SPAN_LIT("META-INF/maven/");
	size_t n = maven.n;

	if (!jw_span_starts(entry, maven) || !jw_span_ends(entry, JW_SPAN_LIT("/pom.properties")))
		return jw_span(NULL, 0);
	while (n < entry.n && entry.p[n] != '/')
		n++;
	return jw_span_sub(entry, maven.n, n - maven.n);
}

bool cli_is_launcher(const char *main_class)
{
	return among(launchers, main_class);
}

bool cli_is_compiler(const char *main_class)
{
	return among(compilers, main_class);
}

bool cli_is_asker(const char *main_class)
{
	return among(askers, main_class);
}

bool cli_is_builder(const char *main_class)
{
	return among(builders, main_class);
}
