// tables.js: tables that sort and grow, and the views that are tables: methods, waits, threads.

/**
 * @template T
 * @typedef {{name: string, title?: string, value: (row: T) => number | string, cell?: (row: T) => Node | string, text?: boolean}} Column
 */

const ROWS_FIRST = 100, ROWS_MORE = 400;

/** What each table is sorted by, and how many rows of it are shown, kept while the page is open. @type {Map<string, {column: number, down: boolean, many: number, chosen: boolean}>} */
const sorting = new Map();
/** Of each table that one can choose from: marks what is chosen. @type {Map<string, () => void>} */
const marking = new Map();

/** Is text being chosen, to be copied? */
function isChoosingText() {
	const chosen = getSelection();
	return chosen !== null && !chosen.isCollapsed;
}

/**
 * A table of ROWS that its header sorts; those that are LAST stay after all others. Until a header is pressed rows come by RANK, then by column. @template T
 * @param {string} id @param {string} caption @param {Column<T>[]} columns @param {T[]} rows
 * @param {{sort?: number, pick?: (row: T) => void, picked?: (row: T) => boolean, last?: (row: T) => boolean, rank?: (row: T) => number, empty?: string, first?: number, up?: boolean}} options
 */
function table(id, caption, columns, rows, options = {}) {
	const sort = sorting.get(id) || { column: options.sort ?? 0, down: !options.up && !columns[options.sort ?? 0].text, many: options.first ?? ROWS_FIRST, chosen: false };
	sorting.set(id, sort);
	const body = el('tbody'), more = el('div', { class: 'more' });
	/** @type {{row: T, line: HTMLElement}[]} */
	let lines = [];
	const mark = () => lines.forEach(({ row, line }) => line.classList.toggle('picked', Boolean(options.picked && options.picked(row))));
	if (options.picked)
		marking.set(id, mark);
	const fill = () => {
		const { value } = columns[sort.column];
		const sign = sort.down ? -1 : 1;
		const rank = sort.chosen ? undefined : options.rank;
		const sorted = rows.map((row, i) => ({ row, i, key: value(row), last: options.last ? Number(options.last(row)) : 0, rank: rank ? rank(row) : 0 })).sort((a, b) =>
			a.last !== b.last ? a.last - b.last : a.rank !== b.rank ? a.rank - b.rank : a.key === b.key ? a.i - b.i : a.key < b.key ? -sign : sign);
		lines = sorted.slice(0, sort.many).map(({ row, last }) => {
			const line = el('tr', { class: last ? 'last' : null },
				...columns.map(column => el('td', { class: column.text ? 'text' : null }, column.cell ? column.cell(row) : String(column.value(row)))));
			const links = line.querySelectorAll('button'), only = links.length === 1 ? links[0] : null;
			if (options.pick || only) {
				line.classList.add('picks');
				line.addEventListener('click', event => {
					if (/** @type {HTMLElement} */ (event.target).closest('button') || isChoosingText())
						return;
					if (options.pick)
						options.pick(row);
					else if (only)
						only.click();
				});
			}
			return { row, line };
		});
		mark();
		body.replaceChildren(...lines.map(l => l.line));
		if (!rows.length)
			body.append(el('tr', {}, el('td', { colspan: columns.length, class: 'text empty' }, options.empty || 'none')));
		more.replaceChildren(...(rows.length > sort.many ? [button(`Show more of ${count(rows.length)}`, () => {
			const first = sort.many;
			sort.many += ROWS_MORE;
			fill();
			(lines[first].line.querySelector('button') || more.querySelector('button'))?.focus({ preventScroll: true });
		})] : []));
		heads.forEach((head, i) => head.setAttribute('aria-sort', i !== sort.column ? 'none' : sort.down ? 'descending' : 'ascending'));
	};
	const heads = columns.map((column, i) => el('th', { scope: 'col', class: column.text ? 'text' : null, title: column.title },
		button(column.name, () => {
			sort.down = sort.column === i ? !sort.down : !column.text;
			sort.column = i;
			sort.chosen = true;
			fill();
		})));
	const whole = el('div', { class: 'table' }, el('table', { id }, el('caption', { class: 'hidden' }, caption), el('thead', {}, el('tr', {}, ...heads)), body), more);
	fill();
	const seen = new ResizeObserver(() => markEdges(whole.closest(ACROSS)));
	seen.observe(whole);
	seen.observe(/** @type {HTMLElement} */ (whole.firstChild));
	return whole;
}

