// search.js: a text finds methods everywhere at once: what matches is lit, and summed up.

/** Places of the methods that match, from 1; null: nothing is searched. @type {Set<number> | null} */
let found = null;

/** @param {string} query */
function findMethods(query) {
	const words = query.toLowerCase().split(/\s+/).filter(word => word);
	if (!words.length)
		return null;
	const hits = new Set();
	model.methods.forEach((m, i) => {
		const text = `${m.name} ${m.full}`.toLowerCase();
		if (words.every(word => text.includes(word)))
			hits.add(i + 1);
	});
	return hits;
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
		byId('search-sums').textContent = !found ? '' : trace ? 'a trace: its threads are in the overview' : found.size ?
			`${plural(found.size, 'method')}, ${plural(calls, 'call')}, self ${time(self)}` : 'no method has this in its name';
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
