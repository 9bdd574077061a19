#include "weaver/archive/runtime_image.h"

#include <libdeflate.h>
#include <string.h>

#include "base/carried.h"
#include "cfr/pool.h"
#include "weaver/archive/bake.h"

#include "base/banned.h"

/* ---- what the build puts in ---- */

#ifdef JW_RT_FOLDER
#define IMAGE(symbol, file) JW_CARRY(jw_image_##symbol, JW_RT_FOLDER "/" file)
IMAGE(probe, "Probe.class");
IMAGE(fast, "Probe$Fast.class");
IMAGE(early, "Probe$Early.class");
IMAGE(numbered, "Numbered.class");
IMAGE(api_trace, "Trace.class");
IMAGE(api_region, "Region.class");
#define PLATFORM(symbol, name) IMAGE(symbol, name ".so");
#include "weaver/archive/platforms.def" /* made by the build: the platforms that it has libraries for */
#undef PLATFORM
#define IMAGE_SPAN(symbol) JW_CARRIED(jw_image_##symbol)
#else
/* a build for fuzzing: weaving works, embedding says that it cannot */
#define IMAGE_SPAN(symbol) ((struct jw_span){ 0 })
#endif

bool weave_runtime_library(size_t index, struct weave_library *out)
{
	static const struct {
		const char *platform, *path;
		struct jw_carried bytes;
	} all[] = {
#ifdef JW_RT_FOLDER
#define PLATFORM(symbol, name)                         \
	{ name,                                        \
	  JWMAP_FOLDER "lib/" name "/libjweave-rt.so", \
	  { JW_CARRIED_ENDS(jw_image_##symbol) } },
#include "weaver/archive/platforms.def"
#undef PLATFORM
#endif
		{ 0 },
	};

	if (index >= sizeof(all) / sizeof(all[0]) - 1)
		return false;
	out->platform = all[index].platform;
	out->path = all[index].path;
	out->bytes = jw_carried(all[index].bytes);
	return true;
}

/* ---- renaming ---- */

/* Bytes after the tag of a constant (JVMS 4.4); 0: Utf8, or not known. */
static size_t constant_bytes(uint8_t tag, bool *wide)
{
	static const struct {
		uint8_t tag, bytes, slots;
	} constants[] = {
#define CONSTANT(name, number, size, taken) { number, size, taken },
		CFR_CONSTANT_LIST(CONSTANT)
#undef CONSTANT
	};

	*wide = false;
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
		if (constants[i].tag != tag)
			continue;
		*wide = constants[i].slots == 2;
		return constants[i].bytes;
	}
	return 0;
}

/* Does the name that ends at AT of TEXT end there, or go on to a class inside it? */
static bool ends_at(struct jw_span text, size_t at, uint8_t end)
{
	return at < text.n ? text.p[at] == end || text.p[at] == '$' : !end;
}

/* One Utf8: the name itself, or each of its places after an L; also where a nested class of it is
 * named. */
static void put_renamed(struct jw_buf *out, struct jw_span text, struct jw_span from,
			struct jw_span to)
{
	size_t length_at = out->n + 1, plain = 0;

	jw_put_u1(out, CFR_CONSTANT_Utf8);
	jw_put_u2(out, 0);
	if (jw_span_starts(text, from) && ends_at(text, from.n, '\0')) {
		jw_put_bytes(out, to);
		plain = from.n;
	}
	for (size_t i = plain; i + from.n + 2 <= text.n; i++) {
		if (text.p[i] != 'L' || !ends_at(text, i + 1 + from.n, ';') ||
		    !jw_span_eq(jw_span_sub(text, i + 1, from.n), from))
			continue;
		jw_put_bytes(out, jw_span_sub(text, plain, i + 1 - plain));
		jw_put_bytes(out, to);
		plain = i + 1 + from.n;
		i = plain;
	}
	jw_put_bytes(out, jw_span_sub(text, plain, text.n));
	jw_patch_u2(out, length_at, out->n - length_at - 2);
}

enum jw_status weave_rename_class(struct jw_span bytes, struct jw_span from, struct jw_span to,
				  struct jw_buf *out, struct jw_err *e)
{
	struct jw_cur c = jw_cur(bytes);

	uint32_t magic = jw_cur_u4(&c);
	jw_cur_skip(&c, 4);
	uint16_t count = jw_cur_u2(&c);
	jw_put_bytes(out, jw_span_sub(bytes, 0, c.pos));
	for (uint32_t i = 1; i < count && jw_cur_ok(&c); i++) {
		uint8_t tag = jw_cur_u1(&c);
		bool wide;
		size_t n = constant_bytes(tag, &wide);

		if (tag == CFR_CONSTANT_Utf8) {
			put_renamed(out, jw_cur_take(&c, jw_cur_u2(&c)), from, to);
			continue;
		}
		if (n == 0)
			return jw_fail(e, JW_INPUT, "constant %u has the unknown tag %u", i, tag);
		jw_put_u1(out, tag);
		jw_put_bytes(out, jw_cur_take(&c, n));
		i += wide;
	}
	if (magic != 0xcafebabe || !jw_cur_ok(&c))
		return jw_fail(e, JW_INPUT, "not a class file");
	jw_put_bytes(out, jw_span_sub(bytes, c.pos, bytes.n));
	return jw_buf_finish(out, "renamed class", e);
}

const char *weave_runtime_suffix(size_t index)
{
	static const char *const suffixes[] = { "", "$Fast" };

	return index < sizeof(suffixes) / sizeof(suffixes[0]) ? suffixes[index] : NULL;
}

static enum jw_status put_renamed_class(struct jw_span image, struct jw_span from,
					struct jw_span name, struct jw_buf *out, struct jw_err *e)
{
	if (image.n == 0)
		return jw_fail(e, JW_UNSUPPORTED,
			       "this build of jweave carries no runtime to embed "
			       "(--runtime=classpath weaves without)");
	return weave_rename_class(image, from, name, out, e);
}

enum jw_status weave_runtime_class(size_t index, struct jw_span name, struct jw_buf *out,
				   struct jw_err *e)
{
	return put_renamed_class(index ? IMAGE_SPAN(fast) : IMAGE_SPAN(probe),
				 JW_SPAN_LIT(WEAVE_RUNTIME_CLASS), name, out, e);
}

enum jw_status weave_runtime_early(struct jw_span name, struct jw_buf *out, struct jw_err *e)
{
	return put_renamed_class(IMAGE_SPAN(early), JW_SPAN_LIT(WEAVE_RUNTIME_CLASS), name, out, e);
}

enum jw_status weave_runtime_numbered(struct jw_span name, struct jw_buf *out, struct jw_err *e)
{
	return put_renamed_class(IMAGE_SPAN(numbered), JW_SPAN_LIT("jweave/rt/Numbered"), name, out,
				 e);
}

/* ---- a jar of it ---- */

struct runtime_jar {
	struct weave_zip_out zip;
	struct libdeflate_compressor *deflater;
	struct jw_buf packed, path, bytes;
	uint32_t dos_time;
};

/* Adds the entry that is named in jar->path. */
static enum jw_status put(struct runtime_jar *jar, struct jw_span bytes, uint16_t method,
			  struct jw_err *e)
{
	struct weave_zip_data data;

	JW_TRY(weave_zip_pack(jar->deflater, bytes, method, &jar->packed, &data, e));
	JW_TRY(jw_buf_finish(&jar->path, "name of an entry", e));
	JW_TRY(weave_zip_add(&jar->zip, jw_buf_span(&jar->path), &data, jar->dos_time, e));
	jw_buf_clear(&jar->path);
	return JW_OK;
}

/* What programs compile against; in the jar that they have, not in copies of the runtime. */
static enum jw_status put_api(struct runtime_jar *jar, struct jw_err *e)
{
	const struct {
		const char *path;
		struct jw_span bytes;
	} classes[] = {
		{ "jweave/api/Trace.class", IMAGE_SPAN(api_trace) },
		{ "jweave/api/Region.class", IMAGE_SPAN(api_region) },
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		jw_put_str(&jar->path, classes[i].path);
		JW_TRY(put(jar, classes[i].bytes, JW_ZIP_DEFLATED, e));
	}
	return JW_OK;
}

static enum jw_status put_classes(struct runtime_jar *jar, struct jw_span name,
				  struct jw_span baked, struct jw_err *e)
{
	for (size_t i = 0; weave_runtime_suffix(i); i++) {
		jw_buf_clear(&jar->bytes);
		JW_TRY(weave_runtime_class(i, name, &jar->bytes, e));
		if (i == 0)
			JW_TRY(weave_bake(&jar->bytes, baked, e));
		jw_put_bytes(&jar->path, name);
		jw_put_fmt(&jar->path, "%s.class", weave_runtime_suffix(i));
		JW_TRY(put(jar, jw_buf_span(&jar->bytes), JW_ZIP_DEFLATED, e));
	}
	return JW_OK;
}

static enum jw_status fill(struct runtime_jar *jar, struct jw_span name, struct jw_span map_name,
			   struct jw_span map, struct jw_span baked, struct jw_err *e)
{
	struct weave_library library;

	/* the JDK looks for the manifest in the first two entries */
	jw_put_str(&jar->path, "META-INF/MANIFEST.MF");
	JW_TRY(put(jar,
		   JW_SPAN_LIT("Manifest-Version: 1.0\r\nCreated-By: jweave " JW_VERSION
			       "\r\nEnable-Native-Access: ALL-UNNAMED\r\n\r\n"),
		   JW_ZIP_DEFLATED, e));
	JW_TRY(put_classes(jar, name, baked, e));
	if (jw_span_eq_str(name, WEAVE_RUNTIME_CLASS))
		JW_TRY(put_api(jar, e));
	for (size_t i = 0; weave_runtime_library(i, &library); i++) {
		jw_put_str(&jar->path, library.path);
		JW_TRY(put(jar, library.bytes, WEAVE_LIBRARY_METHOD, e));
	}
	if (map.n) {
		jw_put_str(&jar->path, JWMAP_FOLDER);
		jw_put_bytes(&jar->path, map_name);
		JW_TRY(put(jar, map, JW_ZIP_DEFLATED, e));
	}
	return weave_zip_finish(&jar->zip, e);
}

enum jw_status weave_runtime_jar(struct jw_span name, struct jw_span map_name, struct jw_span map,
				 struct jw_span baked, uint32_t dos_time, struct jw_buf *out,
				 struct jw_err *e)
{
	struct weave_sink sink = { .memory = out };
	struct runtime_jar jar = { .dos_time = dos_time };

	jar.deflater = libdeflate_alloc_compressor(9);
	if (!jar.deflater)
		return jw_nomem(e);
	enum jw_status status = weave_zip_out_open(&jar.zip, NULL, sink, NULL, e);
	if (status == JW_OK)
		status = fill(&jar, name, map_name, map, baked, e);
	weave_zip_out_close(&jar.zip);
	libdeflate_free_compressor(jar.deflater);
	jw_buf_free(&jar.packed);
	jw_buf_free(&jar.path);
	jw_buf_free(&jar.bytes);
	return status;
}
