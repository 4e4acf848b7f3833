import { baseTypeName } from "../../../../src/dialects/api-schema.ts";
import type { Key } from "./keys.ts";
import { type ColumnKind, defineKind, type Stored } from "./kinds.ts";
import { messages } from "./messages.ts";
import { refuseNull } from "./operands.ts";
import { jsonTypeName, type QueryValue } from "./query-value.ts";
import { fillVariables } from "./reading.ts";

/** The kind of a list column. Its numbers travel as JSON numbers, whatever they do alone (C.6). */
export function arrayKind(element: ColumnKind): ColumnKind {
  return defineKind({
    key: (value) => items(value).map((item) => (item === null ? null : element.key(item))),
    operand: (reading, input, type, path) => {
      refuseNull(input, type, path);
      const given = arrayItems(fillVariables(reading, input), path);
      if (given === null) {
        reading.postpone(
          messages.arrayMalformed(input.kind === "string" || input.kind === "enum" ? input.value : ""),
        );
        return null;
      }
      const keys: (Key | null)[] = [];
      for (const item of given) {
        if (item.kind === "null") {
          keys.push(null);
          continue;
        }
        // The server names the place of the list, not that of the item.
        const key = element.operand(reading, item, baseTypeName(type), path);
        if (key === null) return null;
        keys.push(key);
      }
      return keys;
    },
    serialize: (value) =>
      items(value).map((item) => {
        if (item === null) return null;
        const json = element.serialize(item);
        return element.stringified && Number.isFinite(Number(json)) ? Number(json) : json;
      }),
  });
}

function items(value: Stored): readonly (Stored | null)[] {
  return Array.isArray(value) ? (value as readonly (Stored | null)[]) : [value];
}

/** A list, or a string with a Postgres array literal; null when that is malformed. */
function arrayItems(input: QueryValue, path: string): readonly QueryValue[] | null {
  if (input.kind === "list") return input.items;
  if (input.kind === "string" || input.kind === "enum") return parseArrayLiteral(input.value);
  throw messages.parsingFailed(path, "[]", "Array", jsonTypeName(input));
}

/** Reads `{a,"b c",NULL}`; one level, which is all that columns have. */
function parseArrayLiteral(text: string): readonly QueryValue[] | null {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1];
  if (inner === undefined) return null;
  if (inner.trim() === "") return [];
  const found: QueryValue[] = [];
  const item =
    /\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^\s",{}\\]|\\.)(?:(?:[^",{}\\]|\\.)*(?:[^\s",{}\\]|\\.))?))\s*(?:,|$)/sy;
  let end = 0;
  while (end < inner.length) {
    item.lastIndex = end;
    const match = item.exec(inner);
    if (!match) return null;
    end = item.lastIndex;
    const [, quoted, bare = ""] = match;
    if (quoted === undefined && /^null$/i.test(bare)) found.push({ kind: "null" });
    else found.push({ kind: "string", value: (quoted ?? bare).replaceAll(/\\(.)/gs, "$1"), json: false });
  }
  return inner.endsWith(",") ? null : found;
}
