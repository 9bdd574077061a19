#include "tests/rules/mutate_rules.h"

#include "base/banned.h"

/* The end of the JSON value that begins at P, not after END. */
static const uint8_t *mutate_value_end(const uint8_t *p, const uint8_t *end)
{
	unsigned depth = 0;

	for (; p < end; p++) {
		if (*p == '"') {
			for (p++; p < end && *p != '"'; p++)
				p += *p == '\\';
			p = p < end ? p : end - 1;
		} else if (*p == '{' || *p == '[') {
			depth++;
		} else if (*p == '}' || *p == ']') {
			depth -= depth > 0;
		} else if (isalnum(*p) || *p == '-' || *p == '.') {
			while (p + 1 < end && (isalnum(p[1]) || p[1] == '.'))
				p++;
		} else {
			continue;
		}
		if (depth == 0)
			return p + 1;
	}
	return end;
}

/* A value of TEXT: the first one that begins at a place or after it. */
static struct jw_span mutate_value(struct jw_span text, uint32_t *state)
{
	const uint8_t *p = text.p + draw(state, (uint32_t)text.n + 1), *end = text.p + text.n;

	while (p < end && !isalnum(*p) && !strchr("\"{[-", *p))
		p++;
	return jw_span(p, (size_t)(mutate_value_end(p, end) - p));
}

/* Patterns and texts, and words that rules know. */
/* clang-format off */
static const char *const mutate_texts[] = {
	"**", "*", "a.B", "a.*", "com.acme..*", "**#<init>", "a.B#f", "a.B.f(int,..)",
	"re:a.*[BC]", "re:(a|b)+?", "!a.B", "java.lang.Runnable", "java.lang.Object", "int",
	"void", "..", "int..", "String[]", "(I)V", "*.class", "A.java", "{class}.{method}",
	"%arg0%", "${name}", "a\\u0000b", "\\ud800", "", "trace", "ignore", "accept", "skip",
	"warn", "error", "method", "constructor", "clinit", "lambda", "accessor", "bridge",
	"synthetic", "public", "static", "!abstract", "execution", "call", "new", "monitor",
	"exception", "enter", "exit", "this", "arg0", "arg9", "return", "filled0", "task",
	"value", "length", "string", "class", "identity", "others", "lock", "unlock", "await",
	"signal", "submit", "run", "get", "complete", "queue", "barrier", "io", "http", "jdbc",
	"thread", "gc", "none", "on", "off", "auto", "paused", "summary", "flight-recorder",
	"10ms", "1us", "2GB", "50%", "1kB", "running", "blocked", "io", "none", "probe", "1ms",
	"64MiB"
};
/* clang-format on */

static void mutate_put_string(struct jw_buf *out, uint32_t *state)
{
	jw_put_u1(out, '"');
	jw_put_str(out, mutate_texts[draw(state, sizeof(mutate_texts) / sizeof(mutate_texts[0]))]);
	jw_put_u1(out, '"');
}

static void mutate_put_scalar(struct jw_buf *out, uint32_t *state)
{
	static const char *const others[] = { "true",     "false", "null",
					      "[]",       "{}",    "1e3",
					      "-1",       "0.5",   "9007199254740993",
					      "60000019", "65536" };

	switch (draw(state, 6)) {
	case 0:
		jw_put_dec(out, draw(state, 12));
		break;
	case 1:
		jw_put_str(out, others[draw(state, sizeof(others) / sizeof(others[0]))]);
		break;
	default:
		mutate_put_string(out, state);
	}
}

