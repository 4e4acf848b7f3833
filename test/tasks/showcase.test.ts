import { expect, it } from "vitest";
import { startEmulator } from "../../emulator/server/start-emulator.ts";
import { withTargets } from "../../src/fleet/open-targets.ts";
import { loadProject } from "../../src/project/load-project.ts";
import { showcase } from "../../src/tasks/sync.ts";
import { copyFromRepository, inFolder } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

/** Returns the rows that are shown for a project of these protocols and operations, from an emulator. */
async function show(
  protocols: readonly string[],
  operations: Readonly<Record<string, string>>,
): Promise<string> {
  const config = { "lockflow.config.json": JSON.stringify({ protocols }) };
  const { root } = tempProject({ ...config, ...inFolder("operations", operations) });
  copyFromRepository(root, "generated/schemas");
  expect(await run(root, ["generate"])).toMatchObject({ code: 0, err: "" });
  await using emulator = await startEmulator();
  const loaded = await loadProject(root);
  let out = "";
  await withTargets(loaded, { cwd: root, env: emulator.env(), needsRows: true }, ({ targets }) =>
    showcase(loaded, targets, (text) => {
      out += text;
    }),
  );
  return out;
}

it("shows an operation of another protocol if the first has none to show", async () => {
  const operations = {
    "lockup/subgraph/a.graphql": "query ById($id: ID!) { stream(id: $id) { id } }",
    "flow/subgraph/b.graphql": "query Rates { streams(first: 2) { id ratePerSecond } }",
  };
  expect(await show(["lockup", "flow"], operations)).toMatch(
    /^ {2}Rates of generated\/flow\/subgraph\.strings\.ts, sent to protocol-flow-mainnet:\n {4}id +ratePerSecond/,
  );
});

it("shows an existing operation, with the example address for a required recipient", async () => {
  const out = await show(["lockup"], {
    "lockup/subgraph/b.graphql":
      "query StreamsByRecipient($recipient: Bytes!) { streams(where: { recipient: $recipient }) { alias chainId recipient asset { symbol } } }",
    "lockup/subgraph/a.graphql": "query ById($id: ID!) { stream(id: $id) { id } }",
    "lockup/multichain/b.graphql": "query AChain { chains: Stream(limit: 5) { timestamp hash } }",
  });
  const [multichain = "", subgraph = ""] = out.split("  StreamsByRecipient of ");
  expect(multichain).toMatch(/^ {2}AChain of generated\/lockup\/multichain\.strings\.ts, sent to .*:\n/);
  expect(multichain).toMatch(/\n {4}timestamp +hash *\n {4}\d+ +0x/);
  expect(multichain.trimEnd().split("\n")).toHaveLength(5);
  expect(subgraph).toMatch(
    /sent to protocol-lockup-mainnet:\n {4}alias +chain id .*recipient .*\n {4}L\S+ +1 /,
  );
  expect(new Set(subgraph.match(/0x\w{4}…\w{4}(?= +\w+ *$)/gm)).size).toBe(1);
});

it("shows the same operation in both styles if both have it", async () => {
  const out = await show(["flow"], {
    "flow/multichain/a.graphql":
      "query A { actions: Action(limit: 1) { id } } query C { rows: Stream(limit: 1) { id } }",
    "flow/subgraph/b.graphql":
      "query B { batches(first: 1) { id } } query C { rows: streams(first: 1) { id } }",
  });
  expect(out.match(/^ {2}\w+(?= of )/gm)).toEqual(["  C", "  C"]);
});
