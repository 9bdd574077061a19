// timeline.js: what happened when. A row for each thread: a band of states, below it the calls, the outermost first.
//
// Every line is first a row of pixels (paint.js). Lines become a picture at once; names and hatches follow.

const GUTTER = 210, AXIS = 26, STATE_HEIGHT = 9, LEVEL_HEIGHT = 15, ROW_GAP = 7, LEAST_ROW = 23, PROCESS_HEIGHT = 22, MINIMAP = 44, MOST_LEVELS = 40, LEAST_LEVELS = 3;

/** Rows that stay at the top, by place. @type {Set<number>} */
const pinned = new Set();
/** Rows that are opened, or closed, by hand. @type {Map<number, boolean>} */
const opened = new Map();

/** @typedef {{row: Row | null, process: number, y: number, height: number, levels: number}} Line */

// ---- the view ----

class Timeline {
	/** @param {HTMLElement} into */
	constructor(into) {
		this.canvas = /** @type {HTMLCanvasElement} */ (el('canvas', { 'aria-hidden': 'true' }));
		this.map = /** @type {HTMLCanvasElement} */ (el('canvas', { class: 'minimap', role: 'img', 'aria-label': 'The whole run: how many threads did what. Drag to choose what the timeline shows.' }));
		this.space = el('div', { class: 'space' });
		this.stage = el('div', { class: 'stage', tabindex: 0, role: 'application', 'aria-label': 'Timeline: keys W S A D F, arrows, ? lists all' }, this.canvas, this.space);
		this.side = el('aside', { class: 'details', id: 'details', 'aria-label': 'The selection', 'aria-live': 'polite' });
		this.where = el('output', { class: 'where' });
		this.pathButton = button('Critical path', togglePath, { 'aria-pressed': String(shown.path), title: 'What took the time until the end, as a line (C)', hidden: !pathSegments.length });
		this.state = el('span', { class: 'state', role: 'status' });
		into.append(this.toolbar(), this.map, el('div', { class: 'split' }, this.stage, this.side));
		this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
		this.lineCanvas = document.createElement('canvas');
		/** @type {Line[]} */
		this.lines = [];
		/** @type {[number, number] | null} */
		this.drag = null;
		this.wanted = this.total = this.width = this.height = this.quiet = 0;
		/** @type {ImageData | null} */
		this.mapPixels = null;
		this.listen();
		this.observer = new ResizeObserver(() => this.resize());
		this.observer.observe(this.stage);
		this.layOut();
		this.loadAll();
	}

