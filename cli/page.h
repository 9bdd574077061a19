/*
 * page.h: the page that `jweave view` writes: share/view in one file, with the data of a run.
 *
 *     begin -> section, section, ... -> end
 *
 * A section is bytes under a name, in parts: zlib streams in base64, in script elements of a type
 * that no browser runs. share/view/data.js reads them. Parts of one name follow each other.
 */
#ifndef JW_CLI_PAGE_H
#define JW_CLI_PAGE_H

#include "base/bytes.h"
#include "base/out_file.h"
#include "base/status.h"

struct cli_page {
	struct jw_out *out;
	struct jw_span rest; /* of the page's own text: what comes after the data */
	void *compressor;    /* owned */
	struct jw_buf packed, text;
	char nonce[32];
	bool served;
};

/* Writes all that comes before the data. OUT is open. SERVED: the page may ask who serves it (serve.h). */
enum jw_status JW_MUST_USE cli_page_begin(struct cli_page *page, struct jw_out *out, bool served,
					  struct jw_err *e);
enum jw_status JW_MUST_USE cli_page_section(struct cli_page *page, const char *name,
					    struct jw_span bytes, struct jw_err *e);
enum jw_status JW_MUST_USE cli_page_end(struct cli_page *page, struct jw_err *e);
/* {0} may be freed, too. */
void cli_page_free(struct cli_page *page);

#endif
