// The report page in a browser: no console error, no request, the guilty page marked, scrubbing by
// keys, both colour schemes, and the budgets of size and speed.
//
// Usage: node report_page_test.mjs CQFUZZ CASE FAULT LARGE_CASE HANG_CASE [SCREENSHOT_FOLDER]
// LARGE_CASE is a run of many events, HANG_CASE one that hangs. Exit code 0; 1: something is wrong; 3: no browser is installed.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const [cqfuzz, caseFile, fault, largeCase, hangCase, screenshots] = process.argv.slice(2);
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!browserPath) {
  console.log('skipped: no browser is installed (apt-get install chromium)');
  process.exit(3);
}
const {chromium} = await import('playwright-core');
const folder = mkdtempSync(join(tmpdir(), 'cqfuzz-page-'));
const failures = [];
let passed = 0;
const check = async (name, body) => {
  try { await body(); ++passed; console.log('ok    ' + name); }
  catch (error) { failures.push(name); console.log('FAIL  ' + name + '\n' + error.stack); }
};
const makePage = (file, name, extra) => {
  const path = join(folder, name);
  const run = spawnSync(cqfuzz, ['run', file, ...extra, '--html', path], {encoding: 'utf8'});
  assert.ok(existsSync(path), run.stderr);
  return path;
};

const browser = await chromium.launch({executablePath: browserPath, args: ['--no-sandbox']});
const open = async (path, colorScheme) => {
  const context = await browser.newContext({colorScheme, viewport: {width: 1280, height: 900}, offline: true});
  const page = await context.newPage();
  page.problems = [];
  page.on('console', (message) => {
    // Reading the picture back is this test's doing, not the page's.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('getImageData'))
      page.problems.push(message.text());
  });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('request', (request) => { if (!/^(file|data):/.test(request.url())) page.problems.push('request: ' + request.url()); });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('html[data-ready]');
  return page;
};
const pixels = (page, selector) => page.$eval(selector, (canvas) => {
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    sum = (sum * 31 + data[i] + data[i + 1] * 7 + data[i + 2] * 13) >>> 0;
  }
  return {colours: seen.size, sum};
});

