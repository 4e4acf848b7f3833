import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { parseEntities } from "../src/dialects/parse-entities.ts";
import { STYLE_NAMES } from "../src/dialects/surface.ts";
import { renderIds } from "../src/generate/render-ids.ts";
import { BUILT_IN_PROTOCOLS } from "../src/project/protocols.ts";
import { installClient } from "./support/built-client.ts";
import { BUNDLERS } from "./support/bundlers.ts";
import { REPOSITORY } from "./support/repository.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";

const IMPORTS = { importExtension: ".js", runtime: "package" } as const;

/** Bytes that a bundle may add to the text of its query. */
const OVERHEAD = 130;

/** The bytes of a part that documents share, such as the tree of a fragment: its declaration and its name. */
const REFERENCE = 8;

/** The part that is left of the preset's bundle if every document is used. */
const ALL_DOCUMENTS = 0.45;

const modules = BUILT_IN_PROTOCOLS.flatMap((protocol) =>
  STYLE_NAMES.map((style) => `generated/${protocol}/${style}` as const),
);

describe.each(BUNDLERS)("a bundle of %s with one document", (_, bundle) => {
  it.each(modules)("contains only the text of that document: %s.strings.ts", async (path) => {
    const documents = await documentsOf(`${path}.strings.ts`);
    expect(documents).toHaveLength(12);
    for (const [name, text] of documents) {
      const code = await bundle(REPOSITORY, ask(name, `./${path}.strings.ts`));
      expect(operationsIn(code)).toEqual([name.replace(/Document$/, "")]);
      expect(Buffer.byteLength(code) - Buffer.byteLength(text as string)).toBeLessThanOrEqual(OVERHEAD);
    }
  });

  it.each(modules)("contains only the node of that document: %s.ts", async (path) => {
    const documents = await documentsOf(`${path}.ts`);
    expect(documents).toHaveLength(12);
    for (const [name] of documents) {
      const code = await bundle(REPOSITORY, ask(name, `./${path}.ts`));
      expect(nodesIn(code)).toEqual([name.replace(/Document$/, "")]);
      expect(code).not.toContain("keyFields");
    }
  });

  it("would contain a second imported document", async () => {
    const two = (path: string) =>
      bundle(REPOSITORY, `export { AssetsDocument, HealthDocument } from "./${path}";`);
    expect(operationsIn(await two("generated/flow/subgraph.strings.ts"))).toEqual(["Assets", "Health"]);
    expect(nodesIn(await two("generated/flow/subgraph.ts"))).toEqual(["Assets", "Health"]);
  });
});

describe.each(BUNDLERS)("a bundle of %s with ids", (_, bundle) => {
  const modules = BUILT_IN_PROTOCOLS.map((protocol) => `./generated/${protocol}/ids.ts`);

  it.each(modules)("is empty if no id is used: %s", async (path) => {
    expect((await bundle(REPOSITORY, `import "${path}";\nimport { streamId } from "${path}";`)).trim()).toBe(
      "",
    );
  });

  it("has at most 930 bytes", async () => {
    const code = await bundle(REPOSITORY, `export { streamId } from "${modules[0]}";`);
    expect(code).toContain("contract");
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(930);
  });

  it("contains only the ids that are used", async () => {
    const definition = { key: "auctions", identity: { protocol: null, chain: null } };
    const ids = { Lot: "{chainId}-{serial}", Seller: "{chainId}-{address}" };
    const model = parseEntities(
      "type Lot @entity { id: ID! chainId: Int! serial: Int! } type Seller @entity { id: ID! chainId: Int! address: Bytes! }",
      "entities.graphql",
    );
    const project = tempProject({
      "ids.ts": renderIds({ ...definition, ids }, [model], IMPORTS)?.content ?? "",
    });
    installClient(project.root);
    const code = await bundle(
      REPOSITORY,
      `export { lotId } from ${JSON.stringify(join(project.root, "ids.ts"))};`,
    );
    expect(code).toContain("serial");
    expect(code).not.toContain("address");
  });
});

describe.each(BUNDLERS)("a bundle of %s with amounts", (_, bundle) => {
  it.each([
    ["streamedAmount, withdrawableAmount, owedAmount", 1200],
    // Neither segments nor their powers.
    ["owedAmount", 520],
  ])("of %s has at most %i bytes", async (names, limit) => {
    const code = await bundle(REPOSITORY, `export { ${names} } from "./packages/operations/amounts.ts";`);
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(limit);
  });

  it("is empty if no amount is used", async () => {
    expect(await bundle(REPOSITORY, 'import "./packages/operations/amounts.ts";')).toBe("");
  });
});

