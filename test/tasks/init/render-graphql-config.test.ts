import { expect, it } from "vitest";
import { resolveProject } from "../../../src/project/project.ts";
import { renderGraphqlConfig } from "../../../src/tasks/init/render-files.ts";

const settings = {
  surfaces: resolveProject({}, "/").surfaces,
  operations: "queries",
  output: "src/generated",
};

const projects = {
  "lockup-multichain": {
    schema: "src/generated/schemas/lockup/multichain.graphql",
    documents: "queries/lockup/multichain/**/*.graphql",
  },
  "lockup-subgraph": {
    schema: "src/generated/schemas/lockup/subgraph.graphql",
    documents: "queries/lockup/{portable,subgraph}/**/*.graphql",
  },
  "flow-multichain": {
    schema: "src/generated/schemas/flow/multichain.graphql",
    documents: "queries/flow/multichain/**/*.graphql",
  },
  "flow-subgraph": {
    schema: "src/generated/schemas/flow/subgraph.graphql",
    documents: "queries/flow/{portable,subgraph}/**/*.graphql",
  },
};

it("the configuration for editors has a project per protocol and style, in TypeScript", async () => {
  const text = renderGraphqlConfig(settings, true);
  expect(text).toMatch(/^ {6}schema: "src[^"]+",\n {6}documents: "[^"]+",\n {4}\},\n {2}\},\n\};\n$/m);
  const url = `data:text/javascript,${encodeURIComponent(text)}`;
  const { default: value } = (await import(/* @vite-ignore */ url)) as { default: unknown };
  expect(value).toEqual({ projects });
});

it("the configuration for editors is JSON without a compiler, because a plugin loads it itself", () => {
  expect(JSON.parse(renderGraphqlConfig(settings, false))).toEqual({ projects });
});
