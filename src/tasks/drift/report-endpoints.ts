import { compareCodeUnits } from "../../base/collections.ts";
import { shortHash } from "../../base/hash.ts";
import { displayText, endSentence } from "../../base/text.ts";
import { collectHeads, furthestHeads, type Memory } from "../../fleet/memory.ts";
import type { OpenTargets } from "../../fleet/open-targets.ts";
import { type Outcome, statusOfFailed } from "../../fleet/outcome.ts";
import type { Deployment } from "../../project/deployment.ts";
import { secretsOf } from "../../project/endpoints.ts";
import { describeLifecycle, inactiveLifecycle } from "../../project/lifecycle.ts";
import { leftOut } from "../../project/load-project.ts";
import type { Project } from "../../project/project.ts";
import { categoryOf } from "../../report/finding.ts";
import type { AcceptedFinding, EndpointReport, EndpointStatus, HeadReport } from "../../report/outcome.ts";

/** What a run knows about its endpoints. */
type EndpointFacts = {
  readonly project: Pick<Project, "chains" | "deployments" | "selected">;
  readonly opened: Pick<OpenTargets, "targets" | "unconfigured">;
  readonly outcomes: readonly Outcome[];
  /** The statuses of the deployments with an unexpected schema. */
  readonly statuses: ReadonlyMap<string, EndpointStatus>;
  /** With the accepted findings marked. */
  readonly findings: readonly AcceptedFinding[];
  /** Includes this run. */
  readonly memory: Memory;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
};

/** Builds the entries of a report for all endpoints, including those without a request. */
export function reportEndpoints(facts: EndpointFacts): EndpointReport[] {
  const { project, opened, outcomes, statuses, findings } = facts;
  const headsOf = createHeadReader(facts);
  const secrets = secretsOf(opened.targets);
  const accepted = findAccepted(findings);
  const retired = project.selected.filter(({ status }) => status === "retired");
  return [
    ...outcomes.map((outcome): EndpointReport => {
      const entry = { ...factsOf(outcome.deployment), ...headsOf(outcome.deployment.name) };
      if (outcome.kind === "failed") {
        const message = displayText(outcome.error.sentence, secrets);
        return { ...entry, status: statusOfFailed(outcome), message: joined(message, entry), group: null };
      }
      const { notes, reading } = outcome;
      const status = statusOf(outcome, statuses.get(entry.deployment), accepted);
      const message = notes.length > 0 ? displayText(notes.join("; "), secrets) : null;
      return { ...entry, status, message: joined(message, entry), group: shortHash(reading.hashes.schema) };
    }),
    ...opened.unconfigured.map((deployment) => skipped(deployment, "It has no URL.")),
    ...retired.map((deployment) => skipped(deployment, describeLifecycle(deployment))),
    ...leftOut(project).map((deployment) => ({
      ...skipped(deployment, "Not selected in this run."),
      leftOut: true as const,
    })),
  ];
}

/** Creates a function that returns the heads of a deployment, and since when it has not answered. */
function createHeadReader({
  project,
  outcomes,
  memory,
  startedAt,
}: EndpointFacts): (deployment: string) => Pick<EndpointReport, "heads" | "silentSince"> {
  const heads = collectHeads(outcomes, project.chains);
  const furthest = furthestHeads(heads);
  const made = new Map(heads.map(({ deployment, chain, madeAt }) => [`${deployment.name} ${chain}`, madeAt]));
  const now = new Date(startedAt).toISOString();
  return (name) => {
    const remembered = memory.get(name);
    const reports = [...(remembered?.heads ?? [])].map(([chain, { block, since, earlier }]): HeadReport => {
      const madeAt = made.get(`${name} ${chain}`) ?? null;
      return {
        chain,
        block,
        behind: Math.max(0, (furthest.get(chain) ?? block) - block),
        ...(madeAt !== null && { madeAt: new Date(madeAt).toISOString() }),
        // A first observation says nothing about when the head stopped.
        ...(since < now && { since }),
        ...(earlier.length > 0 && { earlier }),
      };
    });
    const silentSince = remembered?.silentSince ?? null;
    return {
      ...(reports.length > 0 && {
        heads: reports.sort((a, b) => compareCodeUnits(a.chain, b.chain)),
      }),
      ...(silentSince !== null && silentSince < now.slice(0, 10) && { silentSince }),
    };
  };
}

/** Returns the deployments with findings that are all accepted. */
function findAccepted(findings: readonly AcceptedFinding[]): ReadonlySet<string> {
  const [accepted, open] = [new Set<string>(), new Set<string>()];
  for (const finding of findings) {
    if (!["drift", "fleet"].includes(categoryOf(finding))) continue;
    for (const name of finding.where?.deployments ?? []) (finding.accepted ? accepted : open).add(name);
  }
  return new Set([...accepted].filter((name) => !open.has(name)));
}

function statusOf(
  outcome: Extract<Outcome, { kind: "introspected" }>,
  status: EndpointStatus | undefined,
  accepted: ReadonlySet<string>,
): EndpointStatus {
  if (status === undefined) return outcome.probe.hasIndexingErrors ? "indexing-error" : "same";
  return status !== "flapping" && accepted.has(outcome.deployment.name) ? "accepted" : status;
}

function skipped(deployment: Deployment, message: string): EndpointReport {
  return { ...factsOf(deployment), status: "skipped", message, group: null };
}

function factsOf(deployment: Deployment) {
  const { name, protocol, style, chains } = deployment;
  return { deployment: name, protocol, style, chains, ...inactiveLifecycle(deployment) };
}

/** Joins the message of a run with the lifecycle in the configuration. */
function joined(message: string | null, { lifecycle }: Pick<EndpointReport, "lifecycle">): string | null {
  if (lifecycle === undefined) return message;
  return [...(message === null ? [] : [endSentence(message)]), describeLifecycle(lifecycle)].join(" ");
}
