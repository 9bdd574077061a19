// processes.js: what processes are called, and what each did; shown where there are several.

const PROCESSES_FIRST = 12;

/** @typedef {{task: number, name: string, label: string, job: string, begin: number, end: number, cpu: number, pauses: number, paused: number, threads: number,
 *     calls: number, how: string}} Process - task: its number in the trace; how: it ended, '' where that is not told */

/** How process NUMBER ended, in the words of the report. @param {number} number from 0 */
function howItEnded(number) {
	return ((model.report.processes || [])[number] || {}).end || '';
}

/** Of the page, else of the report, which alone tells how many there are. @returns {Process[]} */
function readProcesses() {
	/** @type {Process[]} */
	const list = (model.index ? model.index.processes : []).map((p, i) => ({ task: i + 1, name: p.role || `Process ${i + 1}`,
		label: [p.role || `Process ${i + 1}`, p.host, p.pid ? `pid ${p.pid}` : '', p.rank >= 0 ? `rank ${p.rank}` : ''].filter(text => text).join(' · '),
		job: p.job, begin: p.begin, end: p.end, cpu: p.cpu, pauses: p.pauses.counts.length ? p.pauses.counts.reduce((n, c) => n + (c || 1), 0) : p.pauses.n,
		paused: p.pauses.cover[p.pauses.n], threads: 0, calls: 0, how: howItEnded(i) }));
	for (const [place, thread] of model.report.threads.entries()) {
		let at = model.index ? model.index.rows[place].process : list.findIndex(p => p.task === thread.task);
		if (at < 0) {
			const name = `Process ${thread.task}`;
			at = list.push({ task: thread.task, name, label: name, job: '', begin: 0, end: 0, cpu: 0, pauses: 0, paused: 0, threads: 0, calls: 0, how: howItEnded(list.length) }) - 1;
		}
		list[at].task = thread.task;
		list[at].threads += thread.isVm ? 0 : 1;
		list[at].calls += thread.calls;
	}
	return list;
}

/** The process of the page that is number TASK in the trace. @param {number} task */
function processOf(task) {
	return model.processes.find(p => p.task === task);
}

function severalProcesses() {
	return model.processes.length > 1;
}

/** The name of a thread, as NAME or without one, and where there are several processes, whose it is.
 * @param {string} name @param {number} task the process */
function labelOf(name, task) {
	const process = severalProcesses() ? processOf(task) : undefined;
	return `${name || '(no name)'}${process ? ` · ${process.name}` : ''}`;
}

/** @param {number} place of a thread */
function threadLabel(place) {
	const thread = model.report.threads[place];
	return labelOf(thread.name, thread.task);
}

/** Its threads in the timeline. @param {Process} p */
function openProcess(p) {
	shown.rows = p.name;
	openTab('timeline');
	changed('rows');
}

/** When P lived, as part of the run. @param {Process} p */
function lifeBar(p) {
	const whole = model.end - model.begin, words = `from ${moment(p.begin, whole / 1000)} to ${moment(p.end, whole / 1000)}`;
	return el('span', { class: 'bar', role: 'img', title: words, 'aria-label': words }, el('i', { style: { width: `${100 * (p.begin - model.begin) / whole}%` } }),
		el('i', { class: 'kind-running', style: { width: `${Math.max(0.5, 100 * (p.end - p.begin) / whole)}%` } }));
}

function processTable() {
	/** @type {Column<Process>[]} */
	const columns = [{ name: 'Process', text: true, value: p => model.processes.indexOf(p), cell: p => el('span', { class: 'method', title: p.label },
		model.index ? link(p.name, () => openProcess(p), { title: 'Its threads in the timeline' }) : p.name, p.label === p.name ? null : el('small', {}, p.label.slice(p.name.length + 3) + (p.job ? ` · ${p.job}` : ''))) }];
	if (model.processes.some(p => p.how))
		columns.push({ name: 'How it ended', text: true, value: p => p.how, cell: p => p.how.startsWith('no end') ? el('span', { class: 'bad' }, p.how) : el('small', {}, p.how) });
	if (model.index)
		columns.push({ name: 'In the run', value: p => p.begin, cell: lifeBar }, times('Life', p => p.end - p.begin));
	if (model.processes.some(p => p.cpu))
		columns.push(times('CPU', p => p.cpu, 'as the system counts it'));
	if (model.index)
		columns.push(counts('GC pauses', p => p.pauses), times('Paused', p => p.paused));
	columns.push(counts('Threads', p => p.threads), counts('Calls', p => p.calls));
	return table('processes', 'Processes', columns, model.processes, { first: PROCESSES_FIRST });
}