	toolbar() {
		const filter = /** @type {HTMLInputElement} */ (el('input', { type: 'search', placeholder: 'Threads', 'aria-label': 'Show threads whose names have', value: shown.rows, spellcheck: 'false' }));
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
			this.pathButton, this.where, this.state);
	}

	// ---- rows ----

	rows() {
		const index = /** @type {Index} */ (model.index), threads = model.report.threads, text = shown.rows.toLowerCase();
		const rows = index.rows.filter(row => pinned.has(row.place) || !text || threads[row.place].name.toLowerCase().includes(text) || (severalProcesses() && model.processes[row.process].name.toLowerCase() === text) || (shown.selection && shown.selection.row === row.place && !text));
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

	rangeOfSelection() {
		const s = selected();
		if (!s)
			return;
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
		}, 4000);
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

	// ---- drawing ----

	draw() {
		if (!this.wanted)
			this.wanted = requestAnimationFrame(() => {
				this.wanted = 0;
				if (this.alive())
					this.drawNow();
			});
	}

	/** @param {number} t */
	x(t) {
		return GUTTER + (t - shown.from) / (shown.to - shown.from) * (this.width - GUTTER);
	}

	/** @param {number} x */
	timeAt(x) {
		return shown.from + (x - GUTTER) / (this.width - GUTTER) * (shown.to - shown.from);
	}

	visible() {
		const top = this.stage.scrollTop, bottom = top + this.height - AXIS;
		return this.lines.filter(line => line.y + line.height > top && line.y < bottom);
	}

	drawNow() {
		const c = this.context, ratio = window.devicePixelRatio || 1;
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.fillStyle = paint.ground;
		c.fillRect(0, 0, this.width, this.height);
		c.save();
		c.beginPath();
		c.rect(0, AXIS, this.width, this.height - AXIS);
		c.clip();
		c.translate(0, AXIS - this.stage.scrollTop);
		const lines = this.visible();
		this.drawGrid(c, lines);
		this.drawLines(c, lines);
		this.drawPauses(c, lines);
		this.drawRange(c);
		this.drawNames(c, lines);
		drawPath(this, c);
		this.drawArrows(c);
		this.drawSelection(c);
		c.restore();
		this.drawAxis(c);
		this.drawMap();
		wantDetail(lines.flatMap(line => line.row && line.row.tracks ? [line.row] : []), shown.from, shown.to);
		const step = (shown.to - shown.from) / Math.max(1, this.width - GUTTER);
		this.where.textContent = `${moment(shown.from, step * 10)} – ${moment(shown.to, step * 10)}, ${time(shown.to - shown.from)}`;
	}

	/** Ticks: times, as far apart as they can be read. */
	ticks() {
		const width = shown.to - shown.from, least = width / Math.max(2, (this.width - GUTTER) / 110);
		const base = 10 ** Math.floor(Math.log10(least));
		const step = [1, 2, 5, 10].map(f => f * base).find(s => s >= least) || base;
		const list = [];
		for (let t = Math.ceil(shown.from / step) * step; t <= shown.to; t += step)
			list.push(t);
		return { step, list };
	}

	/** @param {CanvasRenderingContext2D} c @param {Line[]} lines */
	drawGrid(c, lines) {
		const top = this.stage.scrollTop;
		c.fillStyle = paint.line;
		for (const t of this.ticks().list)
			c.fillRect(Math.round(this.x(t)), top, 1, this.height);
		for (const line of lines)
			c.fillRect(0, line.y + line.height - 1, this.width, 1);
	}

	/** @param {CanvasRenderingContext2D} c */
	drawAxis(c) {
		c.fillStyle = paint.panel;
		c.fillRect(0, 0, this.width, AXIS);
		c.fillStyle = paint.line;
		c.fillRect(0, AXIS - 1, this.width, 1);
		c.font = '11px system-ui, sans-serif';
		c.textBaseline = 'middle';
		const { step, list } = this.ticks();
		for (const t of list) {
			const x = Math.round(this.x(t));
			c.fillStyle = paint.line;
			c.fillRect(x, AXIS - 6, 1, 5);
			c.fillStyle = paint.muted;
			const text = moment(t, step), half = c.measureText(text).width / 2;
			if (x - half > GUTTER - 4 && x + half < this.width)
				c.fillText(text, x - half, AXIS / 2 - 1);
		}
		c.fillStyle = paint.muted;
		c.fillText(plural(this.lines.filter(line => line.row).length, 'thread'), 10, AXIS / 2 - 1);
	}

	/** @param {CanvasRenderingContext2D} c @param {Line[]} lines */
	drawLines(c, lines) {
		const ratio = window.devicePixelRatio || 1, width = Math.max(1, Math.round((this.width - GUTTER) * ratio)), scale = width / (shown.to - shown.from);
		/** @type {{track: Track, isStates: boolean, y: number, height: number}[]} */
		const tracks = [];
		for (const line of lines) {
			if (!line.row)
				continue;
			if (!line.row.tracks) {
				loadRow(line.row).then(() => this.draw());
				continue;
			}
			tracks.push({ track: line.row.tracks[0], isStates: true, y: line.y + 2, height: STATE_HEIGHT });
			for (let level = 1; level <= line.levels && level < line.row.tracks.length; level++)
				tracks.push({ track: line.row.tracks[level], isStates: false, y: line.y + 3 + STATE_HEIGHT + (level - 1) * LEVEL_HEIGHT, height: LEVEL_HEIGHT - 1 });
		}
		if (!tracks.length)
			return;
		if (paint.methods.length !== model.methods.length + 1)
			paintMethods();
		const picture = new ImageData(width, tracks.length), pixels = new Uint32Array(picture.data.buffer);
		const wides = tracks.map((t, i) => drawLine(t.track, t.isStates, pixels.subarray(i * width, (i + 1) * width), shown.from, scale, 26 * ratio));
		this.lineCanvas.width = width;
		this.lineCanvas.height = tracks.length;
		/** @type {CanvasRenderingContext2D} */ (this.lineCanvas.getContext('2d')).putImageData(picture, 0, 0);
		c.imageSmoothingEnabled = false;
		tracks.forEach((t, i) => c.drawImage(this.lineCanvas, 0, i, width, 1, GUTTER, t.y, this.width - GUTTER, t.height));
		c.font = '11px system-ui, sans-serif';
		c.textBaseline = 'middle';
		tracks.forEach((t, i) => {
			for (const wide of wides[i])
				this.drawWide(c, t, wide, ratio);
		});
	}

	/** @param {CanvasRenderingContext2D} c @param {{isStates: boolean, y: number, height: number}} t @param {Wide} wide
	 * @param {number} ratio */
	drawWide(c, t, wide, ratio) {
		const x = GUTTER + wide.x / ratio, width = wide.width / ratio;
		if (wide.isSum) {
			c.fillStyle = this.hatch(c);
			c.fillRect(x, t.y, width, t.height);
		}
		if (t.isStates || width < 26)
			return;
		c.fillStyle = paint.ink;
		if (found && found.has(wide.what))
			c.fillStyle = '#000';
		const text = fitMethod(methodName(wide.what), width - 7);
		if (text)
			c.fillText(text, x + 3, t.y + t.height / 2 + 0.5);
	}

	/** @param {CanvasRenderingContext2D} c */
	hatch(c) {
		if (!paint.pattern) {
			const tile = document.createElement('canvas');
			tile.width = tile.height = 6;
			const t = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
			t.strokeStyle = paint.hatch;
			t.lineWidth = 1;
			t.beginPath();
			for (const d of [-6, 0, 6]) {
				t.moveTo(d - 1, 7);
				t.lineTo(d + 7, -1);
			}
			t.stroke();
			paint.pattern = c.createPattern(tile, 'repeat');
		}
		return paint.pattern || paint.hatch;
	}

	/** Pauses of the collector, across the rows of their process. @param {CanvasRenderingContext2D} c @param {Line[]} lines */
	drawPauses(c, lines) {
		const index = /** @type {Index} */ (model.index);
		c.fillStyle = paint.gc;
		index.processes.forEach((process, number) => {
			const mine = lines.filter(line => line.row && line.process === number), t = process.pauses;
			if (!mine.length || !t.n)
				return;
			let drawn = -1;
			for (let i = after(t.end, shown.from); i < t.n && t.begin[i] < shown.to; i++) {
				const x = Math.max(GUTTER, Math.floor(this.x(t.begin[i]))), right = Math.min(this.width, Math.max(x + 1, this.x(t.end[i])));
				if (right <= drawn)
					continue;
				drawn = right;
				for (const line of mine)
					c.fillRect(x, line.y, right - x, line.height);
			}
		});
	}

	/** @param {CanvasRenderingContext2D} c */
	drawRange(c) {
		const range = this.drag || shown.range;
		if (!range)
			return;
		const a = Math.max(GUTTER, this.x(Math.min(...range))), b = Math.min(this.width, this.x(Math.max(...range)));
		if (b < a)
			return;
		c.fillStyle = paint.range;
		c.fillRect(a, this.stage.scrollTop, b - a, this.height);
		c.fillStyle = paint.accent;
		c.fillRect(a, this.stage.scrollTop, 1, this.height);
		c.fillRect(b - 1, this.stage.scrollTop, 1, this.height);
	}

	/** @param {CanvasRenderingContext2D} c @param {Line[]} lines */
	drawNames(c, lines) {
		c.fillStyle = paint.panel;
		c.fillRect(0, this.stage.scrollTop, GUTTER, this.height);
		c.fillStyle = paint.line;
		c.fillRect(GUTTER - 1, this.stage.scrollTop, 1, this.height);
		c.textBaseline = 'middle';
		for (const line of lines) {
			c.fillStyle = paint.line;
			c.fillRect(0, line.y + line.height - 1, GUTTER, 1);
			if (!line.row) {
				c.fillStyle = paint.muted;
				c.font = '600 11px system-ui, sans-serif';
				c.fillText(model.processes[line.process].label, 10, line.y + line.height / 2);
				continue;
			}
			const picked = shown.selection && shown.selection.row === line.row.place;
			if (picked) {
				c.fillStyle = paint.range;
				c.fillRect(0, line.y, GUTTER - 1, line.height - 1);
			}
			c.fillStyle = line.row.isVm ? paint.muted : paint.text;
			c.font = `${picked ? '600 ' : ''}12px system-ui, sans-serif`;
			const open = line.row.trackCount > 1 ? line.levels > 0 ? '▾' : '▸' : '';
			c.fillText(open, 9, line.y + 12);
			c.fillText(fitText(`${pinned.has(line.row.place) ? '• ' : ''}${shown.sort === 'start' && !pinned.has(line.row.place) ? threadName(line.row.place) || '(no name)' : threadLabel(line.row.place)}`, GUTTER - 34, 6.6), 22, line.y + 12, GUTTER - 30);
			if (line.height >= 40) {
				const thread = model.report.threads[line.row.place];
				c.fillStyle = paint.muted;
				c.font = '11px system-ui, sans-serif';
				c.fillText(fitText(`${time(thread.runningNs)} running · ${plural(thread.calls, 'call')}`, GUTTER - 34), 22, line.y + 28);
			}
			if (!line.row.tracks) {
				c.fillStyle = paint.muted;
				c.fillText('reading …', GUTTER + 8, line.y + 12);
			}
		}
	}

	/** The selection's line. */
	selectionBox() {
		const s = selected(), line = s && this.lines.find(l => l.row === s.row);
		if (!s || !line || s.level > line.levels)
			return null;
		const y = s.level ? line.y + 3 + STATE_HEIGHT + (s.level - 1) * LEVEL_HEIGHT : line.y + 2;
		return { s, y, height: s.level ? LEVEL_HEIGHT - 1 : STATE_HEIGHT };
	}

	/** @param {CanvasRenderingContext2D} c */
	drawSelection(c) {
		const box = this.selectionBox(), sel = shown.selection;
		if (!box)
			return;
		const a = Math.max(GUTTER + 1, this.x(box.s.begin)), b = Math.min(this.width - 1, this.x(box.s.end));
		if (b >= a - 2) {
			c.strokeStyle = paint.text;
			c.lineWidth = 2;
			c.strokeRect(a - 1, box.y - 1, Math.max(3, b - a + 2), box.height + 2);
		}
		if (sel && sel.exact) {
			const x = this.x(sel.at);
			c.fillStyle = paint.accent;
			c.fillRect(Math.round(x), box.y - 4, 2, box.height + 8);
		}
	}

	/** @param {number} place @param {number} at */
	arrowY(place, at) {
		const line = this.lines.find(l => l.row && l.row.place === place);
		if (!line || !line.row)
			return null;
		const call = line.row.tracks ? innermost(line.row, at) : { level: 0 };
		const level = Math.min(line.levels, Math.max(0, call.level));
		return level ? line.y + 3 + STATE_HEIGHT + (level - 1) * LEVEL_HEIGHT + LEVEL_HEIGHT / 2 : line.y + 2 + STATE_HEIGHT / 2;
	}

	/** The arrows of the selection. @param {CanvasRenderingContext2D} c */
	drawArrows(c) {
		const a = model.arrows, s = selected();
		if (!a || !s)
			return;
		const { come, go } = arrowsAt(s);
		c.save();
		c.beginPath();
		c.rect(GUTTER, this.stage.scrollTop, this.width, this.height);
		c.clip();
		c.strokeStyle = c.fillStyle = paint.arrow;
		c.lineWidth = 1.5;
		for (const i of [...come.slice(-100), ...go.slice(0, 100)]) {
			const y0 = this.arrowY(a.from[i], a.sent[i]), y1 = this.arrowY(a.to[i], a.received[i]);
			if (y0 === null || y1 === null)
				continue;
			const x0 = this.x(a.sent[i]), x1 = this.x(a.received[i]), down = y1 > y0 ? 1 : -1, bend = Math.max(12, Math.min(60, Math.abs(y1 - y0) / 2));
			c.beginPath();
			c.moveTo(x0, y0);
			c.bezierCurveTo(x0, y0 + down * bend, x1, y1 - down * bend, x1, y1 - down * 5);
			c.stroke();
			c.beginPath();
			c.moveTo(x1, y1);
			c.lineTo(x1 - 3.5, y1 - down * 7);
			c.lineTo(x1 + 3.5, y1 - down * 7);
			c.fill();
		}
		c.restore();
	}

	// ---- the minimap ----

	/** How many threads did what, over the whole run. */
	makeMap() {
		const width = this.map.width, height = this.map.height, index = /** @type {Index} */ (model.index);
		const per = KINDS.map(() => new Float64Array(width)), scale = width / (model.end - model.begin);
		for (const row of index.rows) {
			const t = row.tracks && row.tracks[0];
			if (!t)
				continue;
			for (let i = 0; i < t.n; i++) {
				const kind = kindOf(t.what[i]);
				if (kind < 0)
					continue;
				const a = (t.begin[i] - model.begin) * scale, b = (t.end[i] - model.begin) * scale, whole = t.end[i] - t.begin[i], busy = whole ? (t.cover[i + 1] - t.cover[i]) / whole : 0;
				for (let p = Math.floor(a); p < b && p < width; p++)
					per[kind][p] += (Math.min(b, p + 1) - Math.max(a, p)) * busy;
			}
		}
		let most = 1;
		for (let p = 0; p < width; p++)
			most = Math.max(most, per.reduce((n, list) => n + list[p], 0));
		const picture = new ImageData(width, height), pixels = new Uint32Array(picture.data.buffer).fill(paint.groundPixel);
		for (let p = 0; p < width; p++) {
			let y = height;
			per.forEach((list, kind) => {
				const top = y - list[p] / most * height;
				for (let q = Math.round(y) - 1; q >= Math.round(top) && q >= 0; q--)
					pixels[q * width + p] = paint.kinds[kind];
				y = top;
			});
		}
		return picture;
	}

	drawMap() {
		const c = this.map.getContext('2d'), width = this.map.width, height = this.map.height;
		if (!c || !width)
			return;
		this.mapPixels = this.mapPixels || this.makeMap();
		c.putImageData(this.mapPixels, 0, 0);
		const scale = width / (model.end - model.begin), a = (shown.from - model.begin) * scale, b = Math.max(a + 2, (shown.to - model.begin) * scale);
		c.fillStyle = paint.range;
		c.fillStyle = `${paint.ground}90`;
		c.fillRect(0, 0, a, height);
		c.fillRect(b, 0, width - b, height);
		c.strokeStyle = paint.accent;
		c.lineWidth = 2;
		c.strokeRect(a + 1, 1, b - a - 2, height - 2);
		if (shown.range) {
			c.fillStyle = paint.range;
			c.fillRect((shown.range[0] - model.begin) * scale, 0, Math.max(1, (shown.range[1] - shown.range[0]) * scale), height);
		}
	}

	// ---- the pointer ----

	/** What is at a place of the window. @param {MouseEvent} event */
	at(event) {
		const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
		const t = this.timeAt(x), deep = y - AXIS + this.stage.scrollTop;
		const line = y < AXIS ? undefined : this.lines.find(l => deep >= l.y && deep < l.y + l.height);
		if (!line || !line.row || !line.row.tracks || x < GUTTER)
			return { x, y, t, line, track: -1, i: -1 };
		const level = deep < line.y + 2 + STATE_HEIGHT ? 0 : Math.floor((deep - line.y - 3 - STATE_HEIGHT) / LEVEL_HEIGHT) + 1;
		if (level > line.levels || level >= line.row.tracks.length)
			return { x, y, t, line, track: -1, i: -1 };
		const track = line.row.tracks[level], half = (shown.to - shown.from) / (this.width - GUTTER);
		let i = spanAt(track, t);
		if (i < 0) { // near it
			const next = after(track.begin, t);
			if (next < track.n && track.begin[next] - t < half * 2)
				i = next;
			else if (next > 0 && t - track.end[next - 1] < half * 2)
				i = next - 1;
		}
		return { x, y, t, line, track: level, i };
	}

	listen() {
		const stage = this.stage;
		stage.addEventListener('scroll', () => this.draw());
		stage.addEventListener('wheel', event => {
			const box = this.canvas.getBoundingClientRect();
			if (event.ctrlKey || event.metaKey) {
				event.preventDefault();
				this.zoom(Math.exp(Math.max(-300, Math.min(300, event.deltaY)) * 0.004), this.timeAt(Math.max(GUTTER, event.clientX - box.left)));
			} else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
				event.preventDefault();
				this.pan((event.shiftKey ? event.deltaY || event.deltaX : event.deltaX) / (this.width - GUTTER));
			}
		}, { passive: false });
		this.listenDrag();
		this.canvas.addEventListener('mousemove', event => this.hover(event));
		this.canvas.addEventListener('mouseleave', () => {
			byId('tip').hidden = true;
		});
		this.canvas.addEventListener('dblclick', () => this.fit());
		this.listenMap();
	}

	listenDrag() {
		let moved = false, x0 = 0, y0 = 0, from0 = 0, top0 = 0;
		const { canvas } = this;
		canvas.addEventListener('pointerdown', event => {
			if (event.button)
				return;
			canvas.setPointerCapture(event.pointerId);
			x0 = event.clientX;
			y0 = event.clientY;
			from0 = shown.from;
			top0 = this.stage.scrollTop;
			moved = false;
			if (event.shiftKey)
				this.drag = [this.at(event).t, this.at(event).t];
			event.preventDefault();
			this.stage.focus({ preventScroll: true });
		});
		canvas.addEventListener('pointermove', event => {
			if (!canvas.hasPointerCapture(event.pointerId) || (!moved && Math.abs(event.clientX - x0) + Math.abs(event.clientY - y0) < 4))
				return;
			moved = true;
			byId('tip').hidden = true;
			if (this.drag) {
				this.drag[1] = this.at(event).t;
				this.draw();
				return;
			}
			const step = (x0 - event.clientX) / (this.width - GUTTER) * (shown.to - shown.from);
			this.stage.scrollTop = top0 + y0 - event.clientY;
			this.setView(from0 + step, from0 + step + shown.to - shown.from);
		});
		canvas.addEventListener('pointerup', event => {
			const drag = this.drag;
			this.drag = null;
			if (drag && moved) {
				shown.range = [Math.max(model.begin, Math.min(...drag)), Math.min(model.end, Math.max(...drag))];
				changed('range');
			} else if (!moved) {
				this.click(event);
			}
			this.draw();
		});
		canvas.addEventListener('pointercancel', () => {
			this.drag = null;
			this.draw();
		});
	}

	/** @param {MouseEvent} event */
	click(event) {
		const hit = this.at(event);
		if (!hit.line || !hit.line.row) {
			shown.selection = null;
			changed('selection');
		} else if (hit.x < GUTTER) {
			if (hit.x < 20) {
				opened.set(hit.line.row.place, hit.line.levels === 0);
				this.layOut();
			}
			select(hit.line.row.place, -1, 0);
		} else if (hit.i >= 0 && hit.line.row.tracks) {
			const track = hit.line.row.tracks[hit.track];
			select(hit.line.row.place, hit.track, track.begin[hit.i]);
		} else {
			shown.selection = null;
			changed('selection');
		}
	}

	/** @param {MouseEvent} event */
	hover(event) {
		const tip = byId('tip'), hit = this.at(event);
		if (event.buttons || !hit.line || !hit.line.row) {
			tip.hidden = true;
			return;
		}
		if (hit.x < GUTTER) {
			tip.replaceChildren(el('b', {}, threadName(hit.line.row.place)), severalProcesses() ? el('small', {}, model.processes[hit.line.row.process].label) : '');
		} else if (hit.i >= 0 && hit.line.row.tracks) {
			const t = hit.line.row.tracks[hit.track], ns = t.end[hit.i] - t.begin[hit.i], calls = t.counts[hit.i];
			tip.replaceChildren(el('b', {}, hit.track ? methodName(t.what[hit.i]) : stateName(t.what[hit.i])), el('span', {}, calls ?
				`${plural(calls, 'short one')} in ${time(ns)}, mostly this` : `${time(ns)}${t.flags[hit.i] & FAILED ? ', ended by an exception' : ''}`),
			hit.track && t.what[hit.i] ? el('small', {}, model.methods[t.what[hit.i] - 1].full) : '');
		} else {
			tip.hidden = true;
			return;
		}
		tip.hidden = false;
		const left = event.clientX + 14, top = event.clientY + 16;
		tip.style.left = `${Math.min(left, window.innerWidth - tip.offsetWidth - 8)}px`;
		tip.style.top = `${top + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 10 : top}px`;
	}

	listenMap() {
		const move = (/** @type {PointerEvent} */ event) => {
			const box = this.map.getBoundingClientRect(), t = model.begin + (event.clientX - box.left) / box.width * (model.end - model.begin), width = shown.to - shown.from;
			this.setView(t - width / 2, t + width / 2);
		};
		let begun = -1;
		const timeOf = (/** @type {PointerEvent} */ event) => {
			const box = this.map.getBoundingClientRect();
			return model.begin + Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * (model.end - model.begin);
		};
		this.map.addEventListener('pointerdown', event => {
			this.map.setPointerCapture(event.pointerId);
			begun = shown.to - shown.from > (model.end - model.begin) * 0.98 ? timeOf(event) : -1; // all is in view: choose a part
			if (begun < 0)
				move(event);
		});
		this.map.addEventListener('pointermove', event => {
			if (!this.map.hasPointerCapture(event.pointerId))
				return;
			if (begun < 0)
				move(event);
			else if (Math.abs(timeOf(event) - begun) > (model.end - model.begin) / 500)
				this.setView(Math.min(begun, timeOf(event)), Math.max(begun, timeOf(event)));
		});
	}
}

