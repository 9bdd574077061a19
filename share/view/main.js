// main.js: the page is put together: tabs, what is common to them, the theme.

/** @type {Record<string, {show: (into: HTMLElement) => void}>} */
const VIEWS = { overview: overviewView, timeline: timelineView, methods: methodsView, flame: flameView, waits: waitsView, threads: threadsView, path: pathView, diff: diffView };

const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => darkQuery.matches;

function showTabs() {
	const tabs = byId('tabs');
	tabs.replaceChildren(...TABS.map(tab => button(tab.name, () => chooseTab(tab.id), {
		role: 'tab', id: `tab-${tab.id}`, 'aria-controls': 'main', 'aria-selected': tab.id === shown.tab ? 'true' : 'false',
		tabindex: tab.id === shown.tab ? 0 : -1 })));
	tabs.onkeydown = event => {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (!step)
			return;
		const at = TABS.findIndex(tab => tab.id === shown.tab);
		openTab(TABS[(at + step + TABS.length) % TABS.length].id);
		byId(`tab-${shown.tab}`).focus();
		event.preventDefault();
	};
}

/** By pointer or Enter: the keys of the timeline are those of its stage. @param {string} id */
function chooseTab(id) {
	openTab(id);
	if (id === 'timeline')
		focusView();
}

/** @param {string} id */
function openTab(id) {
	shown.tab = id;
	changed('tab');
}

function showTab() {
	for (const tab of TABS) {
		const element = byId(`tab-${tab.id}`);
		element.setAttribute('aria-selected', tab.id === shown.tab ? 'true' : 'false');
		element.tabIndex = tab.id === shown.tab ? 0 : -1;
	}
	byId(`tab-${shown.tab}`).scrollIntoView({ block: 'nearest', inline: 'nearest' }); // in a narrow window not all are seen
	const main = byId('main'), inside = main.contains(document.activeElement), choice = [...main.querySelectorAll('select')].findIndex(list => list === document.activeElement);
	hideTip();
	main.className = `view-${shown.tab}`;
	main.setAttribute('role', 'tabpanel');
	main.setAttribute('aria-labelledby', `tab-${shown.tab}`);
	main.replaceChildren();
	main.scrollTop = 0;
	VIEWS[shown.tab].show(main);
	main.querySelectorAll('select')[choice]?.focus({ preventScroll: true });
	if (inside && !main.contains(document.activeElement))
		focusView();
}

/** Who followed a link by keys goes on in what it led to. */
function focusView() {
	const main = byId('main');
	/** @type {HTMLElement} */ (main.querySelector('.stage, .flame') || main).focus({ preventScroll: true });
}

function showRange() {
	const chip = byId('range-chip');
	if (chip.contains(document.activeElement))
		focusView();
	chip.replaceChildren();
	if (!shown.range)
		return;
	const [a, b] = shown.range;
	const since = ` from ${moment(a, (b - a) / 100)} `;
	chip.append(el('span', { class: 'chip', title: `Range ${time(b - a)}${since}` }, 'Range ', el('b', {}, time(b - a)), el('span', { class: 'since' }, since),
		button('×', () => {
			shown.range = null;
			changed('range');
		}, { 'aria-label': 'Remove the range', title: 'Remove the range (Esc)' })));
}

/** @param {Error} error */
function fail(error) {
	byId('main').replaceChildren(el('p', { class: 'notice bad', role: 'alert' }, `This page cannot be shown: ${error.message}.`));
}

async function start() {
	if (typeof DecompressionStream === 'undefined')
		throw new Error('the browser is too old: it must be of 2023 or later');
	await readModel();
	const title = `${isPart() ? 'part of ' : ''}${model.about.title}`;
	document.title = `${title} — jweave`;
	byId('title').textContent = title;
	byId('title').title = [(model.about.inputs || []).join(', '), ...model.about.part || []].join('\n');
	showTabs();
	fromAddress(location.hash);
	address = location.hash.replace(/^#/, '');
	on('tab', showTab);
	on('range', showRange);
	on('range', () => shown.tab !== 'timeline' && showTab());
	startSearch();
	startKeys();
	startServed();
	showTab();
	showRange();
	changed('query');
	window.addEventListener('popstate', followAddress);
	window.addEventListener('hashchange', () => location.hash.replace(/^#/, '') !== address && followAddress());
	darkQuery.addEventListener('change', () => {
		changed('theme');
		showTab();
	});
	await readMore();
	changed('more');
	document.documentElement.dataset.ready = 'true'; // all of it is there
}

start().catch(fail);
