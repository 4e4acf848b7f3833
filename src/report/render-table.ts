/** Renders rows as columns of text, two spaces apart, without trailing blanks. Numbers go to the right. */
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
