/**
 * Lets a grid be walked through with the arrow keys, Home and End: one stop of the Tab key, whatever its size. What is
 * walked over are the elements with a `tabindex` in its cells.
 */
export function moveByKeys(table: HTMLTableElement): void {
  const rows = [...table.rows]
    .map((row) => [...row.cells].flatMap((cell) => cell.querySelector<HTMLElement>("td > [tabindex]") ?? []))
    .filter((row) => row.length > 0);
  const places = new Map(rows.flatMap((row, y) => row.map((cell, x) => [cell, { x, y }] as const)));
  let current = rows[0]?.[0];
  if (current === undefined) return;
  current.tabIndex = 0;
  const focus = (next: HTMLElement | undefined) => {
    if (next === undefined || current === undefined) return;
    current.tabIndex = -1;
    next.tabIndex = 0;
    current = next;
  };
  table.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && places.has(target)) focus(target);
  });
  table.addEventListener("keydown", (event) => {
    const place = event.target instanceof HTMLElement ? places.get(event.target) : undefined;
    if (place === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = nextOf(event.key, place, rows);
    if (next === undefined) return;
    event.preventDefault();
    focus(next);
    next.focus();
  });
}

function nextOf(
  key: string,
  { x, y }: { readonly x: number; readonly y: number },
  rows: readonly (readonly HTMLElement[])[],
): HTMLElement | undefined {
  switch (key) {
    case "ArrowRight":
      return rows[y]?.[x + 1];
    case "ArrowLeft":
      return rows[y]?.[x - 1];
    case "ArrowDown":
      return rows[y + 1]?.[x];
    case "ArrowUp":
      return rows[y - 1]?.[x];
    case "Home":
      return rows[y]?.[0];
    case "End":
      return rows[y]?.at(-1);
    default:
      return undefined;
  }
}
