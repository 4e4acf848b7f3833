import fc from "fast-check";

/** Names with a regular plural in `s`. */
const NAMES = ["Berth", "Crate", "Dock"] as const;

/** Names that sort before and after columns such as `Berth_id`. */
const FIELDS = ["alpha", "Beta", "c3", "delta_x", "echo", "Foxtrot"] as const;

const PLAIN = [
  "ID",
  "String",
  "Int",
  "BigInt",
  "BigDecimal",
  "Bytes",
  "Boolean",
  "Timestamp",
  "Tone",
] as const;
const LISTED = ["String", "Int", "BigInt", "Bytes"] as const;

/**
 * Generates entity schemas that both platforms accept: up to three entities with any fields, references between all of
 * them, and a derived list for every reference.
 */
export const randomSchemas: fc.Arbitrary<string> = fc
  .integer({ min: 1, max: NAMES.length })
  .chain((count) => {
    const names = NAMES.slice(0, count);
    return fc.tuple(...names.map((name) => entities(name, names)));
  })
  .map((all) => {
    const written = all.map(({ name, idType, fields }) => {
      const lists = all.flatMap((other) =>
        other.fields
          .filter((field) => field.target === name)
          .map(
            (field) => `of${other.name}${field.name}: [${other.name}!]! @derivedFrom(field: "${field.name}")`,
          ),
      );
      const lines = [`id: ${idType}!`, ...fields.map((field) => `${field.name}: ${field.type}`), ...lists];
      return `type ${name} @entity {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
    });
    return `enum Tone { LOW high Mid }\n${written.join("")}`;
  });

type Field = { readonly name: string; readonly type: string; readonly target: string | null };

function entities(name: string, names: readonly string[]) {
  return fc.record({
    name: fc.constant(name),
    idType: fc.constantFrom("ID", "String", "Bytes"),
    fields: fc
      .uniqueArray(fc.constantFrom(...FIELDS), { minLength: 1 })
      .chain((some) => fc.tuple(...some.map((field) => fields(field, names)))),
  });
}

function fields(name: string, names: readonly string[]): fc.Arbitrary<Field> {
  const bang = fc.constantFrom("", "!");
  const field = (base: string, target: string | null) =>
    bang.map((end) => ({ name, type: `${base}${end}`, target }));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...PLAIN).chain((kind) => field(kind, null)) },
    { weight: 1, arbitrary: fc.constantFrom(...LISTED).chain((kind) => field(`[${kind}!]`, null)) },
    { weight: 2, arbitrary: fc.constantFrom(...names).chain((target) => field(target, target)) },
  );
}