/** What scrolls across where a table is wider than it. */
const ACROSS = '.card .table, .pane';

/** Shows at which edge of INTO, of ACROSS, there is more. @param {Element | null} into */
function markEdges(into) {
	if (!into)
		return;
	into.classList.toggle('more-left', into.scrollLeft > 1);
	into.classList.toggle('more-right', into.scrollWidth - into.clientWidth - into.scrollLeft > 1);
}
document.addEventListener('scroll', ({ target }) => target instanceof Element && target.matches(ACROSS) && markEdges(target), { capture: true, passive: true });

/** A time, and a count, whose exact figures the page keeps. @param {number} ns */
function timeCell(ns) {
	return el('span', { 'data-ns': ns }, ns ? time(ns) : '·');
}

/** @param {number} n */
function countCell(n) {
	return el('span', { 'data-n': n }, n ? count(n) : '·');
}

/** A column of times. @template T @param {string} name @param {(row: T) => number} value @param {string} [title]
 * @returns {Column<T>} */
function times(name, value, title) {
	return { name, title, value, cell: row => timeCell(value(row)) };
}

/** A column of counts. @template T @param {string} name @param {(row: T) => number} value @param {string} [title]
 * @returns {Column<T>} */
function counts(name, value, title) {
	return { name, title, value, cell: row => countCell(value(row)) };
}

/** A time of which nobody knows what it was: no colour of a state. */
const UNKNOWN_KIND = { key: 'unknown', name: 'of whatever state' };

/** Parts of WHOLE by kind of time, as a bar. @param {Record<string, number>} parts by key of KINDS, or of UNKNOWN_KIND @param {number} whole */
function splitBar(parts, whole) {
	const bar = el('span', { class: 'bar', role: 'img' });
	const words = [];
	for (const kind of [...KINDS, UNKNOWN_KIND]) {
		const ns = parts[kind.key] || 0;
		if (!(ns > 0))
			continue;
		words.push(`${kind.name} ${time(ns)} (${percent(ns, whole)})`);
		bar.append(el('i', { class: `kind-${kind.key}`, style: { width: `${100 * ns / whole}%` } }));
	}
	bar.title = words.join('\n');
	bar.setAttribute('aria-label', words.join(', ') || 'nothing');
	return bar;
}

/** What the states of a thread of the report come to, by key of KINDS. @param {any} thread @returns {Record<string, number>} */
function threadSplit(thread) {
	/** @type {Record<string, number>} */
	const split = {};
	for (const [state, ns] of Object.entries(thread.states || {})) {
		const kind = kindOf(Number(state));
		if (kind >= 0)
			split[KINDS[kind].key] = (split[KINDS[kind].key] || 0) + ns;
	}
	return split;
}

function legend() {
	const used = new Set();
	for (const thread of model.report.threads)
		for (const key of Object.keys(threadSplit(thread)))
			used.add(key);
	for (const m of model.methods)
		if (m.split.gc)
			used.add('gc');
	return el('ul', { class: 'legend', 'aria-label': 'What colours mean' },
		...KINDS.filter(kind => used.has(kind.key)).map(kind => el('li', {}, el('i', { class: `kind-${kind.key}` }), kind.name)));
}

