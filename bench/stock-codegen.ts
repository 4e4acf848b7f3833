import type { CodegenConfig } from "@graphql-codegen/cli";

// The stock generator's own way to what `lockflow generate` writes: one file of typed documents and one of string
// documents for each protocol and style, of documents that `write-documents.mjs` has written.
const OUTPUT = process.env["BENCH_OUTPUT"] ?? "bench/out";

const scalars = {
  ID: "string",
  BigInt: "string",
  Bytes: { input: "string", output: "`0x${string}`" },
  numeric: "string",
  timestamptz: "string",
  actioncategory: "string",
  streamcategory: "string",
};

const config: CodegenConfig = {
  generates: Object.fromEntries(
    ["lockup", "flow"].flatMap((protocol) =>
      ["multichain", "subgraph"].flatMap((style) =>
        (["documentNode", "string"] as const).map((documentMode) => [
          `${OUTPUT}/${protocol}/${style}.${documentMode}.ts`,
          {
            schema: `generated/schemas/${protocol}/${style}.graphql`,
            documents: `bench/documents/${protocol}/${style}.graphql`,
            plugins: ["typescript-operations", "typed-document-node"],
            config: { scalars, namingConvention: "keep", useTypeImports: true, documentMode },
          },
        ]),
      ),
    ),
  ),
};

export default config;
