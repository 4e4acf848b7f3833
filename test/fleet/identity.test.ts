import { describe, expect, it } from "vitest";
import type { EndpointError } from "../../src/base/errors.ts";
import { checkIdentity, findIdentity, findWithoutChainField } from "../../src/fleet/identity.ts";
import type { Outcome } from "../../src/fleet/outcome.ts";
import { resolveProject } from "../../src/project/project.ts";
import { answered, deploymentOf, NO_PROBE, PROJECT } from "./outcomes.ts";

const { chains, definitions } = PROJECT;
const CHAIN_FIELD = { entity: "Watcher", field: "chainId" };

/** Outcomes of `base=base`: a deployment and the chain that it serves, with the platform's id as in `base=base/Qm1`. */
function serving(text: string): Outcome[] {
  return text.split(" ").map((part) => {
    const [, suffix = "", chain, platformName = null] = /^(\w+)=(\w*)(?:\/(\w+))?$/.exec(part) ?? [];
    const deployment = deploymentOf(suffix);
    const chainId = chains.find(({ key }) => key === chain)?.chainId;
    const probe = { ...NO_PROBE, chainIds: chainId ? [chainId] : null, deployment: platformName };
    try {
      const notes = checkIdentity(deployment, { chains, chainField: CHAIN_FIELD }, probe);
      return { ...answered(deployment, probe), notes } as Outcome;
    } catch (error) {
      return { kind: "failed", deployment, error: error as EndpointError, probe };
    }
  });
}

describe("a wrong chain is one finding per deployment", () => {
  it.each<[name: string, outcomes: string, ...want: string[]]>([
    ["if another deployment serves that chain correctly", "base=base gnosis=base", "wrong-chain gnosis"],
    [
      "if both URLs serve one deployment of the platform",
      "base=base/Qm1 gnosis=base/Qm1",
      "wrong-chain gnosis",
    ],
    [
      "if two deployments serve the chain of a third",
      "base=base gnosis=base linea=base",
      ...["wrong-chain gnosis", "wrong-chain linea"],
    ],
    [
      "if two deployments serve a chain that is not queried",
      "gnosis=base linea=base",
      ...["wrong-chain gnosis", "wrong-chain linea"],
    ],
    [
      "and is identity/same-chain if only the platform's deployment id shows it",
      "base=/Qm1 gnosis=/Qm1",
      ...["unknown base,gnosis", "same-chain base,gnosis"],
    ],
  ])("%s", (_, outcomes, ...want) => {
    const found = findIdentity(serving(outcomes), chains, definitions);
    const lines = found.map(({ code, where }) => `${code} ${where?.deployments.join()}`);
    expect(lines.map((line) => line.replaceAll(/identity\/|protocol-lockup-/g, ""))).toEqual(want);
  });

  it("and its fix names the deployment that serves the same chain", () => {
    const [finding] = findIdentity(serving("base=base gnosis=base"), chains, definitions);
    expect(finding?.fix).toBe(
      "correct the URL of protocol-lockup-gnosis in the configuration: it serves the same as protocol-lockup-base.",
    );
  });
});

describe("unknown chains, because no chain field is configured", () => {
  const own = resolveProject({ protocols: { auctions: { chains: ["base", "gnosis"] }, lockup: true } }, "/");
  const auctions = (probe = {}) =>
    own.deployments.flatMap((deployment) =>
      deployment.protocol === "auctions" ? [answered(deployment, probe)] : [],
    );

  it("are one finding for both styles with a fix, and no notes of deployments", () => {
    const outcomes = auctions();
    const notes = ({ deployment }: Outcome) =>
      checkIdentity(deployment, { chains: own.chains, chainField: null }, NO_PROBE);
    expect(outcomes.map(notes)).toEqual([[], [], []]);
    expect(findIdentity(outcomes, own.chains, own.definitions)).toMatchObject([
      {
        code: "identity/unknown",
        severity: "cosmetic",
        subject: "auctions",
        where: null,
        message:
          "Which chains the deployments of auctions serve is unknown: its definition does not name the field with the chain id.",
        fix: expect.stringMatching(/^add protocols\.auctions\.identity\.chain to the configuration/),
      },
    ]);
  });

  it.each<[name: string, outcomes: readonly Outcome[]]>([
    ["the platform has the chain", auctions({ chainIds: [8453, 100] })],
    ["indexing has failed", auctions({ hasIndexingErrors: true })],
    ["a field is configured", serving("base=")],
  ])("are not reported if %s", (_, outcomes) => {
    expect(findWithoutChainField(outcomes, own.definitions)).toEqual([]);
  });
});
