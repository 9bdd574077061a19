#include "runtime-jni/jvm/loaded.h"

#include <stdbool.h>
#include <string.h>

#include "base/runtime_class.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/run_message.h"

#include "base/banned.h"

enum { MOST_LINES = 1 << 15, PACKAGE_MAX = 512 };

struct loaded {
	struct jw_buf text;
	unsigned lines;
	/* the package of the classes before, which often follow one another */
	char package[PACKAGE_MAX];
	unsigned classes; /* of it */
};

static void put(struct loaded *l)
{
	if (l->classes && l->lines++ < MOST_LINES)
		rt_put_loaded(&l->text, l->classes, l->package);
	l->classes = 0;
}

/* SIGNATURE is "Lcom/example/Shop;", that of a lambda "Lcom/example/Shop$$Lambda.0x01;". */
static void take(void *ctx, JNIEnv *env, jclass class, const char *signature)
{
	const char *slash = strrchr(signature, '/');
	size_t n = slash ? (size_t)(slash - signature - 1) : 0;
	struct loaded *l = ctx;

	(void)env;
	(void)class;
	if (*signature != 'L' || n >= PACKAGE_MAX ||
	    jw_is_runtime_class(jw_span_str(signature + 1)))
		return;
	if (strlen(l->package) != n || strncmp(l->package, signature + 1, n) != 0) {
		put(l);
		memcpy(l->package, signature + 1, n);
		l->package[n] = '\0';
	}
	l->classes++;
}

void rt_loaded_tell(JNIEnv *env)
{
	struct loaded l = { 0 };

	if (!rt_starter_listens())
		return;
	rt_jvmti_each_class(env, take, &l);
	put(&l);
	rt_tell_starter_text(&l.text);
	jw_buf_free(&l.text);
}