/** @param {Method} m */
function methodCell(m) {
	return el('span', { class: 'method', title: m.full }, link(m.name, () => openMethod(m.number)), m.pack ? el('small', {}, m.pack) : null);
}

/** @param {number} number of a method, from 0 */
function openMethod(number) {
	shown.method = number;
	if (shown.tab === 'methods')
		changed('method');
	else
		openTab('methods');
}

/** A line for views whose figures are always those of all the time. */
function wholeRunNotice() {
	return shown.range ? el('p', { class: 'notice whole-run' }, 'All figures here are of the whole run, not of the range.') : '';
}

/** A line for views that would show calls that are missing; of a range, until its end. */
function closedNotice() {
	const text = closedText(shown.range ? shown.range[1] : model.end);
	return text ? el('p', { class: 'notice closed' }, text) : '';
}

// ---- methods ----

/** The self time of M by state, as far as it is known. @param {Method} m @returns {Record<string, number>} */
function ownParts(m) {
	return Object.keys(m.split).length ? m.split : { unknown: m.self };
}

const LIKELY = 'own running time of all calls, estimated from the moments in which everything was recorded: small, hot methods were closed while the program ran, and what they took since is in the self time of their callers';

const OWN_RUNNING = 'of the self time, what the method was running';
const PERCENTILES = ['p50', 'p90', 'p99', 'p99.9'];
const percentileTitle = (/** @type {string} */ label) => `${label.slice(1)} of 100 calls took so long at most`;

/** Of a closed method there were at least the calls that were recorded. @param {Method} m */
function callsCell(m) {
	return m.closed ? el('span', { 'data-n': m.calls, title: 'It was closed while the program ran, and was called more often than that.' }, `≥ ${count(m.calls)}`) : countCell(m.calls);
}

/** @param {Method} m @param {number} i of PERCENTILES */
function percentileOf(m, i) {
	const d = model.durations[m.number];
	return d ? d.percentiles[i] : 0;
}

const methodsView = {
	/** @param {HTMLElement} into */
	show(into) {
		const list = el('div', { class: 'pane' }), side = el('aside', { id: 'method-details', class: 'details', tabindex: -1, 'aria-label': 'The method chosen' });
		into.append(el('div', { class: 'split' }, list, side));
		methodsView.fill = () => void fillMethods(list);
		methodsView.details = () => showMethod(side);
		methodsView.fill();
		methodsView.details();
	},
	fill: () => {},
	details: () => {},
};
on('table', () => shown.tab === 'methods' && methodsView.fill());
on('method', () => {
	if (shown.tab === 'methods') {
		for (const id of ['methods', 'range-methods'])
			marking.get(id)?.();
		methodsView.details();
	}
});
on('more', () => shown.tab === 'methods' && methodsView.details());

/** @param {HTMLElement} into */
async function fillMethods(into) {
	const report = model.report;
	let methods = model.methods;
	if (found)
		methods = methods.filter(m => found && found.has(m.number + 1));
	/** @type {Column<Method>} */
	const name = { name: 'Method', text: true, value: m => m.name.toLowerCase(), cell: methodCell };
	const options = { sort: 3 /* as the report: likely, else running, else self */, pick: (/** @type {Method} */ m) => openMethod(m.number), picked: (/** @type {Method} */ m) => m.number === shown.method,
		empty: found ? 'No method matches the search.' : noMethod() };
	const title = el('h2', { class: 'hidden' }, 'Methods');
	if (shown.range) {
		into.replaceChildren(el('p', { class: 'loading' }, 'Adding up the range …'));
		try {
			const { range } = shown, tree = await treeOf(...range, null);
			into.replaceChildren(title, rangeNotice(tree.exact), closedNotice(), rangeMethods(tree, range, [name], methods, options));
		} catch (error) {
			into.replaceChildren(title, failNotice(error, showTab));
		}
		return;
	}
	const most = Math.max(1, ...model.methods.map(m => m.self));
	/** @type {Column<Method>[]} */
	const columns = [name, { name: 'Calls', value: m => m.calls, cell: callsCell }, times('Total', m => m.total, 'with what it calls; a recursion counted once'),
		...likelyKnown() ? [times('Likely', (/** @type {Method} */ m) => m.likely, LIKELY)] : [],
		...report.statesKnown ? [times('Running', (/** @type {Method} */ m) => m.running, OWN_RUNNING)] : [], times('Self', m => m.self, 'without what it calls'),
		{ name: 'Self by state', title: 'as share of the largest', value: m => m.self, cell: m => splitBar(ownParts(m), most) },
		times('Mean', m => m.mean)];
	if (model.durations.some(d => d))
		PERCENTILES.forEach((label, i) => columns.push(times(label, m => percentileOf(m, i), percentileTitle(label))));
	columns.push(times('Longest', m => m.longest));
	if (report.exceptionsKnown && model.methods.some(m => m.exceptional))
		columns.push(counts('Exceptions', m => m.exceptional, 'calls that an exception ended'));
	into.replaceChildren(title, closedNotice(), table('methods', 'Methods', columns, methods, options));
}

