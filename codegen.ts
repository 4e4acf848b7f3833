import type { CodegenConfig } from "@graphql-codegen/cli";
import { codegenOptions, codegenTargets } from "./src/codegen.ts";

// For people who run GraphQL Code Generator's own command: the documents it writes are those of
// `lockflow generate`. The last target is the client preset, for operations inside TypeScript files.
const config: CodegenConfig = {
  generates: {
    ...codegenTargets(),
    "examples/inline/gql/": {
      schema: "generated/schemas/lockup/subgraph.graphql",
      documents: "examples/inline/*.ts",
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: codegenOptions("subgraph"),
    },
  },
};

export default config;
