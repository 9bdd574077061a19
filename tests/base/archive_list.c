#include "tests/base/archive_list.h"

#include "base/banned.h"

const char *const list_names[16] = {
	"META-INF/MANIFEST.MF",
	"a/A.class",
	"a/B.class",
	"META-INF/X.SF",
	"META-INF/X.RSA",
	"module-info.class",
	"lib/inner.jar",
	"BOOT-INF/lib/",
	"META-INF/versions/9/a/A.class",
	"WEB-INF/web.xml",
	"WEB-INF/classes/",
	"META-INF/application.xml",
	"data.txt",
	"../../up.class",
	"META-INF/jweave/woven.json",
	"META-INF/sig-odd",
};

bool list_next(struct jw_cur *c, uint8_t used, struct list_entry *out)
{
	if (jw_cur_left(c) < 3)
		return false;
	*out = (struct list_entry){ .kind = jw_cur_u1(c) };
	size_t n = jw_cur_u2(c);
	struct jw_cur content = jw_cur(jw_cur_take(c, n < jw_cur_left(c) ? n : jw_cur_left(c)));

	if (out->kind & ~used & LIST_ODD && jw_cur_left(&content))
		out->odd = jw_cur_u1(&content);
	for (unsigned i = 0; i < LIST_FIELDS; i++) {
		if (!(out->odd >> i & 1) || !jw_cur_left(&content))
			continue;
		size_t length = jw_cur_u1(&content), left = jw_cur_left(&content);

		out->field[i] = jw_cur_take(&content, length < left ? length : left);
	}
	out->content = jw_cur_take(&content, jw_cur_left(&content));
	return true;
}

void list_put(struct jw_buf *out, uint8_t used, const struct list_entry *entry)
{
	jw_put_u1(out, entry->kind);
	size_t at = out->n;

	jw_put_u2(out, 0);
	if (entry->kind & ~used & LIST_ODD)
		jw_put_u1(out, entry->odd);
	for (unsigned i = 0; entry->kind & ~used & LIST_ODD && i < LIST_FIELDS; i++) {
		if (!(entry->odd >> i & 1))
			continue;
		jw_put_u1(out, entry->field[i].n & UINT8_MAX);
		jw_put_bytes(out, jw_span_sub(entry->field[i], 0, entry->field[i].n & UINT8_MAX));
	}
	jw_put_bytes(out, jw_span_sub(entry->content, 0, UINT16_MAX - 1024));
	jw_patch_u2(out, at, out->n - at - 2);
}

/* ---- the archive ---- */

static void list_put_descriptor(struct jw_buf *out, const struct made_entry *e)
{
	jw_put_le4(out, 0x08074b50);
	jw_put_le4(out, e->crc);
	jw_put_le4(out, e->data.n);
	jw_put_le4(out, (size_t)e->size);
}

static void list_add(struct made_zip *z, const struct list_entry *entry, struct jw_span content)
{
	char name[UINT8_MAX + 1];
	struct jw_buf packed = { 0 }, descriptor = { 0 };
	struct made_entry e = { .name = list_names[entry->kind % 16],
				.data = content,
				.size = content.n,
				.crc = made_crc(content),
				.local_extra = entry->field[0],
				.central_extra = entry->field[1],
				.zip64 = entry->odd & LIST_ODD_ZIP64 };

	if (entry->odd & LIST_ODD_NAME) {
		snprintf(name, sizeof(name), "%.*s", (int)entry->field[2].n,
			 (const char *)entry->field[2].p);
		e.name = name;
	}
	if (entry->kind & LIST_DEFLATED) {
		made_pack(content, &packed);
		e.data = jw_buf_span(&packed);
		e.method = JW_ZIP_DEFLATED;
	}
	if (entry->odd & LIST_ODD_ENCRYPTED)
		e.flags |= 1;
	if (entry->odd & LIST_ODD_DESCRIPTOR) {
		list_put_descriptor(&descriptor, &e);
		e.descriptor = jw_buf_span(&descriptor);
		e.flags |= MADE_DESCRIPTOR;
	}
	made_add(z, &e);
	jw_buf_free(&packed);
	jw_buf_free(&descriptor);
}

void list_build(struct jw_span list, unsigned depth, uint8_t used, struct jw_buf *out)
{
	struct made_zip z = { 0 };
	struct jw_cur c = jw_cur(list);
	struct list_entry entry;
	uint8_t odd = 0;

	for (; z.count < LIST_ENTRIES_MAX && list_next(&c, used, &entry); used = 0) {
		struct jw_buf inner = { 0 };
		bool nested = entry.kind & LIST_NESTED && depth < LIST_DEPTH_MAX;
		bool first = z.count == 0, around = entry.odd & LIST_ODD_AROUND;
		size_t named = z.central.n;

		if (first && around)
			jw_put_str(&z.bytes, "#!/bin/sh\n");
		if (nested)
			list_build(entry.content, depth + 1, 0, &inner);
		list_add(&z, &entry, nested ? jw_buf_span(&inner) : entry.content);
		if (!first && around)
			made_again(&z, named);
		odd |= first ? entry.odd : (uint8_t)(entry.odd & ~LIST_ODD_AROUND);
		jw_buf_free(&inner);
	}
	jw_put_bytes(out, made_finish(&z, z.count, odd & LIST_ODD_AROUND ? "a comment" : "",
				      odd & LIST_ODD_END64));
	made_free(&z);
}
