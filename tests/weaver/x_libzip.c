/*
 * x_libzip.c: libzip as an independent judge of archives.
 *
 *     x_libzip -test ARCHIVE         reads every entry to its end, checksums and all
 *     x_libzip -list ARCHIVE         per entry: name, method, mtime, attributes, extra fields,
 *                                    comment
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/banned.h"

static int complain(zip_t *archive, const char *what)
{
	fprintf(stderr, "x_libzip: %s: %s\n", what, zip_strerror(archive));
	return 1;
}

static int read_entry(zip_t *archive, zip_uint64_t index)
{
	char part[65536];
	zip_stat_t st;
	zip_uint64_t total = 0;
	zip_file_t *file = zip_fopen_index(archive, index, 0);

	if (!file || zip_stat_index(archive, index, 0, &st) != 0)
		return complain(archive, "open");
	for (zip_int64_t n; (n = zip_fread(file, part, sizeof(part))) != 0;
	     total += (zip_uint64_t)n)
		if (n < 0)
			return complain(archive, st.name);
	if (zip_fclose(file) != 0 || total != st.size)
		return complain(archive, st.name);
	return 0;
}

static int list_entry(zip_t *archive, zip_uint64_t index)
{
	zip_uint8_t system;
	zip_uint32_t attributes, length = 0;
	zip_stat_t st;

	if (zip_stat_index(archive, index, 0, &st) != 0 ||
	    zip_file_get_external_attributes(archive, index, 0, &system, &attributes) != 0)
		return complain(archive, "stat");
	const char *comment = zip_file_get_comment(archive, index, &length, ZIP_FL_ENC_RAW);
	printf("%s\t%d\t%lld\t%d\t%08x\t%.*s", st.name, st.comp_method, (long long)st.mtime, system,
	       attributes, (int)length, comment ? comment : "");
	zip_int16_t count = zip_file_extra_fields_count(archive, index, ZIP_FL_CENTRAL);
	for (zip_uint16_t i = 0; count > 0 && i < count; i++) {
		zip_uint16_t id, n;

		zip_file_extra_field_get(archive, index, i, &id, &n, ZIP_FL_CENTRAL);
		printf("\t%04x:%u", id, n);
	}
	putchar('\n');
	return 0;
}

int main(int argc, char **argv)
{
	int error = 0, failed = 0;

	if (argc != 3)
		return 2;
	zip_t *archive = zip_open(argv[2], ZIP_RDONLY | ZIP_CHECKCONS, &error);
	if (!archive) {
		fprintf(stderr, "x_libzip: %s: error %d\n", argv[2], error);
		return 1;
	}
	zip_int64_t count = zip_get_num_entries(archive, 0);
	for (zip_int64_t i = 0; i < count && !failed; i++)
		failed = strcmp(argv[1], "-test") == 0 ? read_entry(archive, (zip_uint64_t)i)
						       : list_entry(archive, (zip_uint64_t)i);
	zip_discard(archive);
	return failed;
}
