import fc from "fast-check";
import { baseTypeName, isList } from "../../../src/dialects/api-schema.ts";
import type { Definition, Entity, EntityField, EntityModel } from "../../../src/dialects/entity-model.ts";

const SINGLE = [
  "ID",
  "String",
  "Bytes",
  "Int",
  "Float",
  "Boolean",
  "BigInt",
  "BigDecimal",
  "Timestamp",
  "Json",
];
const LISTED = ["ID", "String", "Bytes", "Int", "Float", "BigInt", "BigDecimal"];
const ENTITIES = ["Aa", "BB", "c_c", "Dd_bool"];
const ENUMS = ["Kind", "mixedCase", "Constructor"];

const anyDescription = fc.constantFrom(null, "Some words.", "Two\nlines.");

function anyField(entities: readonly string[]): fc.Arbitrary<Pick<EntityField, "type" | "precise">> {
  const bang = fc.constantFrom("", "!");
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...SINGLE, ...ENUMS, ...entities, ...entities), bang)
      .map(([base, end]) => ({ type: `${base}${end}`, precise: false })),
    fc
      .tuple(fc.constantFrom(...LISTED), bang, fc.boolean())
      .map(([base, end, precise]) => ({ type: `[${base}!]${end}`, precise })),
  );
}

/** Generates models with columns of every kind, references and lists between all entities, and enums. */
export const multichainModels: fc.Arbitrary<EntityModel> = fc
  .subarray(ENTITIES, { minLength: 1 })
  .chain((entities) =>
    fc
      .tuple(...entities.map((name) => anyEntity(name, entities)))
      .chain((stored) =>
        fc
          .array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), anyDescription), { maxLength: 5 })
          .map((lists) => ({ definitions: [...withLists(stored, lists), ...anyEnums], directives: [] })),
      ),
  );

const anyEnums: Definition[] = ENUMS.map((name) => ({
  kind: "enum",
  name,
  description: "Not shown.",
  values: [{ name: "One", description: null }],
}));

function anyEntity(name: string, entities: readonly string[]): fc.Arbitrary<Entity> {
  return fc
    .record({
      description: anyDescription,
      id: fc.constantFrom("ID!", "String!", "Int!"),
      fields: fc.array(fc.tuple(anyField(entities), anyDescription), { maxLength: 6 }),
    })
    .map(({ description, id, fields }) => ({
      kind: "entity",
      name,
      description,
      interfaces: [],
      fields: [
        entityField({ name: "id", type: id }),
        ...fields.map(([field, text], index) =>
          entityField({ ...field, name: `f${index}`, description: text }),
        ),
      ],
    }));
}

/** Adds lists between any entities, through any single value of the target that can be an id of the owner. */
function withLists(
  stored: readonly Entity[],
  lists: readonly (readonly [number, number, number, string | null])[],
): Entity[] {
  const entities = stored.map((entity) => ({ ...entity, fields: [...entity.fields] }));
  lists.forEach(([from, to, through, description], index) => {
    const owner = entities[from % stored.length];
    const target = stored[to % stored.length];
    const ids = [owner?.name, ...(owner?.fields[0]?.type === "Int!" ? ["Int"] : ["ID", "String"])];
    const sources =
      target?.fields.filter(({ type }) => !isList(type) && ids.includes(baseTypeName(type))) ?? [];
    const source = sources[through % sources.length];
    if (source === undefined) return;
    owner?.fields.push(
      entityField({
        name: `list${index}`,
        description,
        type: `[${target?.name}!]!`,
        derived: true,
        derivedFrom: source.name,
      }),
    );
  });
  return entities;
}

/** Completes a field with defaults. */
export function entityField(field: Partial<EntityField> & Pick<EntityField, "name" | "type">): EntityField {
  return {
    description: null,
    args: [],
    derived: false,
    derivedFrom: null,
    aggregate: false,
    precise: false,
    ...field,
  };
}
