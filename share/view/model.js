// model.js: the run that the page shows, and what of it is shown now. What is shown is in the address (after #), so
// that a link, and the browser's back, bring it again.
//
//     model      what the page holds: the report, rows, names          never changes after readModel()
//     shown      tab, part of the time, range, selection, search      change it, then changed(what)
//     sums()     calls, total and self of methods in any part of the time, from the spans themselves

/**
 * @typedef {{number: number, name: string, full: string, type: string, pack: string, source: string, calls: number,
 *     exceptional: number, total: number, self: number, running: number, likely: number, closed: number, mean: number, longest: number,
 *     split: Record<string, number>, totalSplit: Record<string, number>, every: number, raw: any}} Method
 * @typedef {{row: number, track: number, begin: number, at: number, exact: boolean}} Chosen
 * @typedef {{method: number, parent: number, depth: number, calls: number, total: number, self: number,
 *     children: Map<number, number>}} TreeNode
 * @typedef {{calls: number, total: number, self: number}} Sums
 * @typedef {{nodes: TreeNode[], methods: Sums[], exact: boolean, splits: Float64Array[] | null, durations: number[][] | null}} Tree
 * Splits: the self time of each method, from 1, by KINDS; null: not known. Durations: of its calls that began and ended there;
 * null: nobody asks.
 */

const model = {
	/** @type {any} */ about: null,
	/** @type {any} */ report: null,
	/** @type {any} */ path: null, // the critical path
	/** @type {any} */ slow: null, // the slowest calls, single waits
	/** @type {any} */ tasks: null, // of an engine; null: there were none
	/** @type {any} */ requests: null, // on connections; likewise
	/** @type {any} */ sql: null, // statements; likewise
	/** @type {any} */ diff: null, // from an earlier run; null: none was given
	/** @type {Index | null} */ index: null,
	/** @type {Arrows | null} */ arrows: null,
	/** @type {LongCall[][]} */ longest: [],
	/** @type {{all: number, list: Context[]}} */ contexts: { all: 0, list: [] }, // traces of OpenTelemetry
	/** @type {Said | null} */ said: null, // what calls have captured
	/** @type {Method[]} */ methods: [],
	/** @type {(Durations | null)[]} */ durations: [],
	/** @type {Process[]} */ processes: [],
	begin: 0, end: 1,
};

const TABS = [
	{ id: 'overview', name: 'Overview' },
	{ id: 'timeline', name: 'Timeline' },
	{ id: 'methods', name: 'Methods' },
	{ id: 'flame', name: 'Flame graph' },
	{ id: 'waits', name: 'Waits' },
	{ id: 'threads', name: 'Threads' },
	{ id: 'path', name: 'Critical path' },
];

const shown = {
	tab: 'overview',
	from: 0,
	to: 1,
	/** @type {[number, number] | null} */ range: null,
	/** @type {Chosen | null} */ selection: null,
	query: '',
	rows: '', // text that names of threads must have
	sort: 'start',
	levels: 'auto',
	/** @type {number | null} */ method: null, // whose details are open
	by: 'self', // what the flame graph shows
	turned: false, // callers, not callees
	/** @type {number | null} */ thread: null, // whose flame graph; null: of all
	zoom: '', // to which of its boxes: methods from its root on, as "3.7.2"; '': to all
	path: false, // the critical path in the timeline
	colour: '', // of the flame graph: "change" since the earlier run; else by package
	/** @type {number | null} */ wait: null, // of the report, whose single waits are shown
};

// ---- changes ----

/** @type {Map<string, (() => void)[]>} */
const listeners = new Map();

/** @param {string} what "tab", "view", "range", "selection", "query", "rows", "method", "flame", "path", "theme"
 * @param {() => void} act */
function on(what, act) {
	const list = listeners.get(what);
	if (list)
		list.push(act);
	else
		listeners.set(what, [act]);
}

/** @param {...string} whats */
function changed(...whats) {
	for (const what of whats)
		for (const act of listeners.get(what) || [])
			act();
	addressSoon();
}

// ---- the address ----

/** What the address is without saying so. @returns {Record<string, string>} */
function usual() {
	return { tab: 'overview', t: `${model.begin}-${model.end}`, range: '', sel: '', q: '', rows: '', sort: 'start', levels: 'auto', method: '', by: 'self', turned: '', thread: '', zoom: '', path: '', wait: '', colour: model.diff ? 'change' : '' };
}

