#include "runtime-jni/recorder/say.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/banned.h"

void rt_say(const char *fmt, ...)
{
	static const char front[] = "jweave: ";
	char line[2048];
	va_list ap;
	int saved = errno;

	memcpy(line, front, sizeof(front));
	va_start(ap, fmt);
	int n = vsnprintf(line + sizeof(front) - 1, sizeof(line) - sizeof(front), fmt, ap);
	va_end(ap);
	size_t used = strlen(line);
	if (n < 0)
		return;
	for (size_t i = 0; i < used; i++)
		if (line[i] == '\n' || line[i] == '\r')
			line[i] = ' ';
	line[used++] = '\n';
	ssize_t written = write(STDERR_FILENO, line, used);
	(void)written; /* a closed standard error is the user's choice */
	errno = saved;
}

void rt_say_line(const char *line)
{
	rt_say("%s", line);
}
