import { groupBy } from "../base/collections.ts";
import { EndpointError } from "../base/errors.ts";
import { endSentence } from "../base/text.ts";
import type { ChainField, ProbeReading } from "../dialects/prober.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { groupBySurface, IS_PER_CHAIN, isOf, type OfSurface, surfaceId } from "../dialects/surface.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import { ENDPOINTS } from "../report/codes/surfaces.ts";
import { type Code, type FactsOf, type Finding, messageOf } from "../report/finding.ts";
import type { Failed, Introspected, Outcome } from "./outcome.ts";

/** The parts of protocol definitions that identify the chain of a deployment. */
type Identified = readonly Pick<ResolvedProtocol, "key" | "identity">[];

/** Returns the field that identifies the chain of a deployment; null if the protocol's definition names none. */
export function chainFieldOf(definitions: Identified, { protocol }: OfSurface): ChainField | null {
  return definitions.find(({ key }) => key === protocol)?.identity.chain ?? null;
}

/**
 * Checks that a deployment serves the chains that the manifest says, and returns notes that are not failures.
 *
 * @param context.chainField the field that identifies its chain; null if none is configured, which is reported once per protocol.
 * @throws EndpointError `ENDPOINT_WRONG_CHAIN`
 */
export function checkIdentity(
  deployment: Deployment,
  { chains, chainField }: { readonly chains: readonly Chain[]; readonly chainField: ChainField | null },
  reading: ProbeReading,
): string[] {
  const expected = chains.filter((chain) => deployment.chains.includes(chain.key));
  const notes = reading.hasIndexingErrors ? ["reports indexing errors"] : [];
  if (reading.chainIds === null) {
    return chainField === null ? notes : [...notes, "does not say which chain it serves"];
  }
  const served = new Set(reading.chainIds);
  const expectedIds = new Set(expected.map((chain) => chain.chainId));
  const unexpected = [...served]
    .filter((id) => !expectedIds.has(id))
    .sort((a, b) => a - b)
    .map((id) => describeChain(id, chains));
  const [only, ...more] = expected;
  if (only && more.length === 0 && unexpected.length > 0) {
    throw new EndpointError({
      code: "ENDPOINT_WRONG_CHAIN",
      sentence: `It serves ${unexpected.join(" and ")} instead of ${describeChain(only.chainId, chains)}.`,
      hint: "correct its URL: its rows are those of another chain.",
    });
  }
  if (unexpected.length > 0) notes.push(`also serves ${unexpected.join(", ")}`);
  const missing = expected.filter((chain) => !served.has(chain.chainId)).map((chain) => chain.key);
  if (missing.length > 0) notes.push(`has no rows of ${missing.join(", ")}`);
  return notes;
}

function describeChain(chainId: number, chains: readonly Chain[]): string {
  const chain = chains.find((candidate) => candidate.chainId === chainId);
  return chain ? `${chain.key} (chain id ${chainId})` : `chain id ${chainId}`;
}

/** Finds deployments whose identity is wrong or unknown. */
export function findIdentity(
  outcomes: readonly Outcome[],
  chains: readonly Chain[],
  definitions: Identified,
): Finding[] {
  const keys = new Map(chains.map((chain) => [chain.chainId, chain.key]));
  const ids = new Map(chains.map((chain) => [chain.key, chain.chainId]));
  const nameOf = (chainId: number) => keys.get(chainId) ?? `chain id ${chainId}`;
  const findings = outcomes.flatMap((outcome) =>
    outcome.kind === "introspected"
      ? findMissingChains(outcome, ids)
      : findOtherChain(outcome, outcomes, nameOf),
  );
  return [
    ...findOtherProtocols(outcomes),
    ...findings,
    ...findUnknown(outcomes, definitions),
    ...findSame(outcomes, nameOf),
  ];
}

function findUnknown(outcomes: readonly Outcome[], definitions: Identified): Finding[] {
  const configured = findSilent(outcomes).filter(
    ({ deployment }) => chainFieldOf(definitions, deployment) !== null,
  );
  return [
    ...findingsBySurface(configured, () => ({
      code: "identity/unknown",
      facts: ["The deployment does not say which chain it serves."],
      fix: "check its rows by hand once.",
    })),
    ...findWithoutChainField(outcomes, definitions).map(({ protocol: across, deployments, sentence, fix }) =>
      buildEndpointFinding(deployments, { code: "identity/unknown", facts: [sentence], fix, across }),
    ),
  ];
}

