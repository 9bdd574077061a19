/*
 * t_exports.c: what formats of export say of waits, captures and files that only some recordings have.
 */
#include "tests/tap.h"

#include <string.h>

#include "tests/trace/check_exports.h"
#include "tests/trace/check_paje.h"
#include "tests/trace/check_perfetto.h"
#include "tests/trace/make_recording.h"
#include "trace/export/export.h"

#include "base/banned.h"

static bool holds(const struct jw_buf *out, const char *text)
{
	size_t n = strlen(text);
	bool found = false;

	for (size_t i = 0; i + n <= out->n && !found; i++)
		found = memcmp(out->p + i, text, n) == 0;
	if (!found)
		tap_note("no '%s' in: %.*s", text, (int)out->n, (const char *)out->p);
	return ok(found);
}

#define HEAD "#Paraver (01/01/26 at 00:00):5000_ns:1(1):1:1(1:1)\n"
#define AT   "2:1:1:1:1:"

/* One that is parked waits for a monitor, and is parked again; that is over, then the park. */
static const char waits[] =
	HEAD AT "100:48100028:1\n" AT "200:48100001:1:48100028:0:48100002:77:48100018:1\n" AT
		"300:48100001:0:48100028:1:48100002:0:48100018:0\n" AT "400:48100028:0\n" AT
		"500:48100028:3\n" AT "600:48100001:0\n" AT "700:48100028:0\n";

TEST(perfetto_ends_the_wait_that_is_over)
{
	struct jw_buf out = { 0 }, said = { 0 };

	export_prv("perfetto", NULL, waits, "", &out);
	check_perfetto(jw_buf_span(&out), &said);
	holds(&said, "waits: parked 100-200\n");
	holds(&said, "waits: waits to enter a monitor 200-300\n");
	holds(&said, "waits: parked 300-400\n");
	holds(&said, "waits: sleeps 500-700\n");
	jw_buf_free(&out);
	jw_buf_free(&said);
}

/* Two spans of a trace, then none; a call in each, and before and after. Those of a call are those at its begin. */
static const char in_context[] = HEAD AT
	"100:60000019:1\n" AT "200:48100036:83533610973107:48100037:85378108134045:48100038:"
	"15454487052528:48100039:113980037726903\n" AT "250:60000019:2\n" AT "300:60000019:0\n" AT
	"350:48100036:83533610973107:48100037:85378108134045:48100038:"
	"15454487052528:48100039:113980037726904\n" AT "360:60000019:2\n" AT
	"400:48100036:0:48100037:0:48100038:0:48100039:0\n" AT "410:60000019:2\n" AT
	"450:60000019:0\n" AT "460:60000019:0\n" AT "500:60000019:0\n" AT
	"600:48100036:83533610973107:48100037:85378108134045:48100038:15454487052528:48100039:"
	"113980037726903\n";

#define TRACE "trace_id: 4bf92f3577b34da6a3ce929d0e0e4736\n"
TEST(perfetto_has_the_ids_of_traces)
{
	struct jw_buf out = { 0 }, said = { 0 };

	export_prv("perfetto", NULL, in_context, "", &out);
	check_perfetto(jw_buf_span(&out), &said);
	holds(&said, "200 " TRACE "200 span_id: 00f067aa0ba902b7\n"
		     "250 " TRACE "250 span_id: 00f067aa0ba902b7\n"
		     "unnamed 1: method 2 250-300\n"
		     "trace context: 4bf92f3577b34da6a3ce929d0e0e4736 200-350\n"
		     "350 " TRACE "350 span_id: 00f067aa0ba902b8\n"
		     "360 " TRACE "360 span_id: 00f067aa0ba902b8\n"
		     "trace context: 4bf92f3577b34da6a3ce929d0e0e4736 350-400\n"
		     "unnamed 1: method 2 410-450\n"
		     "unnamed 1: method 2 360-460\n"
		     "unnamed 1: method 1 100-500\n"
		     "600 " TRACE "600 span_id: 00f067aa0ba902b7\n"
		     "trace context: 4bf92f3577b34da6a3ce929d0e0e4736 600-5000\n");
	jw_buf_free(&out);
	jw_buf_free(&said);
}
#undef TRACE

TEST(paje_calls_waits_by_their_names)
{
	struct jw_buf out = { 0 };

	export_prv("paje", NULL,
		   HEAD AT "100:48100001:1:48100028:0:48100002:77\n" AT
			   "200:48100001:0:48100028:1:48100002:78\n" AT
			   "300:48100001:2:48100028:0:48100002:77\n" AT
			   "400:48100028:0:48100001:0:48100002:0\n",
		   "", &out);
	check_paje(jw_buf_span(&out));
	holds(&out, " U \"waits to enter a monitor\"");
	holds(&out, " U \"parked\"");
	holds(&out, " U \"Object.wait\"");
	jw_buf_free(&out);
}

/* A read, with its wait, and a write of another thread that has the arrow to it. */
static const char transfers[] = "#Paraver (01/01/26 at 00:00):5000_ns:1(2):1:1(2:1)\n"
				"2:1:1:1:1:100:48100028:9\n"
				"3:1:1:1:2:250:250:1:1:1:1:300:300:60:904\n"
				"2:1:1:1:1:300:48100030:1:48100031:70:48100033:200:48100028:0\n"
				"2:1:1:1:2:400:48100030:1:48100032:60:48100033:150\n";
