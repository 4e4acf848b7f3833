import { endSentence } from "../base/end-sentence.ts";
import type { Chain } from "../project/chain.ts";
import { isOf } from "../project/surface.ts";
import { IS_PER_CHAIN } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import { buildEndpointFinding, byProtocolAndStyle } from "./build-endpoint-finding.ts";
import type { Failed, Introspected, Outcome } from "./introspect-targets.ts";

/** Finds deployments that are not who the manifest says, or of which that cannot be told. */
export function findIdentity(outcomes: readonly Outcome[], chains: readonly Chain[]): Finding[] {
  const keys = new Map(chains.map((chain) => [chain.chainId, chain.key]));
  const ids = new Map(chains.map((chain) => [chain.key, chain.chainId]));
  const nameOf = (chainId: number) => keys.get(chainId) ?? `chain id ${chainId}`;
  const found = outcomes.flatMap((outcome) => [
    ...findOtherChain(outcome, outcomes, nameOf),
    ...(outcome.kind === "introspected" ? findMissingChains(outcome, ids) : []),
  ]);
  return [...findOtherProtocols(outcomes), ...found, ...findUnknown(outcomes), ...findSame(outcomes, nameOf)];
}

/** That somebody is not of the protocol is one fact, whatever they are instead: one finding for all of a fleet. */
function findOtherProtocols(outcomes: readonly Outcome[]): Finding[] {
  const wrong = outcomes.filter(
    (outcome): outcome is Failed =>
      outcome.kind === "failed" && outcome.error.code === "ENDPOINT_WRONG_PROTOCOL",
  );
  return byProtocolAndStyle(wrong).map((group) => {
    const deployments = group.map(({ deployment }) => deployment);
    const [only, ...more] = deployments;
    return buildEndpointFinding({
      code: "identity/wrong-protocol",
      severity: "breaking",
      deployments,
      message: describeSentences(group),
      before: only?.protocol,
      fix:
        more.length === 0
          ? `correct the URL of ${only?.name} in the configuration.`
          : "correct their URLs in the configuration.",
    });
  });
}

function describeSentences(group: readonly Failed[]): string {
  const names = new Map<string, string[]>();
  for (const { deployment, error } of group) {
    names.set(error.sentence, [...(names.get(error.sentence) ?? []), deployment.name]);
  }
  const [only = "", ...more] = names.keys();
  if (more.length === 0) return only;
  return [...names].map(([sentence, own]) => endSentence(`${own.join(", ")}: ${sentence}`)).join(" ");
}

function findOtherChain(
  outcome: Outcome,
  outcomes: readonly Outcome[],
  nameOf: (chainId: number) => string,
): Finding[] {
  if (outcome.kind !== "failed") return [];
  const { deployment, error, probe } = outcome;
  if (error.code !== "ENDPOINT_WRONG_CHAIN") return [];
  const before = deployment.chains.join(", ");
  const after = (probe?.chainIds ?? []).map(nameOf).sort().join(", ");
  const right = findRight(outcome, outcomes, nameOf);
  const why = right === undefined ? "" : `: it answers as ${right.deployment.name} does`;
  return [
    buildEndpointFinding({
      code: "identity/wrong-chain",
      severity: "breaking",
      deployments: [deployment],
      message: error.sentence,
      before,
      after,
      fix: `correct the URL of ${deployment.name} in the configuration${why}.`,
    }),
  ];
}

/** The deployment of the same fleet that should be what this one is. */
function findRight(
  outcome: Outcome,
  outcomes: readonly Outcome[],
  nameOf: (chainId: number) => string,
): Outcome | undefined {
  const served = nameServed(outcome, nameOf);
  return outcomes.find(
    (other) =>
      served !== null &&
      isOf(outcome.deployment)(other.deployment) &&
      nameServed(other, nameOf) === served &&
      !isOfWrongChain(other),
  );
}

/** The chains of a multichain deployment that it has no rows of. One that has a head has just none yet. */
function findMissingChains(
  { deployment, probe: { chainIds, heads } }: Introspected,
  ids: ReadonlyMap<string, number>,
): Finding[] {
  if (chainIds === null) return [];
  const served = new Set([...chainIds, ...heads.map(({ chainId }) => chainId)]);
  return deployment.chains
    .filter((key) => !served.has(ids.get(key) ?? -1))
    .map((key) =>
      buildEndpointFinding({
        code: "identity/missing-chain",
        severity: "breaking",
        deployments: [deployment],
        message: `It has nothing of ${key}.`,
        before: key,
        fix: `take ${key} from the chains of ${deployment.name}, or ask whoever runs it.`,
      }),
    );
}

function findUnknown(outcomes: readonly Outcome[]): Finding[] {
  const unknown = outcomes.filter(
    (outcome): outcome is Introspected =>
      outcome.kind === "introspected" &&
      outcome.probe.chainIds === null &&
      // Then it answers with little but that.
      !outcome.probe.hasIndexingErrors,
  );
  return byProtocolAndStyle(unknown).map((group) =>
    buildEndpointFinding({
      code: "identity/unknown",
      severity: "cosmetic",
      deployments: group.map(({ deployment }) => deployment),
      message: "It does not say which chain it serves.",
      fix: "look at its rows once.",
    }),
  );
}

/**
 * Two that serve one chain, or go by one name on their platform, are one deployment behind two URLs. Where all but one
 * are of another chain than they should be, that is told of each already.
 */
function findSame(outcomes: readonly Outcome[], nameOf: (chainId: number) => string): Finding[] {
  const single = outcomes.filter(({ deployment }) => IS_PER_CHAIN[deployment.style]);
  return byProtocolAndStyle(single).flatMap((fleet) => {
    const shares = new Map<string, Outcome[]>();
    for (const outcome of fleet) {
      const name = nameServed(outcome, nameOf);
      if (name !== null) shares.set(name, [...(shares.get(name) ?? []), outcome]);
    }
    return [...shares].flatMap(([name, same]) => {
      if (same.filter((one) => !isOfWrongChain(one)).length < 2) return [];
      const deployments = same.map(({ deployment }) => deployment);
      const names = deployments.map((deployment) => deployment.name);
      return [
        buildEndpointFinding({
          code: "identity/same-chain",
          severity: "breaking",
          deployments,
          message: `${names.join(" and ")} answer as one: ${name}.`,
          after: name,
          fix: `compare the URLs of ${names.join(" and ")} in the configuration.`,
        }),
      ];
    });
  });
}

/** As whom a deployment answers: a chain, or a name on its platform; null where it tells neither. */
function nameServed({ probe }: Outcome, nameOf: (chainId: number) => string): string | null {
  const [only, ...more] = probe?.chainIds ?? [];
  if (only !== undefined && more.length === 0) return nameOf(only);
  const platformName = probe?.deployment ?? null;
  return platformName === null ? null : `deployment ${platformName}`;
}

function isOfWrongChain(outcome: Outcome): boolean {
  return outcome.kind === "failed" && outcome.error.code === "ENDPOINT_WRONG_CHAIN";
}
