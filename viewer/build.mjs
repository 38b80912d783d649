// build.mjs: bundles src/ into a C file: node build.mjs PAGE.c [NPM]
//
// Packages are installed into node_modules beside this file, once for each package-lock.json. Whatever fails, a C file is written: then
// it holds no page but a sentence that says why.
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
const npm = process.argv[3] ?? 'npm';

// Whether a lock was left by a build that was killed: its process is gone, or it is ten minutes old.
function stale(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > 600e3) return true;
    process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
    return false;
  } catch (error) {
    return error.code !== 'ENOENT' && error.code !== 'EPERM';
  }
}

// Several build folders may build at the same time: one installs, the others wait for it.
function install() {
  const hash = createHash('sha256').update(readFileSync(join(here, 'package-lock.json'))).digest('hex');
  const stamp = join(here, 'node_modules', '.installed');
  const done = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  const lock = join(here, '.installing');
  while (!done()) {
    try {
      writeFileSync(lock, String(process.pid), {flag: 'wx'});
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (stale(lock)) rmSync(lock, {recursive: true, force: true});
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      continue;
    }
    try {
      if (done()) return;
      const result = spawnSync(npm, ['ci', '--fetch-retries=1', '--fetch-timeout=60000', '--loglevel=error'], {cwd: here, encoding: 'utf8'});
      if (result.status !== 0) throw new Error(`npm ci failed: ${(result.stderr || result.error?.message || `status ${result.status}`).trim().split('\n')[0]}`);
      writeFileSync(stamp, hash);
    } finally {
      rmSync(lock, {recursive: true, force: true});
    }
  }
}

async function bundle() {
  const {build} = await import('esbuild');
  const result = await build({
    entryPoints: {app: join(here, 'src/main.js'), style: join(here, 'src/style.css')},
    bundle: true, minify: true, write: false, outdir: here, format: 'esm', target: 'es2022', legalComments: 'eof', logLevel: 'silent',
    loader: {'.svg': 'dataurl'},
  });
  const text = name => result.outputFiles.find(file => file.path.endsWith(name)).contents;
  return [
    ['/', 'text/html; charset=utf-8', readFileSync(join(here, 'src/index.html'))],
    ['/app.js', 'text/javascript; charset=utf-8', text('app.js')],
    ['/style.css', 'text/css; charset=utf-8', text('style.css')],
  ];
}

function cText(files, missing) {
  const lines = ['// Made by viewer/build.mjs.', '#include "parts.h"'];
  files.forEach(([, , bytes], i) => {
    const packed = gzipSync(bytes, {level: 9});
    lines.push(`static const unsigned char file${i}[${packed.length}] = {`);
    for (let at = 0; at < packed.length; at += 32) lines.push([...packed.subarray(at, at + 32)].join(',') + ',');
    lines.push('};');
  });
  const entries = files.map(([path, type], i) => `{${JSON.stringify(path)}, ${JSON.stringify(type)}, file${i}, sizeof file${i}},`);
  lines.push(`const plWebFile pl_page_files[] = {${entries.join('\n') || '{0}'}};`);
  lines.push(`const int pl_page_file_count = ${files.length};`);
  lines.push(`const char pl_page_missing[] = ${JSON.stringify(missing)};`, '');
  return lines.join('\n');
}

mkdirSync(dirname(out), {recursive: true});
try {
  install();
  writeFileSync(out, cText(await bundle(), ''));
  writeFileSync(out + '.stamp', '');
} catch (error) {
  const why = error.message.split('\n').slice(0, 3).join(' ').replace(/[^ -~]/g, ' ').slice(0, 300);
  console.error(`warning: the viewer's page could not be made: ${error.message}`);
  rmSync(out + '.stamp', {force: true});
  writeFileSync(out, cText([], `this library was built without the viewer's page (${why}); build again with the network there`));
}
