// text.js: figures and names as people read them, colours, elements of the page. Whatever comes from a
// trace becomes text by textContent, never markup.

// ---- elements ----

/**
 * An element; attributes with a function are listeners ("onclick"), others are set unless they are null.
 * @param {string} tag @param {Record<string, any>} attributes
 * @param {...(Node | string | number | null | undefined)} children @returns {HTMLElement}
 */
function el(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === 'function')
			element.addEventListener(name.slice(2), value);
		else if (name === 'style')
			Object.assign(element.style, value);
		else if (value !== null && value !== undefined && value !== false)
			element.setAttribute(name, value === true ? '' : String(value));
	}
	for (const child of children)
		if (child !== null && child !== undefined)
			element.append(child instanceof Node ? child : String(child));
	return element;
}

/** The element with ID, which page.html has. @param {string} id @returns {HTMLElement} */
function byId(id) {
	const element = document.getElementById(id);
	if (!element)
		throw new Error(`no element ${id}`);
	return element;
}

/** @param {string} text @param {() => void} act @param {Record<string, any>} attributes */
function button(text, act, attributes = {}) {
	return el('button', { type: 'button', onclick: act, ...attributes }, text);
}

/** What was pointed at may no longer be below the pointer. */
function hideTip() {
	byId('tip').hidden = true;
}

/** Empties INTO and fills it by FILL. Who was in it by keys stays at the button of that name, else is at INSTEAD: not nowhere.
 * @param {HTMLElement} into @param {HTMLElement} instead @param {() => void} fill */
function fillAgain(into, instead, fill) {
	const was = /** @type {HTMLElement | null} */ (document.activeElement), inside = was !== null && into.contains(was), name = was?.closest('.actions') ? was.textContent : '';
	into.replaceChildren();
	fill();
	if (!inside || into.contains(document.activeElement))
		return;
	const same = /** @type {HTMLElement[]} */ ([...into.querySelectorAll('.actions button')]).find(b => name && b.textContent === name);
	(same || instead).focus({ preventScroll: true });
}

/** A button that looks like a link into the page. @param {Node | string} text @param {() => void} act
 * @param {Record<string, any>} attributes */
function link(text, act, attributes = {}) {
	return el('button', { type: 'button', class: 'link', onclick: act, ...attributes }, text);
}

/** What went wrong, and a way to try it again. @param {unknown} error @param {() => void} again */
function failNotice(error, again) {
	return el('p', { class: 'notice bad', role: 'alert' }, `${/** @type {Error} */ (error).message}. `, link('Try again', again));
}

// ---- figures ----