/** Methods in RANGE, by TREE, after the columns FIRST. @param {Tree} tree @param {[number, number]} range @param {Column<Method>[]} first
 * @param {Method[]} methods @param {{}} options */
function rangeMethods(tree, range, first, methods, options) {
	const sums = (/** @type {Method} */ m) => tree.methods[m.number + 1], most = Math.max(1, ...tree.methods.map(s => s.self));
	const all = range[0] <= model.begin && range[1] >= model.end, { splits, durations } = tree, known = splits || (all && model.report.statesKnown);
	/** @param {Method} m @returns {Record<string, number>} */
	const parts = m => all ? ownParts(m) : splits ? Object.fromEntries(KINDS.map((kind, i) => [kind.key, Math.max(0, splits[m.number + 1][i])])) : { unknown: sums(m).self };
	const columns = [...first, counts('Calls', (/** @type {Method} */ m) => sums(m).calls, 'of which a part is in the range'), times('Total', (/** @type {Method} */ m) => sums(m).total),
		...known ? [times('Running', (/** @type {Method} */ m) => parts(m).running, OWN_RUNNING)] : [], times('Self', (/** @type {Method} */ m) => sums(m).self),
		{ name: known ? 'Self by state' : 'Self, as a bar', title: 'as share of the largest', value: (/** @type {Method} */ m) => sums(m).self, cell: (/** @type {Method} */ m) => splitBar(parts(m), most) }];
	if (tree.exact && durations) {
		for (const list of durations.filter(some => some))
			list.sort((x, y) => x - y);
		PERCENTILES.forEach((label, i) => columns.push(times(label, m => percentileIn(durations[m.number + 1] || [], i), `${percentileTitle(label)}; of those that begin and end in the range`)));
	}
	return table('range-methods', 'Methods in the range', columns, methods.filter(m => sums(m).calls || sums(m).total), { ...options, sort: 3, empty: 'No method was called in the range.' });
}

/** As trace_sketch_at() has it. @param {number[]} sorted @param {number} i of PERCENTILES */
function percentileIn(sorted, i) {
	return sorted[Math.max(1, Math.ceil(sorted.length * Math.round(Number(PERCENTILES[i].slice(1)) * 10) / 1000)) - 1] ?? 0;
}

/** @param {boolean} exact */
function rangeNotice(exact) {
	return el('p', { class: 'notice' }, exact ? 'Sums of the range, exact.' : `Sums of the range. ${inexactText()}`);
}

// ---- waits ----

const WAIT_WORDS = /** @type {Record<string, string>} */ ({ call: 'a traced call', enter: 'to enter a monitor', wait: 'Object.wait', park: 'park', work: 'for work', requests: 'for requests', sleep: 'sleep' });

