/** One command and its output. */
export type Turn = { readonly command: string; readonly output: readonly string[] };

/** Columns of text, and the width of one in the widest of the fonts. */
const COLUMNS = 92;
const CELL = 8.7;
const LINE = 19;
const PADDING = 24;
const BAR = 36;
const TYPED_SECONDS = 0.9;
const PRINTED_SECONDS = 0.05;

/**
 * Renders a terminal session as an SVG picture that plays once: commands are typed, outputs appear. With reduced motion,
 * it shows the end at once. It has its own colours, so that light and dark pages can show it.
 */
export function renderTerminal(title: string, turns: readonly Turn[]): string {
  const rows: string[] = [];
  let y = BAR + PADDING;
  let time = 0.4;
  const row = (kind: string, text: string) => {
    if (text !== "") {
      rows.push(
        `<text class="${kind}" x="${PADDING}" y="${y}" style="animation-delay:${time.toFixed(2)}s">${text}</text>`,
      );
    }
    y += LINE;
  };
  for (const { command, output } of turns) {
    row("command", `<tspan class="prompt">$ </tspan>${escapeText(command)}`);
    time += TYPED_SECONDS;
    for (const line of output) {
      const kind = kindOf(line);
      for (const part of wrap(line)) row(kind, escapeText(part));
      time += PRINTED_SECONDS;
    }
    y += LINE / 2;
    time += TYPED_SECONDS;
  }
  const [width, height] = [Math.ceil(COLUMNS * CELL + 2 * PADDING), Math.ceil(y)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(title)}">
<style>
text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; fill: #c9d5df; animation: appear .15s both; }
.command { fill: #ffffff; font-weight: 600; }
.prompt { fill: #2dd4bf; }
.heading { fill: #ffffff; }
.place { fill: #93a4b3; }
.bad { fill: #ff8a7a; }
.good { fill: #2dd4bf; }
.title { fill: #93a4b3; animation: none; }
@keyframes appear { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="12" fill="#10161c" stroke="#39434d"/>
<circle cx="24" cy="20" r="6" fill="#39434d"/><circle cx="44" cy="20" r="6" fill="#39434d"/><circle cx="64" cy="20" r="6" fill="#39434d"/>
<text class="title" x="${width / 2}" y="25" text-anchor="middle">${escapeText(title)}</text>
${rows.join("\n")}
</svg>
`;
}

/** Returns the CSS class of a line. */
function kindOf(line: string): string {
  if (/^(exit [123]:|Not clean)|^ *(breaking|✗)/.test(line)) return "bad";
  if (/^exit 0:|: clean/.test(line)) return "good";
  if (/^ {6}operations\//.test(line)) return "place";
  return /^[A-Z][a-z]+$/.test(line) ? "heading" : "line";
}

/** Breaks a line at blanks to the width of the terminal, with a hanging indent. */
function wrap(line: string): string[] {
  const indent = `${/^ */.exec(line)?.[0] ?? ""}    `;
  const parts: string[] = [];
  let rest = line;
  while (rest.length > COLUMNS) {
    const blank = rest.lastIndexOf(" ", COLUMNS);
    const end = blank > indent.length ? blank : COLUMNS;
    parts.push(rest.slice(0, end).trimEnd());
    rest = indent + rest.slice(end).trimStart();
  }
  return [...parts, rest];
}

function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
