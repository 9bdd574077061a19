/*
 * check_otf2.c: see check_otf2.h.
 */
#include "tests/trace/check_otf2.h"
#include "trace/export/optional.h"

#if JW_HAVE_otf2
#include <otf2/otf2.h>
#include <stdlib.h>

#include "tests/trace/check_prv.h"

#include "base/banned.h"

enum { DEEPEST = 1 << 16 };

struct checking {
	OTF2_LocationRef *locations;
	uint64_t *events; /* that a definition promises */
	uint64_t seen, threads;
	OTF2_RegionRef open[DEEPEST];
	size_t depth;
	OTF2_TimeStamp now;
};

static OTF2_ErrorCode complains(void *ctx, const char *file, uint64_t line, const char *function,
				OTF2_ErrorCode code, const char *format, va_list list)
{
	(void)ctx, (void)file, (void)line, (void)function, (void)format, (void)list;
	fprintf(stderr, "libotf2: %s: %s\n", function, OTF2_Error_GetDescription(code));
	abort();
}

static OTF2_CallbackCode take_location(void *ctx, OTF2_LocationRef self, OTF2_StringRef name,
				       OTF2_LocationType type, uint64_t events,
				       OTF2_LocationGroupRef group)
{
	struct checking *c = ctx;

	(void)name, (void)type, (void)group;
	must(self == c->threads);
	c->locations = realloc(c->locations, (c->threads + 1) * sizeof(*c->locations));
	c->events = realloc(c->events, (c->threads + 1) * sizeof(*c->events));
	must(c->locations && c->events);
	c->events[c->threads] = events;
	c->locations[c->threads++] = self;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_enter(OTF2_LocationRef location, OTF2_TimeStamp time,
				    uint64_t position, void *ctx, OTF2_AttributeList *attributes,
				    OTF2_RegionRef region)
{
	struct checking *c = ctx;

	(void)location, (void)position, (void)attributes;
	must(c->depth < DEEPEST && time >= c->now);
	c->now = time;
	c->open[c->depth++] = region;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_leave(OTF2_LocationRef location, OTF2_TimeStamp time,
				    uint64_t position, void *ctx, OTF2_AttributeList *attributes,
				    OTF2_RegionRef region)
{
	struct checking *c = ctx;

	(void)location, (void)position, (void)attributes;
	must(c->depth > 0 && c->open[--c->depth] == region && time >= c->now);
	c->now = time;
	return OTF2_CALLBACK_SUCCESS;
}

static void read_definitions(OTF2_Reader *reader, struct checking *c)
{
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t n = 0;

	must(definitions && callbacks);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, take_location);
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, c);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n);
	must(n > 0);
	OTF2_Reader_CloseGlobalDefReader(reader, definitions);
}

static void read_thread(OTF2_Reader *reader, struct checking *c, uint64_t i)
{
	OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader, i);
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, i);
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
	uint64_t n = 0;

	must(local && events && callbacks);
	OTF2_Reader_ReadAllLocalDefinitions(reader, local, &n);
	OTF2_Reader_CloseDefReader(reader, local);
	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, take_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, take_leave);
	OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, c);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	c->depth = 0;
	c->now = 0;
	OTF2_Reader_ReadAllLocalEvents(reader, events, &n);
	must(n == c->events[i] && c->depth == 0);
	OTF2_Reader_CloseEvtReader(reader, events);
}

void check_otf2(const char *anchor)
{
	struct checking *c = calloc(1, sizeof(*c));
	OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(complains, NULL);
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	uint64_t locations = 0;

	must(c && reader);
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	OTF2_Reader_GetNumberOfLocations(reader, &locations);
	read_definitions(reader, c);
	must(locations == c->threads);
	for (uint64_t i = 0; i < c->threads; i++)
		OTF2_Reader_SelectLocation(reader, i);
	OTF2_Reader_OpenDefFiles(reader);
	OTF2_Reader_OpenEvtFiles(reader);
	for (uint64_t i = 0; i < c->threads; i++)
		read_thread(reader, c, i);
	OTF2_Reader_CloseDefFiles(reader);
	OTF2_Reader_CloseEvtFiles(reader);
	OTF2_Reader_Close(reader);
	OTF2_Error_RegisterCallback(before, NULL);
	free(c->locations);
	free(c->events);
	free(c);
}
#else
#include "base/banned.h"

void check_otf2(const char *anchor)
{
	(void)anchor;
}
#endif
