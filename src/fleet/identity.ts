import { groupBy } from "../base/collections.ts";
import { EndpointError } from "../base/errors.ts";
import { endSentence } from "../base/text.ts";
import type { ChainField, ProbeReading } from "../dialects/prober.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import {
  groupBySurface,
  IS_PER_CHAIN,
  isOf,
  type OfSurface,
  type Protocol,
  surfaceId,
} from "../dialects/surface.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import { ENDPOINTS } from "../report/codes/surfaces.ts";
import { type Code, type FactsOf, type Finding, messageOf } from "../report/finding.ts";
import type { Failed, Introspected, Outcome } from "./outcome.ts";

/** The definitions of protocols, as far as they say how the chain of a deployment is known. */
type Identified = readonly Pick<ResolvedProtocol, "key" | "identity">[];

/** The field by which the chain of a deployment is known; null where its protocol's definition names none. */
export function chainFieldOf(definitions: Identified, { protocol }: OfSurface): ChainField | null {
  return definitions.find(({ key }) => key === protocol)?.identity.chain ?? null;
}

/**
 * Checks that a deployment serves the chains that the manifest says; gives what is worth a note and no failure.
 *
 * @param chain the field by which its chain is known. That nobody can know it is said once of all.
 */
export function checkIdentity(
  deployment: Deployment,
  chains: readonly Chain[],
  reading: ProbeReading,
  chain: ChainField | null,
): string[] {
  const expected = chains.filter((chain) => deployment.chains.includes(chain.key));
  const notes = reading.hasIndexingErrors ? ["reports indexing errors"] : [];
  if (reading.chainIds === null) {
    return chain === null ? notes : [...notes, "does not say which chain it serves"];
  }
  const served = new Set(reading.chainIds);
  const expectedIds = new Set(expected.map((chain) => chain.chainId));
  const strangers = [...served]
    .filter((id) => !expectedIds.has(id))
    .sort((a, b) => a - b)
    .map((id) => describeChain(id, chains));
  const [only, ...more] = expected;
  if (only && more.length === 0 && strangers.length > 0) {
    throw new EndpointError({
      code: "ENDPOINT_WRONG_CHAIN",
      sentence: `It serves ${strangers.join(" and ")} instead of ${describeChain(only.chainId, chains)}.`,
      hint: "correct its URL: whoever reads this endpoint gets another chain's data.",
    });
  }
  if (strangers.length > 0) notes.push(`also serves ${strangers.join(", ")}`);
  const missing = expected.filter((chain) => !served.has(chain.chainId)).map((chain) => chain.key);
  if (missing.length > 0) notes.push(`has nothing of ${missing.join(", ")}`);
  return notes;
}

function describeChain(chainId: number, chains: readonly Chain[]): string {
  const chain = chains.find((candidate) => candidate.chainId === chainId);
  return chain ? `${chain.key} (chain id ${chainId})` : `chain id ${chainId}`;
}

/** Finds deployments that are not who the manifest says, or of which that is unknown. */
export function findIdentity(
  outcomes: readonly Outcome[],
  chains: readonly Chain[],
  definitions: Identified,
): Finding[] {
  const keys = new Map(chains.map((chain) => [chain.chainId, chain.key]));
  const ids = new Map(chains.map((chain) => [chain.key, chain.chainId]));
  const nameOf = (chainId: number) => keys.get(chainId) ?? `chain id ${chainId}`;
  const found = outcomes.flatMap((outcome) =>
    outcome.kind === "introspected"
      ? findMissingChains(outcome, ids)
      : findOtherChain(outcome, outcomes, nameOf),
  );
  return [
    ...findOtherProtocols(outcomes),
    ...found,
    ...findUnknown(outcomes, definitions),
    ...findSame(outcomes, nameOf),
  ];
}

function findUnknown(outcomes: readonly Outcome[], definitions: Identified): Finding[] {
  const silent = findSilent(outcomes);
  const unasked = findUnasked(outcomes, definitions).map(({ protocol, deployments, sentence, fix }) =>
    buildEndpointFinding(deployments, { code: "identity/unknown", facts: [sentence], fix, across: protocol }),
  );
  const asked = silent.filter(({ deployment }) => chainFieldOf(definitions, deployment) !== null);
  return [
    ...findingsBySurface(asked, () => ({
      code: "identity/unknown",
      facts: ["It does not say which chain it serves."],
      fix: "look at its rows once.",
    })),
    ...unasked,
  ];
}

/** Those who answered and did not tell their chain. One whose indexing failed answers with little but that. */
function findSilent(outcomes: readonly Outcome[]): Introspected[] {
  return outcomes
    .filter((outcome) => outcome.kind === "introspected")
    .filter(({ probe }) => probe.chainIds === null && !probe.hasIndexingErrors);
}

/** A protocol whose definition does not say how the chains of its deployments are known, and which those are. */
type Unasked = {
  readonly protocol: Protocol;
  readonly deployments: readonly Deployment[];
  readonly sentence: string;
  readonly fix: string;
};

/** Finds the protocols of whose deployments nobody can know the chain, because no field is named that tells. */
export function findUnasked(outcomes: readonly Outcome[], definitions: Identified): Unasked[] {
  const unasked = findSilent(outcomes).filter(
    ({ deployment }) => chainFieldOf(definitions, deployment) === null,
  );
  return [...groupBy(unasked, ({ deployment }) => deployment.protocol)].map(([protocol, own]) => ({
    protocol,
    deployments: own.map(({ deployment }) => deployment),
    sentence: `Which chains the deployments of ${protocol} serve is unknown: its definition names no field that tells.`,
    fix: `add protocols.${protocol}.identity.chain to the configuration: the entity and the field that hold the chain's id, such as "Counter.chainId".`,
  }));
}