const timelineView = {
	/** @type {Timeline | null} */ now: null,
	/** @param {HTMLElement} into */
	show(into) {
		if (!model.index) {
			into.append(el('p', { class: 'notice' }, 'A summary has sums alone: there is no timeline in it.'));
			return;
		}
		paint = makePaint();
		paintMethods();
		timelineView.now = new Timeline(into);
		showSelection(timelineView.now.side);
		const s = shown.selection;
		if (s)
			loadRow(model.index.rows[s.row]).then(() => {
				changed('selection');
				timelineView.reveal();
			});
	},
	live() {
		return timelineView.now && timelineView.now.alive() ? timelineView.now : null;
	},
	/** @param {number} begin @param {number} end */
	setView(begin, end) {
		const live = timelineView.live();
		if (live)
			live.setView(begin, end);
		else {
			shown.from = Math.max(model.begin, Math.min(begin, model.end - 1));
			shown.to = Math.min(model.end, Math.max(end, shown.from + 20));
		}
	},
	/** @param {number} factor */
	zoom: factor => timelineView.live()?.zoom(factor),
	/** @param {number} part */
	pan: part => timelineView.live()?.pan(part),
	fit: () => timelineView.live()?.fit(),
	rangeOfSelection: () => timelineView.live()?.rangeOfSelection(),
	reveal: () => timelineView.live()?.reveal(),
	/** @param {number} place */
	pin: place => timelineView.live()?.pin(place),
	/** @param {string} text */
	say: text => timelineView.live()?.say(text),
};

on('view', () => timelineView.live()?.draw());
on('path', () => {
	timelineView.live()?.pathButton.setAttribute('aria-pressed', String(shown.path));
	timelineView.live()?.draw();
});
on('range', () => timelineView.live()?.draw());
on('rows', () => timelineView.live()?.layOut());
on('selection', () => {
	const live = timelineView.live();
	if (live) {
		showSelection(live.side);
		live.draw();
	}
});
on('more', () => changed('selection'));
on('query', () => {
	if (timelineView.live()) {
		paintMethods();
		timelineView.live()?.draw();
	}
});
