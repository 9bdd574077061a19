/* The parts of weaving archives: manifests, names, padding, renaming, reports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/zip.h"
#include "cfr/class.h"
#include "cfr/ops.h"
#include "tests/base/make_zip.h"
#include "tests/tap.h"
#include "weaver/archive/bake.h"
#include "weaver/archive/manifest.h"
#include "weaver/archive/runtime_image.h"
#include "weaver/archive/weave_tally.h"
#include "weaver/archive/zip_out.h"
#include "weaver/class/join.h"
#include "weaver/input/kind.h"

#include "base/banned.h"

static struct jw_err e;

/* ---- manifests ---- */

static void edited(const char *text, bool strip, bool access, const char *want)
{
	const struct weave_manifest_edit edit = { strip, access };
	struct weave_manifest_facts facts;
	struct jw_buf out = { 0 };

	weave_manifest_edit(jw_span_str(text), &edit, &out, &facts);
	is_span(jw_buf_span(&out), jw_span_str(want));
	jw_buf_free(&out);
}

TEST(a_manifest_stays_where_nothing_applies)
{
	static const char *const texts[] = {
		"",
		"\n",
		"Manifest-Version: 1.0",
		"Manifest-Version: 1.0\r\nMain-Clas: x\r\n s\r\n\r\n\r\nName: a\r\nSealed: "
		"true\r\n",
		"Manifest-Version: 1.0\rX: y\r\rName: b\rY: z\r\r",
		"X-Digest: mine\n\n",
		" broken first line\nno colon here\n\n\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		edited(texts[i], true, true, texts[i]);
}

TEST(native_access_goes_behind_the_main_attributes)
{
	edited("Main-Class: a.B\r\n\r\nName: x\r\nA: b\r\n", false, true,
	       "Main-Class: a.B\r\nEnable-Native-Access: ALL-UNNAMED\r\n\r\nName: x\r\nA: b\r\n");
	edited("A: b\nmain-class: a.B\n", false, true,
	       "A: b\nmain-class: a.B\nEnable-Native-Access: ALL-UNNAMED\n");
	edited("A: b\rMain-Class: a.B\r\rName: x\r", false, true,
	       "A: b\rMain-Class: a.B\rEnable-Native-Access: ALL-UNNAMED\r\rName: x\r");
}

/* Ended by us, "Multi-Release: true" would switch on what is under META-INF/versions. */
TEST(a_last_line_without_end_stays_unread)
{
	edited("Main-Class: a.B", false, true,
	       "Enable-Native-Access: ALL-UNNAMED\nMain-Class: a.B");
	edited("Main-Class: a.B\r\nMulti-Release: true", false, true,
	       "Main-Class: a.B\r\nEnable-Native-Access: ALL-UNNAMED\r\nMulti-Release: true");
	edited("Main-Class: a.B\nX: y\n z", false, true,
	       "Main-Class: a.B\nEnable-Native-Access: ALL-UNNAMED\nX: y\n z");
}

static void bundled(const char *text, const char *want)
{
	struct jw_buf out = { 0 };

	is_int(weave_manifest_bundle(jw_span_str(text), &out), want != NULL);
	is_span(jw_buf_span(&out), jw_span_str(want ? want : ""));
	jw_buf_free(&out);
}

/* Found with Felix and Equinox: a bundle of jars alone could not load the runtime in its root. */
TEST(a_bundle_sees_the_runtime)
{
	bundled("Manifest-Version: 1.0\r\nBundle-ClassPath: lib/a.jar,lib/b.jar\r\nX: y\r\n\r\n",
		"Manifest-Version: 1.0\r\nBundle-ClassPath: lib/a.jar,lib/b.jar,.\r\nX: y\r\n\r\n");
	bundled("bundle-classpath: a.jar;x=\".\", ..,.\r\n x\r\n",
		"Bundle-ClassPath: a.jar;x=\".\", ..,.x,.\r\n");
	bundled("Bundle-SymbolicName: a\r\n", NULL);
	bundled("Bundle-ClassPath: \r\n", NULL);
	bundled("Bundle-ClassPath: a.jar,.\r\n", NULL);
	bundled("Bundle-ClassPath: . , a.jar\r\n", NULL);
	bundled("Bundle-ClassPath: a.jar;./\r\n", NULL);
	bundled("Bundle-ClassPath: a.jar,/\r\n", NULL);
	bundled("Bundle-ClassPath: WEB-INF/classes/,WEB-INF/lib/a.jar\r\n", NULL);
	bundled("A: b\r\n\r\nBundle-ClassPath: a.jar\r\n", NULL);
}

TEST(native_access_is_not_added_twice_or_elsewhere)
{
	edited("Main-Class: a\nEnable-native-Access: x\n\n", false, true,
	       "Main-Class: a\nEnable-native-Access: x\n\n");
	edited("A: b\n\nName: x\nMain-Class: a\n", false, true, "A: b\n\nName: x\nMain-Class: a\n");
	edited("Main-Class: a\n\n", false, false, "Main-Class: a\n\n");
}

TEST(digests_go_and_what_else_a_section_holds_stays)
{
	edited("Manifest-Version: 1.0\r\nSHA-256-Digest: of the owner\r\n\r\n"
	       "Name: a/B.class\r\nSHA-256-Digest: AAAA\r\n\r\n"
	       "Name: a/C.class\r\nsha1-digest: AA\r\n AA\r\nSealed: true\r\nSHA-Digest-de: "
	       "x\r\n\r\n"
	       "Name: d\r\nMagic: m\r\nSHA-512-Digest: x\r\n\r\n"
	       "Name: e\r\nContent-Type: text\r\n",
	       true, false,
	       "Manifest-Version: 1.0\r\nSHA-256-Digest: of the owner\r\n\r\n"
	       "Name: a/C.class\r\nSealed: true\r\n\r\n"
	       "Name: e\r\nContent-Type: text\r\n");
	edited("A: b\n\nName: a long\n er name\nMD5-Digest: x\n", true, false, "A: b\n\n");
	edited("A: b\n\nName: x\nMD5-Digest: x\n", false, false,
	       "A: b\n\nName: x\nMD5-Digest: x\n");
}

TEST(no_bytes_are_lost_in_any_manifest)
{
	static const char parts[] = "\r\n\n\r  :ab-Digest";
	char text[64];

	for (int round = 0; round < 20000; round++) {
		size_t n = tap_below(sizeof(text) - 1);

		for (size_t i = 0; i < n; i++)
			text[i] = parts[tap_below(sizeof(parts) - 1)];
		text[n] = 0;
		edited(text, false, false, text);
	}
}

/* ---- names ---- */

TEST(signature_files_are_known_by_name)
{
	static const char *const yes[] = { "META-INF/A.SF",  "meta-inf/b.rsa",
					   "META-INF/C.dSa", "META-INF/long.name.EC",
					   "META-INF/SIG-X", "META-INF/sig-" };
	static const char *const no[] = { "META-INF/sub/A.SF", "A.SF",           "META-INF/SF",
					  "META-INF/A.SFX",    "META-INF/a.txt", "x/META-INF/A.RSA",
					  "META-INF/SIG/A",    "META-INF/",      "" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		ok(weave_is_signature(jw_span_str(yes[i])));
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		ok(!weave_is_signature(jw_span_str(no[i])));
}

TEST(entries_are_known_by_name)
{
	static const struct {
		const char *name;
		enum weave_kind kind;
	} rows[] = {
		{ "a/B.class", WEAVE_KIND_CLASS },
		{ "META-INF/versions/9/a/B.class", WEAVE_KIND_CLASS },
		{ "module-info.class", WEAVE_KIND_MODULE },
		{ "META-INF/versions/9/module-info.class", WEAVE_KIND_MODULE },
		{ "a/not-module-info.class", WEAVE_KIND_CLASS },
		{ "META-INF/MANIFEST.MF", WEAVE_KIND_MANIFEST },
		{ "meta-inf/Manifest.mf", WEAVE_KIND_MANIFEST },
		{ "x/META-INF/MANIFEST.MF", WEAVE_KIND_OTHER },
		{ "META-INF/X.SF", WEAVE_KIND_SIGNATURE },
		{ "lib/a.jar", WEAVE_KIND_ARCHIVE },
		{ "a.war", WEAVE_KIND_ARCHIVE },
		{ "a.class/", WEAVE_KIND_OTHER },
		{ "a.zip", WEAVE_KIND_OTHER },
		{ "", WEAVE_KIND_OTHER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!is_int(weave_kind(jw_span_str(rows[i].name)), rows[i].kind))
			tap_note("%s", rows[i].name);
}

/* ---- renaming ---- */

static struct jw_span class_of(struct jw_buf *b, const char *utf8)
{
	jw_put_u4(b, 0xcafebabe);
	jw_put_u4(b, 52);
	jw_put_u2(b, 5);
	jw_put_u1(b, 5); /* Long: two indexes */
	jw_put_u8(b, 1);
	jw_put_u1(b, 1);
	jw_put_u2(b, strlen(utf8));
	jw_put_str(b, utf8);
	jw_put_u1(b, 7);
	jw_put_u2(b, 3);
	jw_put_str(b, "the rest with a/B inside");
	return jw_buf_span(b);
}

static void renamed(const char *utf8, const char *want)
{
	struct jw_buf in = { 0 }, out = { 0 }, expected = { 0 };

	is_int(weave_rename_class(class_of(&in, utf8), jw_span_str("a/B"), jw_span_str("xyz/Long"),
				  &out, &e),
	       JW_OK);
	ok(jw_span_eq(jw_buf_span(&out), class_of(&expected, want)));
	jw_buf_free(&in);
	jw_buf_free(&out);
	jw_buf_free(&expected);
}

TEST(a_class_is_renamed_in_names_and_descriptors)
{
	renamed("a/B", "xyz/Long");
	renamed("La/B;", "Lxyz/Long;");
	renamed("(La/B;I[La/B;)La/B;", "(Lxyz/Long;I[Lxyz/Long;)Lxyz/Long;");
	renamed("La/B;La/B;", "Lxyz/Long;Lxyz/Long;");
	renamed("a/B$In", "xyz/Long$In");
	renamed("(La/B$In;)La/B;", "(Lxyz/Long$In;)Lxyz/Long;");
	renamed("a/B;", "a/B;");
	renamed("La/B", "La/B");
	renamed("a/Bc", "a/Bc");
	renamed("La/Bc;", "La/Bc;");
	renamed("xa/B", "xa/B");
	renamed("a.B is not renamed", "a.B is not renamed");
	renamed("", "");
}

TEST(what_is_no_class_is_not_renamed)
{
	struct jw_buf in = { 0 }, out = { 0 };
	struct jw_span bytes = class_of(&in, "a/B"), a = jw_span_str("a/B");

	for (size_t n = 0; n < 28; n++) { /* the pool ends there */
		jw_buf_clear(&out);
		is_int(weave_rename_class(jw_span_sub(bytes, 0, n), a, a, &out, &e), JW_INPUT);
	}
	in.p[10] = 99;
	jw_buf_clear(&out);
	is_int(weave_rename_class(bytes, a, a, &out, &e), JW_INPUT);
	is_str(e.text, "constant 1 has the unknown tag 99");
	jw_buf_free(&in);
	jw_buf_free(&out);
}

static bool holds(struct jw_span all, struct jw_span part)
{
	for (size_t i = 0; i + part.n <= all.n; i++)
		if (jw_span_eq(jw_span_sub(all, i, part.n), part))
			return true;
	return false;
}

TEST(the_runtime_is_there_and_takes_its_name)
{
	struct jw_span name = jw_span_str("jweave/rt/x0123456789abcdef/Probe");
	static const char *const names[] = { "jweave/rt/x0123456789abcdef/Probe",
					     "jweave/rt/x0123456789abcdef/Probe$Fast" };
	struct weave_library library;
	struct jw_arena arena = { 0 };
	struct jw_buf out = { 0 };
	struct cfr_class cls;

	for (size_t i = 0; i < 2; i++) {
		jw_buf_clear(&out);
		is_int(weave_runtime_class(i, name, &out, &e), JW_OK);
		is_int(cfr_class_open(jw_buf_span(&out), &arena, &cls, &e), JW_OK);
		is_span(cls.name, jw_span_str(names[i]));
		cfr_class_close(&cls);
		ok(!holds(jw_buf_span(&out), JW_SPAN_LIT("jweave/rt/Probe")));
	}
	is_str(weave_runtime_suffix(1), "$Fast");
	ok(!weave_runtime_suffix(2));
	ok(weave_runtime_library(0, &library));
	char path[100];
	snprintf(path, sizeof(path), "META-INF/jweave/lib/%s/libjweave-rt.so", library.platform);
	is_str(library.path, path);
	ok(jw_span_starts(library.bytes, JW_SPAN_LIT("\177ELF")));
	ok(!weave_runtime_library(99, &library));
	jw_buf_free(&out);
	jw_arena_free(&arena);
}

/* What probes of java.base call has every probe, as the ordinary class has. */
/* What the code of METHOD of CLS begins with: the value that it loads by ldc2_w. */
static uint64_t first_long(const struct cfr_class *cls, const char *method)
{
	for (uint16_t m = 0; m < cls->method_count; m++) {
		struct jw_span code = cls->methods[m].code;
		struct jw_span all = cls->bytes;

		if (!jw_span_eq_str(cls->methods[m].name, method))
			continue;
		for (size_t i = 8; i + 3 <= code.n; i++)
			if (code.p[i] == CFR_OP_ldc2_w) {
				size_t at = cls->pool.at[jw_span_u2(code, i + 1)];

				return (uint64_t)jw_span_u4(all, at + 1) << 32 |
				       jw_span_u4(all, at + 5);
			}
	}
	return 0;
}

TEST(a_class_knows_whose_numbers_they_are)
{
	static const char *const methods[] = { "Code", "StackMapTable", "LineNumberTable" };
	const uint64_t base = UINT64_C(0x00fedcba98768000);
	struct jw_span name = JW_SPAN_LIT("jweave/a123456/P");
	struct jw_buf out = { 0 };
	struct jw_arena arena = { 0 };
	struct cfr_class cls;

	for (int small = 0; small < 2; small++) {
		jw_buf_clear(&out);
		is_int(small ? weave_runtime_numbered(name, &out, &e)
			     : weave_runtime_class(0, name, &out, &e),
		       JW_OK);
		is_int(weave_bake_number_base(&out, base, &e), JW_OK);
		is_int(cfr_class_open(jw_buf_span(&out), &arena, &cls, &e), JW_OK);
		is_span(cls.name, name);
		for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
			ok(first_long(&cls, methods[i]) == base || !small);
		cfr_class_close(&cls);
		is_int(weave_bake_number_base(&out, base, &e), JW_BUG); /* there is one place */
	}
	is_int(holds(jw_buf_span(&out), JW_SPAN_LIT("jweave/rt/Probe")), true);
	jw_buf_free(&out);
	jw_arena_free(&arena);
}

TEST(every_probe_is_in_both_classes)
{
	static const struct {
		const char *name, *descriptor;
	} probes[] = {
#define PROBE(name, method, descriptor) { method, descriptor },
		WEAVE_PROBE_LIST(PROBE)
#undef PROBE
	};
	struct jw_span name = JW_SPAN_LIT("a/b/Probe");
	struct jw_buf out = { 0 };
	struct jw_arena arena = { 0 };
	struct cfr_class cls;

	for (int early = 0; early < 2; early++) {
		jw_buf_clear(&out);
		is_int(early ? weave_runtime_early(name, &out, &e)
			     : weave_runtime_class(0, name, &out, &e),
		       JW_OK);
		is_int(cfr_class_open(jw_buf_span(&out), &arena, &cls, &e), JW_OK);
		is_span(cls.name, jw_span_str(early ? "a/b/Probe$Early" : "a/b/Probe"));
		for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++) {
			/* java.base has no numbers */
			bool found = early ? !strcmp(probes[i].descriptor, "(I)V")
					   : !strcmp(probes[i].name, "booted");

			for (uint16_t m = 0; m < cls.method_count && !found; m++)
				found = jw_span_eq_str(cls.methods[m].name, probes[i].name) &&
					jw_span_eq_str(cls.methods[m].descriptor,
						       probes[i].descriptor);
			if (!found)
				tap_note("%s%s", probes[i].name, probes[i].descriptor);
			ok(found);
		}
		cfr_class_close(&cls);
	}
	jw_buf_free(&out);
	jw_arena_free(&arena);
}

/* ---- padding ---- */

/* One STORED entry "s" whose data is at DATA_AT, padded by PADDING, after a class that grows by GROW
 * bytes. Where its data is in the output, and its extra field. */
static size_t moved(struct jw_span padding, size_t data_at, size_t grow, struct jw_span *extra,
		    struct jw_arena *arena)
{
	struct jw_span data = JW_SPAN_LIT("stored data");
	struct made_entry s = { .name = "s",
				.data = data,
				.size = data.n,
				.crc = made_crc(data),
				.local_extra = padding };
	struct jw_buf out = { 0 }, filler = { 0 }, grown = { 0 };
	struct made_zip z = { 0 };
	struct weave_zip_out zo;
	struct jw_zip zip, made;

	jw_put_zeros(&filler, data_at - (30 + 1) - (30 + 1 + padding.n));
	struct made_entry c = { .name = "c", .data = jw_buf_span(&filler), .size = filler.n };
	c.crc = made_crc(c.data);
	made_add(&z, &c);
	made_add(&z, &s);
	is_int(jw_zip_open(made_finish(&z, 2, "", false), arena, &zip, &e), JW_OK);
	jw_put_zeros(&grown, filler.n + grow);
	struct weave_sink sink = { .memory = &out };
	struct weave_zip_data changed;
	struct jw_span got = { 0 };
	is_int(weave_zip_out_open(&zo, &zip, sink, arena, &e), JW_OK);
	is_int(weave_zip_pack(NULL, jw_buf_span(&grown), JW_ZIP_STORED, NULL, &changed, &e), JW_OK);
	is_int(weave_zip_change(&zo, 0, &changed, &e), JW_OK);
	is_int(weave_zip_copy(&zo, 1, &e), JW_OK);
	is_int(weave_zip_finish(&zo, &e), JW_OK);
	is_int(jw_zip_open(jw_buf_span(&out), arena, &made, &e), JW_OK);
	is_int(jw_zip_data(&made, &made.entries[1], &got, NULL, &e), JW_OK);
	is_span(got, data);
	size_t at = (size_t)(got.p - out.p), extra_at = (size_t)made.entries[1].local + 31;
	const char *copy =
		jw_arena_str(arena, jw_span_sub(jw_buf_span(&out), extra_at, at - extra_at));
	*extra = jw_span(copy, at - extra_at);
	weave_zip_out_close(&zo);
	jw_buf_free(&out);
	jw_buf_free(&filler);
	jw_buf_free(&grown);
	made_free(&z);
	return at;
}

TEST(padding_follows_what_moves_it)
{
	static const uint8_t zeros[64];
	struct jw_arena arena = { 0 };
	struct jw_span extra;

	for (size_t grow = 0; grow < 9; grow++) {
		/* zipalign: bare zeros; 4 bytes, then a page */
		is_int(moved(jw_span(zeros, 3), 4096 + 4, grow, &extra, &arena) % 4, 0);
		ok(extra.n < 4);
		is_int(moved(jw_span(zeros, 64), 8192, grow, &extra, &arena) % 4096, 0);
		/* a field made for it, alignment 16 */
		is_int(moved(JW_SPAN_LIT("\x35\xd9\x05\x00\x10\x00\x00\x00\x00"), 4096 + 16, grow,
			     &extra, &arena) %
			       16,
		       0);
		ok(extra.n >= 6 && extra.p[0] == 0x35 && extra.p[2] == extra.n - 4);
		/* after a field that is kept */
		is_int(moved(JW_SPAN_LIT("\x77\x77\x01\x00k\x00\x00"), 4096 + 8, grow, &extra,
			     &arena) %
			       4,
		       0);
		ok(extra.n >= 5 && extra.p[4] == 'k');
	}
	jw_arena_free(&arena);
}

TEST(extra_fields_that_are_no_padding_stay)
{
	struct jw_arena arena = { 0 };
	struct jw_span extra, field = JW_SPAN_LIT("\x77\x77\x04\x00k\x00\x00\x00");

	moved(field, 4096, 3, &extra, &arena);
	is_span(extra, field);
	moved(JW_SPAN_LIT("\x00\x00"), 4097, 3, &extra, &arena); /* aligned to nothing */
	is_int(extra.n, 2);
	jw_arena_free(&arena);
}

/* ---- times, archives from nothing ---- */

TEST(source_date_epoch_is_heeded)
{
	setenv("SOURCE_DATE_EPOCH", "1000000000", 1); /* 2001-09-09 01:46:40 UTC */
	is_int(weave_zip_newest(NULL),
	       (21u << 25 | 9u << 21 | 9u << 16 | 1u << 11 | 46u << 5 | 20u));
	setenv("SOURCE_DATE_EPOCH", "0", 1);
	is_int(weave_zip_newest(NULL), 1 << 21 | 1 << 16);
	setenv("SOURCE_DATE_EPOCH", "99999999999", 1);
	is_int(weave_zip_newest(NULL), 0xff9fbf7d);
	setenv("SOURCE_DATE_EPOCH", "soon", 1);
	is_int(weave_zip_newest(NULL), 1 << 21 | 1 << 16);
	unsetenv("SOURCE_DATE_EPOCH");
	is_int(weave_zip_newest(NULL), 1 << 21 | 1 << 16);
}

TEST(the_runtime_jar_is_an_archive)
{
	struct jw_span map = JW_SPAN_LIT("a map");
	struct jw_arena arena = { 0 };
	struct jw_buf one = { 0 }, two = { 0 };
	struct jw_zip zip;

	for (int i = 0; i < 2; i++)
		is_int(weave_runtime_jar(jw_span_str("q/Q"), jw_span_str("m.map"), map,
					 (struct jw_span){ 0 }, 33 << 16, i ? &two : &one, &e),
		       JW_OK);
	ok(jw_span_eq(jw_buf_span(&one), jw_buf_span(&two)));
	is_int(jw_zip_open(jw_buf_span(&one), &arena, &zip, &e), JW_OK);
	is_span(zip.entries[0].name, jw_span_str("META-INF/MANIFEST.MF"));
	ok(jw_zip_find(&zip, jw_span_str("q/Q.class")) != NULL);
	ok(jw_zip_find(&zip, jw_span_str("META-INF/jweave/m.map")) != NULL);
	jw_buf_free(&one);
	jw_buf_free(&two);
	jw_arena_free(&arena);
}

/* ---- tallies ---- */

TEST(a_note_is_kept_once)
{
	struct jw_arena arena = { 0 };
	struct rules *rules = NULL;
	struct weave_tally t = { 0 }, sum = { 0 };

	is_int(rules_parse(JW_SPAN_LIT("{\"jweave\":1,\"rules\":[{\"match\":\"**\"}]}"), "r",
			   &(struct rules_options){ 0 }, &rules, &e),
	       JW_OK);
	is_int(weave_tally_open(&t, &arena, rules, &e), JW_OK);
	is_int(weave_tally_open(&sum, &arena, rules, &e), JW_OK);
	for (int i = 0; i < 3; i++)
		is_int(weave_tally_note(&t, &e, "note %d", i / 2), JW_OK);
	t.r.woven = 3;
	t.matches[0] = 5;
	is_int(weave_tally_merge(&sum, &t, &e), JW_OK);
	is_int(weave_tally_merge(&sum, &t, &e), JW_OK);
	is_int(weave_tally_finish(&sum, &e), JW_OK);
	is_int(sum.r.note_count, 2);
	is_str(sum.r.notes[1], "note 1");
	is_int(sum.r.woven, 6);
	is_int(sum.r.rule_matches[0], 10);
	weave_tally_close(&t);
	weave_tally_close(&sum);
	rules_free(rules);
	jw_arena_free(&arena);
}

/* Sizes that a test need not have: nothing is read of an entry that is refused. */
TEST(an_entry_past_4_gib_is_refused)
{
	struct jw_arena arena = { 0 };
	struct made_zip z = { 0 };
	struct jw_buf out = { 0 };
	struct weave_sink sink = { .memory = &out };
	struct weave_zip_data data = { .size = UINT64_C(5) << 30 };
	struct weave_zip_out zo;
	struct jw_zip zip;

	made_store(&z, "A.class", "x");
	is_int(jw_zip_open(made_finish(&z, 1, "", false), &arena, &zip, &e), JW_OK);
	is_int(weave_zip_out_open(&zo, &zip, sink, &arena, &e), JW_OK);
	is_int(weave_zip_change(&zo, 0, &data, &e), JW_LIMIT);
	is_str(e.text, "\"A.class\": woven it would pass 4 GiB");
	is_int(weave_zip_add(&zo, JW_SPAN_LIT("B.class"), &data, 0, &e), JW_LIMIT);
	is_str(e.text, "\"B.class\" would pass 4 GiB");
	weave_zip_out_close(&zo);
	jw_buf_free(&out);
	made_free(&z);
	jw_arena_free(&arena);
}