/** In which way: in words, of operations by their names. @param {any} w of the report */
function waitHow(w) {
	return WAIT_WORDS[w.wait] || w.wait;
}

/** The class that is waited for, as the report shows it: HotSpot locks an int[] without elements while it initializes a class.
 * @param {any} w of the report @returns {string} */
function waitClass(w) {
	return ['enter', 'wait'].includes(w.wait) && w.class === 'int[0]' ? 'a class that is being initialized' : w.class || '';
}

/** What was waited for. @param {any} w of the report */
function waitWhat(w) {
	return (w.wait === 'call' ? w.callee || 'waits' : w.object || w.class || w.channel) || waitHow(w);
}

/** Does who waits so have nothing, or little, else to do? @param {any} w of the report */
function isIdle(w) {
	return Boolean(w.littleElse) || w.wait === 'work' || w.wait === 'requests';
}

/** How and for what, in a sentence. @param {any} w of the report */
function waitText(w) {
	const how = w.wait === 'enter' ? 'to enter ' : w.wait === 'call' ? (w.callee ? 'in ' : '') : waitHow(w) === waitWhat(w) ? '' : `${waitHow(w)}, `;
	return how + waitWhat(w);
}

/** @param {any} w */
function waitWhere(w) {
	return `${w.method || 'outside of traced methods'}${w.source ? ` (${w.source}:${w.line})` : ''}`;
}

/** Traced methods in which threads waited there, where that is in none of them, with their shares. @param {any} w of the report @returns {{method: string, count: number, ns: number}[]} */
function waitCallers(w) {
	return isIdle(w) ? [] : (w.callers || []).filter((/** @type {any} */ c) => c.method.split('(')[0] !== w.method.split(',')[0]);
}

/** For what, and below it how and where. OPEN: what a click does. @param {any} w of the report @param {() => void} [open] */
function waitCell(w, open) {
	const callers = waitCallers(w), more = callers.length > 2 ? ` and ${callers.length - 2} more` : '';
	const called = callers.length ? `, called by ${callers.slice(0, 2).map(c => c.method).join(', ')}${more}` : '';
	const what = withoutPackage(waitWhat(w)), where = `${w.method ? 'in ' : ''}${waitWhere(w)}${called}`, title = `${waitText(w)}, ${where}`;
	return el('span', { class: 'method', title }, open ? link(what, open, { title: `${title}: its single waits` }) : what,
		el('small', {}, `${w.wait === 'call' || waitHow(w) === waitWhat(w) ? '' : `${waitHow(w)}, `}${where}`));
}

/** The role of a thread, by its name (trace/calls/role.h). @param {string} name */
function roleOf(name) {
	return /^unnamed [0-9]+$/.test(name) ? 'unnamed' : name.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]+/gi, '*');
}

/** Names of some threads, those that have most first; of many those of one role are told as one. @param {any[]} shares @param {number} most */
function someThreads(shares, most = 3) {
	/** @type {Map<string, {label: string, role: string, threads: number}>} */
	const groups = new Map();
	for (const [i, s] of shares.entries()) {
		const name = model.report.threads[placeOfThread(s.task, s.thread)]?.name ?? s.name ?? '', role = labelOf(roleOf(name), s.task);
		const key = shares.length > most ? `${s.task} ${role}` : String(i), group = groups.get(key);
		if (group)
			group.threads++;
		else
			groups.set(key, { label: labelOf(name, s.task), role, threads: 1 });
	}
	const shown = [...groups.values()].slice(0, most), left = shares.length - shown.reduce((n, g) => n + g.threads, 0);
	return shown.map(g => g.threads === 1 ? g.label : `${g.role} (${g.threads} threads)`).join(', ') + (left ? ` and ${left} more` : '');
}

/** @param {number} number of a line of the report's waits */
function openWait(number) {
	shown.wait = number;
	openTab('waits');
}

