import { expect, it } from "vitest";
import { leftOut, type Selection, selectDeployments } from "../../src/project/load-project.ts";
import { resolveProject } from "../../src/project/project.ts";
import { PROTOCOL_DEPLOYMENTS } from "../support/chain-counts.ts";

const PROJECT = resolveProject({ deployments: { "protocol-flow-base": { status: "retired" } } }, "/project");

function names(selection: Selection): string[] {
  return selectDeployments(PROJECT, selection).map(({ name }) => name);
}

it.each<[selection: Selection]>([[{}], [{ protocols: [], styles: [], chains: [] }]])(
  "all deployments by %j",
  (selection) => {
    expect(selectDeployments(PROJECT, selection)).toBe(PROJECT.deployments);
  },
);

it.each<[name: string, selection: Selection, ...want: string[]]>([
  [
    "deployments of a chain, including multichain",
    { protocols: ["lockup"], chains: ["base"] },
    ...["lockup-base", "lockup-multichain"],
  ],
  [
    "deployments of several chains, by any of their names",
    { protocols: ["flow"], styles: ["subgraph"], chains: ["arb1", "xdai", 10, "zkSync Era"] },
    ...["flow-arbitrum-one", "flow-gnosis", "flow-optimism", "flow-zksync"],
  ],
  [
    "deployments of several protocols in one style",
    { protocols: ["flow", "lockup"], styles: ["multichain"] },
    ...["flow-multichain", "lockup-multichain"],
  ],
])("selectDeployments selects %s", (_, selection, ...want) => {
  expect(names(selection)).toEqual(want.map((name) => `protocol-${name}`));
});

it("selectDeployments selects deployments that leftOut complements, without retired ones", () => {
  const selected = selectDeployments(PROJECT, { protocols: ["lockup"] });
  const others = leftOut({ ...PROJECT, selected }).map(({ name }) => name);
  expect(others).toHaveLength(PROTOCOL_DEPLOYMENTS - 1);
  expect(others).not.toContain("protocol-flow-base");
  expect(leftOut(PROJECT)).toEqual([]);
});

it.each<[selection: Selection, want: string]>([
  [{ protocols: ["lockup", "lokup"] }, '"lokup" is not a protocol of this project'],
  [{ chains: ["bsae"] }, '"bsae" is not a chain of this project'],
  [{ styles: ["multichain"], chains: ["form"] }, "No deployment of the project matches multichain, form"],
])("error: selectDeployments: %j: %s", (selection, want) => {
  expect(() => names(selection)).toThrow(want);
});

it("error: selectDeployments: a chain without deployments, with the chains that have some", () => {
  const project = resolveProject({ protocols: { auctions: { chains: ["base", "ethereum"] } } }, "/project");
  expect(() => selectDeployments(project, { chains: ["linea"] })).toThrow(
    "No deployment of the project matches linea.\nHint: its deployments are on base, ethereum.",
  );
});
