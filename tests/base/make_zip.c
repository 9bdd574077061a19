#include "tests/base/make_zip.h"

#include "base/banned.h"

uint32_t made_crc(struct jw_span s)
{
	return libdeflate_crc32(0, s.n ? s.p : (const uint8_t *)"", s.n);
}

void made_le8(struct jw_buf *b, uint64_t v)
{
	jw_put_le8(b, v);
}

void made_add(struct made_zip *z, const struct made_entry *e)
{
	size_t at = z->bytes.n - z->base;
	bool late = (e->flags & MADE_DESCRIPTOR) != 0;
	struct jw_buf extra = { 0 };

	jw_put_le4(&z->bytes, 0x04034b50);
	jw_put_le2(&z->bytes, 20);
	jw_put_le2(&z->bytes, e->flags);
	jw_put_le2(&z->bytes, e->method);
	jw_put_le4(&z->bytes, UINT32_C(0x58214000)); /* 2024-01-01 08:00 */
	jw_put_le4(&z->bytes, late ? 0 : e->crc);
	jw_put_le4(&z->bytes, late ? 0 : e->data.n);
	jw_put_le4(&z->bytes, late ? 0 : (size_t)e->size);
	jw_put_le2(&z->bytes, strlen(e->name));
	jw_put_le2(&z->bytes, e->local_extra.n);
	jw_put_str(&z->bytes, e->name);
	jw_put_bytes(&z->bytes, e->local_extra);
	jw_put_bytes(&z->bytes, e->data);
	jw_put_bytes(&z->bytes, e->descriptor);
	if (e->zip64) {
		jw_put_le2(&extra, 1);
		jw_put_le2(&extra, 24);
		made_le8(&extra, e->size);
		made_le8(&extra, e->data.n);
		made_le8(&extra, at);
	}
	jw_put_bytes(&extra, e->central_extra);
	jw_put_le4(&z->central, 0x02014b50);
	jw_put_le2(&z->central, 3 << 8 | 20);
	jw_put_le2(&z->central, 20);
	jw_put_le2(&z->central, e->flags);
	jw_put_le2(&z->central, e->method);
	jw_put_le4(&z->central, UINT32_C(0x58214000));
	jw_put_le4(&z->central, e->crc);
	jw_put_le4(&z->central, e->zip64 ? UINT32_MAX : e->data.n);
	jw_put_le4(&z->central, e->zip64 ? UINT32_MAX : (size_t)e->size);
	jw_put_le2(&z->central, strlen(e->name));
	jw_put_le2(&z->central, extra.n);
	jw_put_zeros(&z->central, 6);
	jw_put_le4(&z->central, UINT32_C(0100640) << 16);
	jw_put_le4(&z->central, e->zip64 ? UINT32_MAX : at);
	jw_put_str(&z->central, e->name);
	jw_put_bytes(&z->central, jw_buf_span(&extra));
	jw_buf_free(&extra);
	z->count++;
}

void made_again(struct made_zip *z, size_t from)
{
	struct jw_buf named = { 0 };

	jw_put_bytes(&named, jw_span_sub(jw_buf_span(&z->central), from, z->central.n));
	jw_put_bytes(&z->central, jw_buf_span(&named));
	jw_buf_free(&named);
	z->count++;
}

void made_store(struct made_zip *z, const char *name, const char *text)
{
	struct jw_span data = jw_span_str(text);
	struct made_entry e = { .name = name, .data = data, .size = data.n, .crc = made_crc(data) };

	made_add(z, &e);
}

void made_pack(struct jw_span text, struct jw_buf *packed)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);

	jw_buf_reserve(packed, libdeflate_deflate_compress_bound(c, text.n));
	packed->n = libdeflate_deflate_compress(c, text.p, text.n, packed->p, packed->cap);
	libdeflate_free_compressor(c);
}

void made_deflate(struct made_zip *z, const char *name, struct jw_span text)
{
	struct jw_buf packed = { 0 };

	made_pack(text, &packed);
	struct made_entry e = { .name = name,
				.data = jw_buf_span(&packed),
				.size = text.n,
				.crc = made_crc(text),
				.method = JW_ZIP_DEFLATED };
	made_add(z, &e);
	jw_buf_free(&packed);
}

struct jw_span made_finish(struct made_zip *z, size_t count, const char *comment, bool zip64)
{
	size_t at = z->bytes.n, size = z->central.n;

	jw_put_bytes(&z->bytes, jw_buf_span(&z->central));
	if (zip64) {
		jw_put_le4(&z->bytes, 0x06064b50);
		made_le8(&z->bytes, 44);
		jw_put_zeros(&z->bytes, 2 + 2 + 4 + 4);
		made_le8(&z->bytes, count);
		made_le8(&z->bytes, count);
		made_le8(&z->bytes, size);
		made_le8(&z->bytes, at - z->base);
		jw_put_le4(&z->bytes, 0x07064b50);
		jw_put_zeros(&z->bytes, 4);
		made_le8(&z->bytes, at + size - z->base);
		jw_put_le4(&z->bytes, 1);
	}
	jw_put_le4(&z->bytes, 0x06054b50);
	jw_put_zeros(&z->bytes, 4);
	jw_put_le2(&z->bytes, zip64 ? UINT16_MAX : count & 0xffff);
	jw_put_le2(&z->bytes, zip64 ? UINT16_MAX : count & 0xffff);
	jw_put_le4(&z->bytes, zip64 ? UINT32_MAX : size);
	jw_put_le4(&z->bytes, zip64 ? UINT32_MAX : at - z->base);
	jw_put_le2(&z->bytes, strlen(comment));
	jw_put_str(&z->bytes, comment);
	return jw_buf_span(&z->bytes);
}

void made_free(struct made_zip *z)
{
	jw_buf_free(&z->bytes);
	jw_buf_free(&z->central);
	*z = (struct made_zip){ 0 };
}
