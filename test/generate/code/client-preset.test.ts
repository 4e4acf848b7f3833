import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { codegenOptions, codegenTargets } from "../../../src/codegen.ts";
import { generatedProject } from "../../support/generated-project.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { run } from "../../support/run.ts";

// The configuration of docs/operations.md, for two surfaces of the small indexer. Thorough mode only, because loading
// the stock command is slow.
it.runIf(IS_THOROUGH)(
  "the stock client preset generates types for the same operations that Lockflow checks",
  async () => {
    const project = generatedProject({
      "subgraph/recent.graphql": "query Recent { streams(first: 3) { id } }",
      "multichain/fragments.graphql": "fragment Fields on Stream { id alias }",
    });
    const files = {
      "lockflow.config.json": JSON.stringify({
        protocols: ["lockup"],
        documents: [
          { files: "src/{vesting,gql}/**/*.{ts,tsx}", style: "subgraph" },
          { files: "src/payments/**/*.ts", style: "multichain" },
        ],
      }),
      "src/vesting/parts.ts":
        'import { graphql } from "../gql/subgraph";\nexport const PARTS = graphql(`fragment Parts on Stream { sender }`);',
      "src/vesting/page.tsx":
        'import { graphql } from "../gql/subgraph";\nexport const Page = () => <div title={graphql(`query Page { streams(first: 3) { ...Parts } }`)} />;',
      "src/payments/list.ts":
        'import { graphql } from "../gql/multichain";\nexport const LIST = graphql(/* GraphQL */ `\n  query List($first: Int!) {\n    Stream(limit: $first) { ...Fields }\n  }\n`);',
    };
    for (const [path, text] of Object.entries(files)) project.write(path, text);
    // The command resolves the preset from here.
    symlinkSync(join(REPOSITORY, "node_modules"), join(project.root, "node_modules"));
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(project.root);
    onTestFinished(() => cwd.mockRestore());
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const generated = project.files("generated");

    const { generate } = await import("@graphql-codegen/cli");
    const made = await generate(
      {
        generates: {
          ...codegenTargets({ styles: ["subgraph"] }),
          "src/gql/subgraph/": {
            schema: "generated/schemas/lockup/subgraph.graphql",
            documents: "src/vesting/**/*.{ts,tsx}",
            preset: "client",
            config: codegenOptions("subgraph"),
          },
          "src/gql/multichain/": {
            schema: "generated/schemas/lockup/multichain.graphql",
            documents: ["src/payments/**/*.ts", "operations/lockup/multichain/fragments.graphql"],
            preset: "client",
            config: codegenOptions("multichain"),
          },
        },
        cwd: project.root,
        silent: true,
      },
      false,
    );
    for (const { filename, content } of made)
      project.write(filename.replace(`${project.root}/`, ""), content);

    expect(project.files("generated")).toEqual(generated);
    const operationsOf = (style: string) =>
      [...project.read(`src/gql/${style}/graphql.ts`).matchAll(/^export const (\w+)Document\b/gm)].map(
        ([, name]) => name,
      );
    const { operations } = JSON.parse(project.read("generated/schemas/operations.json")) as {
      operations: { style: string; operation: string; file: string }[];
    };
    const inCode = (style: string) =>
      operations.flatMap((row) =>
        row.style === style && row.file.startsWith("../src/") ? [row.operation] : [],
      );
    expect(operationsOf("subgraph")).toEqual(["Page"]);
    expect(operationsOf("multichain")).toEqual(["List"]);
    expect([inCode("subgraph"), inCode("multichain")]).toEqual([["Page"], ["List"]]);
    // The files of the preset use the same function, but are not read as documents.
    expect(await run(project.root, ["check"])).toMatchObject({ code: 0 });
  },
);
