// tasks.js: the tasks that an engine ran, stragglers first, each with what explains it: those of `jweave report --by-task`
// (trace/engine/engine.h); the page has the first 10,000.

/** What a task had more of. @param {any} c a cause */
function causeOf(c) {
	/** @type {Record<string, string>} */
	const words = { gc: 'garbage collection', fetch: 'fetch wait', disk: 'slow disk', wait: 'waits', io: 'I/O', cpu: 'no CPU' };
	/** @type {Record<string, string>} */
	const measures = { bytesIn: 'bytes in', recordsIn: 'records in', bytesOut: 'bytes out', recordsOut: 'records out' };
	const had = c.measure ? `${count(c.value)} ${measures[c.measure] || c.measure}, the others ${count(c.median)}` : `${time(c.ns)}, the others ${time(c.medianNs)}`;
	return `${words[c.cause] || c.cause}: ${had}${c.of ? `, ${c.of}` : ''}${c.ender ? `, held by ${c.ender}` : ''} (${c.percent} %)`;
}

/** @param {any} t */
function whyOf(t) {
	return t.straggler && t.causes.length ? causeOf(t.causes[0]) : '';
}

/** "stage 2 · partition 5 · executor 1 · node2 · failed" @param {any} t */
function whereOf(t) {
	return [t.stage ? `stage ${t.stage}` : '', t.partition === undefined ? '' : `partition ${t.partition}`, t.attempt ? `attempt ${t.attempt}` : '',
		t.executor === t.task ? '' : t.executor, t.host, t.failed ? 'failed' : t.cancelled ? 'cancelled' : t.open ? 'did not end' : ''].filter(text => text).join(' · ');
}

function taskTable() {
	const tasks = model.tasks.tasks, more = (/** @type {any} */ t) => t.straggler ? t.ns - t.medianNs : 0;
	/** @type {Column<any>[]} */
	const columns = [times('Longer', more, 'than the median of the other tasks of its stage, of those that took much longer'),
		times('Took', t => t.ns),
		{ name: 'Task', text: true, value: t => t.task, cell: t => el('span', { class: 'method' },
			model.index ? link(`task ${t.task}`, () => goTo(t.row, t.depth, t.beginNs, t.beginNs + t.ns), { title: 'Show in the timeline' }) : `task ${t.task}`, el('small', {}, whereOf(t))) },
		{ name: 'Began', value: t => t.beginNs, cell: t => moment(t.beginNs, (model.end - model.begin) / 10000) },
		{ name: 'By state', value: t => t.insideNs.running, cell: t => splitBar(t.insideNs, Math.max(1, t.ns)) },
		{ name: 'Why it took longer', text: true, value: whyOf, cell: t => el('span', { class: 'reason', title: t.causes.map(causeOf).join('\n') }, whyOf(t)) }];
	return el('div', {}, el('p', { class: 'hint' }, `${plural(model.tasks.taskCount, 'task')} of ${plural(model.tasks.stageCount, 'stage')}, of which ${count(model.tasks.stragglers)} took much longer than the others of their stage.`),
		table('tasks', 'Tasks', columns, tasks, { sort: 0, first: 10 }));
}
