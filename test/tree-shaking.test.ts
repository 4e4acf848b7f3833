import { join } from "node:path";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { PROTOCOLS, STYLE_NAMES } from "../src/model/vocabulary.ts";
import { REPOSITORY } from "./support/repository.ts";

/** What a bundle may hold besides the text of the query it was made for. */
const OVERHEAD = 130;

const modules = PROTOCOLS.flatMap((protocol) =>
  STYLE_NAMES.map((style) => `generated/${protocol}/${style}` as const),
);

const bundlers: [name: string, bundle: (entry: string) => Promise<string>][] = [
  ["esbuild", bundleWithEsbuild],
  ["rolldown", bundleWithRolldown],
];

describe.each(bundlers)("a bundle of %s with one document", (_, bundle) => {
  it.each(modules)("holds that text and no other: %s.strings.ts", async (path) => {
    const documents = await documentsOf(`${path}.strings.ts`);
    expect(documents).toHaveLength(12);
    for (const [name, text] of documents) {
      const code = await bundle(`export { ${name} as one } from "./${path}.strings.ts";`);
      expect(operationsIn(code)).toEqual([name.replace(/Document$/, "")]);
      expect(Buffer.byteLength(code) - Buffer.byteLength(text as string)).toBeLessThanOrEqual(OVERHEAD);
    }
  });

  it.each(modules)("holds that node and no other: %s.ts", async (path) => {
    const documents = await documentsOf(`${path}.ts`);
    expect(documents).toHaveLength(12);
    for (const [name] of documents) {
      const code = await bundle(`export { ${name} as one } from "./${path}.ts";`);
      expect(nodesIn(code)).toEqual([name.replace(/Document$/, "")]);
    }
  });

  it("would show a second document", async () => {
    const two = (path: string) => bundle(`export { AssetsDocument, HealthDocument } from "./${path}";`);
    expect(operationsIn(await two("generated/flow/subgraph.strings.ts"))).toEqual(["Assets", "Health"]);
    expect(nodesIn(await two("generated/flow/subgraph.ts"))).toEqual(["Assets", "Health"]);
  });
});

/** The documents of a generated module, by name. */
async function documentsOf(path: string): Promise<[name: string, document: unknown][]> {
  const module: object = await import(join(REPOSITORY, path));
  return Object.entries(module).filter(([name]) => name.endsWith("Document"));
}

/** The names of the operations that stand in a bundle as text. */
function operationsIn(code: string): string[] {
  return [...code.matchAll(/\b(?:query|mutation|subscription) (\w+)/g)].map(([, name]) => name ?? "").sort();
}

/** The names of the operations that stand in a bundle as nodes, whatever the quotes. */
function nodesIn(code: string): string[] {
  const pattern = /OperationDefinition.{0,60}?name["'`]?:\{.{0,30}?value["'`]?:["'`](\w+)/g;
  return [...code.matchAll(pattern)].map(([, name]) => name ?? "").sort();
}

async function bundleWithEsbuild(entry: string): Promise<string> {
  const result = await build({
    stdin: { contents: entry, resolveDir: REPOSITORY, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}

async function bundleWithRolldown(entry: string): Promise<string> {
  const id = join(REPOSITORY, "entry.ts");
  const bundle = await rolldown({
    input: id,
    plugins: [
      {
        name: "entry",
        load: (path) => (path === id ? entry : null),
        resolveId: (path) => (path === id ? id : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  return output[0].code;
}