static const char transfer_names[] =
	"EVENT_TYPE\n0 48100030 Java connection or file\nVALUES\n0 End\n"
	"1 tcp 10.0.0.1:4000 > 10.0.0.2:80\n";

TEST(bytes_of_connections_are_exported)
{
	struct jw_buf out = { 0 }, said = { 0 };

	export_prv("perfetto", NULL, transfers, transfer_names, &out);
	check_perfetto(jw_buf_span(&out), &said);
	holds(&said, "waits: read 100-300\n");
	holds(&said, "300 channel: tcp 10.0.0.1:4000 > 10.0.0.2:80\n");
	holds(&out, "\x18\x46"); /* 70 as a number of an annotation */
	holds(&out, "\x18\x3c"); /* 60, of the arrow */
	jw_buf_clear(&out);
	export_prv("chrome", NULL, transfers, transfer_names, &out);
	holds(&out, "\"cat\":\"io\",\"name\":\"read\",\"ts\":0.100,\"dur\":0.200,\"args\":"
		    "{\"channel\":\"tcp 10.0.0.1:4000 > 10.0.0.2:80\",\"bytes\":70}}");
	holds(&out, "\"cat\":\"io\",\"name\":\"write\",\"ts\":0.250,\"dur\":0.150,\"args\":"
		    "{\"channel\":\"tcp 10.0.0.1:4000 > 10.0.0.2:80\",\"bytes\":60}}");
	holds(&out, "\"dur\":0,\"args\":{\"bytes\":60}}");
	jw_buf_clear(&out);
	export_prv("paje", NULL, transfers, transfer_names, &out);
	check_paje(jw_buf_span(&out));
	holds(&out, "bytes read from connections and files");
	holds(&out, " t1 70\n");
	holds(&out, " t2 60\n");
	jw_buf_free(&out);
	jw_buf_free(&said);
}

/* Of a .prv one record of which says a time after the end: all formats have the end of the header. */
static const char late[] = HEAD AT
	"100:60000019:1\n" AT "4999:60000019:2\n" AT "90000:60000019:0\n1:1:1:1:1:0:90000:1\n"
	"3:1:1:1:1:100:100:1:1:1:1:90000:90000:0:101\n" AT "5000:60000019:0\n";

TEST(a_record_after_the_end_is_left_out)
{
	struct jw_buf out = { 0 }, said = { 0 };

	export_prv("tsv", "meta", late, "", &out);
	holds(&out, "\nend_ns\t5000\n");
	jw_buf_clear(&out);
	export_prv("tsv", "call", late, "", &out);
	holds(&out, "\n2\t1\t1\t2\t4999\t1\t");
	holds(&out, "\n1\t\\N\t1\t1\t100\t4900\t");
	jw_buf_clear(&out);
	export_prv("perfetto", NULL, late, "", &out);
	check_perfetto(jw_buf_span(&out), &said);
	holds(&said, "unnamed 1: method 1 100-5000\n");
	jw_buf_clear(&out);
	export_prv("paje", NULL, late, "", &out);
	check_paje(jw_buf_span(&out));
	holds(&out, " 0.000005000 M t1\n");
	jw_buf_free(&out);
	jw_buf_free(&said);
}

/* Two reads of a connection by two calls, a write, a connect; a file; something that nobody named. */
static const char channels[] = HEAD AT
	"200:48100030:1:48100031:10:48100033:50\n" AT "300:48100030:1:48100031:5:48100033:7\n" AT
	"400:48100030:1:48100032:77:48100033:8\n" AT "500:48100030:1:48100033:9\n" AT
	"600:48100030:2:48100032:1000:48100033:1\n" AT "700:48100030:0:48100031:3:48100033:1\n";
static const char channel_names[] =
	"EVENT_TYPE\n0 48100030 Java connection or file\nVALUES\n0 End\n"
	"1 tcp (::1):4000 > (::1):80\n2 /tmp/a \"file\"\n";

TEST(connections_and_files_are_tables)
{
	static const char head[] =
		"id\tname\ttext\treads\tbytes_read\tread_ns\twrites\tbytes_written\t"
		"write_ns\tothers\tother_ns\n";
	struct jw_buf out = { 0 };

	export_prv("tsv", "connection", channels, channel_names, &out);
	holds(&out, head);
	holds(&out, "\n1\ttcp [::1]:4000 > [::1]:80\t2\t2\t15\t57\t1\t77\t8\t1\t9\n");
	jw_buf_clear(&out);
	export_prv("tsv", "file", channels, channel_names, &out);
	holds(&out, head);
	holds(&out, "\n1\t/tmp/a \"file\"\t5\t0\t0\t0\t1\t1000\t1\t0\t0\n");
	jw_buf_clear(&out);
	export_prv("tsv", "name", channels, channel_names, &out);
	holds(&out, "\n2\tchannel\ttcp [::1]:4000 > [::1]:80\t\\N\n");
	holds(&out, "\n5\tchannel\t/tmp/a \"file\"\t\\N\n");
	jw_buf_free(&out);
}
