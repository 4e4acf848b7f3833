import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import type { Definition, Entity, EntityField, EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { Protocol } from "../../src/dialects/surface.ts";
import { findProtocolDoubt } from "../../src/fleet/check-protocol.ts";
import { BUILT_IN_DEFINITIONS } from "../support/built-in-definitions.ts";
import { AIRDROPS, AIRDROPS_MULTICHAIN } from "../support/indexer-answers.ts";

const LOCKUP = entitiesOf("lockup", "subgraph");
const FLOW = entitiesOf("flow", "subgraph");

/** Returns the doubt about an indexer at the URL of lockup, with the given snapshots. */
const doubtOf = (served: EntityModel, known: Partial<Record<Protocol, EntityModel>>) =>
  findProtocolDoubt(served, "lockup", {
    knownModel: (name) => (known[name] ? { model: known[name], file: null } : null),
    definitions: BUILT_IN_DEFINITIONS,
  });

/** Returns its sentence. */
const doubt = (...given: Parameters<typeof doubtOf>) => doubtOf(...given)?.error.sentence ?? null;

/** An entity schema with the given number of fields per entity. */
function entities(counts: Readonly<Record<string, number>>): EntityModel {
  const types = Object.entries(counts).map(([entity, count]) => {
    const fields = Array.from({ length: count }, (_, index) => `${entity.toLowerCase()}${index}: Int`);
    return `type ${entity} @entity { id: ID! ${fields.join(" ")} }`;
  });
  return parseEntities(types.join("\n"), "entities");
}

function edit(model: EntityModel, change: (entity: Entity) => Entity | null): EntityModel {
  const definitions = model.definitions.flatMap((definition): readonly Definition[] => {
    if (definition.kind !== "entity") return [definition];
    const changed = change(definition);
    return changed === null ? [] : [changed];
  });
  return { ...model, definitions };
}

/** Removes entities and the fields that refer to them. */
const without = (model: EntityModel, ...names: readonly string[]) =>
  edit(model, (entity) => {
    const fields = entity.fields.filter(({ type }) => !names.includes(type.replaceAll(/[[\]!]/g, "")));
    return names.includes(entity.name) ? null : { ...entity, fields };
  });

const renameFields = (model: EntityModel, rename: (field: EntityField) => string) =>
  edit(model, (entity) => ({
    ...entity,
    fields: entity.fields.map((field) => ({ ...field, name: rename(field) })),
  }));

const renameField = (model: EntityModel, from: string, to: string) =>
  renameFields(model, ({ name }) => (name === from ? to : name));

const renameEntity = (model: EntityModel, from: string, to: string) =>
  edit(model, (entity) => (entity.name === from ? { ...entity, name: to } : entity));

const add = (model: EntityModel, more: EntityModel): EntityModel => ({
  ...model,
  definitions: [...model.definitions, ...more.definitions],
});

const AIRDROPS_MODEL = parseEntities(AIRDROPS, "airdrops");
const NOTHING: EntityModel = { definitions: [], directives: [] };
const MARKLESS = renameField(LOCKUP, "depositAmount", "deposited");

/** An indexer of another protocol with the field that identifies lockup. */
const VAULT = parseEntities("type Vault @entity { id: ID! depositAmount: BigInt! }", "vault");
const MARK = parseEntities("type Stream @entity { id: ID! depositAmount: BigInt! }", "stream");

describe("a release of the protocol is not a wrong protocol", () => {
  const prefixed = (model: EntityModel, prefix: string) =>
    edit(model, (entity) => ({ ...entity, name: `${prefix}${entity.name}` }));
  const thirty = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`More${index}`, 9]));

  it.each<[name: string, served: EntityModel]>([
    ["with a renamed mark", MARKLESS],
    ["with a renamed mark and without two entities", without(MARKLESS, "Segment", "Tranche")],
    ["with a renamed mark in a renamed entity", renameEntity(MARKLESS, "Stream", "LockupStream")],
    ["with a renamed mark and all entities renamed", prefixed(MARKLESS, "Lockup")],
    ["with a renamed mark and thirty more entities", add(MARKLESS, entities(thirty))],
    [
      "with both protocols and both marks renamed",
      add(MARKLESS, prefixed(renameField(FLOW, "ratePerSecond", "rate"), "Flow")),
    ],
    ["with the mark but none of the other fields", MARK],
    ["without the entity with the mark, which has most fields", without(LOCKUP, "Stream")],
  ])("%s", (_, served) => {
    expect(doubt(served, { lockup: LOCKUP })).toBeNull();
    expect(doubt(served, { lockup: LOCKUP, flow: FLOW })).toBeNull();
  });

  it("with the other protocol's mark, if the snapshot of the other protocol is known", () => {
    const served = renameField(LOCKUP, "depositAmount", "ratePerSecond");
    expect(doubt(served, { lockup: LOCKUP, flow: FLOW })).toBeNull();
    expect(doubt(served, { lockup: LOCKUP })).toBe("It serves flow instead of lockup.");
  });
});

