// timeline.js: what happened when. A row for each thread: a band of states, below it the calls, the outermost first.
//
// What there is and where: rows.js. How it looks: picture.js. Here is what the pointer does, and the view itself.

class Timeline extends TimelinePicture {
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
		stage.addEventListener('scroll', () => {
			hideTip();
			this.draw();
		});
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
		this.canvas.addEventListener('mouseleave', hideTip);
		this.canvas.addEventListener('dblclick', () => this.fit());
		this.listenMap();
	}

	listenDrag() {
		let moved = false;
		const { canvas } = this;
		this.listenFingers();
		canvas.addEventListener('pointerdown', event => {
			if (event.button)
				return;
			canvas.setPointerCapture(event.pointerId);
			this.hold(event);
			moved = this.pinched !== null;
			if (!moved && (event.shiftKey || this.choosing))
				this.drag = /** @type {[number, number]} */ ([this.at(event).t, this.at(event).t]);
			event.preventDefault();
			this.stage.focus({ preventScroll: true });
		});
		canvas.addEventListener('pointermove', event => {
			const { held } = this;
			if (this.pinched || !canvas.hasPointerCapture(event.pointerId) || (!moved && Math.abs(event.clientX - held.x) + Math.abs(event.clientY - held.y) < 4))
				return;
			moved = true;
			hideTip();
			if (this.drag) {
				this.drag[1] = this.at(event).t;
				this.draw();
				return;
			}
			const step = (held.x - event.clientX) / (this.width - GUTTER) * (shown.to - shown.from);
			this.stage.scrollTop = held.top + held.y - event.clientY;
			this.setView(held.from + step, held.from + step + shown.to - shown.from);
		});
		canvas.addEventListener('pointerup', event => {
			const drag = this.drag;
			this.drag = null;
			if (drag && moved) {
				this.chooseRange(false);
				const [a, b] = drag.map(t => Math.round(Math.max(model.begin, Math.min(model.end, t)))).sort((x, y) => x - y); // as the address has it
				shown.range = b > a ? [a, b] : null;
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

	/** What a drag begins with. @param {{x: number, y: number}} at */
	hold({ x, y }) {
		this.held = { x, y, from: shown.from, top: this.stage.scrollTop };
	}

	/** Two fingers hold the times where they were put down. */
	listenFingers() {
		const { canvas } = this;
		/** Where they are. @type {Map<number, {x: number, y: number}>} */
		const fingers = new Map();
		const across = () => [...fingers.values()].slice(0, 2).map(finger => finger.x - canvas.getBoundingClientRect().left);
		canvas.addEventListener('pointerdown', event => {
			if (event.button)
				return;
			fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
			if (fingers.size < 2)
				return;
			this.drag = null;
			this.pinched = across().map(x => this.timeAt(x));
		});
		canvas.addEventListener('pointermove', event => {
			if (fingers.has(event.pointerId))
				fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
			if (this.pinched)
				this.pinch(this.pinched, across());
		});
		for (const ends of /** @type {const} */ (['pointerup', 'pointercancel']))
			canvas.addEventListener(ends, event => {
				fingers.delete(event.pointerId);
				this.pinched = null;
				for (const left of fingers.values()) // that goes on from where it is
					this.hold(left);
			});
	}

	/** The view in which two TIMES are at places X of the canvas. @param {number[]} times @param {number[]} x */
	pinch(times, x) {
		const apart = x[1] - x[0], perPixel = (times[1] - times[0]) / apart;
		if (Math.abs(apart) < 8 || !(perPixel > 0))
			return;
		const begin = times[0] - (x[0] - GUTTER) * perPixel;
		this.setView(begin, begin + (this.width - GUTTER) * perPixel);
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

	/** What is said of the mark of a closing near X. @param {number} x */
	tellClosing(x) {
		const mark = this.closings().find(m => Math.abs(m.x - x) < 6);
		if (!mark)
			return null;
		const names = mark.methods.slice(0, 6).map(m => m.name), more = mark.methods.length - names.length;
		return [el('b', {}, `${plural(mark.methods.length, 'method')} closed`), el('span', {}, 'not recorded from here on, to keep recording cheap'),
			el('small', {}, names.join(', ') + (more ? ` and ${more} more` : ''))];
	}

	/** What is said of the place HIT; null: nothing. @param {ReturnType<Timeline['at']>} hit */
	tell(hit) {
		if (hit.y < AXIS)
			return this.tellClosing(hit.x);
		if (!hit.line || !hit.line.row)
			return null;
		const { row } = hit.line;
		if (hit.x < GUTTER)
			return [el('b', {}, threadName(row.place)), severalProcesses() ? el('small', {}, model.processes[row.process].label) : ''];
		if (hit.i < 0 || !row.tracks)
			return null;
		const t = row.tracks[hit.track], ns = t.end[hit.i] - t.begin[hit.i], calls = t.counts[hit.i];
		return [el('b', {}, hit.track ? methodName(t.what[hit.i]) : stateAt(t, hit.i)), el('span', {}, calls ?
			`${plural(calls, 'short one')} in ${time(ns)}, mostly this` : `${time(ns)}${t.flags[hit.i] & FAILED ? ', ended by an exception' : ''}`),
		hit.track && t.what[hit.i] ? el('small', {}, model.methods[t.what[hit.i] - 1].full) : ''];
	}

	/** @param {MouseEvent} event */
	hover(event) {
		const tip = byId('tip'), said = event.buttons ? null : this.tell(this.at(event));
		tip.hidden = !said;
		if (!said)
			return;
		tip.replaceChildren(...said);
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
		timelineView.now.say(timelineView.unsaid);
		timelineView.unsaid = '';
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
	unsaid: '',
	/** At once, or when it is shown. @param {string} text */
	say(text) {
		const live = timelineView.live();
		if (live)
			live.say(text);
		else
			timelineView.unsaid = text;
	},
};

on('view', () => {
	hideTip();
	timelineView.live()?.draw();
});
on('path', () => {
	timelineView.live()?.pathButton.setAttribute('aria-pressed', String(shown.path));
	timelineView.live()?.draw();
});
on('range', () => timelineView.live()?.draw());
on('rows', () => {
	const live = timelineView.live();
	if (!live)
		return;
	if (live.filter.value !== shown.rows)
		live.filter.value = shown.rows;
	live.layOut();
	showSelection(live.side);
});
on('selection', () => {
	const live = timelineView.live();
	if (live) {
		live.followSelection();
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
