// node view_shown.mjs PLAYWRIGHT CHROMIUM PAGE: what PAGE, with an earlier run, shows when one uses it: what is said of what is
// pointed at. TAP without a plan.
import { pathToFileURL } from 'node:url';
import { is, launch, plan, show } from './browser.mjs';

const [playwright, executablePath, page_] = process.argv.slice(2);
const address = pathToFileURL(page_).href;

const browser = await launch(playwright, executablePath);
const heard = [];
const page = await show(browser, heard, address);
const settled = () => page.waitForTimeout(400);

// ---- what is said of what is pointed at ----
const told = () => page.evaluate('!byId("tip").hidden');
/** Points at what is there in the timeline: the band of states of the first row. */
async function point() {
	await page.keyboard.press('2');
	await settled();
	const box = await page.locator('.stage').boundingBox();
	for (let x = 300; x < 700 && !await told(); x += 25)
		await page.mouse.move(box.x + x, box.y + 31);
	return told();
}
for (const key of ['3', '4', '5', '1', 'r', 'w', 'd', 'f']) {
	is(`what is pointed at is told, before ${key}`, await point(), true);
	await page.keyboard.press(key);
	is('... and no longer after it', await told(), false);
	await page.keyboard.press('Escape');
	await page.mouse.move(5, 5);
}

is('no error, and nothing was asked of a network', heard, []);
plan();
await browser.close();