describe("an indexer of another project is a wrong protocol", () => {
  const has = (counts: string) => {
    const [entities, kept, fields, all] = counts.split(" ");
    return `It does not serve lockup: of the snapshot's ${entities} entities it has ${kept}, and ${fields} of their ${all} fields.`;
  };
  const multichain = entitiesOf("lockup", "multichain");
  const otherFields = renameFields(LOCKUP, ({ name }) => (name === "id" ? name : `${name}X`));

  it.each<[name: string, served: EntityModel, counts: string, known?: EntityModel]>([
    ["with three of the eight entities", AIRDROPS_MODEL, "8 3 15 86"],
    [
      "with seven of the twelve entities of the multichain style",
      parseEntities(AIRDROPS_MULTICHAIN, "airdrops"),
      "12 7 36 107",
      multichain,
    ],
    [
      "with a field named like the mark in an unrelated entity",
      add(VAULT, entities({ Strategy: 4, Position: 3, Keeper: 2 })),
      "8 0 0 86",
    ],
    ["without common entities", entities({ Pool: 9, Token: 5, Swap: 12 }), "8 0 0 86"],
    ["with the same entity names but other fields", otherFields, "8 0 0 86"],
  ])("%s", (_, served, counts, known = LOCKUP) => {
    expect(doubt(served, { lockup: known })).toBe(has(counts));
  });
});

describe("the limit between a release and a wrong protocol", () => {
  const EIGHT = { A: 4, B: 4, C: 4, D: 4, E: 4, F: 4, G: 4, H: 4 };
  const known = entities(EIGHT);
  const own = entities({ X: 40 });
  /** Some entities with a number of their fields, and another one. */
  const cut = (fields: (name: string) => number | null, model = known) =>
    add(
      edit(model, (entity) => {
        const count = fields(entity.name);
        return count === null ? null : { ...entity, fields: entity.fields.slice(0, 1 + count) };
      }),
      own,
    );
  const keep = (names: string) => cut((name) => (names.includes(name) ? 4 : null));
  const merged = parseEntities(
    `type DE @entity { id: ID! ${["d", "e"].map((key) => [0, 1, 2, 3].map((at) => `${key}${at}: Int`).join(" ")).join(" ")} }`,
    "one",
  );

  it.each<[name: string, served: EntityModel, isOther: boolean]>([
    ["half of the entities", keep("ABCD"), false],
    ["fewer than half of the entities", keep("ABC"), true],
    ["half of the fields of each", cut(() => 2), false],
    ["fewer than half of the fields of each", cut(() => 1), true],
    [
      "half of the entities and fewer than half of the fields",
      cut((name) => ("ABCD".includes(name) ? (name === "A" ? 3 : 4) : null)),
      true,
    ],
    ["a renamed entity", renameEntity(keep("ABCD"), "D", "Z"), false],
    [
      "a renamed entity with few of its fields",
      renameEntity(
        cut((name) => ("ABCD".includes(name) ? (name === "D" ? 2 : 4) : null)),
        "D",
        "Z",
      ),
      true,
    ],
    ["two entities merged into a new one", add(keep("AB"), merged), true],
    ["the mark", add(own, MARK), false],
  ])("%s", (_, served, isOther) => {
    expect(doubt(served, { lockup: known }) !== null).toBe(isOther);
  });

  it.each([
    [2, false],
    [1, true],
  ])("a renamed entity with %i of its 3 fields counts as another one: %s", (fields, isOther) => {
    const uneven = entities({ A: 6, B: 6, C: 6, D: 3, E: 4, F: 4, G: 4, H: 4 });
    const some = cut((name) => ("ABC".includes(name) ? 6 : name === "D" ? fields : null), uneven);
    expect(doubt(renameEntity(some, "D", "Z"), { lockup: uneven }) !== null).toBe(isOther);
  });

  it("half of another protocol's snapshot is enough to recognize that protocol", () => {
    const all = { lockup: entities({ P: 4, Q: 4 }), flow: known };
    expect(doubt(keep("ABCD"), all)).toBe("It serves flow instead of lockup.");
    expect(doubt(keep("ABC"), all)).toMatch(/^It does not serve lockup/);
  });

  it.each<[name: string, large: Readonly<Record<string, number>>, isOther: boolean]>([
    ["more than three quarters of the entities", { H: 40 }, false],
    ["three quarters of the entities", { G: 40, H: 40 }, true],
  ])("%s, and fewer than half of the fields", (_, large, isOther) => {
    const lopsided = entities({ ...EIGHT, ...large });
    const served = edit(lopsided, (entity) => (entity.name in large ? null : entity));
    expect(doubt(served, { lockup: lopsided }) !== null).toBe(isOther);
  });

  it.each<[served: EntityModel, isCertain: boolean]>([
    [keep("ABC"), true],
    // Without other entities the schema may be incomplete.
    [edit(known, (entity) => ("ABC".includes(entity.name) ? entity : null)), false],
    [NOTHING, false],
  ])("is certain if the schema has other entities: %#", (served, isCertain) => {
    expect(doubtOf(served, { lockup: known })?.isCertain).toBe(isCertain);
  });
});