function toAddress() {
	const s = shown.selection;
	/** @type {Record<string, string>} */
	const all = {
		tab: shown.tab,
		t: `${Math.round(shown.from)}-${Math.round(shown.to)}`,
		range: shown.range ? `${Math.round(shown.range[0])}-${Math.round(shown.range[1])}` : '',
		sel: s ? `${s.row}.${s.track}.${s.begin}.${Math.round(s.at)}.${s.exact ? 1 : 0}` : '',
		q: shown.query, rows: shown.rows, sort: shown.sort, levels: shown.levels,
		method: shown.method === null ? '' : String(shown.method), by: shown.by, turned: shown.turned ? '1' : '',
		thread: shown.thread === null ? '' : String(shown.thread), zoom: shown.zoom, path: shown.path ? '1' : '',
		wait: shown.wait === null ? '' : String(shown.wait), colour: shown.colour,
	};
	const plain = usual();
	return Object.entries(all).filter(([key, value]) => value !== plain[key])
		.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
}

/** Two numbers "A-B", in order and of the run; null: they are not. @param {string} text @returns {[number, number] | null} */
function readSpan(text) {
	const m = /^(\d+)-(\d+)$/.exec(text);
	if (!m || Number(m[1]) >= Number(m[2]) || Number(m[1]) >= model.end || Number(m[2]) <= model.begin)
		return null;
	return [Math.max(model.begin, Number(m[1])), Math.min(model.end, Number(m[2]))];
}

