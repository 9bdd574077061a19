/*
 * zip_format.h: the numbers of the ZIP format (PKWARE's APPNOTE.TXT, sections 4.3 and 4.4) that its
 * reader and its writer share.
 */
#ifndef JW_BASE_ZIP_FORMAT_H
#define JW_BASE_ZIP_FORMAT_H

enum {
	/* what a record begins with */
	JW_ZIP_SIG_LOCAL = 0x04034b50,
	JW_ZIP_SIG_CENTRAL = 0x02014b50,
	JW_ZIP_SIG_END = 0x06054b50,
	JW_ZIP_SIG_END64 = 0x06064b50,
	JW_ZIP_SIG_LOCATOR64 = 0x07064b50,
	JW_ZIP_SIG_DESCRIPTOR = 0x08074b50,
	/* how long it is, without what has a length of its own */
	JW_ZIP_LOCAL_BYTES = 30,
	JW_ZIP_CENTRAL_BYTES = 46,
	JW_ZIP_END_BYTES = 22,
	JW_ZIP_END64_BYTES = 56,
	JW_ZIP_LOCATOR64_BYTES = 20,

	JW_ZIP_EXTRA_ZIP64 = 0x0001, /* id of an extra field */
	JW_ZIP_FLAG_ENCRYPTED = 1 << 0,
	JW_ZIP_FLAG_DESCRIPTOR = 1 << 3, /* sizes and checksum stand behind the data */
	JW_ZIP_FLAG_UTF8 = 1 << 11,
};

#endif
