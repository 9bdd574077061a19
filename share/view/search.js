// search.js: a text finds methods everywhere at once: what matches is lit, and summed up.

/** Places of the methods that match, from 1; null: nothing is searched. @type {Set<number> | null} */
let found = null;

/** What a text has to be to have all words of QUERY; null: nothing is searched. @param {string} query */
function matcher(query) {
	const words = query.toLowerCase().split(/\s+/).filter(word => word);
	return words.length ? (/** @type {string} */ text) => words.every(word => text.toLowerCase().includes(word)) : null;
}

/** @param {string} query */
function findMethods(query) {
	const matches = matcher(query);
	if (!matches)
		return null;
	return new Set(model.methods.flatMap((m, i) => matches(`${m.name} ${m.full}`) ? [i + 1] : []));
}

/** Calls that have captured a text like that, by time. @type {{row: number, level: number, begin: number}[]} */
let capturing = [];
/** Which of them a click leads to. */
let capturingNext = 0;

/** @param {string} query */
function findCaptured(query) {
	const matches = matcher(query);
	capturingNext = 0;
	capturing = !matches || !model.said || query.trim().length < 2 ? [] : [...model.said.values].filter(([, list]) => list.some(v => matches(v.text)))
		.map(([key]) => key.split(' ').map(Number)).map(([row, level, begin]) => ({ row, level, begin })).sort((a, b) => a.begin - b.begin || a.level - b.level);
}

/** One after the other. */
async function goToCaptured() {
	const call = capturing[capturingNext], row = model.index ? model.index.rows[call.row] : null;
	if (!row)
		return;
	capturingNext = (capturingNext + 1) % capturing.length;
	await loadAround(row, call.begin, call.begin);
	const track = row.tracks && row.tracks[call.level], i = track ? spanAt(track, call.begin) : -1;
	await goTo(call.row, call.level, call.begin, track && i >= 0 ? track.end[i] : call.begin);
}

function startSearch() {
	const input = /** @type {HTMLInputElement} */ (byId('search'));
	let timer = 0;
	input.addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			shown.query = input.value;
			changed('query');
			if (traceQuery(shown.query) && shown.tab !== 'overview')
				openTab('overview'); // where its threads are; who follows one of them stays there
		}, 120);
	});
	on('more', () => shown.query && changed('query')); // what calls have captured is there now
	on('query', () => {
		if (input.value !== shown.query)
			input.value = shown.query;
		found = findMethods(shown.query);
		let calls = 0, self = 0;
		for (const number of found || []) {
			calls += model.methods[number - 1].calls;
			self += model.methods[number - 1].self;
		}
		const trace = traceQuery(shown.query);
		findCaptured(shown.query);
		byId('search-sums').replaceChildren(!found ? '' : trace ? 'a trace: its threads are in the overview' : found.size ?
			`${plural(found.size, 'method')}, ${plural(calls, 'call')}, self ${time(self)}` : capturing.length ? '' : `no method${model.diff ? ' of this run' : ''} has this in its name`,
		...found && capturing.length ? [found.size ? ' · ' : '', link(`${plural(capturing.length, 'call')} captured it`, goToCaptured, { title: 'Show them in the timeline, one after the other' })] : []);
		if (trace) // it is no name, so nothing fades
			found = null;
		if (shown.tab === 'overview' && model.contexts.all)
			showTab();
		if (shown.tab === 'diff')
			showTab();
		if (shown.tab === 'methods' || shown.tab === 'flame')
			changed(shown.tab === 'flame' ? 'flame' : 'table');
	});
}
