/*
 * meta.h: the text file of a recording (items in recording.h). Each item is one write of one line,
 * so that lines of several threads never mix and kill -9 leaves whole lines.
 */
#ifndef RT_META_H
#define RT_META_H

#include "base/bytes.h"

/* Creates the file FOLDER/meta and writes its first line, of a recording of VERSION. Blocks are
 * reserved ahead, so that the last lines still fit when the disk is full. False: errno says why. */
bool rt_meta_open(int folder, unsigned version);
void rt_meta_close(void);

/* How many bytes of lines it has. */
uint64_t rt_meta_bytes(void);

/* Lines wait from here until rt_meta_go_on(): all that were begun are written. False: one does not get
 * done, and none waits. */
bool rt_meta_hold(void);
void rt_meta_go_on(void);

/* While they wait: they go to FD from then on, a copy of BYTES that has the name of the old file. FD belongs to
 * this module. */
void rt_meta_moves(int fd, uint64_t bytes);

/* Stops all writing (a forked child must not write into its parent's recording). */
void rt_meta_silence(void);

/* One item, built in LINE ({0} at the beginning): begin, fields, end. */
void rt_meta_begin(struct jw_buf *line, const char *item);
void rt_meta_number(struct jw_buf *line, uint64_t value);
void rt_meta_text(struct jw_buf *line, const char *text); /* UTF-8 or modified UTF-8 */
void rt_meta_end(struct jw_buf *line);

/* An item of one text field. */
void rt_meta_item(const char *item, const char *text);

#endif