describe("a bundle with one node", () => {
  it("is as small as with the client preset, except for a constant per shared part", async () => {
    const project = tempProject(await presetFiles());
    const asked: string[] = [];
    for (const path of modules) {
      for (const [name] of await documentsOf(`${path}.ts`)) {
        project.write(`ours/${path}/${name}.ts`, ask(name, join(REPOSITORY, `${path}.ts`)));
        project.write(`peer/${path}/${name}.ts`, ask(name, join(project.root, path, "graphql.ts")));
        asked.push(`${path}/${name}`);
      }
    }
    expect(asked).toHaveLength(48);
    for (const path of modules) {
      project.write(`ours/${path}.all.ts`, askAll(join(REPOSITORY, `${path}.ts`)));
      project.write(`peer/${path}.all.ts`, askAll(join(project.root, path, "graphql.ts")));
    }
    const [ours, peer] = await Promise.all([
      bundleFiles(project, "ours", asked),
      bundleFiles(project, "peer", asked),
    ]);
    for (const [at, name] of asked.entries()) {
      const [own = "", other = ""] = [ours[at], peer[at]];
      const operation = basename(name).replace(/Document$/, "");
      expect(nodesIn(own)).toEqual([operation]);
      expect(nodesIn(other)).toEqual([operation]);
      const references = own.split(/=\{kind:"(?:FragmentDefinition|VariableDefinition|Argument)"/).length - 1;
      expect(Buffer.byteLength(own), name).toBeLessThanOrEqual(
        Buffer.byteLength(other) + references * REFERENCE,
      );
    }
    const all = modules.map((path) => `${path}.all`);
    const [oursOfAll, peerOfAll] = [
      await bundleFiles(project, "ours", all),
      await bundleFiles(project, "peer", all),
    ];
    for (const [at, name] of all.entries()) {
      const [own = "", other = ""] = [oursOfAll[at], peerOfAll[at]];
      expect(Buffer.byteLength(own) / Buffer.byteLength(other), name).toBeLessThan(ALL_DOCUMENTS);
    }
  });
});

/** A module that needs every document. */
function askAll(module: string): string {
  return `import * as documents from ${JSON.stringify(module)};\nconsole.log(documents);`;
}

/** A module that needs one document and nothing else. */
function ask(name: string, module: string): string {
  return `import { ${name} } from ${JSON.stringify(module)};\nconsole.log(${name});`;
}

/** The files of the stock command with the client preset, for the same operations. */
async function presetFiles(): Promise<Record<string, string>> {
  const { generate } = await import("@graphql-codegen/cli");
  const { default: gqlTag } = await import("graphql-tag");
  // Both protocols have a fragment StreamFields.
  gqlTag.disableFragmentWarnings();
  const written = tempProject({});
  const targets = await Promise.all(
    BUILT_IN_PROTOCOLS.flatMap((protocol) =>
      STYLE_NAMES.map(async (style) => {
        const path = `${protocol}-${style}.graphql`;
        written.write(path, await definitionsOf(`generated/${protocol}/${style}.strings.ts`));
        return [
          `generated/${protocol}/${style}/`,
          {
            schema: `generated/schemas/${protocol}/${style}.graphql`,
            documents: join(written.root, path),
            preset: "client",
          },
        ];
      }),
    ),
  );
  const files: { filename: string; content: string }[] = await generate(
    { cwd: REPOSITORY, silent: true, generates: Object.fromEntries(targets) },
    false,
  );
  return Object.fromEntries(files.map(({ filename, content }) => [filename, content]));
}

/** Every operation and fragment of a module of strings, with the compiled portable ones. */
async function definitionsOf(path: string): Promise<string> {
  const { parse, print } = await import("graphql");
  const texts = (await documentsOf(path)).flatMap(([, text]) => parse(String(text)).definitions.map(print));
  return [...new Set(texts)].join("\n\n");
}

/** The documents of a generated module, by name. */
async function documentsOf(path: string): Promise<[name: string, document: unknown][]> {
  const module: object = await import(join(REPOSITORY, path));
  return Object.entries(module).filter(([name]) => name.endsWith("Document"));
}

/** The names of the operations in a bundle that are text. */
function operationsIn(code: string): string[] {
  return [...code.matchAll(/\b(?:query|mutation|subscription) (\w+)/g)].map(([, name]) => name ?? "").sort();
}

/** The names of the operations in a bundle that are nodes, whatever the quotes. */
function nodesIn(code: string): string[] {
  const pattern = /OperationDefinition.{0,60}?name["'`]?:\{.{0,30}?value["'`]?:["'`](\w+)/g;
  return [...code.matchAll(pattern)].map(([, name]) => name ?? "").sort();
}

/** The bundles of files of a project, in the same order. */
async function bundleFiles(
  project: TempProject,
  folder: string,
  names: readonly string[],
): Promise<string[]> {
  const { outputFiles } = await build({
    absWorkingDir: project.root,
    entryPoints: names.map((name) => ({ in: `${folder}/${name}.ts`, out: name })),
    outdir: "out",
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text);
}
