// browser.mjs: what tests of pages share: TAP, and a browser that nobody sees.
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
export function listen(page, heard, allowed) {
	page.on('console', m => ['error', 'warning'].includes(m.type()) && heard.push(m.text()));
	page.on('pageerror', e => heard.push(e.message));
	page.on('request', r => allowed(r.url()) || heard.push(`request ${r.url()}`));
}

/** Is URL a page on disk? */
export const isPage = url => url.startsWith('file:') && url.includes('.html');