/** The waits in RANGE, which are added up while INTO says so; null: INTO is gone, or says why not. @param {HTMLElement} into
 * @param {[number, number]} range */
async function waitsHere(into, range) {
	const loading = el('p', { class: 'loading' }, 'Adding up the range …');
	into.append(loading);
	try {
		const list = await waitsOfRange(...range);
		if (!loading.isConnected)
			return null;
		loading.remove();
		waitsView.details();
		return list;
	} catch (error) {
		loading.replaceWith(failNotice(error, showTab));
		return null;
	}
}

/** Monitors, operations, exceptions, allocations: of the whole run. @param {HTMLElement} pane */
function moreThanWaits(pane) {
	const report = model.report;
	pane.append(el('h2', {}, 'Monitors'),
		table('monitors', 'Monitors', [
			{ name: 'Object', text: true, value: m => labelOf(m.object, m.task) },
			counts('Contended', m => m.contended.count, 'entered while another thread was inside'), times('Blocked', m => m.contended.ns),
			counts('Waits', m => m.waits.count, 'Object.wait'), times('Waited', m => m.waits.ns),
			{ name: 'Who waited', text: true, value: m => someThreads(m.threads) || '·' },
			{ name: 'Held by', text: true, value: m => someThreads(m.owners) || '·' },
		], report.monitors, { sort: 2, empty: 'No thread waited for a monitor.' }));
	const operations = report.operations || [];
	if (operations.length)
		pane.append(el('h2', {}, 'Operations'), table('operations', 'Operations', [
			{ name: 'Operation', text: true, value: o => `${o.type}/${o.name}` },
			counts('Times', o => o.count), times('Took', o => o.ns),
			{ name: 'Bytes', value: o => o.bytes, cell: o => o.bytes ? bytes(o.bytes) : '·' },
		], operations, { sort: 2 }));
	pane.append(...channelTable('connections', 'Connections', report.connections || []), ...channelTable('files', 'Files', report.files || []));
	const exceptions = report.exceptions || [];
	if (exceptions.length)
		pane.append(el('h2', {}, 'Exceptions'), table('exceptions', 'Exceptions', [
			{ name: 'Class', text: true, value: x => x.class },
			counts('Thrown', x => x.thrown), counts('Thrown again', x => x.again), counts('Caught', x => x.caught),
		], exceptions, { sort: 1 }));
	const allocations = report.allocations || [];
	if (allocations.length)
		pane.append(el('h2', {}, 'Allocations that were sampled'), el('p', { class: 'hint' }, 'One in 512 KB is sampled, or in as many bytes as JWEAVE_ALLOC says: count times that is about what was allocated.'), table('allocations', 'Allocations', [
			{ name: 'Class', text: true, value: x => x.class }, counts('Times', x => x.count),
			{ name: 'Bytes', value: x => x.bytes, cell: x => bytes(x.bytes) },
		], allocations, { sort: 2 }));
}

