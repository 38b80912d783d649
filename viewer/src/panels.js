// panels.js: the scene tree on the left; on the right how things look, plots, actuators and steering, one tab each.
import {check, h, icon, quantity} from './dom.js';
import {fields} from './colours.js';
import {presets} from './stage.js';

// ---- the tree

export class Tree {
  constructor(handlers) {
    this.handlers = handlers;   // select(item), shown(item, on), focus(item)
    this.list = h('div', {class: 'tree', role: 'tree', 'aria-label': 'Scene'});
    this.element = h('aside', {class: 'panel left glass', id: 'tree', 'aria-label': 'Scene'}, h('h2', {}, 'Scene'), this.list);
    this.rows = new Map();
  }

  row(item, detail, title = item.name) {
    const box = h('input', {type: 'checkbox', checked: true, 'aria-label': `Show ${item.name}`, onchange: () => this.handlers.shown(item, box.checked)});
    const name = h('button', {type: 'button', class: 'name', title: 'Select', onclick: () => this.handlers.select(item), ondblclick: () => this.handlers.focus(item)}, title);
    const row = h('div', {class: 'row', role: 'treeitem'}, box, name, h('span', {class: 'detail'}, detail),
      item.object && h('button', {type: 'button', class: 'icon tiny', title: `Look at ${item.name}`, 'aria-label': `Look at ${item.name}`, onclick: () => this.handlers.focus(item)}, icon('target')));
    this.rows.set(item, row);
    return row;
  }

  build(scene, bodies) {
    this.rows.clear();
    const sections = [];
    const section = (title, rows) => rows.length && sections.push(h('h3', {}, title), ...rows);
    section('Deformable', bodies.items.filter(i => i.kind === 'deformable').map((item, i) => {
      const b = scene.deformables[i];
      return this.row(item, `${b.nvert} vertices, ${quantity(1000 * b.mass, 'g')}`);
    }));
    // shapes below the body that carries them (one alone in its place), bodies below their parents
    const depth = i => i < 0 ? 0 : Math.min(8, 1 + depth(scene.bodies[i].parent));
    const robot = name => name.slice(0, name.lastIndexOf('/') + 1);
    const short = b => b.parent >= 0 && robot(scene.bodies[b.parent].name) === robot(b.name) ? b.name.slice(robot(b.name).length) : b.name;
    const rigid = [];
    scene.bodies.forEach((body, i) => {
      const own = bodies.rigid.filter(item => item.shape.body === i), mass = body.mass > 0 ? quantity(1000 * body.mass, 'g') : '';
      if (own.length === 1) {
        const row = this.row(own[0], mass, short(body));
        row.style.setProperty('--depth', depth(body.parent));
        rigid.push(row);
        return;
      }
      const all = h('input', {type: 'checkbox', checked: true, 'aria-label': `Show ${body.name}`, onchange: () => {
        for (const item of own) {
          this.handlers.shown(item, all.checked);
          this.rows.get(item).querySelector('input').checked = all.checked;
        }
      }});
      rigid.push(h('div', {class: 'row body', role: 'treeitem', style: `--depth:${depth(body.parent)}`}, all,
        h('button', {type: 'button', class: 'name', onclick: () => own[0] && this.handlers.select(own.find(o => o.object) ?? own[0])}, short(body)),
        h('span', {class: 'detail'}, mass)));
      for (const item of own) {
        const row = this.row(item, item.kind.replace('_', ' '), item.name.slice(item.name.startsWith(`${body.name}/`) ? body.name.length + 1 : 0));
        row.style.setProperty('--depth', depth(i));
        row.classList.add('shape');
        rigid.push(row);
      }
    });
    section('Rigid bodies', rigid);
    section('Fixed shapes', bodies.rigid.filter(item => item.shape.body < 0).map(item => this.row(item, item.kind.replace('_', ' '))));
    this.list.replaceChildren(...sections);
  }

  select(item) {
    for (const [other, row] of this.rows) row.classList.toggle('selected', other === item);
    this.rows.get(item)?.scrollIntoView({block: 'nearest'});
  }
}

// ---- tabs

export class Tabs {
  constructor(tabs) {
    this.tabs = tabs;
    this.bar = h('div', {class: 'tabs', role: 'tablist'}, tabs.map(t => t.button = h('button', {
      type: 'button', role: 'tab', id: `tab-${t.id}`, 'aria-controls': `panel-${t.id}`, onclick: () => this.open(t.id)}, t.title)));
    this.bar.addEventListener('keydown', e => this.key(e));
    for (const t of tabs) t.panel = h('div', {role: 'tabpanel', id: `panel-${t.id}`, 'aria-labelledby': `tab-${t.id}`, class: 'tab'}, t.content);
    this.element = h('aside', {class: 'panel right glass', id: 'side', 'aria-label': 'Settings'}, this.bar, tabs.map(t => t.panel));
    this.open(tabs[0].id);
  }

