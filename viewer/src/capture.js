// capture.js: pictures and videos of the view.
import {save} from './dom.js';
import {gradient, ticks} from './colours.js';

function stamp() {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}

// The view with its legend, as a PNG file.
export function picture(stage, name, field, range) {
  stage.touch();
  stage.draw();
  const from = stage.canvas, s = Math.min(devicePixelRatio, 2), canvas = document.createElement('canvas');
  canvas.width = from.width;
  canvas.height = from.height;
  const g = canvas.getContext('2d');
  g.drawImage(from, 0, 0);
  if (field.id && range) {
    const tall = Math.min(260 * s, 0.5 * from.height), x = from.width - 110 * s, y = (from.height - tall) / 2, bar = g.createLinearGradient(0, y + tall, 0, y);
    gradient(range.diverging).forEach((c, i, all) => bar.addColorStop(i / (all.length - 1), c));
    g.fillStyle = bar;
    g.fillRect(x, y, 16 * s, tall);
    const {list, unit} = ticks(range.lower, range.upper, field.unit);
    g.fillStyle = stage.themeName === 'dark' ? '#e8ebf0' : '#1c222b';
    g.font = `${12 * s}px system-ui, sans-serif`;
    g.textBaseline = 'middle';
    for (const t of list) g.fillText(t.text, x + 24 * s, y + tall * (1 - t.at));
    g.textAlign = 'right';
    g.fillText(unit ? `${field.title} / ${unit}` : field.title, from.width - 16 * s, y - 18 * s);
  }
  canvas.toBlob(blob => save(blob, `${name}-${stamp()}.png`));
}

export class Video {
  // Starts or stops; returns whether it runs.
  toggle(stage, name, onError) {
    if (this.recorder) {
      this.recorder.stop();
      this.recorder = null;
      return false;
    }
    if (!window.MediaRecorder || !stage.canvas.captureStream) {
      onError('This browser cannot record videos.');
      return false;
    }
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'].find(t => MediaRecorder.isTypeSupported(t));
    const parts = [], recorder = this.recorder = new MediaRecorder(stage.canvas.captureStream(30), {mimeType: type, videoBitsPerSecond: 8e6});
    recorder.ondataavailable = e => parts.push(e.data);
    recorder.onstop = () => save(new Blob(parts, {type}), `${name}-${stamp()}.${type.startsWith('video/mp4') ? 'mp4' : 'webm'}`);
    recorder.start(500);
    return true;
  }
}
