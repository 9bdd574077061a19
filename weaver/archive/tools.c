#include "weaver/archive/tools.h"

#include <libdeflate.h>

#include "base/banned.h"

/* Packing takes most of the time. Of an archive of some MB that is less than a tenth of a second,
 * and bytes count. In a large one time does: a higher level takes longer for any entry, since its
 * tables are larger, but finds little in a few KB, as most class files are. Of large entries there
 * are few: of jruby-complete 92 in 9,178, which hold a fifth of the packed bytes, and half of what
 * level 5 saves. */
enum { LARGE = 32768, LARGE_ARCHIVE = 16 << 20 };
static const struct levels {
	int small, large;
} levels_of_any = { 7, 7 }, levels_of_large_archives = { 1, 5 };

enum jw_status weave_tools_open(struct weave_tools *tools, int level, uint64_t archive,
				struct jw_err *e)
{
	const struct levels *levels =
		archive < LARGE_ARCHIVE ? &levels_of_any : &levels_of_large_archives;

	tools->inflater = jw_inflater_new();
	tools->small = libdeflate_alloc_compressor(level ? level : levels->small);
	tools->large = libdeflate_alloc_compressor(level ? level : levels->large);
	return tools->inflater && tools->small && tools->large ? JW_OK : jw_nomem(e);
}

void weave_tools_close(struct weave_tools *tools)
{
	jw_inflater_free(tools->inflater);
	libdeflate_free_compressor(tools->small);
	libdeflate_free_compressor(tools->large);
	*tools = (struct weave_tools){ 0 };
}

struct libdeflate_compressor *weave_deflater_for(const struct weave_tools *tools, size_t size)
{
	return size < LARGE ? tools->small : tools->large;
}
