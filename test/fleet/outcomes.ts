import { EndpointError, type EndpointErrorCode } from "../../src/base/errors.ts";
import type { ProbeReading } from "../../src/dialects/prober.ts";
import { findHealth } from "../../src/fleet/health.ts";
import { type Memory, parseMemory, renderMemory, updateMemory } from "../../src/fleet/memory.ts";
import type { Outcome } from "../../src/fleet/outcome.ts";
import { resolveProject } from "../../src/project/project.ts";
import type { Finding } from "../../src/report/finding.ts";

export const PROJECT = resolveProject({ deployments: { "protocol-lockup-xdc": { status: "retired" } } }, "/");

type Deployment = Outcome["deployment"];

/** The reading of a schema that does not matter. */
export const NO_READING = {
  schema: { queryType: "Query", mutationType: null, subscriptionType: null, types: [], directives: [] },
  hashes: { schema: "", docs: "" },
  entities: "",
  plainProtocols: [],
  errors: [],
} as const;

/** The answer to a probe that reports nothing. */
export const NO_PROBE: ProbeReading = {
  chainIds: null,
  heads: [],
  hasIndexingErrors: false,
  deployment: null,
};

/** The deployment `base` of lockup, or `flow-base`. */
export function deploymentOf(name: string): Deployment {
  const full = /^(lockup|flow)-/.test(name) ? `protocol-${name}` : `protocol-lockup-${name}`;
  const found = PROJECT.deployments.find((deployment) => deployment.name === full);
  if (found === undefined) throw new Error(`There is no ${full}.`);
  return found;
}

/** A deployment that answered. */
export function answered(deployment: Deployment, probe: Partial<ProbeReading> = {}): Outcome {
  const known = { ...NO_PROBE, ...probe };
  return { kind: "introspected", deployment, reading: NO_READING, probe: known, notes: [] };
}

/** Milliseconds of `20T03:00`, a time of November 2026, or of a time with its year. */
const timeOf = (text: string) => Date.parse(`${/^\d\dT/.test(text) ? `2026-11-${text}` : text}Z`);

/**
 * Parses outcomes: `base 10, flow-base 9@20T02:59, multichain base 10 gnosis 20, form TIMEOUT`. Each deployment has the
 * block of its chain, with its time, or a block per chain, or the code of its error.
 */
export function outcomesOf(text: string): Outcome[] {
  return text.split(", ").map((part) => {
    const [, name = "", rest = ""] = /^(\S+) (.*)$/.exec(part) ?? [];
    const deployment = deploymentOf(name);
    if (/^[A-Z]/.test(rest)) {
      const error = new EndpointError({
        code: `ENDPOINT_${rest}` as EndpointErrorCode,
        sentence: "It failed.",
      });
      return { kind: "failed", deployment, error, probe: null };
    }
    const heads = [...rest.matchAll(/(?:([a-z]\S*) )?(-?\d+)(?:@(\S+))?/g)].map(([, key, block, madeAt]) => ({
      chainId: key ? (PROJECT.chains.find((chain) => chain.key === key)?.chainId ?? 999_999) : null,
      block: Number(block),
      ...(madeAt && { timestamp: timeOf(madeAt) / 1000 }),
    }));
    return answered(deployment, { heads });
  });
}

/**
 * Runs at their times: `20T03:00 base 10 | 21T03:00 base 11`.
 *
 * @returns the memory and the findings of the last run.
 */
export function runAll(runs: string): { readonly memory: Memory; readonly findings: readonly Finding[] } {
  let memory: Memory = new Map();
  let findings: readonly Finding[] = [];
  for (const run of runs.split(" | ")) {
    const [, at = "", text = ""] = /^(\S+) (.*)$/.exec(run) ?? [];
    const outcomes = outcomesOf(text);
    const now = timeOf(at);
    memory = parseMemory(renderMemory(updateMemory(memory, { outcomes, now }, PROJECT)), "memory.json");
    findings = findHealth(outcomes, PROJECT.chains, { memory, now });
  }
  return { memory, findings };
}

/** The findings of the last of several runs: `stuck base: message`, with short forms of the sentences. */
export function findingsOf(runs: string): string[] {
  return runAll(runs).findings.map(({ code, where, message }) =>
    `${code} ${where?.deployments.join() ?? "fleet"}: ${message}`
      .replaceAll(/protocol-lockup-|health\//g, "")
      .replaceAll("Its head block does not move, but its peers do", "PEERS MOVE")
      .replaceAll(
        /Its head block has not moved for more than 24 hours, and there is no peer to .*?:/g,
        "NO PEER:",
      )
      .replace("Its head block is behind that of its peers on the same chain", "BEHIND")
      .replace("The endpoint has not answered since", "SILENT SINCE")
      .replaceAll(/2026-(11-\d\d) (\d\d:\d\d) UTC/g, "$1T$2"),
  );
}