/** What an address, that somebody may have typed, asks for. @param {string} text */
function fromAddress(text) {
	const all = usual();
	for (const part of text.replace(/^#/, '').split('&')) {
		const [key, value = ''] = part.split('=');
		if (key in all)
			try {
				all[key] = decodeURIComponent(value);
			} catch {
				// no such letters: as if it were not there
			}
	}
	const rows = model.index ? model.index.rows.length : 0;
	/** @param {string} digits @param {number} limit @returns {number | null} */
	const number = (digits, limit) => /^\d+$/.test(digits) && Number(digits) < limit ? Number(digits) : null;
	const sel = /^\d+\.(-1|\d+)\.\d+\.\d+\.[01]$/.test(all.sel) ? all.sel.split('.').map(Number) : []; // line -1: the thread itself
	const span = readSpan(all.t) || [model.begin, model.end];
	Object.assign(shown, {
		tab: TABS.some(tab => tab.id === all.tab) ? all.tab : 'overview',
		from: span[0], to: span[1], range: readSpan(all.range),
		selection: sel.length && sel[0] < rows ?
			{ row: sel[0], track: sel[1], begin: sel[2], at: sel[3], exact: sel[4] === 1 } : null,
		query: all.q, rows: all.rows, sort: ['start', 'cpu', 'waiting', 'name'].includes(all.sort) ? all.sort : 'start',
		levels: /^(auto|all|\d{1,3})$/.test(all.levels) ? all.levels : 'auto',
		method: number(all.method, model.methods.length),
		by: ['total', 'self', 'calls'].includes(all.by) ? all.by : 'self', turned: all.turned === '1',
		thread: number(all.thread, rows), zoom: /^\d+(\.\d+)*$/.test(all.zoom) ? all.zoom : '', path: all.path === '1', colour: model.diff && all.colour === 'change' ? 'change' : '', wait: number(all.wait, model.report.waits.length),
	});
}

let addressTimer = 0;
let address = '';

/** When nothing has changed for a moment, what is shown becomes a step of the browser's history. */
function addressSoon() {
	clearTimeout(addressTimer);
	addressTimer = setTimeout(() => {
		const next = toAddress();
		if (next !== address) {
			address = next;
			history.pushState(null, '', `#${next}`);
		}
	}, 350);
}

function followAddress() {
	const next = location.hash.replace(/^#/, '');
	clearTimeout(addressTimer);
	address = next;
	fromAddress(next);
	for (const what of ['rows', 'view', 'range', 'selection', 'query', 'method', 'wait', 'flame', 'path', 'tab'])
		for (const act of listeners.get(what) || [])
			act();
}

// ---- the run ----

/** Were methods closed while the program ran? Then others hide the time of these, and likely times say how it divides. */
function likelyKnown() {
	return Boolean(model.report.statesKnown) && model.methods.some(m => m.closed);
}

/** Those that are not recorded from some time on (closed), the first first. @type {Method[] | null} */
let closedMethods = null;

function methodsByClosing() {
	closedMethods = closedMethods || model.methods.filter(m => m.closed).sort((a, b) => a.closed - b.closed);
	return closedMethods;
}

/** That calls are missing, as methods were closed before UNTIL; '': none were. @param {number} until */
function closedText(until = model.end) {
	const n = methodsByClosing().filter(m => m.closed < until).length, [were, them] = n === 1 ? ['was', 'it'] : ['were', 'them'];
	return n ? `${plural(n, 'method')} ${were} closed while the program ran: calls of ${them} after that are not in this view, and their time is that of who made them.` : '';
}

/** @param {any} m of the report @param {number} number @returns {Method} */
function methodOf(m, number) {
	const parts = nameParts(m.full, m.name);
	return { number, name: m.name, full: m.full, ...parts, calls: m.calls, exceptional: m.exceptional || 0,
		total: m.inclusiveNs, self: m.exclusiveNs, running: m.selfNs ? m.selfNs.running : m.exclusiveNs,
		likely: m.likelyRunningNs ?? 0, closed: m.closedNs || 0, mean: m.meanNs, longest: m.longestNs, split: m.selfNs || {}, totalSplit: m.totalNs || {}, every: m.sampleEvery || 1, raw: m };
}

/** Of a .prv the name alone tells the row of the virtual machine, which calls nothing: as the report counts threads. */
function markVm() {
	for (const row of model.index ? model.index.rows : []) {
		const t = model.report.threads[row.place];
		row.isVm ||= Boolean(t) && t.name === 'JVM' && !t.calls;
	}
}

async function readModel() {
	const [about, report, index, durations, path, diff, slow, tasks, requests, sql, contexts] = await Promise.all([jsonSection('about'), jsonSection('report'), readIndex(), readDurations(), jsonSection('path'), jsonSection('diff'), jsonSection('slowest'), jsonSection('tasks'), jsonSection('requests'), jsonSection('sql'), readContexts()]);
	model.durations = durations;
	if (!report)
		throw new Error('this page holds no report: it was not written to its end');
	model.about = about || {};
	model.report = report;
	model.path = path;
	model.slow = slow;
	model.tasks = tasks;
	model.requests = requests;
	model.sql = sql;
	model.contexts = contexts;
	readSlow();
	model.diff = diff;
	if (diff)
		TABS.push({ id: 'diff', name: 'Difference' });
	readPath();
	model.index = index;
	markVm();
	model.processes = readProcesses();
	model.methods = report.methods.map(methodOf);
	model.begin = report.beginNs || 0;
	model.end = model.begin + Math.max(1, report.durationNs);
	shown.from = model.begin;
	shown.to = model.end;
}

/** Arrows and the longest calls, which are not needed at once. */
async function readMore() {
	[model.arrows, model.longest, model.said] = await Promise.all([readArrows(), readLongest(), readSaid()]);
}

/** @param {number} number from 1 */
function methodName(number) {
	return number ? model.methods[number - 1].name : '(unknown)';
}

/** Where the thread of TASK with NUMBER is. @param {number} task @param {number} number */
function placeOfThread(task, number) {
	return model.report.threads.findIndex((/** @type {any} */ t) => t.task === task && t.thread === number);
}

/** @param {number} place */
function threadName(place) {
	return model.report.threads[place].name;
}

/** @param {number} number */
function stateName(number) {
	return model.report.states[number] || `state ${number}`;
}

/** The state I of a thread. Not alive it is before its life, and after it; of a row that virtual threads share also between two of them.
 * @param {Track} states @param {number} i */
function stateAt(states, i) {
	return states.what[i] !== NOT_CREATED || !i ? stateName(states.what[i]) : i === states.n - 1 ? 'Ended' : 'No thread';
}

// ---- sums of a part of the time ----

const STATE_OTHERS = 15;
const placeOfKind = (/** @type {string} */ key) => KINDS.findIndex(kind => kind.key === key);
const TIME_GC = placeOfKind('gc'), TIME_OTHER = placeOfKind('other'), TIME_OFF = placeOfKind('off');

/** @param {number} state @returns {number} what it counts as in calls: as for a thread, and all that is no life of one is "other" */
function timeOf(state) {
	const kind = kindOf(state);
	return kind < 0 || kind === TIME_OFF ? TIME_OTHER : kind;
}

/** How much of BEGIN to END the spans of T are. @param {Track} t @param {number} begin @param {number} end */
function busyIn(t, begin, end) {
	let ns = 0;
	for (let i = after(t.end, begin); i < t.n && t.begin[i] < end; i++)
		ns += (t.cover[i + 1] - t.cover[i]) * (Math.min(end, t.end[i]) - Math.max(begin, t.begin[i])) / Math.max(1, t.end[i] - t.begin[i]);
	return ns;
}

/** What the thread of ROW did from BEGIN to END, of which NS are calls of METHOD, is that method's own, and not its caller's (-1: it
 * has none). @param {Float64Array[]} splits @param {Row} row @param {number} begin @param {number} end @param {number} ns
 * @param {number} method @param {number} caller */
function addSplit(splits, row, begin, end, ns, method, caller) {
	const t = /** @type {Track[]} */ (row.tracks)[0], part = end > begin ? ns / (end - begin) : 0, own = splits[method], above = caller < 0 ? null : splits[caller];
	let rest = end - begin;
	/** @param {number} kind @param {number} all */
	const add = (kind, all) => {
		own[kind] += all * part;
		if (above)
			above[kind] -= all * part;
		rest -= all;
	};
	for (let i = after(t.end, begin); i < t.n && t.begin[i] < end; i++) {
		const a = Math.max(begin, t.begin[i]), b = Math.min(end, t.end[i]), all = (t.cover[i + 1] - t.cover[i]) * (b - a) / Math.max(1, t.end[i] - t.begin[i]);
		const gc = t.what[i] === STATE_OTHERS && model.index ? Math.min(all, busyIn(model.index.processes[row.process].pauses, a, b)) : 0;
		if (gc)
			add(TIME_GC, gc);
		add(timeOf(t.what[i]), all - gc);
	}
	add(TIME_OTHER, rest);
}

/** What ROW called from BEGIN to END, added to TREE. @param {Tree} tree @param {Row} row @param {number} begin
 * @param {number} end */
function addRow(tree, row, begin, end) {
	const tracks = row.tracks || [], deepest = model.index && model.index.deeper ? model.index.levels : Infinity; // what is below it counts as its own
	/** @type {Track | null} */
	let above = null;
	let aboveFirst = 0, aboveNodes = new Int32Array(0);
	for (let level = 1; level < tracks.length; level++) {
		const t = tracks[level], first = after(t.end, begin), last = from(t.begin, end, first);
		const nodes = new Int32Array(Math.max(0, last - first));
		for (let i = first, p = 0; i < last; i++) {
			while (above && p < aboveNodes.length && above.end[aboveFirst + p] <= t.begin[i] && above.end[aboveFirst + p] < t.end[i])
				p++;
			const inside = above && p < aboveNodes.length && above.begin[aboveFirst + p] <= t.begin[i];
			const parent = inside ? aboveNodes[p] : 0;
			const whole = t.end[i] - t.begin[i], part = Math.min(end, t.end[i]) - Math.max(begin, t.begin[i]);
			const busy = (t.cover[i + 1] - t.cover[i]) * (whole > 0 ? part / whole : 1);
			const method = t.what[i];
			let at = tree.nodes[parent].children.get(method);
			if (at === undefined) {
				at = tree.nodes.push({ method, parent, depth: tree.nodes[parent].depth + 1, calls: 0, total: 0, self: 0, children: new Map() }) - 1;
				tree.nodes[parent].children.set(method, at);
			}
			const node = tree.nodes[at];
			if (t.begin[i] >= begin || !(t.flags[i] & IS_SUM)) // a call that began earlier is one of the range, too, as in the report
				node.calls += t.counts[i] || 1;
			node.total += busy;
			node.self += busy;
			if (parent)
				tree.nodes[parent].self -= busy;
			tree.exact = tree.exact && !(t.flags[i] & IS_SUM) && level < deepest;
			nodes[i - first] = at;
			if (tree.splits)
				addSplit(tree.splits, row, Math.max(begin, t.begin[i]), Math.min(end, t.end[i]), busy, method, parent ? tree.nodes[parent].method : -1);
			if (tree.durations && t.begin[i] >= begin && t.end[i] <= end && !(t.flags[i] & IS_SUM))
				(tree.durations[method] ||= []).push(whole);
		}
		above = t;
		aboveFirst = first;
		aboveNodes = nodes;
	}
}

/** Sums by method: what a recursion takes is counted once. @param {Tree} tree */
function addMethods(tree) {
	tree.methods = Array.from({ length: model.methods.length + 1 }, () => ({ calls: 0, total: 0, self: 0 }));
	tree.nodes.forEach((node, at) => {
		if (!at)
			return;
		const sum = tree.methods[node.method] || tree.methods[0];
		sum.calls += node.calls;
		sum.self += Math.max(0, node.self);
		for (let up = node.parent; up && node.method !== -1; up = tree.nodes[up].parent)
			if (tree.nodes[up].method === node.method)
				return;
		sum.total += node.total;
	});
}

/** @type {{key: string, tree: Promise<Tree>} | null} */
let lastTree = null;

/** Who called whom from BEGIN to END, in THREAD (null: in all). @param {number} begin @param {number} end
 * @param {number | null} thread @returns {Promise<Tree>} */
function treeOf(begin, end, thread) {
	const key = `${begin}-${end}-${thread}`;
	if (lastTree && lastTree.key === key)
		return lastTree.tree;
	const whole = begin <= model.begin && end >= model.end && thread === null, states = model.report.statesKnown;
	const tree = whole && model.index && (model.index.least || model.index.deeper) ? wholeTree() : (async () => {
		/** @type {Tree} */
		const t = { nodes: [{ method: 0, parent: 0, depth: 0, calls: 0, total: 0, self: 0, children: new Map() }], methods: [], exact: true,
			splits: states && !whole ? Array.from({ length: model.methods.length + 1 }, () => new Float64Array(KINDS.length)) : null, durations: whole ? null : [] };
		for (const row of model.index ? model.index.rows : []) {
			if (thread !== null && row.place !== thread)
				continue;
			await loadWhole(row, begin, end);
			addRow(t, row, begin, end);
			forgetDetail(row);
		}
		for (const at of t.nodes[0].children.values())
			t.nodes[0].total += t.nodes[at].total;
		addMethods(t);
		return t;
	})();
	lastTree = { key, tree };
	tree.catch(() => { // a server that is gone may be there again
		if (lastTree && lastTree.key === key)
			lastTree = null;
	});
	return tree;
}

/** Why sums of a part of the run are about right, in sentences. */
function inexactText() {
	const { least, deeper, levels } = /** @type {Index} */ (model.index), list = [];
	if (least)
		list.push(`Calls shorter than ${time(least)} are summed up in this page, so the figures are about right, and short calls count as those around them.`);
	if (deeper)
		list.push(`Calls nested deeper than ${levels} levels are not in this page one by one: they are not counted, and their time is that of the call around them.`);
	return list.join(' ');
}

/** The tree of the whole run, as the report has it: exact, however long the run. @returns {Promise<Tree>} */
async function wholeTree() {
	const packed = await readTree();
	/** @type {Tree} */
	const t = { nodes: [{ method: 0, parent: 0, depth: 0, calls: 0, total: 0, self: 0, children: new Map() }], methods: [], exact: true, splits: null, durations: null };
	const places = new Uint32Array(packed ? packed.n : 0);
	for (let i = 0; packed && i < packed.n; i++) {
		if (packed.parent[i] === i) // a root: ours is for all of them
			continue;
		const parent = places[packed.parent[i]], node = { method: packed.method[i], parent, depth: t.nodes[parent].depth + 1, calls: packed.calls[i],
			total: packed.self[i], self: packed.self[i], children: new Map() };
		places[i] = t.nodes.push(node) - 1;
		t.nodes[parent].children.set(node.method, places[i]);
	}
	for (let i = t.nodes.length - 1; i > 0; i--)
		t.nodes[t.nodes[i].parent].total += t.nodes[i].total;
	addMethods(t);
	return t;
}

/** How long ROW was in each of KINDS from BEGIN to END. @param {Row} row @param {number} begin @param {number} end */
function kindsOf(row, begin, end) {
	const ns = KINDS.map(() => 0), t = row.tracks && row.tracks[0];
	if (!t)
		return ns;
	for (let i = after(t.end, begin); i < t.n && t.begin[i] < end; i++) {
		const kind = kindOf(t.what[i]), whole = t.end[i] - t.begin[i];
		if (kind >= 0 && whole > 0)
			ns[kind] += (t.cover[i + 1] - t.cover[i]) * (Math.min(end, t.end[i]) - Math.max(begin, t.begin[i])) / whole;
	}
	return ns;
}

// ---- arrows by row ----

/** @type {{from: Map<number, number[]>, to: Map<number, number[]>} | null} */
let arrowLists = null;

function forgetArrowLists() {
	arrowLists = null;
}

/** The arrows of each row, in order of the time at which they leave it, or reach it.
 * @returns {{from: Map<number, number[]>, to: Map<number, number[]>}} */
function arrowsByRow() {
	const a = model.arrows;
	if (!a)
		return { from: new Map(), to: new Map() };
	if (!arrowLists) {
		/** @type {{from: Map<number, number[]>, to: Map<number, number[]>}} */
		const lists = { from: new Map(), to: new Map() };
		for (let i = 0; i < a.n; i++)
			for (const [map, row] of /** @type {[Map<number, number[]>, number][]} */ ([[lists.from, a.from[i]], [lists.to, a.to[i]]])) {
				const list = map.get(row);
				if (list)
					list.push(i);
				else
					map.set(row, [i]);
			}
		for (const list of lists.to.values())
			list.sort((/** @type {number} */ x, /** @type {number} */ y) => a.received[x] - a.received[y]);
		arrowLists = lists;
	}
	return arrowLists;
}
