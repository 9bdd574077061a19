/*
 * x_spans.c: recordings of a client and a server that work for one trace of OpenTelemetry:
 * x_spans FOLDER MAP [CALLS]
 *
 * The client's thread main has the trace 4bf92f3577b34da6a3ce929d0e0e4736 from 1 to 9 ms, with an inner span from 3 to 5
 * ms, and another trace of which it is not, from 10 ms; its pool has it from 6 ms on, and fails. The server has it from 4 to 7 ms.
 * CALLS: then the client makes so many more calls in it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/trace/make_recording.h"

#include "base/banned.h"

#define US    UINT64_C(2000) /* ticks */
#define CLASS UINT64_C(0x5)

static const struct jwr_context outer = { UINT64_C(0x4bf92f3577b34da6),
					  UINT64_C(0xa3ce929d0e0e4736),
					  UINT64_C(0x00f067aa0ba902b7) };
static const struct jwr_context inner = { UINT64_C(0x4bf92f3577b34da6),
					  UINT64_C(0xa3ce929d0e0e4736),
					  UINT64_C(0x1111111111111111) };
static const struct jwr_context served = { UINT64_C(0x4bf92f3577b34da6),
					   UINT64_C(0xa3ce929d0e0e4736),
					   UINT64_C(0x2222222222222222) };
static const struct jwr_context other = { UINT64_C(0x4bf92f3500000000), 1, 2 };
static const struct jwr_context none = { 0 };

static void context(struct make *m, uint32_t uid, uint64_t us, const struct jwr_context *c)
{
	for (unsigned i = 0; i < JWR_CONTEXT_PARTS; i++)
		make_event(m, uid, MAKE_START + us * US, JWR_CONTEXT, jwr_context_part(c, i));
}

static void put(struct make *m, uint32_t uid, uint64_t us, enum jwr_kind kind, uint16_t method)
{
	make_event(m, uid, MAKE_START + us * US, kind, jwr_method_id(CLASS, method));
}

static void call(struct make *m, uint32_t uid, uint64_t us, uint64_t end, uint16_t method)
{
	put(m, uid, us, JWR_ENTER, method);
	put(m, uid, end, JWR_EXIT, method);
}

static void client(const char *folder, long more)
{
	struct make m = make_executor(folder, 0, 1);

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, 0, "pool-1");
	put(&m, 1, 500, JWR_ENTER, 0);
	context(&m, 1, 1000, &outer);
	call(&m, 1, 1500, 2000, 1);
	put(&m, 1, 2500, JWR_ENTER, 2);
	context(&m, 1, 3000, &inner);
	call(&m, 1, 3500, 4500, 1);
	context(&m, 1, 5000, &outer);
	put(&m, 1, 8000, JWR_EXIT, 2);
	for (long i = 0; i < more; i++)
		call(&m, 1, 8500, 8500, 1);
	context(&m, 1, 9000, &none);
	call(&m, 1, 9500, 9600, 1);
	context(&m, 1, 10000, &other);
	call(&m, 1, 10500, 10600, 1);
	context(&m, 1, 11000, &none);
	put(&m, 1, 12000, JWR_EXIT, 0);
	context(&m, 2, 6000, &outer);
	put(&m, 2, 6500, JWR_ENTER, 2);
	put(&m, 2, 7500, JWR_FAIL, 2);
	make_finish(&m, true);
}

static void server(const char *folder)
{
	struct make m = make_executor(folder, 1, 2);

	make_thread(&m, 1, 0, "http-1");
	context(&m, 1, 4000, &served);
	put(&m, 1, 4500, JWR_ENTER, 2);
	call(&m, 1, 5000, 6000, 1);
	put(&m, 1, 6500, JWR_EXIT, 2);
	context(&m, 1, 7000, &none);
	call(&m, 1, 7500, 7600, 1);
	make_finish(&m, true);
}

int main(int argc, char **argv)
{
	static const char *const methods[] = { "main()V", "step()V", "serve()V" };

	if (argc != 3 && argc != 4)
		return 2;
	make_in(".");
	client(argv[1], argc == 4 ? strtol(argv[3], NULL, 10) : 0);
	server(argv[1]);
	const char *map = make_map("spans.map", CLASS, "acme.Spans", "Spans.java", methods, 3);
	char *text = make_slurp(map);
	FILE *out = fopen(argv[2], "w");

	if (!text || !out)
		return 1;
	fputs(text, out);
	free(text);
	return fclose(out) != 0;
}
