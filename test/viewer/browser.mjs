// browser.mjs: what the viewer's tests share: the program, Debian's Chromium, counting.
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const source = join(dirname(fileURLToPath(import.meta.url)), '../..');
const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

// s that something may take on a machine that is busy with other things; only what is broken takes as long.
export const PATIENCE = 90;

export function skip(reason) {
  // With PLIANT_NO_SKIP a skip is a failure, unless tools/setup could not install something.
  const fails = process.env.PLIANT_NO_SKIP && !process.env.PLIANT_SETUP_FAILED;
  console.log(`skipped: ${reason}\nviewer: 0 passed, ${fails ? 1 : 0} failed, ${fails ? 0 : 1} skipped`);
  process.exit(fails ? 1 : 77);
}

// The token of the program at each port.
export const tokens = new Map();

// Starts `pliant view` and waits for its address.
export async function startView(pliant, args, cwd = process.cwd()) {
  const child = spawn(pliant, ['view', ...args, '--port', '0'], {cwd, stdio: ['ignore', 'pipe', 'pipe']});
  let out = '', err = '';
  child.stderr.on('data', d => err += d);
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', d => {
      out += d;
      const found = out.match(/^(http:\S+)$/m);
      if (found) resolve(found[1]);
    });
    child.on('exit', code => {
      if (err.includes('built without the viewer')) skip(err.trim());
      reject(new Error(`pliant view ended with ${code}: ${err}`));
    });
  });
  const ended = new Promise(resolve => child.on('exit', code => resolve(code)));
  const port = Number(new URL(url).port);
  tokens.set(port, new URL(url).hash.replace('#token=', ''));
  return {url, port, child, errors: () => err, async stop() {
    child.kill('SIGINT');
    return ended;
  }};
}

// scale: of the picture's resolution; software draws a small picture faster, and the page's layout stays.
export async function openBrowser(scale = 1) {
  if (!chromiumPath) skip('Chromium is not there; apt-get install chromium');
  const require = createRequire(join(source, 'viewer/package.json'));
  let playwright;
  try {
    playwright = require('playwright-core');
  } catch {
    skip('playwright-core is not installed; build the viewer with npm and the network there');
  }
  const profile = mkdtempSync(join(tmpdir(), 'pliant-browser-'));
  const browser = await playwright.chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath, headless: true, viewport: {width: 1280, height: 800}, deviceScaleFactor: scale, timeout: 1000 * PATIENCE,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--mute-audio'],
  });
  browser.setDefaultTimeout(1000 * PATIENCE);
  const close = browser.close.bind(browser);
  browser.close = async () => {
    await close();
    rmSync(profile, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
  };
  return browser;
}

let passed = 0, failed = 0;
export function check(what, good, detail = '') {
  if (good) passed++;
  else failed++;
  if (!good) console.log(`FAILED: ${what} ${detail}`);
}

export function finish(name) {
  console.log(`${name}: ${passed} passed, ${failed} failed, 0 skipped`);
  process.exit(failed ? 1 : 0);
}

// Waits until the page's function gives something true.
export async function until(page, what, f, argument, seconds = PATIENCE) {
  try {
    await page.waitForFunction(f, argument, {timeout: 1000 * seconds, polling: 50});
    check(what, true);
    return true;
  } catch {
    check(what, false, `(not within ${seconds} s)`);
    return false;
  }
}
