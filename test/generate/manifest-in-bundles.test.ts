import { basename, join } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { build as buildWithVite } from "vite";
import { expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { manifestFiles, manifestPlugin } from "../support/load-manifest.ts";
import { REPOSITORY } from "../support/repository.ts";

const PUBLIC: Config = {
  multichain: {
    url: "https://{host}/{id}",
    host: { env: "NEXT_PUBLIC_HOST" },
    ids: { lockup: "a", flow: "b" },
  },
  subgraph: {
    production: { url: "https://gateway.example/{deployment}", apiKey: { env: "SERVER_KEY" } },
    testing: { url: { env: "NEXT_PUBLIC_TESTING" } },
  },
};
const VALUES = {
  NEXT_PUBLIC_TESTING: "https://testing.example/{deployment}",
  NEXT_PUBLIC_HOST: "multi.example",
};
const QUESTIONS = {
  testing: { protocol: "lockup", style: "subgraph", chain: "base", environment: "testing" },
  multichain: { protocol: "flow", style: "multichain" },
};

type Defines = Readonly<Record<string, string>>;
type Bundle = (config: Config, define: Defines) => Promise<string>;

const bundlers: [name: string, bundle: Bundle][] = [
  ["esbuild", bundleWithEsbuild],
  ["vite", bundleWithVite],
];

it.each(bundlers)(
  "%s replaces variables by values, so that a browser needs no environment",
  async (_, bundle) => {
    const define = Object.fromEntries(
      Object.entries(VALUES).map(([name, value]) => [`process.env.${name}`, JSON.stringify(value)]),
    );
    const code = await bundle(PUBLIC, define);
    expect(ask(code, QUESTIONS.testing)).toBe("https://testing.example/protocol-lockup-base");
    expect(ask(code, QUESTIONS.multichain)).toBe("https://multi.example/b");
    // A key is not bundled: only the name of its variable is.
    expect(code).toContain('"SERVER_KEY"');
    expect(code).not.toMatch(/env\.SERVER_KEY/);
  },
);

it("variables that a bundler did not replace are read on each call, if there is an environment", async () => {
  const code = await bundleWithEsbuild(PUBLIC, {});
  expect(ask(code, QUESTIONS.testing, { process: { env: VALUES } })).toBe(
    "https://testing.example/protocol-lockup-base",
  );
  for (const nothing of [{}, { process: undefined }, { process: {} }, { process: { env: {} } }]) {
    expect(() => ask(code, QUESTIONS.testing, nothing)).toThrow(
      'Set NEXT_PUBLIC_TESTING, pass it to endpoint(), or run "lockflow emulate".',
    );
    expect(ask(code, QUESTIONS.testing, { ...nothing, given: VALUES })).toContain("testing.example");
  }
  // Given variables replace those of the process.
  expect(() => ask(code, QUESTIONS.testing, { process: { env: VALUES }, given: {} })).toThrow(
    "Set NEXT_PUBLIC",
  );
});

it("a literal configuration gives a manifest that reads no variables", () => {
  const files = manifestFiles({
    brand: "acme",
    multichain: { url: "https://a.example/{id}", ids: { lockup: "a", flow: "b" } },
    subgraph: {
      production: { url: "https://b.example/{deployment}" },
      testing: { url: "https://c.example/{deployment}" },
    },
  });
  expect(Object.values(files).join()).not.toMatch(/process\.env\.[A-Z]|@ts-ignore/);
});

function ask(code: string, request: object, globals: Readonly<Record<string, unknown>> = {}): string {
  const program = `${code}\nmanifest.endpoint(${JSON.stringify(request)}, globalThis.given).url`;
  return runInNewContext(program, { URL, ...globals });
}

async function bundleWithEsbuild(config: Config, define: Defines): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "./manifest.ts";', loader: "ts", resolveDir: REPOSITORY },
    plugins: [manifestPlugin(config)],
    bundle: true,
    format: "iife",
    globalName: "manifest",
    define: { ...define },
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

async function bundleWithVite(config: Config, define: Defines): Promise<string> {
  const files = new Map(
    Object.entries(manifestFiles(config)).map(([path, text]) => [join(REPOSITORY, "virtual", path), text]),
  );
  const output = await buildWithVite({
    configFile: false,
    logLevel: "silent",
    define: { ...define },
    build: {
      write: false,
      minify: false,
      lib: {
        entry: join(REPOSITORY, "virtual/manifest.ts"),
        formats: ["iife"],
        name: "manifest",
        fileName: "manifest",
      },
    },
    plugins: [
      {
        name: "text",
        resolveId: (id) => {
          const path = join(REPOSITORY, "virtual", basename(id).replace(/\.js$/, ".ts"));
          return files.has(path) && !id.includes("packages/client") && !id.startsWith("lockflow-")
            ? path
            : null;
        },
        load: (id) => (files.has(id) ? { code: files.get(id) ?? "", moduleType: "ts" } : null),
      },
    ],
  });
  const [built] = [output].flat();
  return built !== undefined && "output" in built ? built.output[0].code : "";
}
