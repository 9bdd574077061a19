#include "tests/cfr/kit.h"

#include "base/banned.h"

static void kit_pair(struct jw_buf *b, uint8_t tag, uint16_t first, uint16_t second)
{
	jw_put_u1(b, tag);
	jw_put_u2(b, first);
	if (second)
		jw_put_u2(b, second);
}

void kit_pool(struct jw_buf *b, const struct kit *k)
{
	jw_put_u2(b, KIT_COUNT);
	kit_utf8(b, "T");
	kit_pair(b, CFR_CONSTANT_Class, KIT_T_NAME, 0);
	kit_utf8(b, "java/lang/Object");
	kit_pair(b, CFR_CONSTANT_Class, KIT_OBJECT_NAME, 0);
	kit_utf8(b, k->name ? k->name : "m");
	kit_utf8(b, k->descriptor ? k->descriptor : "()V");
	kit_utf8(b, "Code");
	kit_utf8(b, "StackMapTable");
	kit_pair(b, CFR_CONSTANT_NameAndType, KIT_M, KIT_DESC);
	kit_pair(b, CFR_CONSTANT_Methodref, KIT_T, KIT_NAT);
	jw_put_u1(b, CFR_CONSTANT_Long);
	jw_put_u8(b, 42);
	kit_utf8(b, "LineNumberTable");
	kit_utf8(b, "LocalVariableTable");
	kit_utf8(b, "RuntimeVisibleTypeAnnotations");
	kit_utf8(b, "I");
	kit_pair(b, CFR_CONSTANT_NameAndType, KIT_M, KIT_I);
	kit_pair(b, CFR_CONSTANT_Fieldref, KIT_T, KIT_FIELD_NAT);
	kit_pair(b, CFR_CONSTANT_String, KIT_I, 0);
}

static void kit_code(struct jw_buf *b, const struct kit *k)
{
	uint16_t attrs = 0;
	size_t start;

	jw_put_u2(b, KIT_CODE);
	start = b->n;
	jw_put_u4(b, 0);
	jw_put_u2(b, k->stack);
	jw_put_u2(b, k->locals);
	jw_put_u4(b, k->code.n);
	jw_put_bytes(b, k->code);
	jw_put_u2(b, k->handlers.n / 8);
	jw_put_bytes(b, k->handlers);
	while (attrs < 3 && k->attrs[attrs].name)
		attrs++;
	jw_put_u2(b, attrs);
	for (uint16_t i = 0; i < attrs; i++) {
		jw_put_u2(b, k->attrs[i].name);
		jw_put_u4(b, k->attrs[i].info.n);
		jw_put_bytes(b, k->attrs[i].info);
	}
	jw_patch_u4(b, start, b->n - start - 4);
}

struct jw_span kit_class(struct jw_buf *b, const struct kit *k)
{
	jw_buf_clear(b);
	jw_put_u4(b, (uint32_t)CFR_MAGIC);
	jw_put_u2(b, k->minor);
	jw_put_u2(b, k->major ? k->major : 52);
	kit_pool(b, k);
	jw_put_u2(b, CFR_ACC_PUBLIC | CFR_ACC_SUPER);
	jw_put_u2(b, KIT_T);
	jw_put_u2(b, KIT_OBJECT);
	jw_put_u2(b, 0); /* interfaces */
	jw_put_u2(b, 0); /* fields */
	jw_put_u2(b, 1);
	jw_put_u2(b, k->access ? k->access : CFR_ACC_STATIC);
	jw_put_u2(b, KIT_M);
	jw_put_u2(b, KIT_DESC);
	jw_put_u2(b, k->code.n ? 1 : 0);
	if (k->code.n)
		kit_code(b, k);
	jw_put_u2(b, 0); /* attributes of the class */
	return jw_buf_span(b);
}