try {
  const bad = makePage(caseFile, 'finding.html', ['--fault', fault]);
  for (const scheme of ['light', 'dark']) {
    const page = await open(bad, scheme);
    await check(`${scheme}: headline, story and replay command`, async () => {
      assert.match(await page.textContent('#headline'), /^violation: /);
      assert.ok((await page.$$('#story li')).length >= 3);
      assert.match(await page.textContent('.replay code'), /^cqfuzz run .*--fault /);
    });
    await check(`${scheme}: the guilty page is marked, in the picture and in the table`, async () => {
      const marked = await page.getAttribute('canvas[data-guilty-page]', 'data-guilty-page');
      assert.match(await page.textContent('#headline'), new RegExp(`page ${marked} `));
      assert.match(await page.textContent('tr[data-guilty]'), new RegExp(`^${marked} \\(the finding\\)`));
      assert.equal((await page.$$('tr[data-guilty]')).length, 1);
      assert.ok((await pixels(page, 'canvas[data-guilty-page]')).colours >= 4);
    });
    await check(`${scheme}: the op is marked in the scenario`, async () => {
      assert.equal(await page.textContent('#guilty-op'), '[[op]]');
    });
    await check(`${scheme}: the guilty op is in view`, async () => {
      const seen = await page.$eval('#guilty-op', (node) => {
        const box = document.getElementById('scenario').getBoundingClientRect(), own = node.getBoundingClientRect();
        return own.top >= box.top && own.bottom <= box.bottom;
      });
      assert.ok(seen);
    });
    await check(`${scheme}: keys scrub`, async () => {
      const step = async () => Number((await page.textContent('#now')).match(/step (\d+)/)[1]);
      const before = await step();
      const picture = await pixels(page, 'canvas[data-guilty-page]');
      await page.keyboard.press('ArrowLeft');
      const left = await step();
      assert.ok(left < before, `${left} < ${before}`);
      await page.keyboard.press('ArrowRight');
      assert.ok(await step() > left);
      await page.keyboard.press('Home');
      assert.equal(await step(), 0);
      await page.waitForTimeout(120);
      assert.notEqual((await pixels(page, 'canvas[data-guilty-page]')).sum, picture.sum);
      assert.match(await page.textContent('#pages caption'), /step 0$/);
      await page.keyboard.press('f');
      assert.equal(await step(), before);
      await page.keyboard.press('+');
      await page.keyboard.press('+');
      assert.notEqual((await pixels(page, 'canvas[data-guilty-page]')).sum, picture.sum);
      await page.keyboard.press('-');
      await page.keyboard.press('-');
    });
    await check(`${scheme}: everything can be reached by Tab, and has a name`, async () => {
      const nameless = await page.$$eval('button, input, canvas', (nodes) =>
        nodes.filter((n) => !(n.getAttribute('aria-label') || n.textContent.trim())).length);
      assert.equal(nameless, 0);
    });
    await check(`${scheme}: the scheme is followed`, async () => {
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [red] = ground.match(/\d+/g).map(Number);
      assert.ok(scheme === 'dark' ? red < 80 : red > 200, ground);
    });
    await check(`${scheme}: no console error, no request`, async () => assert.deepEqual(page.problems, []));
    if (screenshots) {
      await page.screenshot({path: join(screenshots, `report_${scheme}.png`), fullPage: true});
      await page.locator('section[aria-labelledby=rings-title]').screenshot({path: join(screenshots, `rings_${scheme}.png`)});
    }
    await page.context().close();
  }
  await check('narrow: nothing is wider than the window', async () => {
    const page = await open(bad, 'light');
    await page.setViewportSize({width: 420, height: 800});
    const [wide, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= window_, `${wide} > ${window_}`);
    await page.context().close();
  });

  const hang = makePage(hangCase, 'hang.html', []);
  for (const scheme of ['light', 'dark']) {
    const page = await open(hang, scheme);
    await check(`hang, ${scheme}: who waits for whom is drawn, from the host on`, async () => {
      assert.match(await page.textContent('#headline'), /^hang: nothing can move/);
      const names = await page.$$eval('#waits svg g text', (nodes) => nodes.map((n) => n.textContent));
      assert.ok(names.length >= 3, names.join(', '));
      assert.equal(new Set(names).size, names.length, names.join(', '));
      assert.match(names[0], /^host/);
      assert.ok((await page.$$('#waits svg path[marker-end]')).length >= names.length - 1);
      assert.equal((await page.$$('#waits svg g.last')).length, 1);
      assert.ok((await page.$$('#waits svg path.cycle')).length >= 2, 'the cycle is marked');
      assert.match(await page.getAttribute('#waits svg', 'aria-label'), /waits for/);
    });
    await check(`hang, ${scheme}: no console error, no request`, async () => assert.deepEqual(page.problems, []));
    if (screenshots) await page.screenshot({path: join(screenshots, `hang_${scheme}.png`), fullPage: true});
    await page.context().close();
  }

  const large = makePage(largeCase, 'large.html', []);
  await check('large: size, first picture, scrub frame', async () => {
    const page = await open(large, 'light');
    const bytes = statSync(large).size;
    const ready = Number(await page.getAttribute('html', 'data-ready'));
    const {records, frame} = await page.evaluate(async () => {
      const data = JSON.parse(document.getElementById('data').textContent);
      const scrub = document.getElementById('scrub');
      const times = [];
      for (let i = 0; i < 60; ++i) {
        const begin = performance.now();
        scrub.value = String(Math.round(Number(scrub.max) * i / 60));
        scrub.dispatchEvent(new Event('input'));
        times.push(performance.now() - begin);
        await new Promise(requestAnimationFrame);
      }
      times.sort((a, b) => a - b);
      return {records: atob(data.pages).length / 12 + atob(data.spans).length / 16, frame: times[30]};
    });
    console.log(`      ${records} records, ${(bytes / 1e6).toFixed(2)} MB, first picture ${ready} ms, median scrub frame ${frame.toFixed(1)} ms`);
    assert.ok(records >= 100000, `${records} records`);
    assert.ok(bytes / records * 100000 <= 3e6, `${bytes} bytes for ${records} records`);
    assert.ok(ready < 1000, `${ready} ms`);
    assert.ok(frame <= 16, `${frame} ms`);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
} finally {
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);
