import { expect, it } from "vitest";
import { introspectTargets } from "../../src/fleet/introspect-targets.ts";
import type { Target } from "../../src/project/endpoints.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { introspectionAnswer, subgraphProbeAnswer } from "../support/indexer-answers.ts";
import { testServer } from "../support/test-server.ts";
import { deploymentOf, PROJECT } from "./outcomes.ts";

it("introspectTargets reports an unexpected error as a bug, and only for its deployment", async () => {
  const other = introspectionAnswer("subgraph").replaceAll("alias", "another");
  const { url } = await testServer(({ path, body }, response) => {
    if (body.includes("_meta")) response.end(subgraphProbeAnswer(1));
    else response.end(path === "/gnosis" ? other : introspectionAnswer("subgraph"));
  });
  const targets = ["base", "gnosis", "linea"].map((name): Target => {
    return { deployment: deploymentOf(name), url: `${url}/${name}`, headers: {}, secrets: [], proxy: null };
  });
  let seen = 0;
  // Simulates a bug: the second search through the chains throws.
  const chains = Object.assign([], {
    filter: () => {
      if (++seen === 2) throw new RangeError("Maximum call stack size exceeded");
      return [];
    },
  });
  const workspace = openWorkspace({ ...PROJECT, chains, concurrency: 1, timeout: 5000 });
  const outcomes = await introspectTargets(targets, workspace, { snapshots: [], onOutcome: () => {} });
  expect(outcomes.map(({ kind }) => kind)).toEqual(["introspected", "failed", "introspected"]);
  expect(outcomes[1]).toMatchObject({
    error: {
      code: "ENDPOINT_UNREADABLE",
      sentence:
        "Its answer could not be read, and that is a bug in Lockflow (RangeError: Maximum call stack size exceeded).",
    },
  });
});