  open(id) {
    this.current = id;
    for (const t of this.tabs) {
      t.panel.hidden = t.id !== id;
      t.button.setAttribute('aria-selected', String(t.id === id));
      t.button.tabIndex = t.id === id ? 0 : -1;
    }
    this.onopen?.(id);
  }

  key(event) {
    const move = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!move) return;
    const shown = this.tabs.filter(t => !t.button.hidden), i = shown.findIndex(t => t.id === this.current);
    const next = shown[(i + move + shown.length) % shown.length];
    this.open(next.id);
    next.button.focus();
    event.stopPropagation();
  }
}

// ---- how things look

export class Look {
  constructor(actions) {
    const field = (id, list, onchange) => h('select', {id, onchange: e => onchange(e.target.value)}, list.map(([v, t]) => h('option', {value: v}, t)));
    this.colour = field('colour', fields.map(f => [f.name, f.title]), actions.colour);
    this.mode = field('mode', [['visual', 'Drawn shapes'], ['collision', 'Contact shapes'], ['both', 'Both']], actions.mode);
    const make = (key, text, on, hint) => this[key] = check(text, on, v => actions.toggle(key, v), hint);
    this.element = h('div', {class: 'stack'},
      h('label', {class: 'field'}, h('span', {}, 'Colour by'), this.colour),
      h('label', {class: 'field'}, h('span', {}, 'Rigid bodies'), this.mode),
      h('fieldset', {}, h('legend', {}, 'Show'),
        make('forces', 'Contact forces', false, 'Blue: normal, pink: friction. Key: N'), make('patches', 'Contact patches', false, 'Discs of the area of each contact point. Key: K'),
        make('wireframe', 'Mesh edges', false, 'Key: M'), make('frames', 'Frames', false, 'Axes of rigid bodies and of the world. Key: B'),
        make('floor', 'Floor', true, 'Key: G'), make('shadows', 'Shadows', true)),
      h('fieldset', {}, h('legend', {}, 'Camera'), h('div', {class: 'buttons'},
        Object.entries(presets).map(([id, p], i) => h('button', {type: 'button', class: 'small', title: `Key: ${i + 1}`, onclick: () => actions.camera(id)}, p.title)))),
      this.scale = h('p', {class: 'note'}));
  }

  set(key, on) {
    this[key].querySelector('input').checked = on;
  }
}

// ---- actuators

export class Actuators {
  constructor(link) {
    this.link = link;
    this.element = h('div', {class: 'stack', id: 'actuators'});
    this.rows = [];
  }

  build(scene) {
    this.rows = scene.actuators.map((a, i) => {
      const turning = !['prismatic', 'planar'].includes(a.joint), holds = a.kind === 'position' || a.kind === 'pd';
      const wide = holds ? (turning ? Math.PI : 1) : Math.min(a.effort ?? 10, 1000);
      const lower = a.lower ?? (holds ? a.jointLower : null) ?? a.start - wide, upper = a.upper ?? (holds ? a.jointUpper : null) ?? a.start + wide;
      const unit = holds ? (turning ? 'rad' : 'm') : a.kind === 'velocity' ? (turning ? 'rad/s' : 'm/s') : turning ? 'Nm' : 'N';
      const value = h('output', {}, '');
      const input = h('input', {type: 'range', min: lower, max: upper, step: (upper - lower) / 500, 'aria-label': `${a.name} (${unit})`, disabled: a.table,
        oninput: () => {
          this.touched = {i, until: performance.now() + 300};
          this.link.send('input', i, Number(input.value));
        }});
      const mark = h('i', {class: 'actual', title: 'where the joint is'});
      const row = h('div', {class: 'actuator'}, h('div', {class: 'line'}, h('span', {class: 'name'}, a.name), value),
        h('div', {class: 'slider'}, input, holds && mark), a.table && h('span', {class: 'note'}, 'follows a table of the scene'));
      return {a, input, value, mark, lower, upper, unit, row};
    });
    this.element.replaceChildren(...this.rows.map(r => r.row));
  }

  show(frame) {
    this.rows.forEach((r, i) => {
      const u = frame.u[r.a.u];
      if (!(this.touched?.i === i && performance.now() < this.touched.until)) r.input.value = u;
      r.value.textContent = `${u.toFixed(3)} ${r.unit}`;
      const x = (frame.actuated[i] - r.lower) / (r.upper - r.lower || 1);
      r.mark.style.left = `${(100 * Math.min(1, Math.max(0, x))).toFixed(1)}%`;
    });
  }
}

