"""The page: one file, light or dark as the reader's system is, and fit for paper."""
import html, time

STYLE = """
:root{--ink:#1d2228;--soft:#59636e;--page:#fff;--rule:#dde2e7;--zebra:#f6f8fa;--good:#1a7f4b;--bad:#b3261e;
--c0:#c2563a;--c1:#b98a1d;--c2:#2f6fb3;--c3:#2c8a57;--c4:#7d5bb0;--ref:#1d2228}
@media (prefers-color-scheme:dark){:root{--ink:#e3e7eb;--soft:#9aa5b1;--page:#14181c;--rule:#2f363d;--zebra:#1a2026;--good:#5cc98f;--bad:#ff8a80;
--c0:#e08163;--c1:#d9b04a;--c2:#6aa7e6;--c3:#5cc08a;--c4:#ab8ce0;--ref:#e3e7eb}}
@media print{:root{--ink:#000;--soft:#444;--page:#fff;--rule:#ccc;--zebra:#f6f8fa;--good:#1a7f4b;--bad:#b3261e;
--c0:#c2563a;--c1:#b98a1d;--c2:#2f6fb3;--c3:#2c8a57;--c4:#7d5bb0;--ref:#000}body{font-size:10.5px!important;max-width:none!important;margin:0!important}
figure,tr,table,h2,h3{break-inside:avoid}.shots{grid-template-columns:1fr 1fr!important}h2,h3{break-after:avoid}td,th{padding:2px 5px!important}}
body{font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:940px;margin:2.5em auto;padding:0 1.2em}
h1{font-size:1.7em;margin-bottom:.2em}h2{margin-top:2.2em;border-bottom:1px solid var(--rule);padding-bottom:.2em}p{color:var(--soft)}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92em;width:100%}
td,th{padding:4px 9px;border-bottom:1px solid var(--rule);text-align:right;vertical-align:bottom}td{white-space:nowrap}th{color:var(--soft);font-weight:600}
td:first-child,th:first-child{text-align:left}tr:nth-child(odd) td{background:var(--zebra)}
figure{margin:1.2em 0}svg{width:100%;height:auto;font:12px system-ui,sans-serif}svg text{fill:var(--ink)}svg text.inside{fill:#fff}
.grid{stroke:var(--rule)}.mark{stroke:var(--bad);stroke-dasharray:3 3}.line{fill:none;stroke-width:1.8}.ref{stroke:var(--ref);stroke-dasharray:6 4}
.c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}.c4{stroke:var(--c4)}
.part0{fill:#2f6fb3}.part1{fill:#c2563a}.part2{fill:#2c8a57}.part3{fill:#7d5bb0}.part4{fill:#7a8490}
.shots{display:grid;grid-template-columns:repeat(auto-fit,minmax(380px,1fr));gap:0 1.2em}img{width:100%;border-radius:6px;border:1px solid var(--rule)}
figcaption{color:var(--soft)}code,pre{font-size:.9em}pre{font-size:.78em;line-height:1.4}
.checks td:nth-child(1){white-space:normal}.good{color:var(--good)}.bad{color:var(--bad);font-weight:700}
"""


def check_table(checks):
    rows = "".join(f"<tr><td>{html.escape(what)}</td><td>{html.escape(str(measured))}</td><td>{html.escape(threshold)}</td>"
                   f'<td class="{"good" if holds else "bad"}">{"holds" if holds else "broken"}</td></tr>' for what, measured, threshold, holds in checks)
    return f'<div class="wide"><table class="checks"><tr><th>check</th><th>measured</th><th>threshold</th><th></th></tr>{rows}</table></div>'


def write(path, checks, sections):
    broken = sum(not c[3] for c in checks)
    summary = f"{len(checks)} checks, all hold" if broken == 0 else f"{len(checks) - broken} checks hold, {broken} broken"
    parts = ['<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
             f"<title>Pliant: the paper's examples</title><style>{STYLE}</style>",
             f"<h1>The paper's examples</h1><p>{summary}. Written by <code>tools/validate</code> on {time.strftime('%Y-%m-%d %H:%M')}.</p>"]
    for title, section in sections:
        parts.append(f"<h2>{html.escape(title)}</h2>{section}")
    parts.append("<h2>Checks</h2>" + check_table(checks) + "</html>")
    with open(path, "w") as f:
        f.write("\n".join(parts))
