// dom.js: elements without ceremony, icons, numbers with units.

// h('button', {class: 'x', onclick: f}, 'text', child, ...)
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'style') element.style.cssText = value;
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  for (const child of children.flat()) if (child != null && child !== false) element.append(child);
  return element;
}

const paths = {
  play: 'M7 4.5v15l12.5-7.5z',
  pause: 'M7 5h3.6v14H7zM13.4 5H17v14h-3.6z',
  step: 'M5 5v14l9-7zM16 5h3v14h-3z',
  back: 'M19 5v14l-9-7zM5 5h3v14H5z',
  reset: 'M12 5a7 7 0 1 1-6.7 5h2.2A4.9 4.9 0 1 0 12 7.1V10L7.4 6 12 2z',
  record: 'M12 6.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z',
  save: 'M5 4h11l3 3v13H5zm2 2v4h8V6zm5 7a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  camera: 'M9 5h6l1.5 2.2H20v12H4v-12h3.5zm3 4.2a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  video: 'M4 6.5h11v11H4zm12.5 4L21 7.8v8.4l-4.5-2.7z',
  tree: 'M4 4h6v4H8v3h4v-1h8v4h-8v-1H8v5h4v-1h8v4h-8v-1H6V8H4z',
  panel: 'M4 7h9.2a2.6 2.6 0 0 1 5 0H20v2h-1.8a2.6 2.6 0 0 1-5 0H4zm0 8h1.8a2.6 2.6 0 0 1 5 0H20v2h-9.2a2.6 2.6 0 0 1-5 0H4z',
  theme: 'M12 3a9 9 0 1 0 0 18zm2 .3v17.4a9 9 0 0 0 0-17.4z',
  help: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm-1 12.5v2h2v-2zm1-9A3.6 3.6 0 0 0 8.4 10h2A1.6 1.6 0 1 1 12 11.6c-.6 0-1 .4-1 1V14h2v-.7A3.6 3.6 0 0 0 12 6.5z',
  target: 'M11 3h2v3.1A6 6 0 0 1 17.9 11H21v2h-3.1a6 6 0 0 1-4.9 4.9V21h-2v-3.1A6 6 0 0 1 6.1 13H3v-2h3.1A6 6 0 0 1 11 6.1zm1 5a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  close: 'M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z',
};

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

export function button(name, title, onclick, key) {
  const text = key ? `${title} (${key})` : title;
  return h('button', {class: 'icon', type: 'button', title: text, 'aria-label': text, onclick}, icon(name));
}

export function setIcon(element, name) {
  if (element.dataset.icon === name) return;
  element.dataset.icon = name;
  element.replaceChildren(icon(name));
}

export function check(label, on, onchange, hint) {
  const input = h('input', {type: 'checkbox', checked: on, onchange: () => onchange(input.checked)});
  return h('label', {class: 'check', title: hint}, input, h('span', {}, label));
}

// 0.00321 m -> "3.21 mm"
export function quantity(x, unit, digits = 3) {
  if (!Number.isFinite(x)) return '–';
  const prefixes = {'-3': 'n', '-2': 'µ', '-1': 'm', 0: '', 1: 'k', 2: 'M', 3: 'G'};
  const power = x === 0 ? 0 : Math.min(3, Math.max(-3, Math.floor(Math.log10(Math.abs(x) * 1.0000001) / 3)));
  return `${Number((x / 1000 ** power).toPrecision(digits))} ${prefixes[power]}${unit}`;
}

export function save(blob, name) {
  const link = h('a', {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
