import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../src/compare/compare-schemas.ts";
import type { RootCause } from "../../src/compare/diff-schemas.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { flattenSchema } from "../../src/dialects/canonicalize.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { runs } from "../support/runs.ts";
import { causesOf, derive } from "./fixtures.ts";
import { ENTITIES, entity, type Model, model, render } from "./random-entities.ts";

const SETTINGS: readonly (readonly [StyleName, DeriveOptions])[] = [
  ["subgraph", {}],
  ["subgraph", { release: "0.44" }],
  ["subgraph", { childSorting: false, boolFilters: false }],
  ["multichain", {}],
  ["multichain", { release: "3.8" }],
  ["multichain", { aggregates: ["Root"] }],
];

it.each(SETTINGS)(
  "the roll-up of any change of a model reports every change exactly once: %s %j",
  (name, options) => {
    fc.assert(
      fc.property(model, model, (first, second) => {
        const [before, after] = [schemaOf(name, first, options), schemaOf(name, second, options)];
        const causes = causesOf(name, before, after);
        expect(causes.filter(({ layer }) => layer === "platform")).toEqual([]);
        // Every change is reported, and none twice.
        const reported = causes.flatMap(({ change, derivedChanges: derived }) => [change, ...derived]);
        const changes = compareSchemas(before, after);
        const key = (change: { kind: string; coordinate: string }) => `${change.kind} ${change.coordinate}`;
        const times = new Map<string, number>();
        for (const change of reported) times.set(key(change), (times.get(key(change)) ?? 0) + 1);
        const renamed = new Set(
          causes.flatMap(({ change }) => (change.kind === "field-renamed" ? [change.coordinate] : [])),
        );
        const notOnce = changes.filter(
          (change) => !renamed.has(change.coordinate) && times.get(key(change)) !== 1,
        );
        expect(notOnce.map(key)).toEqual([]);
      }),
      { numRuns: runs(5, 40), seed: 20_261 },
    );
  },
);

/** Returns the schema of a model. */
function schemaOf(style: StyleName, given: Model, options: DeriveOptions): ApiSchema {
  return derive(style, render(given), options);
}

/** Changes of settings or of the release that can coincide with a change of the entities. */
const SHIFTS: readonly (readonly [StyleName, DeriveOptions, DeriveOptions])[] = [
  ["multichain", {}, { aggregates: ["Root"] }],
  ["multichain", { aggregates: ["Alpha", "Beta"] }, { aggregates: ["Beta", "Gamma"] }],
  ["multichain", { release: "3.8" }, { release: "3.8", aggregates: [...ENTITIES] }],
  ["multichain", { release: "3.8" }, { release: "3.8", perChainEntities: true }],
  ["multichain", { release: "2.27" }, { release: "2.29" }],
  ["multichain", { release: "2.28", aggregates: ["Alpha"] }, { release: "3.0", aggregates: ["Alpha"] }],
  ["multichain", { release: "3.0" }, { release: "3.8", aggregates: ["Alpha", "Beta"] }],
  ["subgraph", {}, { childSorting: false }],
  ["subgraph", {}, { boolFilters: false }],
  ["subgraph", { childSorting: false }, { boolFilters: false }],
  ["subgraph", { release: "0.34" }, { release: "0.38" }],
  ["subgraph", { release: "0.38" }, { release: "0.44" }],
  ["subgraph", { release: "0.42", childSorting: false }, { release: "0.44" }],
];

describe("the roll-up of a change of a model and of the platform at once", () => {
  it.each([...SHIFTS, ...SHIFTS.map(([name, a, b]) => [name, b, a] as const)])(
    "assigns each coordinate to the change that affects it: %s %j to %j",
    (name, from, to) => {
      // Aggregates may only name entities that exist.
      const all = fc.record(Object.fromEntries(ENTITIES.map((entityName) => [entityName, entity])));
      const models = from.aggregates || to.aggregates ? all : model;
      fc.assert(
        fc.property(models, models, (first, second) => {
          const [before, after] = [schemaOf(name, first, from), schemaOf(name, second, to)];
          const onlyModel = schemaOf(name, second, from);
          const signatures = [before, schemaOf(name, first, to), onlyModel, after].map(
            (schema) => new Map(flattenSchema(schema).map((each) => [each.coordinate, each.signature])),
          );
          const causes = causesOf(name, before, after);
          // A change of the platform does not change the causes of the entities.
          const reported = (found: readonly RootCause[]) =>
            found.flatMap(({ change, layer }) =>
              layer === "entity" ? [`${change.kind} ${change.coordinate}`] : [],
            );
          const alone = causesOf(name, before, onlyModel);
          expect(reported(causes)).toEqual(reported(alone));
          const misplaced: string[] = [];
          for (const { change, layer, derivedChanges: more } of causes) {
            if (layer === "platform") expect(change.kind, change.coordinate).toMatch(/^platform-/);
            if (layer === "docs") continue;
            for (const { coordinate } of more) {
              const [old, platformOnly, modelOnly, now] = signatures.map((each) => each.get(coordinate));
              const matters =
                layer === "platform"
                  ? old !== platformOnly || modelOnly !== now
                  : old !== modelOnly || platformOnly !== now;
              if (!matters) misplaced.push(`${coordinate} is blamed on ${change.coordinate}`);
            }
          }
          expect(misplaced).toEqual([]);
        }),
        { numRuns: runs(1, 8), seed: 20_262 },
      );
    },
  );
});
