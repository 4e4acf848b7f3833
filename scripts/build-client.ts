// `npm run build`: builds the package `lockflow-client` into `packages/client/dist/`, or into the given folder.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsdown";

const SOURCE = "packages/client";
const folder = process.argv[2] ?? join(SOURCE, "dist");

const {
  private: _,
  exports: sources,
  ...about
}: { readonly private: boolean; readonly exports: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(SOURCE, "package.json"), "utf8"),
);
/** The entries by their names: `./src/index.ts` is `index`. */
const entries = Object.entries(sources).flatMap(([path, source]) => {
  const [, name] = /^\.\/src\/(.*)\.ts$/.exec(source) ?? [];
  return name === undefined ? [] : [{ path, name, source: join(SOURCE, source) }];
});

await build({
  config: false,
  entry: Object.fromEntries(entries.map(({ name, source }) => [name, source])),
  outDir: folder,
  // Jest and older bundlers load CommonJS.
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: false,
  dts: { oxc: true },
  tsconfig: join(SOURCE, "tsconfig.json"),
  logLevel: "error",
});

const published = {
  ...about,
  main: "./index.cjs",
  types: "./index.d.ts",
  exports: Object.fromEntries([
    ...entries.map(({ path, name }) => [
      path,
      {
        import: { types: `./${name}.d.ts`, default: `./${name}.js` },
        require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
      },
    ]),
    ["./package.json", "./package.json"],
  ]),
};
writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
cpSync(join(SOURCE, "README.md"), join(folder, "README.md"));
cpSync("LICENSE", join(folder, "LICENSE"));
