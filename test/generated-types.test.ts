import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
} from "graphql";
import { describe, expect, it } from "vitest";
import { STYLE_NAMES } from "../src/dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../src/project/protocols.ts";
import { installClient } from "./support/built-client.ts";
import { clientProject, copySources } from "./support/client-project.ts";
import { generatedProject } from "./support/generated-project.ts";
import { COMPILERS, IS_THOROUGH } from "./support/is-thorough.ts";
import { REPOSITORY, readGenerated } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";
import { typeErrors } from "./support/type-errors.ts";

/** The strictest options of a project: every optional check is enabled. */
const STRICT = {
  target: "es2022",
  lib: ["es2022"],
  module: "nodenext",
  types: [],
  noEmit: true,
  strict: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  exactOptionalPropertyTypes: true,
  erasableSyntaxOnly: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  skipLibCheck: false,
};

describe("the generated modules", () => {
  it.runIf(IS_THOROUGH)(
    "compile with strict options under every tested TypeScript, which would report broken promises",
    async () => {
      const project = await strictProject({
        "broken.ts": [
          'import { RecentStreamsDocument } from "./generated/lockup/subgraph.strings.js";',
          "export const size: number = RecentStreamsDocument;",
          "// @ts-expect-error nothing is wrong here",
          'export const name: string = "";',
        ].join("\n"),
      });
      await Promise.all(
        COMPILERS.map(async (compiler) => {
          const errors = await typeErrors(project.root, { compiler });
          expect(errors.match(/^\S.*?error TS\d+/gm), `${compiler} ${errors}`).toEqual([
            "broken.ts(2,14): error TS2322",
            "broken.ts(3,1): error TS2578",
          ]);
        }),
      );
    },
  );
});

/** Globals as declared by the types of a platform. */
const PLATFORMS: Readonly<Record<string, string>> = {
  Bun: `
    declare interface AbortSignal { readonly aborted: boolean; readonly reason: any; throwIfAborted(): void;
      addEventListener(type: string, listener: (event: any) => void): void;
      removeEventListener(type: string, listener: (event: any) => void): void; }
    declare var AbortSignal: { prototype: AbortSignal; any(signals: AbortSignal[]): AbortSignal };
    declare class Response { status: number; headers: { get(name: string): string | null }; text(): Promise<string>; }
    declare function fetch(url: string, init?: { method?: string; headers?: Record<string, string>; body?: string;
      redirect?: "error" | "manual" | "follow"; signal?: AbortSignal | null }): Promise<Response>;
    declare namespace fetch { function preconnect(url: string): void; }`,
  "Cloudflare's workers": `
    declare abstract class AbortSignal { get aborted(): boolean; get reason(): any; throwIfAborted(): void;
      set onabort(value: unknown); dispatchEvent(event: object): boolean;
      addEventListener(type: string, listener: (event: any) => void): void;
      removeEventListener(type: string, listener: (event: any) => void): void; }
    declare class Response { readonly status: number; headers: { get(name: string): string | null };
      text(): Promise<string>; }
    declare function fetch(url: string, init?: { method?: string; headers?: Record<string, string>; body?: string;
      redirect?: string; signal?: AbortSignal | null }): Promise<Response>;`,
};

it.runIf(IS_THOROUGH).each(Object.entries(PLATFORMS))(
  "the generated modules compile with the types of %s",
  async (_, types) => {
    const project = await strictProject({
      "globals.d.ts": types,
      "use.ts": [
        'import { createClient } from "./generated/client.js";',
        "export const client = createClient({ fetch });",
        "export const own = createClient({ fetch: (url, init) => fetch(url, init) });",
      ].join("\n"),
    });
    expect(await typeErrors(project.root)).toBe("");
  },
);

describe("other GraphQL clients", () => {
  // `npm run check:packages` also tests them with graphql 17, which some supported Node versions cannot run.
  it.runIf(IS_THOROUGH)("infer the types of generated documents", async () => {
    const project = clientProject(join(REPOSITORY, "node_modules/graphql"));
    expect(await typeErrors(project.root)).toBe("");
  });
});

describe("the generated modules of operations", () => {
  it("have at most 300 KB in total", () => {
    const modules = Object.entries(readGenerated()).filter(([path]) => path.endsWith(".ts"));
    expect(modules.length).toBeGreaterThan(10);
    const sizes = modules.map(([, text]) => Buffer.byteLength(text));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(300 * 1024);
  });

  it.each(STYLE_NAMES)("import only each other: %s", (style) => {
    for (const [end, imported] of [
      [".ts", `${style}.documents.js`],
      [".documents.ts", `${style}.js`],
      [".strings.ts", `${style}.js`],
    ] as const) {
      for (const protocol of BUILT_IN_PROTOCOLS) {
        const path = `${protocol}/${style}${end}`;
        const text = readFileSync(join(REPOSITORY, "generated", path), "utf8");
        const imports = [...text.matchAll(/^(?:import|export \*|\} from) .*?"(.*)"/gm)];
        expect(text, path).not.toMatch(/\b(?:import|require)\(/);
        expect([path, ...imports.map(([, from]) => from)]).toEqual([path, `./${imported}`]);
      }
    }
  });
});

