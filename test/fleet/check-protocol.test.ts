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

/** Returns the error about an indexer at the URL of a protocol, with the given snapshots; null if there is none. */
function doubt(
  served: EntityModel,
  known: Partial<Record<Protocol, EntityModel>>,
  protocol: Protocol = "lockup",
) {
  return (
    findProtocolDoubt(served, protocol, {
      knownModel: (name) => snapshot(known[name]),
      definitions: BUILT_IN_DEFINITIONS,
    })?.error.sentence ?? null
  );
}

const snapshot = (model: EntityModel | undefined) => (model ? { model, file: null } : null);

/** An entity schema with the given number of fields per entity. */
function entities(counts: Readonly<Record<string, number>>): EntityModel {
  const types = Object.entries(counts).map(([entity, count]) => {
    const fields = Array.from({ length: count }, (_, index) => `${entity.toLowerCase()}${index}: Int`);
    return `type ${entity} @entity { id: ID! ${fields.join(" ")} }`;
  });
  return parseEntities(types.join("\n"), "entities");
}

function edit(model: EntityModel, change: (entity: Entity) => Entity | null): EntityModel {
  const definitions = model.definitions.flatMap((one): readonly Definition[] => {
    if (one.kind !== "entity") return [one];
    const changed = change(one);
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
  it.each<[name: string, served: EntityModel, known: EntityModel, want: string]>([
    [
      "with three of the eight entities",
      parseEntities(AIRDROPS, "airdrops"),
      LOCKUP,
      "It does not serve lockup: of the snapshot's 8 entities it has 3, and 15 of their 86 fields.",
    ],
    [
      "with seven of the twelve entities of the multichain style",
      parseEntities(AIRDROPS_MULTICHAIN, "airdrops"),
      entitiesOf("lockup", "multichain"),
      "It does not serve lockup: of the snapshot's 12 entities it has 7, and 36 of their 107 fields.",
    ],
    [
      "with a field named like the mark in an unrelated entity",
      add(VAULT, entities({ Strategy: 4, Position: 3, Keeper: 2 })),
      LOCKUP,
      "It does not serve lockup: of the snapshot's 8 entities it has 0, and 0 of their 86 fields.",
    ],
    [
      "without common entities",
      entities({ Pool: 9, Token: 5, Swap: 12 }),
      LOCKUP,
      "It does not serve lockup: of the snapshot's 8 entities it has 0, and 0 of their 86 fields.",
    ],
    [
      "with the same entity names but other fields",
      renameFields(LOCKUP, ({ name }) => (name === "id" ? name : `${name}X`)),
      LOCKUP,
      "It does not serve lockup: of the snapshot's 8 entities it has 0, and 0 of their 86 fields.",
    ],
  ])("%s", (_, served, known, want) => {
    expect(doubt(served, { lockup: known })).toBe(want);
  });
});

describe("the limit between a release and a wrong protocol", () => {
  const EIGHT = { A: 4, B: 4, C: 4, D: 4, E: 4, F: 4, G: 4, H: 4 };
  const known = entities(EIGHT);
  const own = entities({ X: 40 });
  const keep = (...names: string[]) =>
    add(
      edit(known, (one) => (names.includes(one.name) ? one : null)),
      own,
    );
  const cut = (fields: number) =>
    add(
      edit(known, (entity) => ({ ...entity, fields: entity.fields.slice(0, 1 + fields) })),
      own,
    );

  it.each<[name: string, served: EntityModel, isOther: boolean]>([
    ["half of the entities", keep("A", "B", "C", "D"), false],
    ["fewer than half of the entities", keep("A", "B", "C"), true],
    ["half of the fields of each", cut(2), false],
    ["fewer than half of the fields of each", cut(1), true],
    [
      "half of the entities and fewer than half of the fields",
      add(
        edit(known, (entity) =>
          "ABCD".includes(entity.name)
            ? { ...entity, fields: entity.name === "A" ? entity.fields.slice(0, 4) : entity.fields }
            : null,
        ),
        own,
      ),
      true,
    ],
    ["a renamed entity", renameEntity(keep("A", "B", "C", "D"), "D", "Z"), false],
    [
      "a renamed entity with few of its fields",
      edit(renameEntity(keep("A", "B", "C", "D"), "D", "Z"), (entity) =>
        entity.name === "Z" ? { ...entity, fields: entity.fields.slice(0, 3) } : entity,
      ),
      true,
    ],
    ["two entities merged into a new one", add(keep("A", "B"), oneForTwo("D", "E")), true],
  ])("%s", (_, served, isOther) => {
    expect(doubt(served, { lockup: known }) !== null).toBe(isOther);
  });

  it("an entity with at least two thirds of the fields counts as renamed", () => {
    const uneven = entities({ A: 6, B: 6, C: 6, D: 3, E: 4, F: 4, G: 4, H: 4 });
    const renamed = renameEntity(without(uneven, "E", "F", "G", "H"), "D", "Z");
    const served = (fields: number) =>
      edit(renamed, (one) => (one.name === "Z" ? { ...one, fields: one.fields.slice(0, 1 + fields) } : one));
    expect(doubt(add(served(2), own), { lockup: uneven })).toBeNull();
    expect(doubt(add(served(1), own), { lockup: uneven })).not.toBeNull();
  });

  it("half of another protocol's snapshot is enough to recognize that protocol", () => {
    const all = { lockup: entities({ P: 4, Q: 4 }), flow: known };
    expect(doubt(keep("A", "B", "C", "D"), all)).toBe("It serves flow instead of lockup.");
    expect(doubt(keep("A", "B", "C"), all)).toMatch(/^It does not serve lockup/);
  });

  it.each<[name: string, large: Readonly<Record<string, number>>, isOther: boolean]>([
    ["more than three quarters of the entities", { H: 40 }, false],
    ["three quarters of the entities", { G: 40, H: 40 }, true],
  ])("%s, and fewer than half of the fields", (_, large, isOther) => {
    const lopsided = entities({ ...EIGHT, ...large });
    const served = edit(lopsided, (one) => (one.name in large ? null : one));
    expect(doubt(served, { lockup: lopsided }) !== null).toBe(isOther);
  });

  function oneForTwo(...names: readonly string[]): EntityModel {
    const fields = names.flatMap((name) => [0, 1, 2, 3].map((index) => `${name.toLowerCase()}${index}: Int`));
    return parseEntities(`type DE @entity { id: ID! ${fields.join(" ")} }`, "one");
  }

  it("is certain if the schema has other entities; without them it may be incomplete", () => {
    const ask = (served: EntityModel) =>
      findProtocolDoubt(served, "lockup", {
        knownModel: () => snapshot(known),
        definitions: BUILT_IN_DEFINITIONS,
      });
    expect(ask(keep("A", "B", "C"))?.isCertain).toBe(true);
    expect(ask(without(known, "D", "E", "F", "G", "H"))?.isCertain).toBe(false);
    expect(ask({ definitions: [], directives: [] })?.isCertain).toBe(false);
  });

  it("does not apply if the schema has the mark", () => {
    const marked = add(own, MARK);
    expect(doubt(marked, { lockup: known })).toBeNull();
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

describe("without a snapshot", () => {
  it.each<[name: string, served: EntityModel, want: string | null]>([
    ["the protocol itself", LOCKUP, null],
    ["a release with a renamed mark", MARKLESS, null],
    [
      "a release with a renamed mark in a renamed entity",
      renameEntity(MARKLESS, "Stream", "LockupStream"),
      null,
    ],
    [
      "another project",
      parseEntities(AIRDROPS, "airdrops"),
      "It does not serve lockup: it has neither depositAmount nor an entity named Stream.",
    ],
    [
      "a schema without entities",
      { definitions: [], directives: [] },
      "It does not serve lockup: it has neither depositAmount nor an entity named Stream.",
    ],
  ])("%s", (_, served, want) => {
    expect(doubt(served, {})).toBe(want);
  });
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
