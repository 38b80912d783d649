// security.mjs: what the server refuses, and what cannot hold up the simulation: node security.mjs PLIANT
import http from 'node:http';
import net from 'node:net';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {check, finish, PATIENCE, source, startView, tokens} from './browser.mjs';
import {Socket, frameBytes, handshake, sleep} from './socket.mjs';

const pliant = resolve(process.argv[2]);
const work = mkdtempSync(join(tmpdir(), 'pliant-view-'));
const view = await startView(pliant, [join(source, 'scenes/block.yaml')], work);
const {port} = view;

// ---- HTTP

const request = (path, headers = {}, method = 'GET') => new Promise((resolve, reject) => {
  const r = http.request({host: '127.0.0.1', port, path, method, headers: {'Accept-Encoding': 'gzip', ...headers}}, answer => {
    let size = 0;
    answer.on('data', d => size += d.length);
    answer.on('end', () => resolve({status: answer.statusCode, headers: answer.headers, size}));
  });
  r.on('error', reject);
  r.end();
});
// What is answered until the server closes.
const raw = text => new Promise(resolve => {
  const s = net.connect(port, '127.0.0.1');
  let out = '';
  const timer = setTimeout(() => s.destroy(), 1000 * PATIENCE);
  s.on('data', d => out += d.toString('latin1'));
  s.on('error', () => {});
  s.on('close', () => {
    clearTimeout(timer);
    resolve(out);
  });
  s.write(text);
});

