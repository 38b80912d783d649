// link.js: the connection to the program: newest frame wins, orders go out as lines of text.
import {decodeFrame, decodeScene, kindOf} from './decode.js';

export class Link {
  // handlers: scene(scene), message({kind, text}), state('open' | 'closed')
  constructor(token, handlers) {
    this.handlers = handlers;
    this.url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket${token ? `?token=${token}` : ''}`;
    this.newest = null;
    this.wait = 250;
    this.open();
  }

  open() {
    const socket = this.socket = new WebSocket(this.url);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.wait = 250;
      this.handlers.state('open');
    };
    socket.onmessage = ({data}) => {
      if (typeof data === 'string') this.handlers.message(JSON.parse(data));
      else if (kindOf(data) === 'PLSC') this.setScene(decodeScene(data));
      else if (kindOf(data) === 'PLVW') this.keep(data);
    };
    socket.onclose = () => {
      this.newest = null;
      this.handlers.state('closed');
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, 4000);
    };
  }

  setScene(scene) {
    this.nstage = scene.stages.length;
    this.sensors = scene.sensors;
    this.handlers.scene(scene);
  }

  // A frame that was not drawn yet is answered for when a newer one replaces it.
  keep(data) {
    if (this.newest) this.send('ack');
    this.newest = data;
  }

  take() {
    if (!this.newest) return null;
    const frame = decodeFrame(this.newest, this.nstage, this.sensors);
    this.newest = null;
    this.send('ack');
    return frame;
  }

  send(...words) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(words.map(w => typeof w === 'number' ? String(+w.toPrecision(9)) : w).join(' '));
  }
}