/** Returns the deployments that answered without their chain. Failed indexing explains a missing chain. */
function findSilent(outcomes: readonly Outcome[]): Introspected[] {
  return outcomes
    .filter((outcome) => outcome.kind === "introspected")
    .filter(({ probe }) => probe.chainIds === null && !probe.hasIndexingErrors);
}

/** Finds the protocols whose definition does not name the field with the chain id, with the affected deployments. */
export function findWithoutChainField(outcomes: readonly Outcome[], definitions: Identified) {
  const affected = findSilent(outcomes).filter(
    ({ deployment }) => chainFieldOf(definitions, deployment) === null,
  );
  return [...groupBy(affected, ({ deployment }) => deployment.protocol)].map(([protocol, group]) => ({
    protocol,
    deployments: group.map(({ deployment }) => deployment),
    sentence: `Which chains the deployments of ${protocol} serve is unknown: its definition does not name the field with the chain id.`,
    fix: `add protocols.${protocol}.identity.chain to the configuration: the entity and the field with the chain's id, such as "Counter.chainId".`,
  }));
}

/** Builds one finding for all deployments of a fleet with a wrong protocol, whatever they serve instead. */
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
  const described = sentences.map(([sentence, group]) => {
    const names = group.map(({ deployment }) => deployment.name).join(", ");
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
  // The deployment of the same fleet that should serve what this one serves.
  const right = outcomes.find(
    (other) =>
      served !== null &&
      isOf(deployment)(other.deployment) &&
      nameServed(other, nameOf) === served &&
      !isOfWrongChain(other),
  );
  const why = right === undefined ? "" : `: it serves the same as ${right.deployment.name}`;
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

/** Finds the chains without rows in a multichain deployment. A chain with a head has no rows yet, which is fine. */
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
        fix: `remove ${key} from the chains of ${deployment.name} in the configuration, or ask its operator.`,
      }),
    );
}

/** Finds single-chain deployments with the same chain or platform name: one deployment behind two URLs. */
function findSame(outcomes: readonly Outcome[], nameOf: (chainId: number) => string): Finding[] {
  const single = outcomes.filter(({ deployment }) => IS_PER_CHAIN[deployment.style]);
  return groupBySurface(single, ({ deployment }) => deployment).flatMap((fleet) => {
    const shares = groupBy(fleet, (outcome) => nameServed(outcome, nameOf));
    return [...shares].flatMap(([name, same]) => {
      // If all but one have a wrong chain, each of those is reported already.
      if (name === null || same.filter((outcome) => !isOfWrongChain(outcome)).length < 2) return [];
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

/** Returns what a deployment serves: a chain, or its name on the platform; null if neither is known. */
function nameServed({ probe }: Outcome, nameOf: (chainId: number) => string): string | null {
  const [only, ...more] = probe?.chainIds ?? [];
  if (only !== undefined && more.length === 0) return nameOf(only);
  const platformName = probe?.deployment ?? null;
  return platformName && `deployment ${platformName}`;
}

function isOfWrongChain(outcome: Outcome): boolean {
  return outcome.kind === "failed" && outcome.error.code === "ENDPOINT_WRONG_CHAIN";
}

/** A finding about deployments, apart from their schemas: a code, and the arguments of its message. */
export type EndpointFacts = {
  [C in keyof typeof ENDPOINTS]: { readonly code: C; readonly facts: FactsOf<(typeof ENDPOINTS)[C]> };
}[keyof typeof ENDPOINTS] &
  Partial<Pick<Finding, "severity" | "before" | "after" | "fix">> & {
    /** The common name of deployments of more than one surface. */
    readonly across?: string;
  };

/** Builds a finding about the identity or health of at least one deployment. */
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
    where: isOneFleet ? { protocol, style, deployments: deployments.map(({ name }) => name) } : null,
    operations: [],
    place: null,
    fix: fix ?? row.fix ?? null,
  };
}

/** Builds one finding for each surface that occurs in the items. */
export function findingsBySurface<T extends { readonly deployment: Deployment }>(
  items: readonly T[],
  describe: (group: readonly T[]) => EndpointFacts,
): Finding[] {
  return groupBySurface(items, ({ deployment }) => deployment).map((group) => {
    const deployments = [...new Set(group.map(({ deployment }) => deployment))];
    return buildEndpointFinding(deployments, describe(group));
  });
}
