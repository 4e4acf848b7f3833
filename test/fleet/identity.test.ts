import { describe, expect, it } from "vitest";
import type { EndpointError } from "../../src/base/errors.ts";
import { checkIdentity, findIdentity, findWithoutChainField } from "../../src/fleet/identity.ts";
import type { Outcome } from "../../src/fleet/outcome.ts";
import { resolveProject } from "../../src/project/project.ts";

const { deployments, chains, definitions } = resolveProject({ protocols: ["lockup"] }, "/");

function deploymentOf(suffix: string): Outcome["deployment"] {
  const found = deployments.find(({ name }) => name === `protocol-lockup-${suffix}`);
  if (found === undefined) throw new Error(`there is no ${suffix}`);
  return found;
}

/** The outcome of introspecting a deployment that serves a chain; null for an unknown chain. */
function serving(suffix: string, chain: string | null, platformName: string | null = null): Outcome {
  const deployment = deploymentOf(suffix);
  const chainId = chains.find(({ key }) => key === chain)?.chainId;
  const probe = {
    chainIds: chainId === undefined ? null : [chainId],
    heads: [],
    hasIndexingErrors: false,
    deployment: platformName,
  };
  try {
    const notes = checkIdentity(
      deployment,
      { chains, chainField: { entity: "Watcher", field: "chainId" } },
      probe,
    );
    const reading = {
      schema: EMPTY,
      hashes: { schema: "", docs: "" },
      entities: "",
      plainProtocols: [],
      errors: [],
    };
    return { kind: "introspected", deployment, reading, probe, notes };
  } catch (error) {
    return { kind: "failed", deployment, error: error as EndpointError, probe };
  }
}

const EMPTY = { queryType: "Query", mutationType: null, subscriptionType: null, types: [], directives: [] };

function found(...outcomes: readonly Outcome[]): string[] {
  return findIdentity(outcomes, chains, definitions).map(
    ({ code, where }) => `${code} ${where?.deployments.join()}`,
  );
}

describe("a wrong chain is one finding per deployment", () => {
  it.each<[name: string, outcomes: readonly Outcome[], want: readonly string[]]>([
    [
      "if another deployment serves that chain correctly",
      [serving("base", "base"), serving("gnosis", "base")],
      ["identity/wrong-chain protocol-lockup-gnosis"],
    ],
    [
      "if both URLs serve one deployment of the platform",
      [serving("base", "base", "Qm1"), serving("gnosis", "base", "Qm1")],
      ["identity/wrong-chain protocol-lockup-gnosis"],
    ],
    [
      "if two deployments serve the chain of a third",
      [serving("base", "base"), serving("gnosis", "base"), serving("linea", "base")],
      ["identity/wrong-chain protocol-lockup-gnosis", "identity/wrong-chain protocol-lockup-linea"],
    ],
    [
      "if two deployments serve a chain that is not queried",
      [serving("gnosis", "base"), serving("linea", "base")],
      ["identity/wrong-chain protocol-lockup-gnosis", "identity/wrong-chain protocol-lockup-linea"],
    ],
    [
      "and is identity/same-chain if only the platform's deployment id shows it",
      [serving("base", null, "Qm1"), serving("gnosis", null, "Qm1")],
      [
        "identity/unknown protocol-lockup-base,protocol-lockup-gnosis",
        "identity/same-chain protocol-lockup-base,protocol-lockup-gnosis",
      ],
    ],
  ])("%s", (_, outcomes, want) => {
    expect(found(...outcomes)).toEqual(want);
  });

  it("and its fix names the deployment that serves the same chain", () => {
    const [finding] = findIdentity([serving("base", "base"), serving("gnosis", "base")], chains, definitions);
    expect(finding?.fix).toBe(
      "correct the URL of protocol-lockup-gnosis in the configuration: it serves the same as protocol-lockup-base.",
    );
  });
});

describe("unknown chains, because no chain field is configured", () => {
  const own = resolveProject({ protocols: { auctions: { chains: ["base", "gnosis"] }, lockup: true } }, "/");
  const probe = { chainIds: null, heads: [], hasIndexingErrors: false, deployment: null };
  const reading = {
    schema: EMPTY,
    hashes: { schema: "", docs: "" },
    entities: "",
    plainProtocols: [],
    errors: [],
  };
  const answered = (isSick = false) =>
    own.deployments
      .filter(({ protocol }) => protocol === "auctions")
      .map(
        (deployment): Outcome => ({
          kind: "introspected",
          deployment,
          reading,
          probe: { ...probe, hasIndexingErrors: isSick },
          notes: checkIdentity(deployment, { chains: own.chains, chainField: null }, probe),
        }),
      );

  it("are one finding for both styles with a fix, and no notes of deployments", () => {
    const outcomes = answered();
    expect(outcomes.map((one) => (one.kind === "introspected" ? one.notes : null))).toEqual([[], [], []]);
    const findings = findIdentity(outcomes, own.chains, own.definitions);
    expect(findings).toMatchObject([
      {
        code: "identity/unknown",
        severity: "cosmetic",
        subject: "auctions",
        where: null,
        message:
          "Which chains the deployments of auctions serve is unknown: its definition does not name the field with the chain id.",
      },
    ]);
    expect(findings[0]?.fix).toMatch(/^add protocols\.auctions\.identity\.chain to the configuration/);
  });

  it("are not reported if the platform has the chain, a field is configured, or indexing has failed", () => {
    const reported = answered().map(
      (one): Outcome => ({ ...one, probe: { ...probe, chainIds: [8453, 100] } }) as Outcome,
    );
    expect(findWithoutChainField(reported, own.definitions)).toEqual([]);
    expect(findWithoutChainField(answered(true), own.definitions)).toEqual([]);
    expect(findWithoutChainField([serving("base", null)], own.definitions)).toEqual([]);
  });
});
