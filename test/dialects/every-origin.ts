import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { flattenSchema } from "../../src/dialects/canonicalize.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { type Origin, originKey } from "../../src/dialects/origin.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import { runs } from "../support/runs.ts";
import { changedCoordinates, changedParts, type ModelEdit } from "./model-changes.ts";

/** A dialect, and random models, settings and edits for it. */
type Dialect = {
  readonly derive: (model: EntityModel, options: DeriveOptions) => ApiSchema;
  readonly read: (schema: ApiSchema) => EntityModel;
  readonly trace: (models: readonly EntityModel[]) => (coordinate: string) => readonly Origin[];
  readonly models: fc.Arbitrary<EntityModel>;
  readonly settings: fc.Arbitrary<(model: EntityModel) => DeriveOptions>;
  readonly edits: fc.Arbitrary<ModelEdit>;
  /** How many coordinates the edits change at least. */
  readonly leastChanges: number;
};

/** Defines the tests that all changes of random models have origins. */
export function testEveryOrigin({
  derive,
  read,
  trace,
  models,
  settings,
  edits,
  leastChanges,
}: Dialect): void {
  describe("for every model", () => {
    test("every coordinate has an origin", () => {
      fc.assert(
        fc.property(models, settings, (model, options) => {
          const originsOf = trace([model]);
          const coordinates = flattenSchema(derive(model, options(model))).map(
            ({ coordinate }) => coordinate,
          );
          expect(coordinates).not.toEqual([]);
          expect(coordinates.filter((coordinate) => originsOf(coordinate).length === 0)).toEqual([]);
        }),
        { numRuns: runs(6, 20), seed: 7 },
      );
    });

    test("every coordinate that changes with a part of the model has that part among its origins", () => {
      let changes = 0;
      fc.assert(
        fc.property(models, edits, settings, fc.boolean(), (before, edit, options, isRead) => {
          const after = edit(before);
          // Both sides get the same settings, for the tables that they share.
          const { aggregates: some = [], ...others } = options(before);
          const own = options(after).aggregates ?? [];
          const aggregates = some.filter((name) => own.includes(name));
          const deriveSide = (model: EntityModel) => derive(model, { ...others, aggregates });
          const [a, b] = [deriveSide(before), deriveSide(after)];
          const [from, to] = isRead ? [read(a), read(b)] : [before, after];
          const parts = changedParts(from, to);
          const changed = changedCoordinates(a, b);
          changes += changed.length;
          for (const originsOf of [trace([from, to]), trace([to, from])]) {
            const isExplained = (coordinate: string) =>
              originsOf(coordinate).some((origin) => parts.has(originKey(origin)));
            const unexplained = changed.filter((coordinate) => !isExplained(coordinate));
            expect(unexplained, JSON.stringify([...parts])).toEqual([]);
          }
        }),
        { numRuns: runs(20, 60), seed: 7 },
      );
      expect(changes).toBeGreaterThan(leastChanges);
    });

    test("every coordinate that changes with platform settings has a platform feature among its origins", () => {
      fc.assert(
        fc.property(models, settings, settings, (model, one, other) => {
          const originsOf = trace([model]);
          const changed = changedCoordinates(derive(model, one(model)), derive(model, other(model)));
          const isPlatform = (coordinate: string) =>
            originsOf(coordinate).some(({ kind }) => kind === "platform");
          expect(changed.filter((coordinate) => !isPlatform(coordinate))).toEqual([]);
        }),
        { numRuns: runs(2, 25), seed: 7 },
      );
    });
  });
}
