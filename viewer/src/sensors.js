// sensors.js: what the robot feels and sees: a pane for each camera, grid of taxels and set of markers; numbers for the others.
import {colourOf} from './colours.js';
import {h, quantity} from './dom.js';

const cameras = ['rgb', 'depth', 'segmentation'];
const isPane = s => cameras.includes(s.kind) || s.kind === 'taxels' || s.kind === 'markers';
const SIDE = 264;   // pixels of a pane

export const hasPanes = scene => scene.sensors.some(isPane);

// The shape of a pane in cells: that of the sensor; rows without a grid fill one.
function shape(s) {
  if (s.height > 1 || s.rows < 8) return [s.width, s.height];
  const width = Math.ceil(Math.sqrt(s.rows));
  return [width, Math.ceil(s.rows / width)];
}

export class Sensors {
  constructor() {
    this.element = h('div', {class: 'stack', id: 'sensors'});
    this.rows = [];
    this.drawn = 0;
  }

  build(scene) {
    clearTimeout(this.later);
    this.rows = scene.sensors.map((s, i) => {
      const note = h('output', {}, ''), head = h('div', {class: 'line'}, h('h3', {}, s.name), note);
      if (!isPane(s)) {
        const value = h('div', {class: 'numbers'});
        return {s, i, note, value, row: h('section', {class: 'plot', 'aria-label': s.name}, head, value)};
      }
      const [width, height] = shape(s), scale = SIDE / Math.max(width, 0.6 * height);
      const canvas = h('canvas', {class: 'pane', role: 'img', 'aria-label': `${s.name} (${s.kind})`});
      const grid = !cameras.includes(s.kind);
      canvas.width = grid ? Math.round(2 * scale * width) : width;
      canvas.height = grid ? Math.round(2 * scale * height) : height;
      canvas.style.aspectRatio = `${width} / ${height}`;
      return {s, i, note, canvas, width, height, scale: 2 * scale, row: h('section', {class: 'plot'}, head, canvas)};
    });
    this.element.replaceChildren(...this.rows.map(r => r.row));
  }

  // At most 16 times a second; the last frame is always drawn, also where no other follows it.
  show(frame) {
    const wait = this.drawn + 60 - performance.now();
    clearTimeout(this.later);
    if (wait > 0) {
      this.later = setTimeout(() => this.show(frame), wait);
      return;
    }
    this.drawn = performance.now();
    for (const r of this.rows) {
      const v = frame.readings[r.i];
      if (!v) continue;
      if (r.value) this.showNumbers(r, v);
      else if (cameras.includes(r.s.kind)) this.showCamera(r, v);
      else this.showGrid(r, v);
      r.row.dataset.shown = frame.time.toFixed(4);
    }
  }

  showNumbers(r, v) {
    r.note.textContent = r.s.kind.replace('_', ' ');
    r.value.replaceChildren(...Array.from(v, (x, k) => h('span', {}, `${r.s.column[k % r.s.columns]} `, h('b', {}, quantity(x, unitOf(r.s, k))))));
  }

  showCamera(r, v) {
    const context = r.canvas.getContext('2d'), image = context.createImageData(r.width, r.height), to = image.data, n = r.width * r.height;
    let low = Infinity, high = -Infinity, far = -Infinity;
    if (r.s.kind === 'depth') {
      for (let k = 0; k < n; k++) far = Math.max(far, v[k]), low = Math.min(low, v[k]);
      // a largest distance that several pixels share is where nothing is seen
      let nfar = 0;
      for (let k = 0; k < n; k++) nfar += v[k] === far;
      if (nfar === 1) far = Infinity;
      for (let k = 0; k < n; k++) if (v[k] < far) high = Math.max(high, v[k]);
      r.note.textContent = high > low ? `${quantity(low, 'm')} to ${quantity(high, 'm')}` : 'nothing';
    }
    for (let k = 0; k < n; k++) {
      const c = r.s.kind === 'rgb' ? v.subarray(3 * k, 3 * k + 3)
        : r.s.kind === 'segmentation' ? (v[k] < 0 ? [12, 12, 14] : colourOf((0.15 + 0.618033988749895 * v[k]) % 1))
        : v[k] >= far ? [12, 12, 14] : colourOf(1 - (v[k] - low) / Math.max(high - low, 1e-12));
      to[4 * k] = c[0], to[4 * k + 1] = c[1], to[4 * k + 2] = c[2], to[4 * k + 3] = 255;
    }
    context.putImageData(image, 0, 0);
    if (r.s.kind !== 'depth') r.note.textContent = `${r.width} × ${r.height}`;
  }