const waitsView = {
	/** @param {HTMLElement} into */
	async show(into) {
		const { report } = model, { range } = shown;
		const pane = el('div', { class: 'pane pad' }), side = el('aside', { id: 'wait-details', class: 'details', tabindex: -1, 'aria-label': 'The waits chosen' });
		into.append(el('div', { class: 'split' }, pane, side));
		waitsView.details = () => showWait(side);
		waitsView.details();
		const open = (/** @type {any} */ w) => {
			const at = report.waits.findIndex((/** @type {any} */ x) => waitKey(x) === waitKey(w) && (w.littleElse === undefined || x.littleElse === w.littleElse));
			shown.wait = at < 0 ? null : at;
			changed('wait');
		};
		const picked = (/** @type {any} */ w) => shown.wait !== null && waitKey(report.waits[shown.wait]) === waitKey(w) && (w.littleElse === undefined || report.waits[shown.wait].littleElse === w.littleElse);
		const list = range ? await waitsHere(pane, range) : report.waits;
		if (!list)
			return;
		// of a range it is not known whose the waits are: a line is idle if no other one like it is busy
		const busy = new Set(report.waits.filter((/** @type {any} */ w) => !isIdle(w)).map(waitKey)), idle = new Set(report.waits.filter(isIdle).map(waitKey));
		const last = (/** @type {any} */ w) => range ? idle.has(waitKey(w)) && !busy.has(waitKey(w)) : isIdle(w);
		pane.append(el('h2', {}, `Where threads waited, and for what${shown.range ? ', in the range' : ''}`),
			list.some(last) ? el('p', { class: 'sub' }, 'In grey, after all others: for work, for requests, and by threads that do little else.') : '',
			range && !singles.complete ? el('p', { class: 'notice' }, `Of the ${count(singles.all.length)} longest waits: the page has no more of them one by one.`) : '',
			range && lacksSites() ? el('p', { class: 'notice' }, 'A call that the range cuts has no line here where several lines of its caller make such calls.') : '',
			range && isNearAtEdges() ? el('p', { class: 'notice' }, 'What calls waited by themselves (a traced call) is about right where the range cuts them.') : '',
			table(shown.range ? 'range-waits' : 'waits', 'Waits', [
				{ name: 'For what, and where', text: true, value: waitWhat, cell: w => waitCell(w, () => open(w)) },
				counts('Times', w => w.count), times('Waited', w => w.ns), times('Longest', w => w.longestNs),
				...(shown.range ? [] : [{ name: 'Held or ended by', title: 'who had the monitor or lock; else who let the threads go on', text: true, value: (/** @type {any} */ w) => someThreads(w.enders) || '·' }]),
			], list, { sort: 2, pick: open, picked, last, empty: 'No thread waited, as far as was recorded.' }));
		if (!range)
			moreThanWaits(pane);
	},
	details: () => {},
};
on('wait', () => {
	if (shown.tab === 'waits') {
		for (const id of ['waits', 'range-waits'])
			marking.get(id)?.();
		waitsView.details();
	}
});

// ---- threads ----

const MANY_THREADS = 20;

/** @param {number} place */
function openThread(place) {
	shown.selection = { row: place, track: -1, begin: 0, at: 0, exact: false };
	shown.tab = 'timeline';
	changed('tab', 'selection');
}

/** @param {any} thread @param {number} place */
function threadCell(thread, place) {
	const name = thread.name || '(no name)';
	if (thread.threads)
		return el('span', {}, `${name} (${count(thread.threads)} threads)`);
	return model.index ? link(name, () => openThread(place), { title: 'Show in the timeline' }) : el('span', {}, name);
}

/** The sums of threads that are of one role and process, in place of ROWS, at places below 0; so are those of RANGE.
 * @param {{thread: any, place: number}[]} rows @param {Map<number, number[]> | null} range */
function sumByRole(rows, range) {
	/** @type {Map<string, {thread: any, place: number}[]>} */
	const roles = new Map();
	for (const r of rows) {
		const key = `${r.thread.task} ${roleOf(r.thread.name)}`, list = roles.get(key);
		if (list)
			list.push(r);
		else
			roles.set(key, [r]);
	}
	return [...roles.values()].map((list, i) => {
		if (list.length === 1)
			return list[0];
		const first = list[0].thread, sum = { name: roleOf(first.name), task: first.task, threads: list.length, states: /** @type {any} */ ({}) };
		for (const key of ['lifeNs', 'runningNs', 'cpuNs', 'insideNs', 'calls'])
			/** @type {any} */ (sum)[key] = list.reduce((n, r) => n + (r.thread[key] || 0), 0);
		for (const r of list)
			for (const [state, ns] of Object.entries(r.thread.states || {}))
				sum.states[state] = (sum.states[state] || 0) + ns;
		if (range)
			range.set(-1 - i, KINDS.map((_, k) => list.reduce((n, r) => n + ((range.get(r.place) || [])[k] || 0), 0)));
		return { thread: sum, place: -1 - i };
	});
}

