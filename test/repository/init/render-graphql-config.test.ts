import { describe, expect, it } from "vitest";
import { resolveProject } from "../../../src/project/project.ts";
import { renderGraphqlConfig } from "../../../src/repository/init/render-graphql-config.ts";

describe("the configuration for editors", () => {
  const settings = {
    surfaces: resolveProject({}, "/").surfaces,
    operations: "queries",
    output: "src/generated",
  };

  it("has a project per protocol and style", async () => {
    const url = `data:text/javascript,${encodeURIComponent(renderGraphqlConfig(settings))}`;
    const { default: value } = (await import(/* @vite-ignore */ url)) as { default: { projects: unknown } };
    expect(value.projects).toEqual({
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
    });
  });
});
