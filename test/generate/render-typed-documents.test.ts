import type { PluginFunction } from "@graphql-codegen/plugin-helpers";
import * as typedDocumentNode from "@graphql-codegen/typed-document-node";
import fc from "fast-check";
import { buildSchema } from "graphql";
import gqlTag from "graphql-tag";
import { describe, expect, it } from "vitest";
import { renderTypedDocuments } from "../../src/generate/render-documents.ts";
import { prepareFrom } from "../support/generate-from.ts";
import { runs } from "../support/runs.ts";
import { RANDOM_SDL, randomOperations } from "./random-operations.ts";

// graphql-tag caches fragments by name, and every fragment here is named F.
gqlTag.disableFragmentWarnings();

const plugin: PluginFunction = typedDocumentNode.plugin;

describe("typed documents", () => {
  const schema = buildSchema(RANDOM_SDL);

  it("equal those of the stock plugin", async () => {
    await fc.assert(
      fc.asyncProperty(randomOperations(schema), async (operations) => {
        const { documents } = prepareFrom({ sdl: RANDOM_SDL, operations });
        if (!documents) throw new Error(operations);
        const stock = await plugin(
          schema,
          documents.set.files.map(({ path, document }) => ({ location: path, document })),
          { namingConvention: "keep", documentMode: "documentNode", optimizeDocumentNode: true },
        );
        expect(valuesIn(renderTypedDocuments(documents.set))).toEqual(
          valuesIn(typeof stock === "string" ? stock : stock.content),
        );
      }),
      { numRuns: runs(4, 100) },
    );
  });
});

it("typed documents share equal variables and arguments", () => {
  const { documents } = prepareFrom({
    sdl: "directive @note(first: Int) on VARIABLE_DEFINITION type Query { ships(first: Int, name: String): [Ship!]! } type Ship { id: ID! crew(first: Int): [ID!]! }",
    operations: `
      query First($first: Int = 5, $name: String) { ships(first: $first, name: $name) { id } }
      query Second($first: Int = 5 @note(first: 7)) { ships(first: $first, name: "first") { crew(first: 7) } }
      query Third($first: Int = 5) { ships(first: $first) { crew(first: 7) } }
    `,
  });
  if (!documents) throw new Error("The operations are not valid.");
  const module = renderTypedDocuments(documents.set);
  expect([...module.matchAll(/^const (\w+)/gm)].map(([, name]) => name)).toEqual([
    "firstVariable",
    "firstArgument",
    "firstArgument2",
  ]);
  const [, second = ""] = module.match(/^export const .*$/gm) ?? [];
  // Its directive makes the variable different.
  expect(second).toMatch(/variableDefinitions:\[\{.*directives:\[\{.*arguments:\[\{/);
  expect(second).toContain("arguments:[firstArgument,{");
  expect(second).toContain("arguments:[firstArgument2]");
});

/** Returns the exported documents of a module in their order, with their names. */
function valuesIn(module: string): [name: string, document: unknown][] {
  const statements = module.match(/^(?:export )?const .*$/gm) ?? [];
  const code = statements.map((line) => line.replace(/^export /, "").replace(/ as unknown as .*$/, ";"));
  const names = [...module.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  return Function(`${code.join("\n")}\nreturn [${names.map((name) => `["${name}", ${name}]`).join()}];`)();
}
