/*
 * tell_flaws.h: what is wrong with a recording, as sentences for the user.
 */
#ifndef JW_TRACE_READER_TELL_FLAWS_H
#define JW_TRACE_READER_TELL_FLAWS_H

struct trace_recording;
struct trace_notes;

/* Adds to NOTES what the figures of the summary do not say: what REC, which has been read, lacks, and
 * what of it was left out. Without memory NOTES->failed is set. */
void trace_recording_tell(const struct trace_recording *rec, struct trace_notes *notes);

#endif