/* Keys, each with values that it takes. */
/* clang-format off */
static const struct {
	const char *key, *values[10];
} mutate_keys[] = {
	{ "action", { "\"trace\"", "\"skip\"" } },
	{ "alloc", { "\"64KiB\"", "4096" } },
	{ "anyOf", { "[\"a.B\", {\"kind\": \"lambda\"}]", "[{\"not\": \"a.**\"}]" } },
	{ "as", { "\"identity\"", "\"value\"", "\"length\"", "\"class\"", "\"string\"", "\"task\"",
		    "\"context\"" } },
	{ "capture", { "[]", "[{\"what\": \"this\"}]", "[{\"what\": \"arg0\", \"as\": \"value\", \"type\": 77}]",
		       "[{\"what\": \"return\", \"as\": \"string\", \"maxValues\": 3}, {\"what\": \"exception\"}]",
		       "[{\"what\": \"filled0\"}]", "[{\"what\": \"task\"}]" } },
	{ "class", { "\"a.*\"", "\"!a.B\"", "[\"**\", \"!com.acme.**\"]", "\"re:.*[BC]\"", "\"java.**\"" } },
	{ "classAnnotation", { "\"java.lang.Deprecated\"", "[\"!a.*\", \"**\"]" } },
	{ "classModifiers", { "\"!interface\"", "[\"public\", \"record\"]", "\"enum\"", "\"!final\"" } },
	{ "code", { "{\"minBytes\": 6}", "{\"hasLoop\": true, \"maxBytes\": 40}", "{\"hasCall\": false}",
		    "{\"minLines\": 5}" } },
	{ "control", { "true", "false" } },
	{ "convert", { "\"auto\"", "\"on\"", "\"off\"" } },
	{ "defaults", { "{\"enabled\": false}", "{\"sample\": {\"every\": 5}}",
			"{\"event\": {\"label\": \"{class}\"}}" } },
	{ "description", { "\"a\"" } },
	{ "descriptor", { "\"()V\"", "[\"()J\", \"!()V\"]" } },
	{ "enabled", { "true", "false" } },
	{ "entry", { "\"a/*.class\"", "\"!**.jar\"", "\"**!/**\"" } },
	{ "event", { "{\"label\": \"{simpleClass}{params}\"}", "{\"type\": \"io\", \"value\": \"read\", \"size\": 9}",
		     "{\"type\": \"lock\", \"value\": \"unlock\"}", "{\"type\": \"call\"}",
		     "{\"type\": \"monitor\", \"value\": \"exit\"}", "{\"type\": \"method\", \"value\": \"auto\"}" } },
	{ "events", { "[]", "[\"gc\", \"monitor\"]", "[\"alloc\", \"default\"]" } },
	{ "every", { "1", "1000000000" } },
	{ "exclude", { "[\"a.b.**\"]", "[{\"group\": \"g\"}, \"com.acme.Foo$Bar#getX()\"]" } },
	{ "ffm", { "\"auto\"", "\"on\"", "\"off\"" } },
	{ "group", { "\"g\"", "[\"!g\", \"h\"]" } },
	{ "groups", { "{\"g\": \"a.*#f\", \"h\": {\"group\": \"g\"}}", "{\"g\": {\"anyOf\": [\"**\"]}}" } },
	{ "hasCall", { "true", "false" } },
	{ "hasLoop", { "true", "false" } },
	{ "hold", { "true", "\"around\"" } },
	{ "id", { "\"a\"", "\"rule-1\"" } },
	{ "include", { "\"preset:jdk-threads\"", "[\"preset:jdk-io\", \"preset:trivial\"]", "\"b.json\"" } },
	{ "jweave", { "1" } },
	{ "keep", { "true", "false" } },
	{ "kind", { "\"method\"", "[\"constructor\", \"clinit\"]", "\"lambda\"", "[\"bridge\", \"accessor\"]",
		    "\"synthetic\"" } },
	{ "label", { "\"{class}.{method}{params}\"", "\"{simpleClass}\"", "\"{\"" } },
	{ "lambdaOf", { "\"java.lang.Runnable\"", "[\"!a.*\"]" } },
	{ "link", { "{\"name\": \"a\", \"key\": \"arg0\", \"end\": \"send\"}",
		    "{\"name\": \"a\", \"key\": [\"arg1\", \"return\"], \"end\": \"receive\"}" } },
	{ "match", { "\"a.**#*(int, ..)\"", "[\"public com.**#get*():long\", \"**#<init>\"]", "\"@a.Traced **#f(*, ..)\"",
		     "\"java.**#add(..)\"", "\"static !final **\"", "\"int\"", "\"a.B#*(.., int[][])\"",
		     "\"**#*(java.lang.String[])\"" } },
	{ "maxBytes", { "0", "4294967295" } },
	{ "maxDepth", { "1", "1000000" } },
	{ "maxSize", { "\"64MiB\"", "1" } },
	{ "maxValues", { "1", "2147483647" } },
	{ "method", { "\"f\"", "[\"get*\", \"!getX\"]", "\"<init>\"", "\"re:.*[$]0\"", "\"<clinit>\"" } },
	{ "methodAnnotation", { "\"a.*\"", "\"!java.lang.*\"" } },
	{ "minBytes", { "0", "4294967295" } },
	{ "minDuration", { "\"10us\"", "\"1.5ms\"", "\"0ns\"", "\"18446744074s\"" } },
	{ "minLines", { "1", "10" } },
	{ "mode", { "\"stream\"", "\"flight-recorder\"", "\"summary\"" } },
	{ "modifiers", { "\"!static\"", "[\"private\", \"package\"]", "\"varargs\"", "\"synchronized\"", "\"!native\"" } },
	{ "name", { "\"a\"" } },
	{ "not", { "\"a.B#f\"", "{\"class\": \"com.**\"}", "{\"not\": {\"kind\": \"method\"}}" } },
	{ "on", { "\"execution\"", "\"call\"", "\"exception\"", "\"monitor\"", "\"new\"" } },
	{ "onUnmatched", { "\"ignore\"", "\"warn\"", "\"error\"" } },
	{ "output", { "\"trace-%h-%p\"" } },
	{ "package", { "\"a\"", "\"!a.**\"", "\"re:a.*\"", "\"\"", "\"java.lang\"" } },
	{ "params", { "[]", "[\"..\"]", "[\"int\", \"java.lang.*[]\"]", "[\"*\", \"..\"]", "[\"a.B\", \"int[][]\"]" } },
	{ "returns", { "\"void\"", "[\"long\", \"!int\"]", "\"a.*[]\"", "\"byte[]\"", "\"re:.*\"", "\"int[]\"",
		       "\"com.acme.Foo$Bar\"" } },
	{ "rules", { "[]", "[{\"match\": \"**\"}]", "[{\"match\": \"**\", \"on\": \"call\"}]",
		     "[{\"select\": {\"subtypeOf\": \"a.Base\"}, \"on\": \"new\"}]" } },
	{ "runtime", { "{\"mode\": \"stream\"}", "{\"events\": [], \"maxSize\": \"1G\"}",
		       "{\"tracing\": false, \"start\": \"paused\"}" } },
	{ "sample", { "{\"every\": 3}" } },
	{ "select", { "{\"class\": \"a.B\"}", "{\"package\": \"a\", \"kind\": \"constructor\"}" } },
	{ "size", { "1", "2147483647" } },
	{ "source", { "\"A.java\"", "[\"*\", \"!*.kt\"]" } },
	{ "start", { "\"running\"", "\"paused\"" } },
	{ "state", { "\"io\"", "\"none\"", "0", "255", "\"waiting-message\"" } },
	{ "subtypeOf", { "\"java.lang.Runnable\"", "[\"!a.Base\", \"**\"]", "\"re:a.*\"" } },
	{ "summary", { "true", "false" } },
	{ "tmp", { "\"/x\"" } },
	{ "tracing", { "true", "false" } },
	{ "type", { "\"io\"", "\"lock\"", "\"task\"", "\"method\"", "77", "48100000", "60000019" } },
	{ "value", { "\"auto\"", "\"read\"", "\"unlock\"", "\"run\"", "\"enter\"" } },
	{ "what", { "\"this\"", "\"arg254\"", "\"filled254\"", "\"return\"", "\"exception\"", "\"task\"" } },
	{ "within", { "\"a.**\"", "{\"kind\": \"lambda\"}", "\"!com.**\"" } },
};
/* clang-format on */

