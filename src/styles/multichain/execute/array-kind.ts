import { type Input, jsonTypeName } from "./input.ts";
import type { Key } from "./keys.ts";
import type { ColumnKind, Stored } from "./kinds.ts";
import { arrayMalformed, parsingFailed, unexpectedNull } from "./messages.ts";

/** The kind of a list column. Its numbers travel as JSON numbers, whatever they do alone (C.6). */
export function arrayKind(element: ColumnKind): ColumnKind {
  return {
    arithmetic: null,
    text: false,
    stringified: false,
    key: (value) => items(value).map(element.key),
    operand: (scope, input, type, path) => {
      const given = arrayItems(input, type, path);
      if (given === null) {
        scope.postpone(arrayMalformed(input.kind === "string" ? input.value : ""));
        return null;
      }
      const itemType = type.replaceAll(/[[\]!]/g, "");
      const keys: Key[] = [];
      for (const [index, item] of given.entries()) {
        const key = element.operand(scope, item, itemType, `${path}[${index}]`);
        if (key === null) return null;
        keys.push(key);
      }
      return keys;
    },
    stored: () => undefined,
    serialize: (value) =>
      items(value).map((item) => {
        const json = element.serialize(item);
        return element.stringified && Number.isFinite(Number(json)) ? Number(json) : json;
      }),
  };
}

function items(value: Stored): readonly Stored[] {
  const list = Array.isArray(value) ? (value as readonly (Stored | null)[]) : [value];
  return list.filter((item) => item !== null);
}

/** A list, or a string with a Postgres array literal; null when that is malformed. */
function arrayItems(input: Input, type: string, path: string): readonly Input[] | null {
  if (input.kind === "null") throw unexpectedNull(path, type);
  if (input.kind === "list") return input.items;
  if (input.kind !== "string") throw parsingFailed(path, "[]", "Array", jsonTypeName(input));
  return parseArrayLiteral(input.value);
}

/** Reads `{a,"b c"}`; one level, which is all that columns have. */
function parseArrayLiteral(text: string): readonly Input[] | null {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1];
  if (inner === undefined) return null;
  if (inner.trim() === "") return [];
  const found: Input[] = [];
  const item = /\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",{}\\](?:[^",{}\\]*[^\s",{}\\])?))\s*(?:,|$)/sy;
  let end = 0;
  while (end < inner.length) {
    item.lastIndex = end;
    const match = item.exec(inner);
    if (!match) return null;
    end = item.lastIndex;
    const value = match[2] ?? (match[1] ?? "").replaceAll(/\\(.)/gs, "$1");
    found.push({ kind: "string", value, json: false });
  }
  return inner.endsWith(",") ? null : found;
}
