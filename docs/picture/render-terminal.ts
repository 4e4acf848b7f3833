/** One command and what it printed. */
export type Turn = { readonly command: string; readonly output: readonly string[] };

const WIDTH = 108;
const CELL = 8.4;
const LINE = 20;
const PADDING = 22;
const BAR = 36;

/**
 * Renders a terminal session as an SVG picture that plays once and then stands: commands are typed, outputs appear.
 * Who asks for less motion sees the end at once.
 */
export function renderTerminal(title: string, turns: readonly Turn[]): string {
  const rows: string[] = [];
  let y = BAR + PADDING;
  let time = 0.4;
  const row = (text: string, kind: string) => {
    const delay = `animation-delay:${time.toFixed(2)}s`;
    if (text !== "")
      rows.push(`<text class="${kind}" x="${PADDING}" y="${y}" style="${delay}">${text}</text>`);
    y += LINE;
  };
  for (const { command, output } of turns) {
    row(`<tspan class="prompt">$ </tspan>${escapeText(command)}`, "command");
    time += 0.9;
    for (const line of output) {
      row(escapeText(line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line), kindOf(line));
      time += 0.06;
    }
    y += LINE / 2;
    time += 0.9;
  }
  const [width, height] = [Math.ceil(WIDTH * CELL + 2 * PADDING), y];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(title)}">
<style>
text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; fill: #c9d5df; animation: appear .15s both; }
.command { fill: #ffffff; font-weight: 600; }
.prompt { fill: #2dd4bf; }
.bad { fill: #ff8a7a; }
.good { fill: #2dd4bf; }
.title { fill: #7f8d9a; animation: none; }
@keyframes appear { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="${width}" height="${height}" rx="12" fill="#10161c"/>
<circle cx="24" cy="20" r="6" fill="#39434d"/><circle cx="44" cy="20" r="6" fill="#39434d"/><circle cx="64" cy="20" r="6" fill="#39434d"/>
<text class="title" x="${width / 2}" y="25" text-anchor="middle">${escapeText(title)}</text>
${rows.join("\n")}
</svg>
`;
}

/** A verdict in the colour of what it says. */
function kindOf(line: string): string {
  if (/^exit [123]:|^ *(breaking|✗)/.test(line)) return "bad";
  return /^exit 0:|: clean/.test(line) ? "good" : "line";
}

function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
