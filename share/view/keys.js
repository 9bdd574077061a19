// keys.js: what keys do, and the list of them.

/** @returns {[string, string][]} */
const keyList = () => [
	['W  S', 'zoom in and out'],
	['A  D', 'go to earlier and later times'],
	['F', 'fit: the selection, the range, or all'],
	['Shift + drag', 'choose a range of time (by touch: “Choose a range” first); Esc removes it'],
	['Ctrl + wheel', 'zoom at the pointer; so do two fingers'],
	['[  ]', 'follow an arrow back to who let this go on, and on to whom it let go on'],
	['←  →', 'the span before and after, on the same line'],
	['↑  ↓', 'who called this, and what it called first; above the outermost call are the state and the thread'],
	['Shift + ↑  Shift + ↓', 'the thread above, and the one below'],
	['N  P', 'the next and the previous call of the same method'],
	['R', 'make the selection the range'],
	['C', 'the critical path in the timeline'],
	['Enter', 'the first call in view, where nothing is selected; so do the keys above that need a selection'],
	['arrows  Enter  Backspace', 'in the flame graph: from box to box, zoom in, and out again'],
	[`1 – ${TABS.length}`, TABS.map(tab => tab.name.toLowerCase()).join(', ')],
	['/', 'search methods'],
	['Esc', 'empty the box in which one types; close what is open, drop selection, range, search'],
	['?', 'this list'],
];

function showHelp() {
	const help = /** @type {HTMLDialogElement} */ (byId('help'));
	const about = model.about;
	/** @type {[string, string | undefined][]} */
	const origin = [['Recorded from', (about.inputs || []).join(', ')], ['On', about.host], ['Command', about.command], ['Java', about.java],
		['When', about.wallNs ? new Date(about.wallNs / 1e6).toLocaleString() : ''], ['Made by', `jweave ${about.version}`]];
	help.replaceChildren(
		el('h2', {}, 'Keys'),
		el('dl', { class: 'keys' }, ...keyList().flatMap(([keys, what]) => [el('dt', {}, ...keys.split('  ').map(k => el('kbd', {}, k))), el('dd', {}, what)])),
		el('h2', {}, 'This trace'),
		el('dl', { class: 'facts' }, ...origin.filter(([, text]) => text).flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)])),
		button('Close', () => help.close(), { autofocus: true }));
	help.showModal();
}

/** One thing after the other is closed. */
function closeOne() {
	if (shown.method !== null && shown.tab === 'methods') {
		shown.method = null;
		changed('method');
	} else if (shown.selection) {
		shown.selection = null;
		changed('selection');
	} else if (shown.range) {
		shown.range = null;
		changed('range');
	} else if (shown.query) {
		shown.query = '';
		changed('query');
	}
}

/** Esc where one types: what is there is dropped first. @param {HTMLInputElement} field */
function leaveField(field) {
	if (field.id === 'search' && (field.value || shown.query)) {
		field.value = shown.query = '';
		changed('query');
	} else if (field.value && field.type === 'search') {
		field.value = shown.rows = '';
		changed('rows');
	} else {
		field.blur();
		closeOne();
	}
}

/** Is EVENT a command to browser or system? Where AltGr or Option types [ and ] these are not. @param {KeyboardEvent} event */
function isForOthers(event) {
	const typed = event.getModifierState('AltGraph') || (event.altKey && !event.ctrlKey && '[]'.includes(event.key));
	return event.metaKey || ((event.ctrlKey || event.altKey) && !typed);
}

/** Those of the timeline that need a selection: without one they select what is first in view. @type {Record<string, () => void>} */
const SELECTION_KEYS = {
	r: () => timelineView.rangeOfSelection(), '[': () => followArrow(false), ']': () => followArrow(true), n: () => stepSame(1), p: () => stepSame(-1),
	ArrowLeft: () => stepBeside(-1), ArrowRight: () => stepBeside(1), ArrowUp: () => stepUp(), ArrowDown: () => stepDown(),
};

/** @type {Record<string, () => void>} */
const TIMELINE_KEYS = {
	w: () => timelineView.zoom(1 / 1.5), s: () => timelineView.zoom(1.5),
	a: () => timelineView.pan(-0.2), d: () => timelineView.pan(0.2),
	f: () => timelineView.fit(), c: togglePath,
	ShiftArrowUp: () => stepThread(-1), ShiftArrowDown: () => stepThread(1),
	...Object.fromEntries(Object.entries(SELECTION_KEYS).map(([key, act]) => [key, () => shown.selection ? act() : void goToFirst(null)])),
};

/** What KEY, pressed at TARGET, does in the timeline; undefined: nothing. @param {string} key @param {boolean} shift @param {HTMLElement} target */
function timelineKey(key, shift, target) {
	const isTab = target.matches('[role=tab]');
	if (shown.tab !== 'timeline' || (isTab && ['ArrowLeft', 'ArrowRight'].includes(key))) // those lead to other tabs
		return undefined;
	if (key === 'Enter') // of buttons it is their own
		return target.matches('.stage, #main, main, body') && !shown.selection ? () => void goToFirst(null) : undefined;
	const act = /** @type {(() => void) | undefined} */ (TIMELINE_KEYS[shift && key.startsWith('Arrow') ? `Shift${key}` : key]);
	if (isTab && act && key.startsWith('Arrow'))
		focusView(); // where all arrows are the timeline's
	return act;
}

function startKeys() {
	byId('help-button').addEventListener('click', showHelp);
	document.addEventListener('keydown', hideTip, true); // a key may bring another part of the run, or another view
	document.addEventListener('keydown', event => {
		const target = /** @type {HTMLElement} */ (event.target);
		if (isForOthers(event) || document.querySelector('dialog[open]'))
			return;
		if (target.matches('input, textarea') || (target.matches('select') && !'/?'.includes(event.key))) { // a list has no use for these
			if (event.key === 'Escape') {
				leaveField(/** @type {HTMLInputElement} */ (target));
				event.preventDefault();
			}
			return;
		}
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const act = timelineKey(key, event.shiftKey, target);
		if (key === '?')
			showHelp();
		else if (key === '/')
			byId('search').focus();
		else if (key === 'Escape')
			closeOne();
		else if (/^[1-9]$/.test(key) && Number(key) <= TABS.length)
			openTab(TABS[Number(key) - 1].id);
		else if (act)
			act();
		else
			return;
		event.preventDefault();
	});
}