describe.each(BUILT_IN_PROTOCOLS)("the documents of %s", (protocol) => {
  it.each(["multichain", "subgraph"])("are equal as nodes and as strings for %s", async (style) => {
    const { nodes, strings } = await surfaces(protocol, style);
    expect(Object.keys(strings)).toHaveLength(12);
    expect(Object.keys(nodes).sort()).toEqual(Object.keys(strings));
    for (const [name, text] of Object.entries(strings)) {
      expect(sorted(nodes[name] as DocumentNode)).toEqual(sorted(parse(text)));
    }
  });

  it("return the same keys in both styles", async () => {
    const styles = await Promise.all(STYLE_NAMES.map((style) => surfaces(protocol, style)));
    const [multichain = {}, subgraph = {}] = styles.map(({ strings }) => strings);
    expect(Object.keys(multichain).sort()).toEqual(Object.keys(subgraph).sort());
    for (const name of Object.keys(subgraph)) {
      // The progress has a different shape on each platform.
      if (name === "HealthDocument") continue;
      const [one, other] = [multichain, subgraph].map((strings) => responseShape(parse(strings[name] ?? "")));
      expect(one, name).toEqual(other);
      // References and fragments are part of it.
      expect(JSON.stringify(one)).toContain('":{"');
    }
  });
});

/** The repository's generated modules with their consumer, and those of a small project with unusual names. */
async function strictProject(files: Readonly<Record<string, string>>): Promise<TempProject> {
  const project = tempProject({
    ...files,
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({ compilerOptions: STRICT, include: ["**/*.ts"] }),
  });
  for (const path of ["generated", "test/fixtures/generated-types"]) {
    copySources(path, project);
  }
  const small = await smallProject();
  cpSync(join(small.root, "generated"), join(project.root, "small/generated"), { recursive: true });
  // Nothing else is installed, which proves that nothing else is needed.
  for (const name of ["graphql", "@graphql-typed-document-node/core"]) {
    mkdirSync(join(project.root, "node_modules", name, ".."), { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules", name), join(project.root, "node_modules", name));
  }
  installClient(project.root);
  return project;
}

async function smallProject(): Promise<TempProject> {
  const entities = `
    """Ends a comment: */ and a \`template\` \${literal}."""
    enum Kind { a_b aB AB }
    type Watcher @entity { id: String! chainId: BigInt! }
    type Stream @entity { id: String! kind: Kind! valueOf: Boolean constructor: BigInt sender: Bytes! }
  `;
  const query = (root: string) =>
    `query Class($first: Int = 1) { streams: ${root} { id kind valueOf constructor sender } }`;
  const operations = {
    "subgraph/a.graphql": query("streams(first: $first)"),
    "multichain/a.graphql": query("Stream(limit: $first)"),
  };
  const project = generatedProject(operations, entities);
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  return project;
}

/** The documents of a style as nodes and as strings, by name. */
async function surfaces(protocol: string, style: string) {
  const documentsOf = async (path: string) =>
    Object.entries(await import(path)).filter(([name]) => name.endsWith("Document"));
  const nodes = await documentsOf(`../generated/${protocol}/${style}.ts`);
  const strings = await documentsOf(`../generated/${protocol}/${style}.strings.ts`);
  return {
    nodes: Object.fromEntries(nodes) as Record<string, DocumentNode>,
    strings: Object.fromEntries(strings) as Record<string, string>,
  };
}

/** The definitions of a document as text, sorted because their order does not matter. */
function sorted(document: DocumentNode): string[] {
  return document.definitions.map((definition) => print(definition)).sort();
}

type Shape = { [key: string]: Shape | null };

/** The keys of the response to the one operation of a document; null for a field without fields of its own. */
function responseShape(document: DocumentNode): Shape {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node.selectionSet]),
  );
  const collect = ({ selections }: SelectionSetNode, shape: Shape): Shape => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        shape[key] = selection.selectionSet ? collect(selection.selectionSet, shape[key] ?? {}) : null;
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, shape);
      else collect(fragments.get(selection.name.value) as SelectionSetNode, shape);
    }
    return shape;
  };
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  return collect((operation as OperationDefinitionNode).selectionSet, {});
}
