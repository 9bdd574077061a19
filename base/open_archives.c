#include "base/open_archives.h"

#include <dirent.h>
#include <limits.h>
#include <unistd.h>

#include "base/bytes.h"

#include "base/banned.h"

bool jw_is_archive(const char *path)
{
	const struct jw_span text = jw_span_str(path);

	return jw_span_ends(text, JW_SPAN_LIT(".jar")) || jw_span_ends(text, JW_SPAN_LIT(".war")) ||
	       jw_span_ends(text, JW_SPAN_LIT(".ear"));
}

void jw_each_open_archive(const char *folder, void (*take)(void *ctx, const char *path), void *ctx)
{
	const struct dirent *entry;
	DIR *dir = opendir(folder);

	while (dir && (entry = readdir(dir))) {
		char path[PATH_MAX];
		ssize_t n = readlinkat(dirfd(dir), entry->d_name, path, sizeof(path));

		if (n <= 0 || (size_t)n == sizeof(path))
			continue;
		path[n] = '\0';
		if (jw_is_archive(path))
			take(ctx, path);
	}
	if (dir)
		closedir(dir);
}
