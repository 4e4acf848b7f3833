/** Renders rows as columns of text, two spaces apart, without trailing blanks. Numbers are aligned right. */
export function renderTable(rows: readonly (readonly string[])[], indent = ""): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, column) =>
        /^\d+$/.test(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      );
      return indent + cells.join("  ").trimEnd();
    })
    .join("\n");
}

/**
 * Returns the lines of a text that is wrapped behind a head. A word that is longer than a line stays whole, so that paths
 * can be copied.
 */
export function wrapBehind(head: string, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = head;
  for (const word of text.split(/\s+/)) {
    if (line.length > head.length && line.length + 1 + word.length > width) {
      lines.push(line);
      line = " ".repeat(head.length);
    }
    line += line.length > head.length ? ` ${word}` : word;
  }
  return [...lines, line];
}

/**
 * Renders names and descriptions as two columns. A description starts on its own line if its name is too long.
 *
 * @param widths the columns of the names, and the most of a line.
 */
export function renderRows(
  rows: readonly { readonly name: string; readonly description: string }[],
  widths: { readonly names: number; readonly all: number },
): string[] {
  return rows.flatMap(({ name, description }) => {
    const isShort = name.length <= widths.names;
    const head = `  ${(isShort ? name : "").padEnd(widths.names)}  `;
    return [...(isShort ? [] : [`  ${name}`]), ...wrapBehind(head, description, widths.all)];
  });
}

/** Shows the progress of a long step. */
export type Progress = {
  readonly advance: (label: string) => void;
  readonly finish: () => void;
};

const BAR_WIDTH = 28;

/** Creates the progress of one step: a terminal shows a bar, a log one line for every tenth. */
export function createProgress({
  total,
  what,
  write,
  isTerminal,
}: {
  readonly total: number;
  readonly what: string;
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
}): Progress {
  let done = 0;
  let reported = 0;
  const drawBar = (label: string) => {
    const filled = Math.round((done / Math.max(total, 1)) * BAR_WIDTH);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    write(`\r\u001b[2K${bar} ${done}/${total} ${what}  ${label}`);
  };
  if (isTerminal) drawBar("");
  return {
    advance: (label) => {
      done++;
      if (isTerminal) drawBar(label);
      else if (done === total || done - reported >= total / 10) {
        reported = done;
        write(`${done}/${total} ${what}\n`);
      }
    },
    finish: () => {
      if (isTerminal) write("\r\u001b[2K");
    },
  };
}