describe("the other protocol", () => {
  it.each<[name: string, served: EntityModel, known: Partial<Record<Protocol, EntityModel>>]>([
    ["by its mark, without any snapshot", FLOW, {}],
    ["by its mark", FLOW, { lockup: LOCKUP }],
    [
      "by its snapshot, with a renamed mark",
      renameField(FLOW, "ratePerSecond", "rps"),
      { lockup: LOCKUP, flow: FLOW },
    ],
  ])("is recognized %s", (_, served, known) => {
    expect(doubt(served, known)).toBe("It serves flow instead of lockup.");
  });

  it("is not recognized by its snapshot alone without a snapshot of this protocol", () => {
    expect(doubt(MARKLESS, { flow: FLOW })).toBeNull();
  });
});

it.each<[name: string, served: EntityModel, isOther: boolean]>([
  ["the protocol itself", LOCKUP, false],
  ["a release with a renamed mark", MARKLESS, false],
  [
    "a release with a renamed mark in a renamed entity",
    renameEntity(MARKLESS, "Stream", "LockupStream"),
    false,
  ],
  ["another project", AIRDROPS_MODEL, true],
  ["a schema without entities", NOTHING, true],
])("without a snapshot: %s", (_, served, isOther) => {
  const want = "It does not serve lockup: it has neither depositAmount nor an entity named Stream.";
  expect(doubt(served, {})).toBe(isOther ? want : null);
});

it("findProtocolDoubt gives the same results for models read from derived API schemas", () => {
  for (const [style, foreign] of [
    ["subgraph", AIRDROPS],
    ["multichain", AIRDROPS_MULTICHAIN],
  ] as const) {
    const read = (model: EntityModel) => styles[style].schemas.read(styles[style].deriver.derive(model));
    const known = read(entitiesOf("lockup", style));
    expect(doubt(read(parseEntities(foreign, "airdrops")), { lockup: known })).toMatch(
      /^It does not serve lockup/,
    );
    const markless = renameField(entitiesOf("lockup", style), "depositAmount", "deposited");
    expect(doubt(read(without(markless, "Segment", "Tranche")), { lockup: known })).toBeNull();
    expect(doubt(read(entitiesOf("flow", style)), { lockup: known })).toBe(
      "It serves flow instead of lockup.",
    );
  }
});
