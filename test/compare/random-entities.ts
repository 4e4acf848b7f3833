import fc from "fast-check";

export const ENTITIES = ["Alpha", "Beta", "Gamma", "Delta"] as const;

/** The scalar columns and the references of each entity by name; null for an absent entity. */
export type Model = Readonly<
  Record<string, { columns: Record<string, string>; refs: Record<string, string> } | null>
>;

const column = fc.constantFrom(
  "String!",
  "String",
  "BigInt!",
  "BigInt",
  "Int!",
  "Boolean",
  "Bytes!",
  "Kind!",
  "[String!]!",
  "Timestamp",
);

export const entity = fc.record({
  columns: fc.dictionary(fc.constantFrom("a", "bee", "cost", "note", "first", "and_more", "x__y"), column),
  refs: fc.dictionary(
    fc.constantFrom("one", "two"),
    fc.constantFrom(...ENTITIES.map((name) => `${name}!`), ...ENTITIES),
  ),
});

export const model: fc.Arbitrary<Model> = fc.record(
  Object.fromEntries(ENTITIES.map((name) => [name, fc.option(entity, { freq: 6 })])),
);

/** Renders entity SDL. References to absent entities are left out; each other reference gets a derived list. */
export function render(given: Model): string {
  const lists = new Map<string, string[]>();
  const known = (type: string) => given[type.replace("!", "")] != null;
  for (const [owner, parts] of Object.entries(given)) {
    for (const [field, type] of Object.entries(parts?.refs ?? {})) {
      if (!known(type)) continue;
      const target = type.replace("!", "");
      const line = `${field}Of${owner}: [${owner}!]! @derivedFrom(field: "${field}")`;
      lists.set(target, [...(lists.get(target) ?? []), line]);
    }
  }
  const types = Object.entries(given).flatMap(([name, parts]) => {
    if (parts === null) return [];
    const fields = [
      "id: ID!",
      ...Object.entries(parts.columns).map(([field, type]) => `${field}: ${type}`),
      ...Object.entries(parts.refs).flatMap(([field, type]) => (known(type) ? [`${field}: ${type}`] : [])),
      ...(lists.get(name) ?? []),
    ];
    return [`type ${name} @entity { ${fields.join(" ")} }`];
  });
  return `enum Kind { A B } type Root @entity { id: ID! label: String! kind: Kind! } ${types.join(" ")}`;
}
