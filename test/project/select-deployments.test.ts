import { describe, expect, it } from "vitest";
import { leftOut, type Selection, selectDeployments } from "../../src/project/load-project.ts";
import { resolveProject } from "../../src/project/project.ts";

const PROJECT = resolveProject({ deployments: { "protocol-flow-base": { status: "retired" } } }, "/project");

function names(selection: Selection): string[] {
  return selectDeployments(PROJECT, selection).map(({ name }) => name);
}

describe("a run is about", () => {
  it.each<[what: string, selection: Selection]>([
    ["all deployments when nothing is said", {}],
    ["all deployments when nothing is named", { protocols: [], styles: [], chains: [] }],
  ])("%s", (_, selection) => {
    expect(selectDeployments(PROJECT, selection)).toBe(PROJECT.deployments);
  });

  it.each<[what: string, selection: Selection, expected: string[]]>([
    [
      "what serves a chain, alone or with others",
      { protocols: ["lockup"], chains: ["base"] },
      ["protocol-lockup-base", "protocol-lockup-multichain"],
    ],
    [
      "several chains, by any of their names",
      { protocols: ["flow"], styles: ["subgraph"], chains: ["arb1", "xdai", 10, "zkSync Era"] },
      [
        "protocol-flow-arbitrum-one",
        "protocol-flow-gnosis",
        "protocol-flow-optimism",
        "protocol-flow-zksync",
      ],
    ],
    [
      "several protocols in one style",
      { protocols: ["flow", "lockup"], styles: ["multichain"] },
      ["protocol-flow-multichain", "protocol-lockup-multichain"],
    ],
  ])("%s", (_, selection, expected) => {
    expect(names(selection)).toEqual(expected);
  });

  it("what it leaves out, without retired deployments", () => {
    const selected = selectDeployments(PROJECT, { protocols: ["lockup"] });
    const others = leftOut({ ...PROJECT, selected }).map(({ name }) => name);
    expect(others).toHaveLength(26);
    expect(others).not.toContain("protocol-flow-base");
    expect(leftOut(PROJECT)).toEqual([]);
  });

  it.each<[what: string, selection: Selection, words: RegExp]>([
    ["an unknown protocol", { protocols: ["lockup", "lokup"] }, /"lokup" is not a protocol of this project/],
    ["an unknown chain", { chains: ["bsae"] }, /"bsae" is not a chain of this project/],
    [
      "a deployment without an indexer",
      { styles: ["multichain"], chains: ["form"] },
      /No deployment of the project matches multichain, form/,
    ],
  ])("error: %s", (_, selection, words) => {
    expect(() => names(selection)).toThrow(words);
  });

  it("error: a chain of none of the deployments, which are named then", () => {
    const project = resolveProject({ protocols: { auctions: { chains: ["base", "ethereum"] } } }, "/project");
    expect(() => selectDeployments(project, { chains: ["linea"] })).toThrow(
      "No deployment of the project matches linea.\nHint: its deployments are on base, ethereum.",
    );
  });
});
