import { build } from "esbuild";
import { expect, it } from "vitest";
import { REPOSITORY } from "../support/repository.ts";
import type * as Compile from "./portable/compile-text.ts";

it("a minified bundle compiles operations like the sources, although functions have other names", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: 'export * from "./test/operations/portable/compile-text.ts";',
      resolveDir: REPOSITORY,
    },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    // CommonJS packages require modules of Node.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("/");' },
  });
  const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`;
  const { compileText, contextOf } = (await import(/* @vite-ignore */ url)) as typeof Compile;
  const context = contextOf("type Lot @entity { id: ID! chainId: BigInt! }");
  const { operations, findings } = compileText(
    "query A($unused: Int) { lots { id ...F } } query B { lots { id } } fragment F on Lot { id } fragment G on Lot { id }",
    context,
  );
  expect(operations.map(({ name }) => name)).toEqual(["A", "B"]);
  expect(findings.map(({ code }) => code)).toEqual(["portable/unused-variable"]);
});
