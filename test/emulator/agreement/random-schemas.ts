import type fc from "fast-check";
import { drawn } from "./random.ts";

/** Names with a regular plural in `s`. */
const NAMES = ["Berth", "Crate", "Dock"];

/** Names that sort before and after columns such as `Berth_id`. */
const FIELDS = ["alpha", "Beta", "c3", "delta_x", "echo", "Foxtrot"];

const LISTED = ["String", "Int", "BigInt", "Bytes"];
const PLAIN = [...LISTED, "ID", "BigDecimal", "Boolean", "Timestamp", "Tone"];

/**
 * Generates entity schemas that both platforms accept: up to three entities with any fields, references between all of
 * them, and a derived list for every reference.
 */
export const randomSchemas: fc.Arbitrary<string> = drawn(({ below, distinct, pick, weighted }) => {
  const names = NAMES.slice(0, 1 + below(NAMES.length));
  const entities = names.map((name) => {
    const fields = distinct(FIELDS, 1, FIELDS.length).map((field) => {
      const base = weighted([3, () => pick(PLAIN)], [1, () => `[${pick(LISTED)}!]`], [2, () => pick(names)]);
      return { name: field, base, type: `${base}${pick(["", "!"])}` };
    });
    return { name, fields: [{ name: "id", base: "", type: pick(["ID!", "String!", "Bytes!"]) }, ...fields] };
  });
  const written = entities.map(({ name, fields }) => {
    const lists = entities.flatMap((other) =>
      other.fields
        .filter(({ base }) => base === name)
        .map(
          (field) => `of${other.name}${field.name}: [${other.name}!]! @derivedFrom(field: "${field.name}")`,
        ),
    );
    const lines = [...fields.map((field) => `${field.name}: ${field.type}`), ...lists];
    return `type ${name} @entity {\n  ${lines.join("\n  ")}\n}\n`;
  });
  return `enum Tone { LOW high Mid }\n${written.join("")}`;
});
