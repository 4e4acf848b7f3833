import { describe, expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { readGenerationInputs } from "../../src/workspace/generation-inputs.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { tempProject } from "../support/temp-project.ts";

const OWN: Config = { protocols: { lockup: true, "my-auctions": { styles: ["subgraph"] } } };

describe("an operation in the folder of", () => {
  it.each<[where: string, path: string, config: Config, fix: RegExp | null]>([
    [
      "a style that its protocol does not have",
      "my-auctions/multichain/a.graphql",
      OWN,
      /below operations\/<lockup\/portable\|my-auctions\/portable\|lockup\/multichain\|lockup\/subgraph\|my-auctions\/subgraph>\/\.$/,
    ],
    [
      "a protocol that is not configured",
      "auctions/subgraph/a.graphql",
      { protocols: { auction: {} } },
      /below operations\/auction\/<portable\|multichain\|subgraph>\/\.$/,
    ],
    [
      "a name that begins like a protocol key",
      "my-auctions2/subgraph/a.graphql",
      OWN,
      /my-auctions\/subgraph>/,
    ],
    [
      "a style that `only` excludes",
      "lockup/multichain/a.graphql",
      { ...OWN, only: { styles: ["subgraph"] } },
      null,
    ],
    [
      "a protocol that `only` excludes",
      "far/subgraph/a.graphql",
      { protocols: { lockup: true, far: { chains: ["base"] } }, only: { chains: ["ethereum"] } },
      null,
    ],
    ["a built-in protocol that is not configured", "flow/subgraph/a.graphql", OWN, null],
  ])("%s", async (_, path, config, fix) => {
    const { root } = tempProject({ [`operations/${path}`]: "query A { a }" });
    const project = resolveProject(config, root);
    if (fix === null) {
      await expect(readGenerationInputs(openWorkspace(project))).rejects.toMatchObject({
        code: "OPERATIONS_MISSING",
      });
      return;
    }
    const { findings } = await readGenerationInputs(openWorkspace(project));
    expect(findings).toEqual([
      expect.objectContaining({
        code: "operation/misplaced",
        subject: path,
        fix: expect.stringMatching(fix),
      }),
    ]);
  });
});