/* "KEY": VALUE, mostly one that KEY takes, else a scalar, a list of them, or a value of TEXT. */
static void mutate_put_member(struct jw_buf *out, struct jw_span text, uint32_t *state)
{
	uint32_t key = draw(state, sizeof(mutate_keys) / sizeof(mutate_keys[0]));
	const char *const *values = mutate_keys[key].values;
	uint32_t count = 0;

	while (count < sizeof(mutate_keys[0].values) / sizeof(values[0]) && values[count])
		count++;
	jw_put_fmt(out, "\"%s\": ", mutate_keys[key].key);
	switch (draw(state, 8)) {
	case 0:
		jw_put_bytes(out, mutate_value(text, state));
		break;
	case 1:
		jw_put_u1(out, '[');
		mutate_put_scalar(out, state);
		jw_put_u1(out, ',');
		mutate_put_scalar(out, state);
		jw_put_u1(out, ']');
		break;
	case 2:
		mutate_put_scalar(out, state);
		break;
	default:
		jw_put_str(out, values[draw(state, count)]);
	}
}

void mutate_rules(struct jw_span text, struct jw_buf *out, uint32_t *state)
{
	struct jw_span value = mutate_value(text, state);
	size_t at = (size_t)(value.p - text.p), after = at + value.n;
	uint32_t how = draw(state, 6);

	if (how == 0 && value.n > 0 && *value.p == '{') { /* of an object: a member more */
		jw_put_bytes(out, jw_span_sub(text, 0, at + 1));
		mutate_put_member(out, text, state);
		jw_put_str(out, value.n > 2 ? ", " : "");
		jw_put_bytes(out, jw_span_sub(text, at + 1, SIZE_MAX));
		return;
	}
	jw_put_bytes(out, jw_span_sub(text, 0, at));
	if (how == 1) { /* it goes, and a comma before or after it */
		if (after < text.n && text.p[after] == ',')
			after++;
		else if (out->n > 0 && out->p[out->n - 1] == ',')
			out->n--;
	} else if (how == 2) {
		jw_put_bytes(out, mutate_value(text, state));
	} else if (how == 3) { /* a member, or an element, before it */
		if (draw(state, 2))
			mutate_put_member(out, text, state);
		else
			jw_put_bytes(out, mutate_value(text, state));
		jw_put_u1(out, ',');
		after = at;
	} else {
		mutate_put_scalar(out, state);
	}
	jw_put_bytes(out, jw_span_sub(text, after, SIZE_MAX));
}
