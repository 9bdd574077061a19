#include "weaver/archive/manifest.h"

#include "base/banned.h"

/* ---- lines ---- */

/* The line of TEXT at AT with its end (CR LF, LF, or CR alone). */
static struct jw_span line_at(struct jw_span text, size_t at)
{
	for (size_t i = at; i < text.n; i++) {
		if (text.p[i] == '\n')
			return jw_span_sub(text, at, i + 1 - at);
		if (text.p[i] == '\r') {
			bool crlf = i + 1 < text.n && text.p[i + 1] == '\n';

			return jw_span_sub(text, at, i + 1 + crlf - at);
		}
	}
	return jw_span_sub(text, at, text.n);
}

static bool is_blank(struct jw_span line)
{
	return line.n == 0 || line.p[0] == '\n' || line.p[0] == '\r';
}

/* The attribute at AT: its line and those that continue it. */
static struct jw_span attribute_at(struct jw_span text, size_t at)
{
	size_t end = at + line_at(text, at).n;

	while (end < text.n && text.p[end] == ' ')
		end += line_at(text, end).n;
	return jw_span_sub(text, at, end - at);
}

static struct jw_span name_of(struct jw_span attribute)
{
	size_t n = 0;

	while (n < attribute.n && attribute.p[n] != ':' && attribute.p[n] != '\r' &&
	       attribute.p[n] != '\n')
		n++;
	return jw_span_sub(attribute, 0, n);
}

/* "SHA-256-Digest", and with a tail as in "SHA1-Digest-Manifest" or "MD5-Digest-de". */
static bool is_digest(struct jw_span name)
{
	size_t n = sizeof("-Digest") - 1;

	for (size_t i = 1; i + n <= name.n; i++)
		if (jw_span_eq_nocase(jw_span_sub(name, i, n), "-Digest") &&
		    (i + n == name.n || name.p[i + n] == '-'))
			return true;
	return jw_span_eq_nocase(name, "Magic");
}

/* ---- sections ---- */

struct section {
	struct jw_span attributes, blank; /* its lines, and the empty ones after them */
	bool has_digest, has_other, has_main_class, has_native_access, has_agent;
};

static struct section section_at(struct jw_span text, size_t at)
{
	struct section s = { 0 };
	size_t end = at;

	while (end < text.n && !is_blank(line_at(text, end))) {
		struct jw_span attribute = attribute_at(text, end), name = name_of(attribute);
		bool digest = is_digest(name);

		s.has_digest = s.has_digest || digest;
		s.has_other = s.has_other || (!digest && !jw_span_eq_nocase(name, "Name"));
		s.has_main_class = s.has_main_class || jw_span_eq_nocase(name, "Main-Class");
		s.has_native_access =
			s.has_native_access || jw_span_eq_nocase(name, "Enable-Native-Access");
		s.has_agent = s.has_agent || jw_span_eq_nocase(name, "Premain-Class") ||
			      jw_span_eq_nocase(name, "Launcher-Agent-Class");
		end += attribute.n;
	}
	s.attributes = jw_span_sub(text, at, end - at);
	at = end;
	while (end < text.n && is_blank(line_at(text, end)))
		end += line_at(text, end).n;
	s.blank = jw_span_sub(text, at, end - at);
	return s;
}

static void put_without_digests(struct jw_buf *out, struct jw_span attributes)
{
	for (size_t at = 0; at < attributes.n;) {
		struct jw_span attribute = attribute_at(attributes, at);

		if (!is_digest(name_of(attribute)))
			jw_put_bytes(out, attribute);
		at += attribute.n;
	}
}

/* Where the last of ATTRIBUTES begins if its line has no end, since the JDK does not read it then. */
static size_t unread_tail(struct jw_span attributes)
{
	size_t at = 0, n = 0;

	for (; at < attributes.n; at += n)
		if ((n = attribute_at(attributes, at).n) == attributes.n - at)
			break;
	uint8_t last = attributes.n ? attributes.p[attributes.n - 1] : '\n';
	return last == '\n' || last == '\r' ? attributes.n : at;
}

/* The main attributes, then the permission, with the same line end; it comes before a line that has no
 * end, so that weaving does not end that line and make the JDK read it. */
static void put_native_access(struct jw_buf *out, struct jw_span attributes)
{
	struct jw_span first = line_at(attributes, 0), end = { 0 };
	size_t tail = unread_tail(attributes);

	for (size_t i = first.n; i > 0 && (first.p[i - 1] == '\n' || first.p[i - 1] == '\r'); i--)
		end = jw_span_sub(first, i - 1, first.n);
	if (!end.n)
		end = JW_SPAN_LIT("\n");
	jw_put_bytes(out, jw_span_sub(attributes, 0, tail));
	jw_put_str(out, "Enable-Native-Access: ALL-UNNAMED");
	jw_put_bytes(out, end);
	jw_put_bytes(out, jw_span_sub(attributes, tail, attributes.n - tail));
}

