import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { expect, it } from "vitest";
import { emitJavaScript } from "../../src/generate/format-files.ts";
import { installClient } from "../support/built-client.ts";
import { COMPILERS } from "../support/is-thorough.ts";
import { inFolder, readGenerated } from "../support/repository.ts";
import { runs } from "../support/runs.ts";
import { tempProject } from "../support/temp-project.ts";
import { typeErrors } from "../support/type-errors.ts";

const modules = Object.entries(readGenerated()).filter(([path]) => path.endsWith(".ts"));
const emitted = Object.fromEntries(
  modules.flatMap(([path, text]) =>
    emitJavaScript(path.replace(/\.ts$/, ""), text).map((file) => [file.path, file.content]),
  ),
);

const CHECKED = {
  target: "es2022",
  lib: ["es2022", "dom"],
  module: "nodenext",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
};

it("emitted JavaScript bundles to the same bytes as the TypeScript, also if tree-shaken", async () => {
  const project = tempProject({
    "package.json": '{ "type": "module" }',
    ...inFolder("ts", Object.fromEntries(modules)),
    ...inFolder("js", emitted),
  });
  installClient(project.root);
  const bundle = async (format: "ts" | "js", code: (module: string) => string) => {
    const entryPoints = modules.map(([path]) => {
      const name = path.replace(/\.ts$/, "");
      project.write(`${format}-entries/${name}.js`, code(join(project.root, format, `${name}.${format}`)));
      return join(project.root, `${format}-entries/${name}.js`);
    });
    const { outputFiles } = await build({
      entryPoints,
      outdir: join(project.root, "out"),
      bundle: true,
      // Names are not minified: they depend on letter counts, which differ with the whitespace.
      minifySyntax: true,
      minifyWhitespace: true,
      format: "esm",
      target: "es2022",
      write: false,
      logLevel: "silent",
    });
    return outputFiles.map(({ text }) => text);
  };
  const all = (module: string) => `export * from ${JSON.stringify(module)};`;
  const none = (module: string) => `import ${JSON.stringify(module)};`;
  const [ours, theirs] = await Promise.all([bundle("js", all), bundle("ts", all)]);
  // Compares names first, because a diff of whole bundles is unreadable.
  expect(modules.filter((_, index) => ours[index] !== theirs[index]).map(([path]) => path)).toEqual([]);
  expect(ours.every((text) => text.length > 1000)).toBe(true);
  expect(await bundle("js", none)).toEqual(modules.map(() => ""));
});

it("emitted declarations equal those of a compiler with type information", async () => {
  const project = tempProject({
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        ...CHECKED,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: "out",
        rootDir: "ts",
      },
      include: ["ts"],
    }),
    ...inFolder("ts", Object.fromEntries(modules)),
  });
  installClient(project.root);
  expect(await typeErrors(project.root)).toBe("");
  // That compiler drops the first comments.
  const without = (text = "") => text.replace(/^(?:\/[/*].*\n)+/, "");
  const different = modules.filter(([path]) => {
    const name = path.replace(/\.ts$/, ".d.ts");
    return without(project.read(`out/${name}`)) !== without(emitted[name]);
  });
  expect(different.map(([path]) => path)).toEqual([]);
});

it("emitted types apply in type-checked JavaScript", async () => {
  const project = tempProject({
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: { ...CHECKED, noEmit: true, allowJs: true, checkJs: true },
      include: ["*.js", "js"],
    }),
    ...inFolder("js", emitted),
    "program.js": `import { endpoint } from "./js/manifest.js";
import { StreamByIdDocument } from "./js/lockup/subgraph.strings.js";

/** @type {import("./js/lockup/subgraph.js").StreamByIdQueryVariables} */
export const variables = { id: "1" };
/** @type {string} */
export const text = StreamByIdDocument;
export const { url } = endpoint({ protocol: "lockup", style: "subgraph", chain: "base" });
// @ts-expect-error there is no such chain
endpoint({ protocol: "lockup", style: "subgraph", chain: "bose" });
// @ts-expect-error a number is not an id
variables.id = 1;
`,
  });
  installClient(project.root);
  for (const compiler of COMPILERS) {
    expect(await typeErrors(project.root, { compiler }), compiler).toBe("");
  }
}, 120_000);

it("emitted declarations keep comments, and both files keep the header", () => {
  for (const [path, text] of modules) {
    const name = path.replace(/\.ts$/, "");
    const header = text.split("\n").slice(0, 3);
    expect(emitted[`${name}.js`]?.split("\n").slice(0, 5)).toEqual([
      ...header,
      `// @ts-self-types="./${name.split("/").at(-1)}.d.ts"`,
      "// @ts-nocheck",
    ]);
    expect(emitted[`${name}.d.ts`]?.split("\n").slice(0, 3)).toEqual(header);
    const exported = [...text.matchAll(/(\/\*\* .* \*\/)\nexport /g)].map(([, comment]) => comment);
    expect(exported.length).toBeGreaterThan(0);
    for (const comment of exported) expect(emitted[`${name}.d.ts`]).toContain(comment);
  }
});

it("emitted JavaScript keeps every string unchanged", async () => {
  const given = [...HOSTILE, ...fc.sample(fc.string({ unit: "binary" }), runs(50, 2000))];
  const literals = given.map((text) => JSON.stringify(text).replace(/[\u2028\u2029]/g, escaped)).join(", ");
  const templates = given.map((text) => `\`${JSON.stringify(text).slice(1, -1).replace(/[`$]/g, "\\$&")}\``);
  const [module] = emitJavaScript(
    "texts",
    `// header\nexport const texts = [${literals}] as const;\nexport const templates: string[] = [${templates}];\n`,
  );
  const { texts, templates: printed } = await import(
    `data:text/javascript,${encodeURIComponent(module?.content ?? "")}`
  );
  expect(texts).toEqual(given);
  expect(printed).toEqual(given);
});

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16)}`;

/** Text that closes a line, a comment, a string or a script, is invisible, or changes the writing direction. */
const HOSTILE = [
  "*/ x /*",
  "</script>",
  "\u2028\u2029",
  "\u202e",
  "\ufeff",
  "\0",
  "\ud800",
  "${1}`",
  "\\",
  "😀",
  "\r\n",
  '"',
];

it("error: emitJavaScript rejects a module whose exports have no type annotations", () => {
  expect(() => emitJavaScript("a", "// header\nexport const a = [1].map(String);\n")).toThrow(
    /^a\.ts cannot be compiled to JavaScript: /,
  );
});
