"""Lines and stacked bars as SVG. Colours are classes, so that the page can draw them light or dark."""
import html, math


def nice_ticks(top, n=5):
    """About n round numbers from 0 to top or a little above."""
    raw = top / n if top > 0 else 0.2
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * k for k in (1, 2, 2.5, 5, 10) if unit * k >= raw * 0.999)
    return [step * k for k in range(math.ceil(top / step - 1e-9) + 1)]


def lines(series, xlabel, ylabel, label, height=400, marks=(), legend=True):
    """series of (name, points, class); marks are horizontal lines (value, name). Axes begin at 0."""
    width, left, right, bottom, top = 820, 64, 18, 46, 12
    xs = nice_ticks(max(p[0] for s in series for p in s[1]), 8)
    ys = nice_ticks(max([p[1] for s in series for p in s[1]] + [m[0] for m in marks]))
    w, h = width - left - right, height - bottom - top
    sx, sy = lambda x: left + w * x / xs[-1], lambda y: top + h * (1 - y / ys[-1])
    out = [f'<svg role="img" aria-label="{html.escape(label)}" viewBox="0 0 {width} {height}">']
    for x in xs:
        out.append(f'<line class="grid" x1="{sx(x):.1f}" y1="{top}" x2="{sx(x):.1f}" y2="{top + h}"/>'
                   f'<text x="{sx(x):.1f}" y="{top + h + 17}" text-anchor="middle">{x:g}</text>')
    for y in ys:
        out.append(f'<line class="grid" x1="{left}" y1="{sy(y):.1f}" x2="{left + w}" y2="{sy(y):.1f}"/>'
                   f'<text x="{left - 7}" y="{sy(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for value, name in marks:
        out.append(f'<line class="mark" x1="{left}" y1="{sy(value):.1f}" x2="{left + w}" y2="{sy(value):.1f}"/>'
                   f'<text x="{left + w - 6}" y="{sy(value) - 6:.1f}" text-anchor="end">{html.escape(name)}</text>')
    for i, (name, points, kind) in enumerate(series):
        stride = max(1, len(points) // 600)
        kept = points[::stride] + ([points[-1]] if (len(points) - 1) % stride else [])
        path = " ".join(f"{sx(x):.1f},{sy(y):.1f}" for x, y in kept)
        y = top + 18 + 18 * i
        out.append(f'<polyline class="line {kind}" points="{path}"><title>{html.escape(name)}</title></polyline>')
        if legend:
            out.append(f'<line class="line {kind}" x1="{left + 14}" y1="{y}" x2="{left + 42}" y2="{y}"/><text x="{left + 50}" y="{y + 4}">{html.escape(name)}</text>')
    out.append(f'<text x="{left + w / 2}" y="{height - 8}" text-anchor="middle">{html.escape(xlabel)}</text>'
               f'<text transform="translate(14 {top + h / 2}) rotate(-90)" text-anchor="middle">{html.escape(ylabel)}</text></svg>')
    return "".join(out)


def bars(rows, label):
    """rows of (name, [(part, percent)]): stacked bars that end at 100 %."""
    left, width, gap = 128, 820, 38
    scale = (width - left - 18) / 100
    out = [f'<svg role="img" aria-label="{html.escape(label)}" viewBox="0 0 {width} {gap * len(rows) + 40}">']
    for i, (name, parts) in enumerate(rows):
        x, y = float(left), 8 + gap * i
        out.append(f'<text x="{left - 9}" y="{y + 18}" text-anchor="end">{html.escape(name)}</text>')
        for k, (part, percent) in enumerate(parts):
            out.append(f'<rect class="part{k}" x="{x:.1f}" y="{y}" width="{scale * percent:.1f}" height="27"><title>{part} {percent:.1f} %</title></rect>')
            if percent >= 5:
                out.append(f'<text class="inside" x="{x + scale * percent / 2:.1f}" y="{y + 18}" text-anchor="middle">{percent:.0f}</text>')
            x += scale * percent
    for k, (part, _) in enumerate(rows[0][1]):
        y = gap * len(rows) + 18
        out.append(f'<rect class="part{k}" x="{left + 110 * k}" y="{y - 10}" width="13" height="13"/><text x="{left + 110 * k + 19}" y="{y + 1}">{html.escape(part)}</text>')
    return "".join(out) + "</svg>"
