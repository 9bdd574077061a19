#include "weaver/input/kind.h"

#include "base/banned.h"

static bool starts_nocase(struct jw_span a, const char *b)
{
	return jw_span_eq_nocase(jw_span_sub(a, 0, jw_span_str(b).n), b);
}

static bool ends_nocase(struct jw_span a, const char *b)
{
	size_t n = jw_span_str(b).n;

	return a.n >= n && jw_span_eq_nocase(jw_span_sub(a, a.n - n, n), b);
}

bool weave_is_manifest(struct jw_span name)
{
	return jw_span_eq_nocase(name, "META-INF/MANIFEST.MF");
}

bool weave_is_signature(struct jw_span name)
{
	static const char *const suffixes[] = { ".SF", ".RSA", ".DSA", ".EC" };

	if (!starts_nocase(name, "META-INF/"))
		return false;
	struct jw_span file = jw_span_sub(name, sizeof("META-INF/") - 1, name.n);
	for (size_t i = 0; i < file.n; i++)
		if (file.p[i] == '/')
			return false;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (ends_nocase(file, suffixes[i]))
			return true;
	return starts_nocase(file, "SIG-");
}

enum weave_kind weave_kind(struct jw_span name)
{
	static const char *const archives[] = { ".jar", ".war", ".ear", ".rar" };

	if (weave_is_manifest(name))
		return WEAVE_KIND_MANIFEST;
	if (weave_is_signature(name))
		return WEAVE_KIND_SIGNATURE;
	if (jw_span_eq_str(name, "module-info.class") ||
	    jw_span_ends(name, JW_SPAN_LIT("/module-info.class")))
		return WEAVE_KIND_MODULE;
	if (jw_span_ends(name, JW_SPAN_LIT(".class")))
		return WEAVE_KIND_CLASS;
	for (size_t i = 0; i < sizeof(archives) / sizeof(archives[0]); i++)
		if (jw_span_ends(name, jw_span_str(archives[i])))
			return WEAVE_KIND_ARCHIVE;
	return WEAVE_KIND_OTHER;
}

bool weave_may_be_bundle(const struct jw_zip *zip)
{
	bool archives = false, program = false;

	for (size_t i = 0; i < zip->count && !program; i++) {
		struct jw_span name = zip->entries[i].name;
		enum weave_kind kind = weave_kind(name);

		archives = archives || kind == WEAVE_KIND_ARCHIVE;
		program = kind == WEAVE_KIND_MANIFEST ||
			  jw_span_eq_str(name, "META-INF/application.xml") ||
			  jw_span_starts(name, JW_SPAN_LIT("WEB-INF/")) ||
			  jw_span_starts(name, JW_SPAN_LIT("BOOT-INF/"));
	}
	return archives && !program;
}