const page = await request('/');
check('the page is served', page.status === 200 && page.size > 100);
check('with a policy', page.headers['content-security-policy']?.includes("default-src 'none'") && page.headers['x-frame-options'] === 'DENY');
check('the script is served', (await request('/app.js')).size > 50000);
check('HEAD has no body', (await request('/app.js', {}, 'HEAD')).size === 0);
check('localhost is a name of ours', (await request('/', {Host: `localhost:${port}`})).status === 200);
check('through a tunnel with another port too', (await request('/', {Host: 'localhost:9999'})).status === 200);
for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', '127.evil.example', 'localhost.evil.example', '192.168.1.5', '[::1', 'localhost:80:80', 'localhost:x'])
  check(`Host ${host} is refused`, (await request('/', {Host: host})).status === 403);
for (const origin of ['http://evil.example', 'null', `http://localhost:${port + 1}`, 'file://', `http://127.0.0.1:${port}.evil.example`])
  check(`Origin ${origin} is refused`, (await request('/', {Origin: origin, Host: `127.0.0.1:${port}`})).status === 403);
check('our own origin is not', (await request('/', {Origin: `http://127.0.0.1:${port}`, Host: `127.0.0.1:${port}`})).status === 200);
check('unknown paths are 404', (await request('/nothing')).status === 404);
for (const q of ['', `?token=${tokens.get(port)}`])
  for (const path of ['/files/..%2f..%2fetc%2fpasswd', '/files/../../etc/passwd']) check('no path leads out', [403, 404].includes((await request(path + q)).status));
check('POST is refused', (await request('/', {}, 'POST')).status === 405);
for (const [what, text, code] of [
  ['no HTTP at all', '\x16\x03\x01\x02\x00hello\r\n\r\n', '400'], ['no host', 'GET / HTTP/1.1\r\n\r\n', '400'],
  ['two hosts', `GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n`, '400'], ['a bare newline', 'GET / HTTP/1.1\nHost: localhost\r\n\r\n', '400'],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n', '400'], ['a body', 'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n', '413'],
  ['a long path', `GET /${'a'.repeat(4000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, '414'], ['a head without end', 'GET / HTTP/1.1\r\nX: ' + 'a'.repeat(9000), '431'],
]) check(`${what} is answered ${code}`, (await raw(text)).startsWith(`HTTP/1.1 ${code}`));

// ---- WebSocket

for (const [what, headers] of [['a foreign origin', {Origin: 'http://evil.example'}], ['a foreign host', {Host: 'evil.example'}]])
  check(`a socket from ${what} is refused`, (await handshake(port, headers)).startsWith('HTTP/1.1 403'));
check('a socket of another version is refused', (await handshake(port, {'Sec-WebSocket-Version': '8'})).startsWith('HTTP/1.1 400'));
check('a socket without a key is refused', (await handshake(port, {'Sec-WebSocket-Key': 'short'})).startsWith('HTTP/1.1 400'));
check('our own is not', (await handshake(port, {Origin: `http://localhost:${port}`})).startsWith('HTTP/1.1 101'));

// bytes, code with which the server closes
const bad = [
  ['an unmasked frame', Buffer.from([0x81, 0x02, 0x68, 0x69]), 1002], ['a reserved bit', frameBytes('hi', {first: 0xc1}), 1002],
  ['a reserved opcode', frameBytes('hi', {first: 0x83}), 1002], ['a long ping', frameBytes('x'.repeat(126), {first: 0x89}), 1002],
  ['a ping in parts', frameBytes('x', {first: 0x09}), 1002], ['a continuation of nothing', frameBytes('x', {first: 0x80}), 1002],
  ['a length in the wrong form', Buffer.from([0x81, 0xfe, 0, 5, 0, 0, 0, 0, 1, 2, 3, 4, 5]), 1002], ['a negative length', Buffer.from([0x81, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1002],
  ['four exabytes', Buffer.from([0x81, 0xff, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1009], ['a message of 5000 bytes', frameBytes('x'.repeat(5000)), 1009],
  ['a message of many parts', Buffer.concat([frameBytes('x'.repeat(3000), {first: 0x01}), frameBytes('x'.repeat(3000), {first: 0x80})]), 1009],
  ['two beginnings', Buffer.concat([frameBytes('x', {first: 0x01}), frameBytes('x', {first: 0x01})]), 1002], ['binary orders', frameBytes('x', {first: 0x82}), 1003],
  ['zero bytes', frameBytes('a\0b'), 1007],
];
for (const [what, bytes, code] of bad) {
  const s = await Socket.open(port);
  s.raw(bytes);
  check(`${what} closes with ${code}`, await s.closed() === code, `(${s.code})`);
}
for (const text of ['', 'fly', 'play now', 'speed', 'speed fast', 'speed nan', 'speed inf', 'speed 1e300', 'drag 1 2', 'grab 0 0 1 2', 'grab 0.5 0 1 2 3', 'step  1', 'seek 1 2', 'x'.repeat(4000)]) {
  const s = await Socket.open(port);
  s.send(text);
  check(`'${text.slice(0, 20)}' is refused with a sentence`, (await s.message(m => m.kind === 'refused'))?.text.length > 10);
  s.end();
}
{
  // in range of the words, out of range of the model: nothing happens
  const s = await Socket.open(port);
  // (a speed that the frames show tells when all of them have been obeyed)
  for (const text of ['grab 99 0 0 0 0', 'grab -1 0 0 0 0', 'grab 0 999999 0 0 0', 'grab 1 0 0 0 0', 'input 5 1', 'input -1 1', 'effector 3', 'seek -5', 'seek 1e8', 'step -3', 'play', 'speed 0.5']) s.send(text);
  const before = await s.frame(f => f.speed === 0.5);
  check('the simulation goes on after useless orders', before && await s.frame(f => f.time > before.time));
  s.end();
}

// ---- also on this machine commands, saving and downloads need the token; the page and watching do not

check('the address carries a token', /#token=[0-9a-f]{32}$/.test(view.url));
{
  const s = await Socket.open(port, {query: ''}), owner = await Socket.open(port);
  for (const text of ['pause', 'reset', 'save', 'record 1', 'grab 0 0 0 0 0', 'drag 1e9 0 0']) {
    s.send(text);
    check(`without the token '${text}' is refused`, (await s.message(m => m.kind === 'refused'))?.text.includes('token'));
  }
  check('watching needs no token', await s.frame());
  owner.send('save');
  const saved = (await owner.message(m => m.kind === 'saved'))?.text;
  check('the owner saves', saved?.endsWith('.state'));
  check('a download needs the token', (await request(`/files/${saved}`)).status === 403);
  check('the owner downloads', (await request(`/files/${saved}?token=${tokens.get(port)}`)).status === 200);
  owner.send('save');
  check('states are not saved without end', (await owner.message(m => m.kind === 'refused'))?.text.includes('often'));
  // a hand reaches only so far
  owner.send('play');
  owner.send('grab 0 0 0 0 0');
  owner.send('drag 1e9 1e9 1e9');
  const before = await owner.frame();
  check('a drag to the moon does not stop the simulation', await owner.frame(f => f.time > before.time + 0.3));
  owner.send('drop');
  owner.send('reset');
  owner.send('play');
  s.end(), owner.end();
}
{
  // SIGTERM ends it
  const other = await startView(pliant, [join(source, 'scenes/block.yaml'), '--speed', '0'], work);
  const end = new Promise(resolve => other.child.on('exit', (code, signal) => resolve(code ?? signal)));
  other.child.kill('SIGTERM');
  const ended = await Promise.race([end, sleep(1000 * PATIENCE)]);
  check('SIGTERM ends it', ended !== undefined);
}
{
  // whatever a step does: one of these takes several seconds of processor time, the end waits for two at most
  writeFileSync(join(work, 'heavy.yaml'), `pliant: 1
options: {dt: 0.1, gravity: [0, 0, -200]}
deformables:
  - name: heavy
    shape: box
    size: [1, 1, 1]
    cells: [24, 24, 24]
    material: {kind: neo_hookean, young: 1e5, poisson: 0.45}
    fixed: [{region: {shape: half_space, normal: [0, 0, 1], centre: [0, 0, -0.49]}}]
`);
  const other = await startView(pliant, ['heavy.yaml'], work);
  const end = new Promise(resolve => other.child.on('exit', (code, signal) => resolve(code ?? signal)));
  await sleep(300);
  const from = performance.now();
  other.child.kill('SIGTERM');
  const ended = await Promise.race([end, sleep(1000 * PATIENCE)]), took = (performance.now() - from) / 1000;
  check('a step that takes long does not hold the end', ended === 1 && took < 10, `${ended} after ${took.toFixed(1)} s`);
  check('and the program says so', other.errors().includes('a step is still being computed'), other.errors());
}

// ---- floods and slow readers do not slow the simulation

const watcher = await Socket.open(port);
watcher.send('play');
watcher.send('speed 1');
async function rate(seconds) {
  const a = await watcher.next(), t = performance.now();
  await sleep(1000 * seconds);
  const b = await watcher.next();
  return (b.time - a.time) / ((performance.now() - t) / 1000);
}
const flood = frameBytes('drag 1 2 3'), many = Buffer.concat(Array.from({length: 500}, () => flood));
// The rate at which the simulation runs while the server of some port is flooded.
async function rateDuringFlood(target, seconds) {
  const attackers = [];
  for (let i = 0; i < 6; i++) attackers.push(await Socket.open(target, {quiet: true}));
  const timer = setInterval(() => attackers.forEach((a, i) => i % 2 ? a.raw(many) : a.socket.pause()), 5);
  const half = Array.from({length: 12}, () => net.connect(target, '127.0.0.1', function () { this.write('GET / HTTP/1.1\r\nHo'); }).on('error', () => {}));
  const result = await rate(seconds);
  clearInterval(timer);
  attackers.forEach(a => a.end());
  half.forEach(s => s.destroy());
  return result;
}
{
  // The yardstick is the rate while another program is flooded, which costs this machine as much. Who else uses the machine can spoil one
  // comparison, a simulation that waits for its pages spoils all.
  const other = await startView(pliant, [join(source, 'scenes/block.yaml'), '--paused'], work);
  let yardstick, attacked, after, good = false;
  for (let round = 0; round < 6 && !good; round++) {
    yardstick = Math.min(1, await rateDuringFlood(other.port, 1.5));
    attacked = await rateDuringFlood(port, 2.5);
    after = await rate(1);
    good = attacked > 0.85 * yardstick && after > 0.8 * yardstick;
  }
  const rates = `(${yardstick.toFixed(2)} while another is flooded, ${attacked.toFixed(2)} during, ${after.toFixed(2)} afterwards)`;
  check('real time is held under a flood', attacked > 0.85 * yardstick, rates);
  check('and afterwards', after > 0.8 * yardstick, rates);
  await other.stop();
}
{
  // more connections than allowed: some are refused, and the first ones stay
  const crowd = [];
  for (let i = 0; i < 45; i++) crowd.push(net.connect(port, '127.0.0.1').on('error', () => {}).resume());
  check('a crowd finds no room', await watcher.until(() => crowd.some(s => s.closed)));
  check('a crowd does not push out who is there', await watcher.next() && !watcher.gone);
  crowd.forEach(s => s.destroy());
}
watcher.end();
check('Ctrl-C ends it', await view.stop() === 0);

// ---- bound elsewhere: a token is needed to control

const open = await startView(pliant, [join(source, 'scenes/block.yaml'), '--bind', '0.0.0.0', '--paused'], work);
const token = new URL(open.url).hash.replace('#token=', '');
check('a token is printed', /^[0-9a-f]{32}$/.test(token));
const guest = await Socket.open(open.port, {query: ''}), owner = await Socket.open(open.port, {query: `?token=${token}`});
const wrong = await Socket.open(open.port, {query: `?token=${'0'.repeat(32)}`});
for (const [who, s] of [['a guest', guest], ['a wrong token', wrong]]) {
  s.send('play');
  check(`${who} may not play`, (await s.message(m => m.kind === 'refused'))?.text.includes('token'));
}
check('a guest may watch', (await guest.frame())?.playing === false);
owner.send('play');
check('the owner may play, and the guest sees it', await guest.frame(f => f.playing));
[guest, owner, wrong].forEach(s => s.end());
await open.stop();
rmSync(work, {recursive: true, force: true});
finish('viewer.security');