void weave_manifest_edit(struct jw_span text, const struct weave_manifest_edit *edit,
			 struct jw_buf *out, struct weave_manifest_facts *facts)
{
	bool first = true;

	*facts = (struct weave_manifest_facts){ 0 };
	for (size_t at = 0; at < text.n; first = false) {
		struct section s = section_at(text, at);

		at += s.attributes.n + s.blank.n;
		facts->had_digests = facts->had_digests || s.has_digest;
		if (first) {
			facts->main_class = s.has_main_class;
			facts->agent = s.has_agent;
		}
		/* an attribute of the main section that looks like a digest is its owner's */
		bool strip = edit->strip_digests && s.has_digest && !first;
		if (strip && !s.has_other)
			continue;
		if (strip)
			put_without_digests(out, s.attributes);
		else if (first && edit->native_access && s.has_main_class && !s.has_native_access)
			put_native_access(out, s.attributes);
		else
			jw_put_bytes(out, s.attributes);
		jw_put_bytes(out, s.blank);
	}
}

/* ---- one attribute ---- */

enum { LINE_MAX_BYTES = 72 };

/* The main attribute NAME: its lines; an empty span when there is none. */
static struct jw_span main_attribute(struct jw_span text, const char *name)
{
	for (size_t at = 0; at < text.n && !is_blank(line_at(text, at));) {
		struct jw_span attribute = attribute_at(text, at);

		if (jw_span_eq_nocase(name_of(attribute), name))
			return attribute;
		at += attribute.n;
	}
	return (struct jw_span){ 0 };
}

static bool is_end(uint8_t c)
{
	return c == '\n' || c == '\r';
}

bool weave_manifest_value(struct jw_span text, const char *name, struct jw_buf *out)
{
	struct jw_span lines = main_attribute(text, name);
	size_t at = name_of(lines).n + 1; /* after the colon */

	if (!lines.n)
		return false;
	if (at < lines.n && lines.p[at] == ' ')
		at++;
	for (; at < lines.n; at++) {
		if (!is_end(lines.p[at]))
			jw_put_u1(out, lines.p[at]);
		else if (at + 1 < lines.n && !is_end(lines.p[at + 1]))
			at++; /* the space that continues the line */
	}
	return true;
}

void weave_manifest_set(struct jw_span text, const char *name, struct jw_span value,
			struct jw_buf *out)
{
	struct jw_span lines = main_attribute(text, name);
	size_t before = lines.n ? (size_t)(lines.p - text.p) : 0;
	size_t column = jw_span_str(name).n + 2;

	jw_put_bytes(out, jw_span_sub(text, 0, before));
	jw_put_fmt(out, "%s: ", name);
	for (size_t i = 0; i < value.n; i++) {
		if (column == LINE_MAX_BYTES) {
			jw_put_str(out, "\r\n ");
			column = 1;
		}
		jw_put_u1(out, value.p[i]);
		column++;
	}
	jw_put_str(out, "\r\n");
	jw_put_bytes(out, jw_span_sub(text, before + lines.n, text.n));
}

/* ---- bundles ---- */

static struct jw_span trimmed(struct jw_span s)
{
	while (s.n && s.p[0] == ' ')
		s = jw_span_sub(s, 1, s.n - 1);
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '/'))
		s = jw_span_sub(s, 0, s.n - 1);
	return s;
}

/* Does PATH, elements separated by commas, parameters after semicolons, reach the runtime? */
static bool reaches_runtime(struct jw_span path)
{
	for (size_t at = 0; at <= path.n;) {
		size_t end = at;

		while (end < path.n && path.p[end] != ',' && path.p[end] != ';')
			end++;
		struct jw_span element = jw_span_sub(path, at, end - at), name = trimmed(element);

		if (jw_span_eq_nocase(name, ".") || jw_span_eq_nocase(name, "WEB-INF/classes") ||
		    (!name.n && element.n)) /* "/" is the root, too */
			return true;
		at = end + 1;
	}
	return false;
}

bool weave_manifest_bundle(struct jw_span text, struct jw_buf *out)
{
	static const char name[] = "Bundle-ClassPath";
	struct jw_buf path = { 0 };
	bool needed = weave_manifest_value(text, name, &path) && trimmed(jw_buf_span(&path)).n &&
		      !reaches_runtime(jw_buf_span(&path));

	if (needed) {
		jw_put_str(&path, ",.");
		weave_manifest_set(text, name, jw_buf_span(&path), out);
		if (path.failed)
			out->failed = path.failed;
	}
	jw_buf_free(&path);
	return needed;
}