/** All threads; of many their roles first. @param {{thread: any, place: number}[]} rows @param {string} id @param {Map<number, number[]> | null} range */
function threadTables(rows, id, range = null) {
	const roles = rows.length > MANY_THREADS ? sumByRole(rows, range) : rows;
	if (roles.length * 2 > rows.length)
		return [threadTable(rows, id, range)];
	return [el('h2', {}, 'By role'), threadTable(roles, `${id}-by-role`, range), el('h2', {}, 'Each thread'), threadTable(rows, id, range)];
}

/** @param {{thread: any, place: number}[]} rows @param {string} id @param {Map<number, number[]> | null} range */
function threadTable(rows, id, range = null) {
	const report = model.report, longest = rows.reduce((ns, r) => Math.max(ns, r.thread.lifeNs), model.end - model.begin);
	/** @typedef {{thread: any, place: number}} R @type {Column<R>[]} */
	const columns = [{ name: 'Thread', text: true, value: r => r.thread.name, cell: r => threadCell(r.thread, r.place) }];
	if (severalProcesses())
		columns.push({ name: 'Process', text: true, value: r => r.thread.task, cell: r => el('span', { title: processOf(r.thread.task)?.label ?? '' }, processOf(r.thread.task)?.name ?? '') });
	if (range) {
		const [a, b] = /** @type {[number, number]} */ (shown.range);
		const split = (/** @type {R} */ r) => Object.fromEntries(KINDS.map((kind, i) => [kind.key, (range.get(r.place) || [])[i] || 0]));
		columns.push({ name: 'In the range', value: r => split(r).running, cell: r => splitBar(split(r), b - a) });
		KINDS.forEach((kind, i) => rows.some(r => (range.get(r.place) || [])[i]) && columns.push(times(kind.name, r => (range.get(r.place) || [])[i] || 0)));
		return table(id, 'Threads in the range', columns, rows, { sort: 1 });
	}
	if (report.statesKnown)
		columns.push({ name: 'What it did', title: 'of the whole run', value: r => r.thread.lifeNs, cell: r => splitBar(threadSplit(r.thread), longest) });
	columns.push(times('Life', r => r.thread.lifeNs));
	if (report.statesKnown)
		columns.push(times('Running', r => r.thread.runningNs));
	if (report.threads.some((/** @type {any} */ t) => t.cpuNs))
		columns.push(times('CPU', r => r.thread.cpuNs || 0, 'as the system counts it'));
	if (report.statesKnown)
		columns.push(times('Blocked', r => threadSplit(r.thread).blocked || 0), times('Waiting', r => threadSplit(r.thread).waiting || 0), times('I/O', r => threadSplit(r.thread).io || 0));
	columns.push(times('In methods', r => r.thread.insideNs), counts('Calls', r => r.thread.calls));
	return table(id, 'Threads', columns, rows, { sort: columns.findIndex(c => c.name === (report.statesKnown ? 'Running' : 'In methods')) });
}

const threadsView = {
	/** @param {HTMLElement} into */
	async show(into) {
		const rows = model.report.threads.map((/** @type {any} */ thread, /** @type {number} */ place) => ({ thread, place }));
		const pane = el('div', { class: 'pane pad' });
		into.append(pane);
		if (!shown.range || !model.index) {
			pane.append(legend(), ...threadTables(rows, 'threads'));
			return;
		}
		const range = new Map(), [a, b] = shown.range;
		pane.append(el('p', { class: 'loading' }, 'Adding up the range …'));
		for (const row of model.index.rows) {
			await loadRow(row);
			range.set(row.place, kindsOf(row, a, b));
		}
		pane.replaceChildren(legend(), ...threadTables(rows, 'range-threads', range));
	},
};