const TIME_UNITS = /** @type {[number, string][]} */ ([[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']]);

/** NS in the unit that suits it, three digits or more. @param {number} ns @returns {string} */
function time(ns) {
	if (ns < 0)
		return `−${time(-ns)}`;
	const minutes = Math.round(ns / 60e9), seconds = Math.round(ns / 1e9); // rounded first: there is no "60 s"
	if (seconds >= 3600)
		return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
	if (ns >= 120e9)
		return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
	for (const [unit, name] of TIME_UNITS)
		if (ns >= unit * (unit > 1 ? 0.99995 : 1)) { // what would be "1000.0" of the next one
			const v = ns / unit;
			return `${unit === 1 ? Math.round(v) : v.toFixed(v >= 100 ? 1 : v >= 10 ? 2 : 3)} ${name}`;
		}
	return '0';
}

/** TIME since the beginning, with as many digits as tell it from one STEP later.
 * @param {number} ns @param {number} step */
function moment(ns, step) {
	const scale = TIME_UNITS.find(([unit]) => (step * 1000 >= unit && model.end >= unit) || ns >= unit) || /** @type {[number, string]} */ ([1, 'ns']);
	const digits = Math.max(0, Math.min(9, Math.ceil(Math.log10(scale[0] / Math.max(step, 1)) - 1e-9)));
	return `${group((ns / scale[0]).toFixed(digits))} ${scale[1]}`;
}

/** Thousands apart. @param {string} digits */
function group(digits) {
	const [whole, part] = digits.split('.');
	const apart = whole.replace(/\B(?=(\d{3})+$)/g, ' ');
	return part === undefined ? apart : `${apart}.${part}`;
}

/** @param {number} n */
function count(n) {
	return group(String(Math.round(n)));
}

/** @param {number} n @param {string} one @param {string} [many] */
function plural(n, one, many = `${one}s`) {
	return `${count(n)} ${n === 1 ? one : many}`;
}

/** @param {number} part @param {number} whole */
function percent(part, whole) {
	if (!whole)
		return '';
	const p = 100 * part / whole;
	return p >= 99.95 ? '100 %' : p >= 10 ? `${p.toFixed(1)} %` : p >= 0.01 ? `${p.toFixed(2)} %` : p > 0 ? '< 0.01 %' : '0 %';
}

/** What PART is of a run of WHOLE; threads that are in a method at once may be longer there than the run. @param {number} part @param {number} whole */
function shareOfRun(part, whole) {
	return whole && part > whole * 1.0005 ? `${(part / whole).toFixed(2)} × the run` : `${percent(part, whole)} of the run`;
}

/** @param {number} n */
function bytes(n) {
	for (const [unit, name] of /** @type {[number, string][]} */ ([[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB']]))
		if (n >= unit)
			return `${(n / unit).toFixed(1)} ${name}`;
	return `${n} B`;
}

// ---- names ----

/** The parts of a method's full name. @param {string} full "a.b.C.m(int):void C.java:1" @param {string} short */
function nameParts(full, short) {
	const open = full.indexOf('(');
	const dotted = open < 0 ? '' : full.slice(0, open);
	const dot = dotted.lastIndexOf('.');
	const type = dot < 0 ? '' : dotted.slice(0, dot);
	const last = type.lastIndexOf('.');
	const source = /:\S+ (\S+:\d+)$/.exec(full);
	return { type: type || short.split('.')[0], pack: last < 0 ? '' : type.slice(0, last), source: source ? source[1] : '' };
}

/** A type without its package. @param {string} name "a.b.C$D@1f", or anything else */
function withoutPackage(name) {
	return name.replace(/^(?:[\p{Ll}_][\p{L}\p{N}_]*\.)+(?=\p{L})/u, '');
}

/** TEXT of at most MOST letters. @param {string} text @param {number} most */
function withoutMiddle(text, most) {
	const head = Math.floor(most / 3);
	return text.length <= most ? text : `${text.slice(0, head)}…${text.slice(head + 1 - most)}`;
}

// ---- colours ----

/** What a thread does; "key" is also what the report calls the time. Red, amber and blue as in Paraver, toned. */
const KINDS = [
	{ key: 'running', name: 'running' },
	{ key: 'blocked', name: 'blocked at a monitor' },
	{ key: 'waiting', name: 'waiting' },
	{ key: 'io', name: 'I/O' },
	{ key: 'forWork', name: 'waiting for work' },
	{ key: 'gc', name: 'stopped by the collector' },
	{ key: 'other', name: 'other' },
	{ key: 'off', name: 'not recorded' },
];
const NOT_CREATED = 2, NOT_ALIVE = [0, NOT_CREATED], DISABLED = 14; // states, as Extrae numbers them
/** By state, once it was asked for. @type {number[]} */
const kindOfState = [];

/** @param {number} state @returns {number} its place in KINDS, as the report counts its time; -1: it is not shown */
function kindOf(state) {
	return kindOfState[state] ??= NOT_ALIVE.includes(state) ? -1 : KINDS.findIndex(k => k.key === (state === DISABLED ? 'off' : model.report.stateTimes[state] ?? 'other'));
}

/** @param {string} text */
function hash(text) {
	let h = 2166136261;
	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 16777619);
	h ^= h >>> 15;
	return (Math.imul(h, 2246822519) ^ h >>> 13) >>> 0;
}

/** A colour of the package's hue, a little apart from its neighbours'. @param {{type: string, pack: string}} m
 * @param {string} name @param {boolean} dark @returns {[number, number, number]} */
function methodColour(m, name, dark) {
	const hue = hash(m.pack || m.type) % 360 + hash(m.type) % 37 - 18;
	const step = hash(name) % 5 - 2;
	return oklch(dark ? 0.47 + step * 0.018 : 0.83 + step * 0.016, dark ? 0.075 : 0.082, hue);
}

/** @param {number} l @param {number} c @param {number} h degrees @returns {[number, number, number]} of sRGB, 0..255 */
function oklch(l, c, h) {
	const a = c * Math.cos(h * Math.PI / 180), b = c * Math.sin(h * Math.PI / 180);
	const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
	/** @param {number} v */
	const gamma = v => Math.round(255 * Math.min(1, Math.max(0, v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)));
	return [gamma(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z),
		gamma(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z),
		gamma(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z)];
}
