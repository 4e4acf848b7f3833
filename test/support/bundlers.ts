import { join } from "node:path";
import { build } from "esbuild";
import { IS_THOROUGH } from "./is-thorough.ts";

/** Bundles a module that stands in a folder, though no file has it: minified, as an ES module. */
type Bundle = (folder: string, entry: string) => Promise<string>;

/** The bundlers that bundles are measured with: one by default, and all in a thorough run. */
export const BUNDLERS: readonly (readonly [name: string, bundle: Bundle])[] = [
  ["esbuild", bundleWithEsbuild],
  ...(IS_THOROUGH ? [["rolldown", bundleWithRolldown] as const] : []),
];

async function bundleWithEsbuild(folder: string, entry: string): Promise<string> {
  const result = await build({
    stdin: { contents: entry, resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}

async function bundleWithRolldown(folder: string, entry: string): Promise<string> {
  const { rolldown } = await import("rolldown");
  const id = join(folder, "entry.ts");
  const bundle = await rolldown({
    input: id,
    resolve: { extensionAlias: { ".js": [".js", ".ts"] } },
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
