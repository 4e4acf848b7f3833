import { describe, expect, it } from "vitest";
import { leftOut, type Selection, selectDeployments } from "../../src/project/load-project.ts";
import { resolveProject } from "../../src/project/project.ts";
import { PROTOCOL_DEPLOYMENTS } from "../support/chain-counts.ts";

const PROJECT = resolveProject({ deployments: { "protocol-flow-base": { status: "retired" } } }, "/project");

function names(selection: Selection): string[] {
  return selectDeployments(PROJECT, selection).map(({ name }) => name);
}

describe("selectDeployments selects", () => {
  it.each<[name: string, selection: Selection]>([
    ["all deployments by default", {}],
    ["all deployments if every list is empty", { protocols: [], styles: [], chains: [] }],
  ])("%s", (_, selection) => {
    expect(selectDeployments(PROJECT, selection)).toBe(PROJECT.deployments);
  });

  it.each<[name: string, selection: Selection, expected: string[]]>([
    [
      "deployments of a chain, including multichain",
      { protocols: ["lockup"], chains: ["base"] },
      ["protocol-lockup-base", "protocol-lockup-multichain"],
    ],
    [
      "deployments of several chains, by any of their names",
      { protocols: ["flow"], styles: ["subgraph"], chains: ["arb1", "xdai", 10, "zkSync Era"] },
      [
        "protocol-flow-arbitrum-one",
        "protocol-flow-gnosis",
        "protocol-flow-optimism",
        "protocol-flow-zksync",
      ],
    ],
    [
      "deployments of several protocols in one style",
      { protocols: ["flow", "lockup"], styles: ["multichain"] },
      ["protocol-flow-multichain", "protocol-lockup-multichain"],
    ],
  ])("%s", (_, selection, expected) => {
    expect(names(selection)).toEqual(expected);
  });

  it("deployments that leftOut complements, without retired ones", () => {
    const selected = selectDeployments(PROJECT, { protocols: ["lockup"] });
    const others = leftOut({ ...PROJECT, selected }).map(({ name }) => name);
    expect(others).toHaveLength(PROTOCOL_DEPLOYMENTS - 1);
    expect(others).not.toContain("protocol-flow-base");
    expect(leftOut(PROJECT)).toEqual([]);
  });

  it.each<[name: string, selection: Selection, words: RegExp]>([
    ["an unknown protocol", { protocols: ["lockup", "lokup"] }, /"lokup" is not a protocol of this project/],
    ["an unknown chain", { chains: ["bsae"] }, /"bsae" is not a chain of this project/],
    [
      "a style that does not have the chain",
      { styles: ["multichain"], chains: ["form"] },
      /No deployment of the project matches multichain, form/,
    ],
  ])("error: %s", (_, selection, words) => {
    expect(() => names(selection)).toThrow(words);
  });

  it("error: a chain without deployments, with the chains that have some", () => {
    const project = resolveProject({ protocols: { auctions: { chains: ["base", "ethereum"] } } }, "/project");
    expect(() => selectDeployments(project, { chains: ["linea"] })).toThrow(
      "No deployment of the project matches linea.\nHint: its deployments are on base, ethereum.",
    );
  });
});
