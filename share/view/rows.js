// rows.js: what rows the timeline has, where each is, and what time is where.

const GUTTER = 210, AXIS = 26, STATE_HEIGHT = 9, LEVEL_HEIGHT = 15, ROW_GAP = 7, LEAST_ROW = 23, PROCESS_HEIGHT = 22, MINIMAP = 44, MOST_LEVELS = 40, LEAST_LEVELS = 3;

/** Rows that stay at the top, by place. @type {Set<number>} */
const pinned = new Set();
/** Rows that are opened, or closed, by hand. @type {Map<number, boolean>} */
const opened = new Map();

/** @typedef {{row: Row | null, process: number, y: number, height: number, levels: number}} Line */

/** What the timeline knows; picture.js draws it, timeline.js listens. */
class TimelineRows {
	/** @param {HTMLElement} into */
	constructor(into) {
		this.canvas = /** @type {HTMLCanvasElement} */ (el('canvas', { 'aria-hidden': 'true' }));
		this.map = /** @type {HTMLCanvasElement} */ (el('canvas', { class: 'minimap', role: 'img', 'aria-label': 'The whole run: how many threads did what. Drag to choose what the timeline shows.' }));
		this.space = el('div', { class: 'space' });
		this.stage = el('div', { class: 'stage', tabindex: 0, role: 'application', 'aria-label': 'Timeline: Enter selects the first call, arrows lead on, keys W S A D F; ? lists all' }, this.canvas, this.space);
		this.side = el('aside', { class: 'details', id: 'details', 'aria-label': 'The selection', 'aria-live': 'polite' });
		this.where = el('output', { class: 'where' });
		this.rangeButton = button('Choose a range', () => this.chooseRange(!this.choosing), { class: 'choose-range', 'aria-pressed': 'false', title: 'The next drag chooses a range of time, as one with Shift does' });
		this.choosing = false;
		this.pathButton = button('Critical path', togglePath, { 'aria-pressed': String(shown.path), title: 'What took the time until the end, as a line (C)', hidden: !pathSegments.length });
		this.filter = /** @type {HTMLInputElement} */ (el('input', { type: 'search', placeholder: 'Threads', 'aria-label': 'Show threads whose names have', value: shown.rows, spellcheck: 'false' }));
		this.state = el('span', { class: 'state', role: 'status' });
		into.append(this.toolbar(), this.map, el('div', { class: 'split' }, this.stage, this.side));
		this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
		this.lineCanvas = document.createElement('canvas');
		/** @type {Line[]} */
		this.lines = [];
		/** @type {[number, number] | null} */
		this.drag = null;
		this.held = { x: 0, y: 0, from: 0, top: 0 };
		/** @type {number[] | null} */
		this.pinched = null;
		this.wanted = this.total = this.width = this.height = this.quiet = 0;
		/** @type {ImageData | null} */
		this.mapPixels = null;
		this.mapText = '';
		this.listen();
		this.observer = new ResizeObserver(() => this.resize());
		this.observer.observe(this.stage);
		this.layOut();
		this.loadAll();
	}