/** That somebody is not of the protocol is one fact, whatever they are instead: one finding for all of a fleet. */
function findOtherProtocols(outcomes: readonly Outcome[]): Finding[] {
  const wrong = outcomes
    .filter((outcome) => outcome.kind === "failed")
    .filter(({ error }) => error.code === "ENDPOINT_WRONG_PROTOCOL");
  return findingsBySurface(wrong, (group) => ({
    code: "identity/wrong-protocol",
    facts: [describeSentences(group)],
    before: group[0]?.deployment.protocol ?? null,
    fix: `correct ${group.length === 1 ? `the URL of ${group[0]?.deployment.name}` : "their URLs"} in the configuration.`,
  }));
}

function describeSentences(group: readonly Failed[]): string {
  const sentences = [...groupBy(group, ({ error }) => error.sentence)];
  const described = sentences.map(([sentence, own]) => {
    const names = own.map(({ deployment }) => deployment.name).join(", ");
    return sentences.length === 1 ? sentence : endSentence(`${names}: ${sentence}`);
  });
  return described.join(" ");
}

function findOtherChain(
  outcome: Failed,
  outcomes: readonly Outcome[],
  nameOf: (chainId: number) => string,
): Finding[] {
  if (!isOfWrongChain(outcome)) return [];
  const { deployment, error, probe } = outcome;
  const served = nameServed(outcome, nameOf);
  // The deployment of the same fleet that should be what this one is.
  const right = outcomes.find(
    (other) =>
      served !== null &&
      isOf(deployment)(other.deployment) &&
      nameServed(other, nameOf) === served &&
      !isOfWrongChain(other),
  );
  const why = right === undefined ? "" : `: it answers as ${right.deployment.name} does`;
  return [
    buildEndpointFinding([deployment], {
      code: "identity/wrong-chain",
      facts: [error.sentence],
      before: deployment.chains.join(", "),
      after: (probe?.chainIds ?? []).map(nameOf).sort().join(", "),
      fix: `correct the URL of ${deployment.name} in the configuration${why}.`,
    }),
  ];
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
      buildEndpointFinding([deployment], {
        code: "identity/missing-chain",
        facts: [key],
        before: key,
        fix: `take ${key} from the chains of ${deployment.name}, or ask whoever runs it.`,
      }),
    );
}

/** Two that serve one chain, or go by one name on their platform, are one deployment behind two URLs. */
function findSame(outcomes: readonly Outcome[], nameOf: (chainId: number) => string): Finding[] {
  const single = outcomes.filter(({ deployment }) => IS_PER_CHAIN[deployment.style]);
  return groupBySurface(single, ({ deployment }) => deployment).flatMap((fleet) => {
    const shares = groupBy(fleet, (outcome) => nameServed(outcome, nameOf));
    return [...shares].flatMap(([name, same]) => {
      // Where all but one are of another chain than they should be, that is reported of each already.
      if (name === null || same.filter((one) => !isOfWrongChain(one)).length < 2) return [];
      const deployments = same.map(({ deployment }) => deployment);
      const names = deployments.map((deployment) => deployment.name).join(" and ");
      return [
        buildEndpointFinding(deployments, {
          code: "identity/same-chain",
          facts: [names, name],
          after: name,
          fix: `compare the URLs of ${names} in the configuration.`,
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
  return platformName && `deployment ${platformName}`;
}

function isOfWrongChain(outcome: Outcome): boolean {
  return outcome.kind === "failed" && outcome.error.code === "ENDPOINT_WRONG_CHAIN";
}

/** What is found of deployments as such, their schemas apart: a code, and the facts that its message is made of. */
export type EndpointFacts = {
  [C in keyof typeof ENDPOINTS]: { readonly code: C; readonly facts: FactsOf<(typeof ENDPOINTS)[C]> };
}[keyof typeof ENDPOINTS] &
  Partial<Pick<Finding, "severity" | "before" | "after" | "fix">> & {
    /** What they are together, where they may be of more than one surface. */
    readonly across?: string;
  };

/** Builds a finding on the identity or the health of deployments, at least one. */
export function buildEndpointFinding(
  deployments: readonly Deployment[],
  { code, facts, severity, before, after, fix, across }: EndpointFacts,
): Finding {
  const [first] = deployments as readonly [Deployment, ...Deployment[]];
  const isOneFleet = deployments.every(isOf(first));
  const { protocol, style, name } = first;
  const row: Code = ENDPOINTS[code];
  return {
    code,
    severity: severity ?? row.severity ?? "risky",
    layer: code.startsWith("identity/") ? "identity" : "health",
    subject: deployments.length === 1 ? name : isOneFleet ? surfaceId(first) : (across ?? name),
    message: messageOf(row, facts),
    coordinate: null,
    before: before ?? null,
    after: after ?? null,
    derived: 0,
    where: isOneFleet ? { protocol, style, deployments: deployments.map((one) => one.name) } : null,
    operations: [],
    place: null,
    fix: fix ?? row.fix ?? null,
  };
}

/** Builds one finding for each surface of which there is something. */
export function findingsBySurface<T extends { readonly deployment: Deployment }>(
  items: readonly T[],
  describe: (group: readonly T[]) => EndpointFacts,
): Finding[] {
  return groupBySurface(items, ({ deployment }) => deployment).map((group) => {
    const deployments = [...new Set(group.map(({ deployment }) => deployment))];
    return buildEndpointFinding(deployments, describe(group));
  });
}
