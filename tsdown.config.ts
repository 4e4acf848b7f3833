import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig } from "tsdown";
import { bundlePage } from "./src/report/forms/page-assets.ts";

/**
 * What nearly every command loads is one file, because each costs a millisecond to find. The check for an old Node stays
 * alone. Declarations are excluded, because otherwise none would be written.
 */
const COMMON = /\/src\/(?!.*\.d\.ts)(fleet\/load-emulator\.ts|(base|project)\/(?!old-node|git|write-files))/;

/** Parsing a command line. */
const COMMAND_LINE =
  /\/src\/(cli\/(run-command-line|commands|option|options|task-options)|report\/terminal)\.ts$/;

/** Snapshots and findings about files, which commands read and report without comparing schemas. */
const FILES = /\/src\/(report\/(finding|codes\/files)|workspace\/(workspace|fleet-record|snapshot))\.ts$/;

/** The requests of introspection. */
const ASKING = /\/src\/(tasks\/introspect|fleet\/open-targets)\.ts$/;

/** What `generate` and `check` begin with, which is all they need where nothing has changed. */
const CURRENT =
  /\/src\/(tasks\/(check|generate)|compare\/baseline|generate\/write-generation|workspace\/(cache|generation-inputs|module-type|operation-files))\.ts$/;

/** What `check` needs of schemas. */
const STYLES = /\/src\/dialects\/(index|canonicalize)\.ts$/;

/** The run time of applications, which `ask` uses. */
const CLIENT = /\/packages\/client\/src\/(?!.*\.d\.ts)(client|manifest)\//;

/** From source the page of a report is bundled when one is rendered; the built package has it as text. */
const withPage = {
  name: "with-page",
  load: (id: string) =>
    /\/src\/report\/forms\/page-assets\.ts$/.test(id)
      ? `export const pageAssets = () => (${JSON.stringify(bundlePage())});`
      : null,
};

/** The agent for proxies prints the URL of the proxy, with its password, if the variable DEBUG is set. */
const withoutDebug = {
  name: "without-debug",
  load: (id: string) =>
    /\/node_modules\/debug\/src\/index\.js$/.test(id) ? "export default () => () => {};" : null,
};

/** Writes the licences of what is bundled, which have to go with it. */
const withLicenses = {
  name: "with-licenses",
  generateBundle(
    this: { emitFile: (file: { type: "asset"; fileName: string; source: string }) => void },
    _options: unknown,
    bundle: Readonly<Record<string, { readonly moduleIds?: readonly string[] }>>,
  ) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
    const texts = [...new Set(folders)].map(readLicense).sort();
    if (texts.length === 0) return;
    this.emitFile({ type: "asset", fileName: "THIRD-PARTY-LICENSES.txt", source: texts.join("\n\n") });
  },
};

function readLicense(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  if (file === undefined) throw new Error(`${name} is bundled, and has no licence file.`);
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

/** Declarations take most of a build, which rolldown would report as a warning. */
const QUIET = { bundlerTimings: false };

const TOOLKIT = defineConfig({
  entry: {
    cli: "src/cli/main.ts",
    index: "src/index.ts",
    codegen: "src/codegen.ts",
    emulator: "emulator/index.ts",
  },
  format: "esm",
  inputOptions: {
    checks: QUIET,
    resolve: {
      // Their ES modules, so that a command loads what it uses of them; CommonJS is one piece.
      alias: {
        graphql$: resolve("node_modules/graphql/index.mjs"),
      },
    },
  },
  plugins: [withPage, withoutDebug, withLicenses],
  platform: "node",
  target: "node20.19",
  fixedExtension: false,
  dts: { entry: ["src/index.ts", "src/codegen.ts", "emulator/index.ts"] },
  // The package brings what it is made of: a thousand small modules take longer to find than to run, and neither
  // what it generates nor whether it works must depend on which graphql a project has.
  deps: { alwaysBundle: [/^(?!ts-morph$|jiti$|@graphql-codegen\/cli$|node:)/], onlyBundle: false },
  // The emulator can be disposed of, which compilers know by themselves from `esnext` on only.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
  outputOptions: {
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: {
      groups: [
        { name: "common", test: COMMON },
        { name: "command-line", test: COMMAND_LINE },
        { name: "files", test: FILES },
        { name: "styles", test: STYLES },
        { name: "asking", test: ASKING },
        { name: "current", test: CURRENT },
        { name: "client", test: CLIENT },
      ],
    },
  },
  // What a build was made of, so that what one build cached is not taken for another's.
  define: { __LOCKFLOW_BUILD__: JSON.stringify(sourceHash()) },
});

/** The package beside it: one file, and what it needs to run is installed with it. */
const GRAPH_NODE = defineConfig({
  entry: { index: "packages/graph-node/src/index.ts" },
  outDir: "packages/graph-node/dist",
  tsconfig: "packages/graph-node/tsconfig.json",
  inputOptions: { checks: QUIET },
  format: "esm",
  platform: "node",
  target: "node20.19",
  fixedExtension: false,
  dts: true,
});

export default [TOOLKIT, GRAPH_NODE];

function sourceHash(): string {
  const digest = createHash("sha256").update(readFileSync("package-lock.json"));
  for (const tree of ["src", "packages/client/src", "emulator"]) {
    for (const path of (readdirSync(tree, { recursive: true }) as string[]).sort()) {
      if (path.endsWith(".ts")) digest.update(`${path}\0`).update(readFileSync(join(tree, path)));
    }
  }
  return digest.digest("hex").slice(0, 16);
}
