import { cpSync } from "node:fs";
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
import { shipModules } from "./support/ship-modules.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";

const IMPORTS = { importExtension: ".js", runtime: "package" } as const;

/** Bytes that a bundle may add to the text of its query. */
const OVERHEAD = 130;

/** Bytes that a bundle may add to the two texts of a portable operation: its plan, variable readers and cursors. */
const PORTABLE_OVERHEAD = 3_400;

/** The bytes of a part that documents share, such as the tree of a fragment: its declaration and its name. */
const REFERENCE = 8;

/** The part that is left of the preset's bundle if every document is used. */
const ALL_DOCUMENTS = 0.45;

const modules = BUILT_IN_PROTOCOLS.flatMap((protocol) =>
  STYLE_NAMES.map((style) => `generated/${protocol}/${style}` as const),
);

/** A bundle: the code, and the most bytes after gzip, 0 for no code. */
type Limit = readonly [entry: string, bytes: number, absent?: RegExp | undefined, present?: RegExp];

const from = (module: string) => (names: string) => `export { ${names} } from "./${module}.ts";`;
const manifest = from("generated/manifest");
const amounts = from("packages/operations/amounts");
const client = from("client");
const behindProxy = (names: string) =>
  `${from("generated/proxied")(names)} ${from("generated/lockup/proxied")("RecentStreams")}`;
const ALL_CALLS = "createClient, run, each, merged, pages, health";
const QUERIES = "query, queryEach, queryMerged, queryHealth, queryPages";
const OF_SERVER =
  /query RecentStreams|orderDirection:|order_by|process\.env|LOCKFLOW_|https?:\/\/\w|must be an? /;
const ANY = Number.POSITIVE_INFINITY;

const OF_REPOSITORY: readonly Limit[] = [
  ...BUILT_IN_PROTOCOLS.map((protocol): Limit => {
    const path = `./generated/${protocol}/ids.ts`;
    return [`import "${path}";\nimport { streamId } from "${path}";`, 0];
  }),
  [from("generated/lockup/ids")("streamId"), 930, undefined, /contract/],
  ['import "./packages/operations/amounts.ts";', 0],
  [amounts("streamedAmount, withdrawableAmount, owedAmount"), 1200],
  // Neither segments nor their powers.
  [amounts("owedAmount"), 520],
  ['export * from "./generated/manifest.ts";', 4860],
  [
    manifest("lockupEndpoint, lockupDeployments, lockupOperations"),
    4350,
    /(?<!lock)flow/,
    /lockup-\{suffix\}/,
  ],
  [manifest("endpoint"), ANY, /eip155:\)/],
  [manifest("resolveChain"), ANY, undefined, /eip155:\)/],
  [manifest("chains"), ANY, /protocol-|function|=>/, /eip155:137/],
  [manifest("operations"), ANY, /protocol-|eip155|function|=>/],
  [behindProxy("createClient, run"), 1_485, OF_SERVER, /RecentStreams/],
  [behindProxy("createClient, run, merged, pages"), 2_035, OF_SERVER, /RecentStreams/],
  [
    behindProxy("createClient, run, each, merged, pages, all, watch, health"),
    2_790,
    OF_SERVER,
    /RecentStreams/,
  ],
  [behindProxy("isServed"), 1_400, OF_SERVER, /RecentStreams/],
];

const OF_SHIPS: readonly Limit[] = [
  ['import "./client.ts";\nimport "./auctions/portable.ts";\nimport {} from "./client.ts";', 0],
  [client("mapVariables"), 1120, /_nocase|_is_null/],
  [client("mapVariables, mapFilter"), 2775],
  [client("IndexerError"), 410],
  // Ships refer to four other entities.
  [from("auctions/portable")("shipFilter"), 500, /=>|function|class|query/],
  [client("createClient"), 2935, /Retry-After|retry-after/i],
  [client("createClient, run"), 9706, /async function\*|fromCharCode|queryKey/],
  [client("createClient, run, each"), 10_580, /async function\*|fromCharCode|queryKey/],
  [client("createClient, merged"), 11_182, /async function\*|queryKey/],
  [client("createClient, pages"), 12_090, /queryKey/],
  [client("createClient, health"), 10_812, /async function\*|fromCharCode|queryKey/],
  [client(`${ALL_CALLS}, ${QUERIES}`), 14_634, /_nocase|_is_null/],
];

const rowsOf = (limits: readonly Limit[]) => limits.map((limit) => [limit[0], limit[1], limit] as const);

