// socket.mjs: a WebSocket client that can also misbehave.
import {randomBytes} from 'node:crypto';
import net from 'node:net';
import {decodeFrame, decodeScene, kindOf} from '../../viewer/src/decode.js';
import {PATIENCE, tokens} from './browser.mjs';

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

// A masked frame of a text; first: its first byte.
export function frameBytes(text, {first = 0x81} = {}) {
  const payload = Buffer.from(text), mask = randomBytes(4), long = payload.length > 125;
  const head = Buffer.from([first, 0x80 | (long ? 126 : payload.length), ...(long ? [payload.length >> 8, payload.length & 255] : []), ...mask]);
  return Buffer.concat([head, payload.map((b, i) => b ^ mask[i % 4])]);
}

function head(port, headers = {}, query = '') {
  const all = {Host: `localhost:${port}`, Upgrade: 'websocket', Connection: 'keep-alive, Upgrade', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': randomBytes(16).toString('base64'), ...headers};
  return `GET /socket${query} HTTP/1.1\r\n${Object.entries(all).map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`;
}

// The first line and headers of the answer.
export function handshake(port, headers) {
  return new Promise(resolve => {
    const s = net.connect(port, '127.0.0.1');
    s.on('data', d => {
      resolve(d.toString('latin1'));
      s.destroy();
    });
    s.on('error', () => resolve(''));
    s.on('close', () => resolve(''));
    s.write(head(port, headers));
  });
}

export class Socket {
  // quiet: frames are neither decoded nor acknowledged; query: with the token unless something else is said
  static async open(port, {quiet = false, query = `?token=${tokens.get(port)}`} = {}) {
    const client = new Socket();
    client.quiet = quiet;
    client.inbox = [];
    client.rest = Buffer.alloc(0);
    client.socket = net.connect(port, '127.0.0.1');
    client.socket.on('error', () => {});
    client.socket.on('close', () => client.gone = true);
    client.socket.write(head(port, {}, query));
    await new Promise(resolve => client.onhead = resolve);
    return client;
  }

  constructor() {
    queueMicrotask(() => this.socket.on('data', d => this.take(d)));
  }

  take(data) {
    this.rest = Buffer.concat([this.rest, data]);
    if (!this.open) {
      const end = this.rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.rest = this.rest.subarray(end + 4);
      this.open = true;
      this.onhead();
    }
    for (;;) {
      if (this.rest.length < 2) return;
      let size = this.rest[1] & 127, at = 2;
      if (size === 126) size = this.rest.length >= 4 ? this.rest.readUInt16BE(2) : NaN, at = 4;
      else if (size === 127) size = this.rest.length >= 10 ? Number(this.rest.readBigUInt64BE(2)) : NaN, at = 10;
      if (!(this.rest.length >= at + size)) return;
      const opcode = this.rest[0] & 15, payload = Uint8Array.from(this.rest.subarray(at, at + size));
      this.rest = this.rest.subarray(at + size);
      if (opcode === 8) this.code = payload[0] << 8 | payload[1];
      else if (opcode === 1) this.inbox.push(JSON.parse(Buffer.from(payload).toString()));
      else if (opcode === 2 && !this.quiet) this.takeBinary(payload.buffer);
    }
  }

  takeBinary(bytes) {
    if (kindOf(bytes) === 'PLSC') this.scene = decodeScene(bytes);
    else {
      this.newest = decodeFrame(bytes, this.scene.stages.length, this.scene.sensors);
      this.send('ack');
    }
  }

  raw(bytes) {
    if (!this.gone) this.socket.write(bytes);
  }

  send(text) {
    this.raw(frameBytes(text));
  }

  // Something true that f gives sooner or later, or null.
  async until(f, seconds = PATIENCE) {
    for (const end = performance.now() + 1000 * seconds; performance.now() < end; await sleep(20)) {
      const found = f();
      if (found) return found;
    }
    return null;
  }

  // The newest frame once there is one that is accepted.
  frame(accept = () => true) {
    return this.until(() => this.newest && accept(this.newest) ? this.newest : null);
  }

  // A frame that is not here yet.
  next() {
    const old = this.newest;
    return this.frame(f => f !== old);
  }

  message(accept) {
    return this.until(() => this.inbox.find(accept));
  }

  // The code with which the server closed, or null.
  async closed() {
    await this.until(() => this.gone);
    return this.gone ? this.code ?? 0 : null;
  }

  end() {
    this.socket.destroy();
  }
}
