import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as flow from "../../generated/flow/portable.ts";
import * as lockup from "../../generated/lockup/portable.ts";
import { createEngine } from "../../site/playground/engine.ts";
import { STAND_INS } from "../../site/stand-ins.ts";
import * as inPage from "../../src/base/sha256.page.ts";
import { sha256 } from "../../src/base/sha256.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { copyFromRepository, REPOSITORY } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { engineFiles, libraryTexts } from "./library-files.ts";

const PROTOCOLS = [
  ["lockup", lockup],
  ["flow", flow],
] as const;

/** The most bytes, compressed, of the modules that a page loads to compile an operation. */
const MOST_BYTES = 180_000;

describe("the engine in a page", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: { engine: join(REPOSITORY, "site/playground/engine.ts") },
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    format: "esm",
    platform: "browser",
    external: ["node:*"],
    outdir: "/",
    outExtension: { ".js": ".mjs" },
    absWorkingDir: "/",
    define: { Buffer: "NO_BUFFER", process: "NO_PROCESS", "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "stand-ins",
        setup: ({ onResolve }) => {
          onResolve({ filter: STAND_INS.find }, ({ path, resolveDir }) => ({
            path: join(resolveDir, path.replace(STAND_INS.find, STAND_INS.replacement)),
          }));
        },
      },
    ],
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path.slice(1), text]));

  it("loads no module of Node, and uses no Buffer and no process", () => {
    // Vite binds imports before it removes unused ones, so an unused import counts, too.
    const loads = Object.entries(metafile.inputs).flatMap(([path, { imports }]) =>
      imports.filter(({ external }) => external).map((one) => `${path} → ${one.path}`),
    );
    expect(loads).toEqual([]);
    expect([...texts.values()].join("").match(/NO_(?:BUFFER|PROCESS)/g)).toBeNull();
  });

  it("is small", () => {
    const loaded = new Set(["engine.mjs"]);
    for (const path of loaded) {
      for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? [])
        if (kind === "import-statement") loaded.add(imported);
    }
    const text = [...loaded].map((path) => texts.get(path)).join("");
    expect(gzipSync(text).length).toBeLessThan(MOST_BYTES);
  });

  it("compiles the library, minified, as generated, and both styles answer with the same rows", async () => {
    const { root, write } = tempProject();
    for (const [path, text] of texts) write(path, text);
    const url = pathToFileURL(join(root, "engine.mjs")).href;
    const page: typeof import("../../site/playground/engine.ts") = await import(/* @vite-ignore */ url);
    for (const [protocol, generated] of IS_THOROUGH ? PROTOCOLS : PROTOCOLS.slice(0, 1)) {
      const engine = page.createEngine(...engineFiles(protocol));
      for (const text of libraryTexts(protocol)) {
        const { operations, notes, types } = engine.compile(text);
        const [{ operation = "", multichain, subgraph } = {}] = operations;
        const want: unknown = Object.entries(generated).find(([name]) => name === operation)?.[1];
        expect(want, operation).toMatchObject({ multichain: multichain?.text, subgraph: subgraph?.text });
        expect([operations.length, notes]).toEqual([1, []]);
        expect(types).toContain(`export type ${operation}Query = {`);
        const variables = await engine.sample(text, "base");
        const answers = await engine.run(text, "base", variables);
        expect(answers.multichain).toHaveProperty("data");
        expect(answers.multichain).toEqual(answers.subgraph);
        expect(JSON.stringify(answers).length, operation).toBeGreaterThan(100);
      }
    }
  });
});

it("the hash of a page is that of Node", () => {
  for (const content of ["", "ä", ...fc.sample(fc.uint8Array({ maxLength: 300 }), 200)])
    expect(inPage.sha256(content)).toBe(sha256(content));
});

describe("findings", () => {
  const engine = createEngine(...engineFiles("lockup"));

  it.each<[given: string, text: string, codes: string[], pitfalls: string[]]>([
    ["nothing", "{ streams(first: 9) { id } }", ["operation/anonymous"], []],
    ["a misspelt field", "query A {\n  streams(first: 9) { id recipent }\n}", ["operation/invalid"], []],
    ["a syntax error", "query A { streams(first: 9) { id }", ["operation/syntax"], []],
    ["a note", "query A($a: Int) { streams(first: 9) { id } }", ["portable/unused-variable"], []],
    ["a mutation", "mutation A { streams { id } }", ["portable/operation"], []],
    [
      "two operations",
      "query A { a { id } }\nquery B { streams(first: 9) { id } }",
      ["operation/invalid"],
      [],
    ],
    ["a fragment of the library", "query A { streams(first: 9) { ...StreamFields } }", [], []],
    [
      "an own fragment of that name",
      "query A { streams(first: 9) { ...StreamFields } } fragment StreamFields on Stream { x }",
      ["operation/invalid"],
      [],
    ],
    ["a pitfall", "query A { streams { id } }", [], ["operation/no-page-size"]],
  ])("of %s are those of compile, and the pitfalls", async (_, text, codes, pitfalls) => {
    const path = "operations/lockup/portable/own.graphql";
    const { root } = tempProject({ [path]: text });
    copyFromRepository(root, "operations/lockup/portable/fragments", "generated/schemas/lockup");
    const { out } = await run(root, ["compile", path, "--json"]);
    const printed = [JSON.parse(out)].flat() as typeof compiled.operations;
    const compiled = engine.compile(text);
    const own = ({
      code,
      message,
      line,
      column,
      hint,
    }: (typeof compiled.notes)[number] | (typeof printed)[number]["notes"][number]) => ({
      code,
      message,
      line,
      column,
      hint,
    });
    const notes = printed.flatMap((one) => [...one.refusals, ...one.notes]).map(own);
    expect(notes.map(({ code }) => code)).toEqual(codes);
    expect(compiled.notes.filter(({ code }) => !pitfalls.includes(code)).map(own)).toEqual(notes);
    expect(compiled.notes.map(({ code }) => code)).toEqual([...codes, ...pitfalls]);
  });
});
