#include "tests/runtime-jni/child_kit.h"

#include "base/banned.h"

static char dir[] = "/tmp/jweave-recorder-XXXXXX";
struct rt_config config = { .max_size = UINT64_MAX, .convert = RT_CHOICE_OFF };

static void remove_dir(void)
{
	char command[sizeof(dir) + 16];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (chdir("/") == 0 && system(command) != 0)
		fprintf(stderr, "cannot remove %s\n", dir);
}

const char *work_dir(void)
{
	static bool made;

	if (!made) {
		made = mkdtemp(dir) != NULL;
		atexit(remove_dir);
	}
	return dir;
}

static int run_child(void (*child)(void), bool silent)
{
	int status = -1;

	fflush(NULL);
	work_dir();
	pid_t pid = fork();
	if (!pid) {
		if (silent)
			dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		child();
		_exit(0);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

int in_child(void (*child)(void))
{
	return run_child(child, false);
}

int in_silent_child(void (*child)(void))
{
	return run_child(child, true);
}

void start_with(const char *name, rt_describe_fn describe)
{
	struct jw_err e = { 0 };
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", work_dir(), name);
	config.output = strdup(path);
	if (rt_recorder_start(&config, describe, &e) != JW_OK) {
		fprintf(stderr, "# %s\n", e.text);
		_exit(99);
	}
}

void end(void)
{
	struct rt_recorder_result r;

	if (!rt_recorder_end("test", &r))
		_exit(98);
}

size_t slurp(const char *name, const char *part, void *out, size_t max)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s.jwr/%s", dir, name, part);
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(out, 1, max, f) : 0;
	if (f)
		fclose(f);
	return n;
}
