#include "tests/trace/check_prv.h"

#include "base/banned.h"

void must(bool holds)
{
	if (!holds)
		__builtin_trap();
}

char *slurp(const char *base, const char *suffix)
{
	char *text = make_slurp(make_path("%s.%s", base, suffix));

	must(text && *text && text[strlen(text) - 1] == '\n');
	return text;
}

size_t numbers(char *line, uint64_t *v, size_t max)
{
	size_t n = 0;

	for (char *at = line; n < max; at++) {
		must(*at >= '0' && *at <= '9' && (*at != '0' || at[1] < '0' || at[1] > '9'));
		v[n++] = strtoull(at, &at, 10);
		if (*at != ':')
			break;
	}
	return n;
}

/* "#Paraver (..):END_ns:NODES:1:TASKS(rows:node,..),0" */
static void check_head(struct check_trace *t, const char *line)
{
	const char *at = strstr(line, "):");

	must(strncmp(line, "#Paraver (", 10) == 0 && at != NULL);
	t->end = strtoull(at + 2, NULL, 10);
	at = strrchr(line, '(');
	must(at != NULL);
	for (char *next; *at == '(' || (*at == ',' && at[1] != '0'); at = next) {
		must(t->task_count < CHECK_TASKS);
		struct check_task *task = &t->tasks[t->task_count++];

		*task = (struct check_task){ .first = t->row_count };
		task->rows = strtoull(at + 1, &next, 10);
		t->row_count += task->rows;
		must(*next == ':' && task->rows > 0);
		(void)strtoull(next + 1, &next, 10);
	}
	t->rows = calloc(t->row_count, sizeof(*t->rows));
	must(t->rows != NULL);
}

/* That of V, "CPU:1:task:thread". */
static struct check_row *row_of(struct check_trace *t, const uint64_t *v, struct check_task **task)
{
	must(v[1] == 1 && v[2] >= 1 && v[2] <= t->task_count);
	*task = &t->tasks[v[2] - 1];
	must(v[3] >= 1 && v[3] <= (*task)->rows);
	return &t->rows[(*task)->first + v[3] - 1];
}

static bool waits_in(uint64_t state)
{
	return state == 5 || state == 8 || state == 9;
}

static void check_state(struct check_trace *t, const uint64_t *v)
{
	struct check_task *task;
	struct check_row *row = row_of(t, v + 1, &task);
	uint64_t begin = v[5], end = v[6], state = v[7];

	must(state > 0 && begin < end && end <= t->end && begin >= row->at);
	must(begin == row->state_end && state != row->state);
	must(state != 2 || row->arrow <= begin || row->arrow >= end);
	row->arrow = row->arrow == begin ? 0 : row->arrow;
	if (row->monitor && !waits_in(state) && !row->owed)
		row->owed = begin;
	row->state = state;
	row->state_begin = begin;
	row->state_end = end;
	if (state != 1)
		return;
	task->ran = end > task->ran ? end : task->ran;
	if (task->pause && !task->runs) /* it ends, or there is none yet */
		task->runs = begin;
}

static void check_event(struct check_task *task, struct check_row *row, uint64_t time,
			uint64_t type, uint64_t value)
{
	must(type > 0 && type <= INT32_MAX && value <= UINT64_C(1) << 53);
	if (type == CHECK_STACKED) {
		must(value || row->depth);
		row->depth += value ? 1 : UINT64_MAX;
	} else if (type == CHECK_PAUSE) {
		must(value <= 1 && value == !task->pause);
		must(value ? task->ran <= time : !task->runs || task->runs >= time);
		task->pause = value ? time : 0;
		task->runs = 0;
	} else if (type == CHECK_MONITOR) {
		must(!value || waits_in(row->state));
		must(!row->owed || row->owed == time);
		row->monitor = value;
		row->owed = 0;
	} else if (type > CHECK_OPERATION && type < CHECK_OPERATION + CHECK_OPERATIONS) {
		uint64_t *open = &row->open[type - CHECK_OPERATION];

		must(value || *open);
		*open += value ? 1 : UINT64_MAX;
	}
}

static void check_events(struct check_trace *t, const uint64_t *v, size_t n)
{
	struct check_task *task;
	struct check_row *row = row_of(t, v + 1, &task);
	uint64_t time = v[5];

	must(n >= 8 && n % 2 == 0 && time > 0);
	must(row->state != 0 && time <= row->state_end);
	for (size_t i = 6; row->state == 2 && i < n; i += 2)
		must(v[i] == CHECK_CLOSED || v[i] == CHECK_DETAIL);
	row->at = time;
	row->arrow = row->arrow == time ? 0 : row->arrow;
	for (size_t i = 6; i < n; i += 2)
		check_event(task, row, time, v[i], v[i + 1]);
}

/* An arrow begins or ends at TIME. Of several ends that are still to come one is looked at. */
static void check_arrow_end(struct check_row *row, uint64_t time)
{
	must(row->state != 2 || time <= row->state_begin || time >= row->state_end);
	if (row->state == 14 && time >= row->state_begin) /* no wait is shown: it may have none */
		return;
	if (row->at != time && row->state_begin != time && row->state_end != time && !row->arrow)
		row->arrow = time;
}

static void check_arrow(struct check_trace *t, const uint64_t *v, size_t n)
{
	struct check_task *task;
	struct check_row *from = row_of(t, v + 1, &task);

	must(n == 15 && from != row_of(t, v + 7, &task));
	must(v[5] == v[6] && v[11] == v[12] && v[5] <= v[11] && v[11] <= t->end && v[14] > 0);
	check_arrow_end(from, v[5]);
	check_arrow_end(row_of(t, v + 7, &task), v[11]);
}

static void check_end(const struct check_trace *t)
{
	for (size_t i = 0; i < t->task_count; i++)
		must(!t->tasks[i].pause);
	for (size_t i = 0; i < t->row_count; i++) {
		const struct check_row *row = &t->rows[i];

		must(row->state_end == t->end && !row->depth && !row->monitor && !row->arrow);
		for (size_t k = 0; k < CHECK_OPERATIONS; k++)
			must(!row->open[k]);
	}
}

void check_prv(const char *base)
{
	static uint64_t v[CHECK_FIELDS];
	struct check_trace t = { 0 };
	char *prv = slurp(base, "prv"), *rest = prv, *line;
	bool longest = false; /* the line before had all the pairs that a line may have */
	uint64_t before[6] = { 0 };

	check_head(&t, strsep(&rest, "\n"));
	for (; (line = strsep(&rest, "\n")) != NULL && *line;) {
		size_t n = numbers(line, v, CHECK_FIELDS);

		must(n >= 8 && v[0] >= 1 && v[0] <= 3 && v[5] >= t.last);
		must(v[0] != 2 || longest || memcmp(before, v, sizeof(before)) != 0);
		memcpy(before, v, sizeof(before));
		longest = n == CHECK_FIELDS;
		t.last = v[5];
		if (v[0] == 1)
			check_state(&t, v);
		else if (v[0] == 2)
			check_events(&t, v, n);
		else
			check_arrow(&t, v, n);
	}
	check_end(&t);
	free(t.rows);
	free(prv);
}