	toolbar() {
		const { filter } = this;
		filter.addEventListener('input', () => {
			shown.rows = filter.value;
			changed('rows');
		});
		/** @param {string} label @param {[string, string][]} options @param {string} value @param {(v: string) => void} act */
		const choice = (label, options, value, act) => {
			const list = /** @type {HTMLSelectElement} */ (el('select', {}, ...options.map(([id, name]) => el('option', { value: id }, name))));
			list.value = value;
			list.addEventListener('change', () => {
				act(list.value);
				changed('rows');
			});
			return el('label', {}, label, list);
		};
		return el('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Timeline' }, filter,
			choice('Sort', [['start', 'by start'], ['cpu', 'by CPU time'], ['waiting', 'by waiting'], ['name', 'by name']], shown.sort, v => {
				shown.sort = v;
			}),
			choice('Calls', [['auto', 'as fits'], ['0', 'states alone'], ['2', '2 levels'], ['5', '5 levels'], ['10', '10 levels'], ['all', 'all levels']], shown.levels, v => {
				shown.levels = v;
				opened.clear();
			}),
			el('span', { class: 'group' }, button('−', () => this.zoom(1.5), { 'aria-label': 'Zoom out', title: 'Zoom out (S)' }), button('+', () => this.zoom(1 / 1.5), { 'aria-label': 'Zoom in', title: 'Zoom in (W)' }),
				button('Fit', () => this.fit(), { title: 'Fit the selection, the range, or all (F)' }), button('All', () => this.setView(model.begin, model.end), { title: 'The whole run' })),
			this.pathButton, this.rangeButton, this.where, this.state);
	}

	/** Soon: TimelinePicture. */
	draw() {}

	/** To the pointer: Timeline. */
	listen() {}

	// ---- rows ----

	/** Is ROW one of those that the filter asks for? @param {Row} row */
	passes(row) {
		const text = shown.rows.toLowerCase();
		return !text || threadName(row.place).toLowerCase().includes(text) || (severalProcesses() && model.processes[row.process].name.toLowerCase() === text);
	}

	/** Those that are shown: what is selected is, too, whatever the filter says. */
	rows() {
		const index = /** @type {Index} */ (model.index), threads = model.report.threads;
		const rows = index.rows.filter(row => pinned.has(row.place) || this.passes(row) || (shown.selection && shown.selection.row === row.place));
		/** @type {Record<string, (row: Row) => number | string>} */
		const keys = { cpu: row => -(threads[row.place].cpuNs || threads[row.place].runningNs), name: row => threads[row.place].name.toLowerCase(),
			waiting: row => -((threadSplit(threads[row.place]).waiting || 0) + (threadSplit(threads[row.place]).blocked || 0)) };
		const key = keys[shown.sort];
		if (key)
			rows.sort((a, b) => {
				const x = key(a), y = key(b);
				return x < y ? -1 : x > y ? 1 : a.place - b.place;
			});
		return [...rows.filter(row => pinned.has(row.place)), ...rows.filter(row => !pinned.has(row.place))];
	}

	/** How many levels of calls ROW shows. @param {Row} row @param {number} usual */
	levelsOf(row, usual) {
		const all = row.trackCount - 1, by = opened.get(row.place);
		return by === undefined ? Math.min(all, usual) : by ? all : 0;
	}

	/** How high a row with LEVELS of calls is. @param {number} levels */
	rowHeight(levels) {
		return Math.max(LEAST_ROW, STATE_HEIGHT + levels * LEVEL_HEIGHT + ROW_GAP);
	}

	/** The most levels with which all rows are seen at once; a few where they are too many. @param {Row[]} rows */
	fitting(rows) {
		const room = this.stage.clientHeight - AXIS;
		let levels = MOST_LEVELS;
		while (levels > LEAST_LEVELS && rows.reduce((sum, row) => sum + this.rowHeight(this.levelsOf(row, levels)), 0) > room)
			levels--;
		return levels;
	}

	/** After another selection, which may have had, or need, a row that the filter hides. */
	followSelection() {
		const s = shown.selection, line = s ? this.lines.find(l => l.row && l.row.place === s.row) : null;
		if (shown.rows && ((s && !line) || this.lines.some(l => l.row && !pinned.has(l.row.place) && !this.passes(l.row) && l !== line)))
			this.layOut();
	}

	layOut() {
		const rows = this.rows(), index = /** @type {Index} */ (model.index), several = index.processes.length > 1 && shown.sort === 'start';
		const usual = shown.levels === 'all' ? Infinity : shown.levels === 'auto' ? this.fitting(rows) : Number(shown.levels);
		let y = 0, process = -1;
		this.lines = [];
		for (const row of rows) {
			if (several && row.process !== process && !pinned.has(row.place)) {
				process = row.process;
				this.lines.push({ row: null, process, y, height: PROCESS_HEIGHT, levels: 0 });
				y += PROCESS_HEIGHT;
			}
			const levels = this.levelsOf(row, usual), height = this.rowHeight(levels);
			this.lines.push({ row, process: row.process, y, height, levels });
			y += height;
		}
		this.total = y;
		this.resize();
	}

	resize() {
		const ratio = window.devicePixelRatio || 1;
		this.width = Math.max(200, this.stage.clientWidth);
		this.height = Math.max(60, this.stage.clientHeight);
		this.canvas.width = Math.round(this.width * ratio);
		this.canvas.height = Math.round(this.height * ratio);
		this.canvas.style.width = `${this.width}px`;
		this.canvas.style.height = `${this.height}px`;
		this.space.style.height = `${Math.max(0, this.total + AXIS + 20 - this.height)}px`;
		this.map.width = Math.round(this.map.clientWidth * ratio);
		this.map.height = Math.round(MINIMAP * ratio);
		this.mapPixels = null;
		this.draw();
	}

	/** Unpacks all rows, those in view first, a few at a time. */
	async loadAll() {
		const index = /** @type {Index} */ (model.index);
		let told = performance.now();
		for (const row of index.rows) {
			if (!this.alive())
				return;
			if (!row.tracks) {
				await loadRow(row);
				if (performance.now() - told > 250) {
					told = performance.now();
					this.mapPixels = null;
					this.draw();
					await new Promise(resolve => setTimeout(resolve));
				}
			}
		}
		this.mapPixels = null;
		this.draw();
	}

	alive() {
		return this.stage.isConnected;
	}

	// ---- time ----

	/** @param {number} begin @param {number} end */
	setView(begin, end) {
		const width = Math.min(model.end - model.begin, Math.max(20, end - begin));
		shown.from = Math.max(model.begin, Math.min(model.end - width, begin));
		shown.to = shown.from + width;
		changed('view');
	}

	/** @param {number} factor @param {number} [at] a time that stays where it is */
	zoom(factor, at = this.middle()) {
		const width = Math.min(model.end - model.begin, Math.max(20, (shown.to - shown.from) * factor)), part = (at - shown.from) / (shown.to - shown.from);
		this.setView(at - part * width, at + (1 - part) * width);
	}

	/** The selection if it is in view, else the middle. */
	middle() {
		const s = selected();
		const at = s ? (s.begin + s.end) / 2 : -1;
		return at > shown.from && at < shown.to ? at : (shown.from + shown.to) / 2;
	}

	/** @param {number} part of the width */
	pan(part) {
		const step = (shown.to - shown.from) * part;
		this.setView(shown.from + step, shown.to + step);
	}

	fit() {
		const s = selected();
		/** @type {[number, number]} */
		let want = [model.begin, model.end];
		if (s)
			want = [s.begin - (s.end - s.begin) * 0.05 - 5, s.end + (s.end - s.begin) * 0.05 + 5];
		else if (shown.range)
			want = shown.range;
		const close = Math.abs(want[0] - shown.from) + Math.abs(want[1] - shown.to) < (shown.to - shown.from) * 0.02;
		this.setView(...(close ? /** @type {[number, number]} */ ([model.begin, model.end]) : want));
	}

	/** Will a drag choose a range, without Shift? @param {boolean} on */
	chooseRange(on) {
		this.choosing = on;
		this.rangeButton.setAttribute('aria-pressed', String(on));
		this.stage.classList.toggle('choosing', on);
	}

	rangeOfSelection() {
		const s = selected();
		if (!s) {
			this.say('A call or a state makes a range: ↓ leads to what the thread did.');
			return;
		}
		shown.range = [s.begin, Math.max(s.end, s.begin + 1)];
		changed('range');
	}

	/** @param {number} place */
	pin(place) {
		if (!pinned.delete(place))
			pinned.add(place);
		changed('rows', 'selection');
	}

	/** @param {string} text */
	say(text) {
		this.state.textContent = text;
		clearTimeout(this.quiet);
		this.quiet = setTimeout(() => {
			this.state.textContent = '';
		}, Math.max(4000, text.length * 90));
	}

	/** Scrolls to the selection, and opens its row as far as it has to be. */
	reveal() {
		const s = shown.selection;
		if (!s)
			return;
		let line = this.lines.find(l => l.row && l.row.place === s.row);
		if (line && line.levels < s.track && line.row) {
			opened.set(s.row, true);
			this.layOut();
			line = this.lines.find(l => l.row && l.row.place === s.row);
		}
		if (!line)
			return;
		const top = line.y + (s.track > 0 ? STATE_HEIGHT + (s.track - 1) * LEVEL_HEIGHT : 0), room = this.height - AXIS;
		if (top < this.stage.scrollTop || top + LEVEL_HEIGHT > this.stage.scrollTop + room)
			this.stage.scrollTop = Math.max(0, top - room / 3);
		this.draw();
	}
}
