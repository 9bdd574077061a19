// node view_looks.mjs PLAYWRIGHT CHROMIUM PAGE AXE: who sees little, sees colours otherwise, or has no pointer can use PAGE: axe
// finds no serious fault, nor a moderate one; texts on calls have contrast; colours of states differ for the colour-blind; Tab
// reaches all that can be pressed. In both schemes. TAP without a plan.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { is, launch, plan } from './browser.mjs';

const [playwright, executablePath, page_, axe_] = process.argv.slice(2);
const axe = readFileSync(axe_, 'utf8');

// ---- colours ----

const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const read = text => [1, 3, 5].map(i => linear(parseInt(text.slice(i, i + 2), 16) / 255));
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (a, b) => {
	const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
	return (x + 0.05) / (y + 0.05);
};
/** OKLab, where equal distances look equal. */
function lab(rgb) {
	const [l, m, s] = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]]
		.map(row => Math.cbrt(Math.max(0, row.reduce((sum, v, i) => sum + v * rgb[i], 0))));
	return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}
/** What those see who lack one kind of cones: the matrices of Machado, Oliveira and Fernandes (2009), in linear light. */
const EYES = {
	'all cones': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
	deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
	tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const APART = 0.08; // of OKLab: four times what can just be told apart side by side

function tooClose(colours, eye) {
	const seen = Object.entries(colours).map(([name, rgb]) => [name, lab(eye.map(row => Math.max(0, row.reduce((sum, v, i) => sum + v * rgb[i], 0))))]);
	return seen.flatMap(([a, p], i) => seen.slice(i + 1).filter(([, q]) => Math.hypot(...p.map((v, k) => v - q[k])) < APART).map(([b]) => `${a}, ${b}`));
}

const browser = await launch(playwright, executablePath);
for (const colorScheme of ['light', 'dark']) {
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
	await page.goto(pathToFileURL(page_).href);
	await page.waitForSelector('html[data-ready=true]', { state: 'attached', timeout: 60000 });
	await page.evaluate(axe);
	for (const tab of await page.evaluate('TABS.map(tab => tab.id)')) {
		await page.evaluate(`openTab('${tab}')`);
		if (tab === 'methods')
			await page.evaluate('openMethod(2)');
		if (tab === 'timeline')
			await page.evaluate('loadRow(model.index.rows[1]).then(() => select(1, 1, model.index.rows[1].tracks[1].begin[0]))');
		await page.waitForTimeout(400);
		const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
		is(`${colorScheme}, ${tab}: axe`, found.violations.filter(v => v.impact !== 'minor').map(v => `${v.impact} ${v.id}: ${v.nodes[0].html.slice(0, 200)}`), []);
	}
	await page.keyboard.press('?');
	is(`${colorScheme}, keys: axe`, (await page.evaluate('axe.run("dialog", { resultTypes: ["violations"] })')).violations.map(v => v.id), []);
	await page.keyboard.press('Escape');

	const css = await page.evaluate(`Object.fromEntries([...KINDS.map(k => '--kind-' + k.key), '--ink', '--path', '--arrow', '--ground', '--accent'].map(name => [name, getComputedStyle(document.documentElement).getPropertyValue(name).trim()]))`);
	const kinds = Object.fromEntries(Object.entries(css).filter(([name]) => name.startsWith('--kind-')).map(([name, text]) => [name.slice(7), read(text)]));
	for (const [eye, matrix] of Object.entries(EYES))
		is(`${colorScheme}, ${eye}: states have colours that differ`, tooClose(kinds, matrix), []);
	for (const line of ['--path', '--arrow', '--accent'])
		is(`${colorScheme}: ${line.slice(2)} is seen on the ground`, contrast(read(css[line]), read(css['--ground'])) >= 3, true);
	const calls = await page.evaluate(`Array.from({ length: 2000 }, (_, i) => methodColour({ type: 'a.b' + i % 97 + '.C' + i, pack: 'a.b' + i % 97 }, 'm' + i, isDark()))`);
	is(`${colorScheme}: names on calls have contrast`, calls.filter(c => contrast(c.map(v => linear(v / 255)), read(css['--ink'])) < 4.5).length, 0);

	// ---- without a pointer ----
	for (const tab of ['overview', 'timeline', 'waits']) {
		await page.evaluate(`openTab('${tab}')`);
		await page.waitForTimeout(300);
		await page.evaluate('document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute("tabindex")');
		for (let i = 0; i < 400; i++) {
			await page.keyboard.press('Tab');
			if (!await page.evaluate('document.activeElement === document.body ? false : (document.activeElement.dataset.reached = "1", true)'))
				break;
		}
		is(`${colorScheme}, ${tab}: Tab reaches all that can be pressed`, await page.evaluate(`[...document.querySelectorAll('button, select, input, [tabindex="0"]')]
			.filter(e => e.offsetParent && !e.dataset.reached && e.tabIndex >= 0).map(e => e.outerHTML.slice(0, 100))`), []);
		await page.keyboard.press('Tab');
		is(`${colorScheme}, ${tab}: and shows where it is`, await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid');
	}
	await page.close();
}
plan();
await browser.close();