  // Taxels: colours of the normal force, arrows of the shear. Markers: colours of z, arrows of the displacement in x and y. Rows go up.
  showGrid(r, v) {
    const taxels = r.s.kind === 'taxels', columns = r.s.columns, colour = taxels ? 0 : 2, arrows = taxels ? 1 : 0;
    const context = r.canvas.getContext('2d'), cell = r.scale;
    let low = 0, high = 0, longest = 0, sum = 0;
    for (let k = 0; k < r.s.rows; k++) {
      const at = columns * k;
      low = Math.min(low, v[at + colour]), high = Math.max(high, v[at + colour]), sum += v[at];
      longest = Math.max(longest, Math.hypot(v[at + arrows], v[at + arrows + 1]));
    }
    const two = !taxels && low < 0, most = Math.max(high, -low) || 1;
    context.clearRect(0, 0, r.canvas.width, r.canvas.height);
    for (let k = 0; k < r.s.rows; k++) {
      const x = k % r.width * cell, y = (r.height - 1 - Math.floor(k / r.width)) * cell, value = v[columns * k + colour];
      context.fillStyle = `rgb(${colourOf(two ? 0.5 + 0.5 * value / most : Math.max(value, 0) / most, two).join(' ')})`;
      context.fillRect(x, y, cell + 0.5, cell + 0.5);
    }
    context.strokeStyle = two ? '#000' : '#fff';
    context.lineWidth = Math.max(1, 0.09 * cell);
    context.beginPath();
    for (let k = 0; k < r.s.rows && longest > 0; k++) {
      const x = (k % r.width + 0.5) * cell, y = (r.height - 0.5 - Math.floor(k / r.width)) * cell;
      const dx = 1.2 * cell * v[columns * k + arrows] / longest, dy = -1.2 * cell * v[columns * k + arrows + 1] / longest;
      if (Math.hypot(dx, dy) < 0.08 * cell) continue;
      context.moveTo(x, y), context.lineTo(x + dx, y + dy);
      context.moveTo(x + dx - 0.3 * dx + 0.18 * dy, y + dy - 0.3 * dy - 0.18 * dx);
      context.lineTo(x + dx, y + dy), context.lineTo(x + dx - 0.3 * dx - 0.18 * dy, y + dy - 0.3 * dy + 0.18 * dx);
    }
    context.stroke();
    const unit = taxels ? 'N' : 'm';
    r.note.textContent = longest === 0 && high === 0 && low === 0 ? 'nothing' : taxels ? `${quantity(sum, unit)}, most ${quantity(high, unit)}`
      : `${quantity(longest, unit)} across, ${quantity(most, unit)} in z`;
  }
}

const unitOf = (s, k) => s.unit[k % s.columns] === '1' ? '' : s.unit[k % s.columns];

// Plots of the sensors that have few numbers, for plots.js.
const strokes = ['#e5484d', '#2f9e6e', '#3b6fd8', '#e07a1f', '#b0458f', '#1a9a8a', '#8b8f98', '#7a5cd6', '#b88a00'];
export function sensorCharts(scene) {
  return scene.sensors.flatMap((s, i) => !s.small || s.rows > 1 ? [] : [{
    id: `sensor-${i}`, title: s.name, unit: unitOf(s, 0), reading: true, series: s.column.map((c, k) => [unitOf(s, k) ? `${c} (${unitOf(s, k)})` : c, strokes[k % strokes.length]]),
    value: f => Array.from(f.readings[i] ?? s.column.map(() => null)),
  }]);
}
