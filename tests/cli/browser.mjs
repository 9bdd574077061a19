// browser.mjs: what tests of pages share: TAP, a browser that nobody sees, and how it comes to show a trace.
import { pathToFileURL } from 'node:url';

let n = 0;

/** GOT is WANTED, as JSON; of lists that differ only what the other one has not is shown. */
export function is(name, got, wanted) {
	const [a, b] = [got, wanted].map(v => JSON.stringify(v));
	console.log(`${a === b ? 'ok' : 'not ok'} ${++n} - ${name}`);
	if (a === b)
		return;
	const lists = Array.isArray(got) && Array.isArray(wanted);
	const [only, missing] = lists ? [got.filter(x => !wanted.includes(x)), wanted.filter(x => !got.includes(x))] : [got, wanted];
	console.log(`# got:  ${JSON.stringify(only)?.slice(0, 900)}\n# want: ${JSON.stringify(missing)?.slice(0, 900)}`);
}

/** How many there were: the last line. */
export function plan() {
	console.log(`1..${n}`);
}

/** The browser at EXECUTABLEPATH, by the file PLAYWRIGHT. */
export async function launch(playwright, executablePath) {
	const module = await import(pathToFileURL(playwright).href);
	return (module.default ?? module).chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Errors and warnings of PAGE, and requests that are not ALLOWED, are added to HEARD. */
function listen(page, heard, allowed) {
	page.on('console', m => ['error', 'warning'].includes(m.type()) && heard.push(m.text()));
	page.on('pageerror', e => heard.push(e.message));
	page.on('request', r => allowed(r.url()) || heard.push(`request ${r.url()}`));
}

/** Is URL a page on disk? */
const isPage = url => url.startsWith('file:') && url.includes('.html');

/** A page of BROWSER of jweave's view at ADDRESS, once it shows its trace; of HEARD, ALLOWED see listen(). */
export async function show(browser, heard, address, { allowed = isPage, ...options } = {}) {
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
	listen(page, heard, allowed);
	await page.goto(address);
	await page.waitForSelector('html[data-ready=true]', { state: 'attached', timeout: 60000 });
	return page;
}

/** Waits until EXPRESSION is true in PAGE. (waitForFunction() evaluates in the page, whose policy forbids that.) */
export async function until(page, expression) {
	for (let i = 0; i < 300; i++) {
		if (await page.evaluate(`Boolean(${expression})`))
			return;
		await page.waitForTimeout(100);
	}
	throw new Error(`it was never so: ${expression}`);
}

/** After a click at SELECTOR: which part of PAGE it led to, and what is chosen there. */
export async function followed(page, selector) {
	await page.click(selector);
	await page.waitForTimeout(500);
	return page.evaluate('({ tab: shown.tab, row: shown.selection.row, track: shown.selection.track, begin: shown.selection.begin })');
}
