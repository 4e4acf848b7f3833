import type { OrderKey } from "./portable-operation.ts";
import { valuesAt } from "./values-at.ts";

type Key = string | number | bigint | null;

/** Returns rows in the order of indexers: texts by code point, null after everything else. Keys are parsed once per row. */
export function sortRows<T>(rows: readonly T[], order: readonly OrderKey[]): T[] {
  const keyed = rows.map((row) => ({
    row,
    keys: order.flatMap(([path, kind]) => parseKey(valuesAt(row, path)[0] ?? null, kind)),
  }));
  const signs = order.flatMap(([, kind, direction]) => {
    const sign = direction === "asc" ? 1 : -1;
    return kind === "d" ? [sign, sign] : [sign];
  });
  keyed.sort((a, b) => {
    for (let index = 0; index < signs.length; index++) {
      const x = a.keys[index] as Key;
      const y = b.keys[index] as Key;
      const sign = signs[index] as number;
      if (x !== y) return y === null || (x !== null && x < y) ? -sign : sign;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}

/** The two keys of a decimal are its floor and the digits after it. */
function parseKey(value: unknown, kind: OrderKey[1]): readonly Key[] {
  if (value === null) return kind === "d" ? [null, null] : [null];
  const text = String(value);
  if (kind === "n") return [BigInt(text)];
  if (kind === "b") return [Number(value)];
  if (kind === "d") {
    const [whole = "", digits = ""] = text.split(".");
    // Without zeros at the end; linear, whatever the digits are.
    const [part = ""] = /^(0*[1-9])*/.exec(digits) ?? [];
    return text.startsWith("-")
      ? [~BigInt(whole.slice(1)), `${part.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`]
      : [BigInt(whole), part];
  }
  // Moved behind other units, the halves of a code point beyond 16 bits have its order.
  const move = (unit: string) =>
    String.fromCharCode(unit.charCodeAt(0) + (unit < "\ue000" ? 0x2000 : -0x800));
  return [text.replace(/[\ud800-\uffff]/g, move)];
}
