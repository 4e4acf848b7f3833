import type { OrderKey } from "./portable-operation.ts";
import { valuesAt } from "./values-at.ts";

/** Compares rows as indexers order them: texts by code point, null after everything else. */
export function compareRows(a: unknown, b: unknown, order: readonly OrderKey[]): number {
  for (const [path, kind, direction] of order) {
    const [x = null] = valuesAt(a, path);
    const [y = null] = valuesAt(b, path);
    const sign = x === null || y === null ? Number(x === null) - Number(y === null) : compare(x, y, kind);
    if (sign !== 0) return direction === "asc" ? sign : -sign;
  }
  return 0;
}

function compare(x: unknown, y: unknown, kind: OrderKey[1]): number {
  if (kind === "t") return compareTexts([...String(x)], [...String(y)]);
  const [a, b] = kind === "n" ? [BigInt(String(x)), BigInt(String(y))] : [Number(x), Number(y)];
  return Number(a > b) - Number(a < b);
}

/** Of two code points, JavaScript's own order takes one beyond 16 bits for its first half. */
function compareTexts(x: readonly string[], y: readonly string[]): number {
  const at = x.findIndex((letter, index) => letter !== y[index]);
  if (at < 0) return x.length - y.length;
  return (x[at]?.codePointAt(0) ?? 0) - (y[at]?.codePointAt(0) ?? -1);
}
