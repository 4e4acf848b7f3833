import { describe, expect, it } from "vitest";
import { entitiesOf, PUBLIC_AGGREGATES } from "../../../emulator/dataset/entities/index.ts";
import type { Definition } from "../../../src/dialects/entity-model.ts";
import { STYLE_NAMES } from "../../../src/dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../../../src/project/protocols.ts";

const SHARED = [
  "ActionCategory",
  "StreamCategory",
  "Asset",
  "Watcher",
  "Stream",
  "Action",
  "Batch",
  "Batcher",
];
const ACCOUNTING = ["Revenue", "RevenueTransaction", "User", "UserTransaction"];

function names(definitions: readonly Definition[]): string[] {
  return definitions.map(({ name }) => name);
}

describe("entitiesOf", () => {
  it.each([
    ["lockup", "subgraph", [...SHARED, "Segment", "Tranche"]],
    ["flow", "subgraph", SHARED],
    ["lockup", "multichain", [...SHARED, "Segment", "Tranche", ...ACCOUNTING]],
    ["flow", "multichain", [...SHARED, ...ACCOUNTING]],
  ] as const)("has the definitions of %s %s", (protocol, style, want) => {
    expect(names(entitiesOf(protocol, style).definitions).sort()).toEqual([...want].sort());
  });

  it.each(BUILT_IN_PROTOCOLS)("has the same shared definitions in both styles of %s", (protocol) => {
    const { definitions } = entitiesOf(protocol, "multichain");
    const shared = definitions.filter(({ name }) => !ACCOUNTING.includes(name));
    expect(shared).toEqual(entitiesOf(protocol, "subgraph").definitions);
  });

  it.each(BUILT_IN_PROTOCOLS)("includes the entities of the public aggregates of %s", (protocol) => {
    expect(names(entitiesOf(protocol, "multichain").definitions)).toEqual(
      expect.arrayContaining([...PUBLIC_AGGREGATES]),
    );
  });

  it("has a description of every type, field and enum value", () => {
    const bare: string[] = [];
    for (const protocol of BUILT_IN_PROTOCOLS) {
      for (const definition of entitiesOf(protocol, "multichain").definitions) {
        if (definition.kind !== "entity" && definition.kind !== "enum") continue;
        const members = definition.kind === "entity" ? definition.fields : (definition.values ?? []);
        for (const { name, description } of [definition, ...members]) {
          if (!description) bare.push(`${definition.name}.${name}`);
        }
      }
    }
    expect(bare).toEqual([]);
  });

  it("has derived fields only from existing fields that refer back", () => {
    for (const protocol of BUILT_IN_PROTOCOLS) {
      for (const style of STYLE_NAMES) {
        const { definitions } = entitiesOf(protocol, style);
        const entities = definitions.filter((definition) => definition.kind === "entity");
        for (const entity of entities) {
          for (const field of entity.fields.filter(({ derived }) => derived)) {
            const target = entities.find(({ name }) => field.type === `[${name}!]!`);
            const back = target?.fields.find(({ name }) => name === field.derivedFrom);
            expect(back?.type.replace("!", ""), `${entity.name}.${field.name}`).toBe(entity.name);
          }
        }
      }
    }
  });

  it("parses once", () => {
    expect(entitiesOf("flow", "subgraph")).toBe(entitiesOf("flow", "subgraph"));
  });
});
