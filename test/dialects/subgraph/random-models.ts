import fc from "fast-check";
import { distinctByName } from "../../../src/base/collections.ts";
import { type ApiSchema, baseTypeName } from "../../../src/dialects/api-schema.ts";
import type { Definition, Entity, EntityModel } from "../../../src/dialects/entity-model.ts";

/** The defaults of a field. */
export const plain = {
  description: null,
  args: [],
  derived: false,
  derivedFrom: null,
  aggregate: false,
  precise: false,
};

const NAMES = ["Stream", "Asset", "Account", "Batch"] as const;
const FIELD_NAMES = ["a", "a_", "b", "b_in", "b_not", "Zed", "and", "tags", "_x", "kind"] as const;
const SCALARS = ["ID", "String", "Bytes", "Int", "Int8", "BigInt", "BigDecimal", "Boolean", "Timestamp"];

const saying = fc.record({ description: fc.option(fc.string({ maxLength: 12 }), { nil: null }) });
const wrapping = fc.constantFrom<(type: string) => string>(
  (type) => type,
  (type) => `${type}!`,
  (type) => `[${type}!]!`,
  (type) => `[${type}]`,
);

/**
 * Generates models with scalars, enums, references and derived fields, and sometimes an interface, a search and an
 * aggregation.
 */
export const subgraphModels: fc.Arbitrary<EntityModel> = fc
  .record({
    names: fc.subarray([...NAMES], { minLength: 1 }),
    ids: fc.infiniteStream(fc.constantFrom("ID!", "Bytes!", "Int8!", "String!")),
    aggregation: fc.boolean(),
    interfaces: fc.infiniteStream(fc.boolean()),
    search: fc.boolean(),
    sayings: fc.infiniteStream(saying),
    fields: fc.infiniteStream(
      fc.uniqueArray(
        fc.record({
          name: fc.constantFrom(...FIELD_NAMES),
          base: fc.oneof(fc.constantFrom(...SCALARS, "Kind", "Party"), fc.nat(NAMES.length - 1)),
          wrap: wrapping,
        }),
        { selector: (field) => field.name, maxLength: 6 },
      ),
    ),
    derivations: fc.infiniteStream(fc.tuple(wrapping, fc.boolean())),
  })
  .map(({ names, ids, aggregation, interfaces, search, sayings, fields, derivations }) => {
    const say = () => take(sayings);
    const parents = new Map(names.map((name) => [name, take(interfaces) ? ["Party"] : []]));
    // All implementers of an interface need the same type of id.
    const idOf = (name: (typeof NAMES)[number]) => (parents.get(name)?.length ? "ID!" : take(ids));
    const entities: Entity[] = names.map((name) => ({
      kind: "entity",
      name,
      ...say(),
      interfaces: parents.get(name) ?? [],
      fields: [
        { ...plain, name: "id", type: idOf(name) },
        ...take(fields).map((field) => ({
          ...plain,
          name: field.name,
          ...say(),
          type: field.wrap(
            typeof field.base === "string" ? field.base : (names[field.base % names.length] ?? "ID"),
          ),
        })),
      ],
    }));
    // Add derived fields for some stored references.
    const withDerived = entities.map((entity) => {
      const back = entities.flatMap((source) =>
        source.fields
          .filter((field) => baseTypeName(field.type) === entity.name)
          .map((field) => ({ source: source.name, field: field.name })),
      );
      return {
        ...entity,
        fields: [
          ...entity.fields,
          ...back.flatMap(({ source, field }, index) => {
            const [wrap, wanted] = take(derivations);
            return wanted
              ? [{ ...plain, name: `d${index}`, type: wrap(source), derived: true, derivedFrom: field }]
              : [];
          }),
        ],
      };
    });
    const definitions: Definition[] = [
      ...withDerived,
      {
        kind: "interface",
        name: "Party",
        ...say(),
        fields: [
          { ...plain, name: "id", type: "ID!" },
          { ...plain, name: "kind", ...say(), type: "Kind" },
          { ...plain, name: "of", ...say(), type: `${names[0]}!` },
        ],
      },
      {
        kind: "enum",
        name: "Kind",
        ...say(),
        values: [
          { name: "B", ...say() },
          { name: "A", description: null },
        ],
      },
    ];
    if (aggregation) {
      definitions.push({
        kind: "aggregation",
        name: "Stats",
        ...say(),
        intervals: ["day"],
        fields: [
          { ...plain, name: "id", type: "Int8!" },
          { ...plain, name: "total", type: "Int!", aggregate: true },
          { ...plain, name: "of", type: `${names[0]}!` },
        ],
      });
    }
    if (search) definitions.push({ kind: "fulltext", name: "search", entity: names[0] ?? "Stream" });
    return { definitions, directives: [] };
  });

function take<T>(stream: Iterator<T, unknown>): T {
  return stream.next().value as T;
}

/** Whether no two filters share a name; otherwise the order of fields decides which of them is visible. */
export function hasDistinctFilters({ types }: ApiSchema): boolean {
  return types.every(
    (type) => type.kind !== "INPUT_OBJECT" || distinctByName(type.fields).length === type.fields.length,
  );
}