function expectLimit(code: string, [, bytes, absent, present]: Limit): void {
  if (absent) expect(code).not.toMatch(absent);
  if (present) expect(code).toMatch(present);
  expect(code.trim() === "" ? 0 : gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(bytes);
}

describe.each(BUNDLERS)("a bundle of %s", (_, bundle) => {
  it.each(rowsOf(OF_REPOSITORY))("of %s has at most %d bytes after gzip", async (entry, _, limit) => {
    expectLimit(await bundle(REPOSITORY, entry), limit);
  });

  it.each(rowsOf(OF_SHIPS))("of %s has at most %d bytes, without the routes", async (entry, _, limit) => {
    const project = await shipModules();
    // The routes are the project's own.
    project.write("routes.ts", "export const [routes]: never[] = [];\n");
    expectLimit(await bundle(project.root, entry), limit);
  });

  it.each(modules)("with one document of %s contains only that one, as text or node", async (path) => {
    const documents = await documentsOf(`${path}.strings.ts`);
    expect(documents).toHaveLength(12);
    for (const [name, text] of documents) {
      const code = await bundle(REPOSITORY, ask(name, `./${path}.strings.ts`));
      expect(operationsIn(code)).toEqual([name.replace(/Document$/, "")]);
      expect(Buffer.byteLength(code) - Buffer.byteLength(text as string)).toBeLessThanOrEqual(OVERHEAD);
      const node = await bundle(REPOSITORY, ask(name, `./${path}.ts`));
      expect(nodesIn(node)).toEqual([name.replace(/Document$/, "")]);
      expect(node).not.toContain("keyFields");
    }
  });

  it("would contain a second imported document", async () => {
    const two = (path: string) => bundle(REPOSITORY, from(path)("AssetsDocument, HealthDocument"));
    expect(operationsIn(await two("generated/flow/subgraph.strings"))).toEqual(["Assets", "Health"]);
    expect(nodesIn(await two("generated/flow/subgraph"))).toEqual(["Assets", "Health"]);
  });

  it("contains only the ids that are used", async () => {
    const definition = { key: "auctions", identity: { protocol: null, chain: null } };
    const ids = { Lot: "{chainId}-{serial}", Seller: "{chainId}-{address}" };
    const model = parseEntities(
      "type Lot @entity { id: ID! chainId: Int! serial: Int! } type Seller @entity { id: ID! chainId: Int! address: Bytes! }",
      "entities.graphql",
    );
    const text = renderIds({ ...definition, ids }, [model], IMPORTS)?.content ?? "";
    const project = tempProject({ "ids.ts": text });
    installClient(project.root);
    expectLimit(await bundle(project.root, from("ids")("lotId")), ["", ANY, /address/, /serial/]);
  });

  it("with a portable operation contains only its texts and the code that it needs", async () => {
    const ships = await shipModules();
    const library = tempProject({ "package.json": '{ "type": "module" }' });
    cpSync(join(REPOSITORY, "generated"), library.root, { recursive: true });
    installClient(library.root);
    const operations = [
      ...["ShipsByFlag", "AllShips"].map((name) => ({ project: ships, protocol: "auctions", name })),
      ...(await Promise.all(BUILT_IN_PROTOCOLS.map(portableNames))).flatMap((names, at) =>
        names.map((name) => ({ project: library, protocol: BUILT_IN_PROTOCOLS[at] ?? "", name })),
      ),
    ];
    expect(operations).toHaveLength(2 + 2 * 11);
    for (const { project, protocol, name } of operations) {
      const code = await bundle(project.root, ask(name, `./${protocol}/portable.ts`));
      const texts = await Promise.all(
        STYLE_NAMES.map(async (style) => {
          const module = await import(join(project.root, `${protocol}/${style}.strings.ts`));
          return String(module[`${name}Document`]);
        }),
      );
      expect(Buffer.byteLength(code) - Buffer.byteLength(texts.join("")), name).toBeLessThanOrEqual(
        PORTABLE_OVERHEAD,
      );
      if (protocol !== "auctions") continue;
      for (const text of texts) expect(code).toContain(text);
      expect(operationsIn(code)).toEqual([name, name]);
      expect(code).not.toMatch(/_nocase|_is_null|fetch|AbortController/);
    }
  });
});

it("a bundle with one node is as small as with the client preset, but for a constant per shared part", async () => {
  const project = tempProject(await presetFiles());
  const asked: string[] = [];
  const all = modules.map((path) => `${path}.all`);
  for (const path of modules) {
    const own = join(REPOSITORY, `${path}.ts`);
    const other = join(project.root, path, "graphql.ts");
    for (const [name] of await documentsOf(`${path}.ts`)) {
      project.write(`ours/${path}/${name}.ts`, ask(name, own));
      project.write(`peer/${path}/${name}.ts`, ask(name, other));
      asked.push(`${path}/${name}`);
    }
    project.write(`ours/${path}.all.ts`, askAll(own));
    project.write(`peer/${path}.all.ts`, askAll(other));
  }
  expect(asked).toHaveLength(48);
  const [ours, peer] = await Promise.all(
    ["ours", "peer"].map((folder) => bundleFiles(project, folder, [...asked, ...all])),
  );
  for (const [at, name] of [...asked, ...all].entries()) {
    const [own = "", other = ""] = [ours?.[at], peer?.[at]];
    const [bytes, most] = [own, other].map((code) => Buffer.byteLength(code)) as [number, number];
    if (all.includes(name)) {
      expect(bytes / most, name).toBeLessThan(ALL_DOCUMENTS);
      continue;
    }
    const operation = basename(name).replace(/Document$/, "");
    expect([nodesIn(own), nodesIn(other)]).toEqual([[operation], [operation]]);
    const references = own.split(/=\{kind:"(?:FragmentDefinition|VariableDefinition|Argument)"/).length - 1;
    expect(bytes, name).toBeLessThanOrEqual(most + references * REFERENCE);
  }
});

/** The names of the portable operations of a protocol of the library. */
async function portableNames(protocol: string): Promise<string[]> {
  const module: object = await import(join(REPOSITORY, `generated/${protocol}/portable.ts`));
  return Object.keys(module).filter((name) => !name.startsWith("decode"));
}

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
