import { applyBaseline } from "../compare/baseline/apply-baseline.ts";
import { findUnmet } from "../compare/require.ts";
import { statusOfFailure } from "../introspect/describe-failure.ts";
import { findHealth, hasIndexingError } from "../introspect/find-health.ts";
import { findIdentity } from "../introspect/find-identity.ts";
import type { Introspected, Outcome } from "../introspect/introspect-targets.ts";
import type { SchemaReading } from "../introspect/read-schema.ts";
import { askDeployments, type KnownSchemas, readKnownSchemas } from "../introspect/run-introspection.ts";
import { sampleAgain } from "../introspect/sample-again.ts";
import type { Finding } from "../model/finding.ts";
import type { EndpointReport, EndpointStatus } from "../model/outcome.ts";
import { STYLE_NAMES } from "../model/vocabulary.ts";
import type { Project } from "../registry/project.ts";
import { createProgress } from "../report/progress.ts";
import { requireSnapshot } from "../snapshots/read-snapshots.ts";
import { styles } from "../styles/index.ts";
import { secretsOf } from "../transport/resolve-targets.ts";
import { displayText } from "../utils/display-text.ts";
import { shortHash } from "../utils/hash.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { compareLive, type LiveComparison, servesWhatIsKnown, withImpacts } from "./compare-live.ts";
import { finishRun, type Judging, judgingOptions, readBaseline } from "./judged-run.ts";
import { moveSnapshots } from "./move-snapshots.ts";
import { type OpenTargets, openTargets } from "./open-targets.ts";
import { environmentOption, projectOf } from "./options.ts";
import { readAssessedOperations } from "./read-assessed-operations.ts";

/** `lockflow drift`: what is served now against the snapshots, and who serves it and how. */
export async function runDrift(context: CommandContext): Promise<ExitCode> {
  const startedAt = Date.now();
  const judging = judgingOptions(context);
  const environment = environmentOption(context);
  const project = await projectOf(context);
  const opened = await openTargets(project, environment, context.env);
  try {
    // Results go out alone: a report may be for a program.
    context.err(`${opened.description}\n`);
    const known = await readKnownSchemas(project);
    await requireSnapshots(project, opened, known);
    const outcomes = await ask(project, opened, known, context);
    const rows = new Map(known.rows.map((row) => [row.name, row]));
    const answered = outcomes.filter((outcome) => outcome.kind === "introspected");
    const suspects = findSuspects(answered, (outcome) => servesWhatIsKnown(outcome, rows));
    const flapping = await sampleAgain(suspects, opened.targets, project);
    const live = await compareGroups({ project, known, answered, flapping, judging });
    const findings = [
      ...live.findings,
      ...findIdentity(outcomes, project.chains),
      ...findHealth(outcomes, project.chains),
    ];
    const baseline = applyBaseline(findings, await readBaseline(project), {
      today: new Date(startedAt).toISOString().slice(0, 10),
      answered: new Set(),
      judges: () => false,
    });
    const secrets = secretsOf(opened.targets);
    const endpoints = [
      ...outcomes.map((outcome) => reportEndpoint(outcome, live.statuses, baseline.findings, secrets)),
      ...skippedEndpoints(project, opened),
    ];
    if (context.options["update"] === true) {
      const unmet = new Set(findUnmet(endpoints, judging.require).map(({ name }) => name));
      const followed = outcomes.filter(({ deployment }) => !flapping.has(deployment.name));
      const { written, removed } = await moveSnapshots(
        project,
        known,
        followed,
        ({ protocol, style }) => !unmet.has(`${protocol}/${style}`),
      );
      const moved = written.length + removed.length;
      context.err(moved === 0 ? "No snapshot moved.\n" : `${moved} files of snapshots moved.\n`);
      for (const name of unmet) context.err(`Those of ${name} stay: too few answered.\n`);
    }
    return await finishRun(
      context,
      project,
      {
        command: "drift",
        startedAt,
        findings,
        endpoints,
        groups: live.groups,
        operations: withImpacts(live.operations, baseline.findings),
        categories: ["drift", "identity", "health"],
        answered: new Set(answered.map(({ deployment }) => deployment.name)),
        failure: opened.targets.length === 0 ? "no deployment has a URL to be asked at" : null,
      },
      judging,
    );
  } finally {
    await opened.close();
  }
}

/** @throws SchemaError when there is nothing to compare an answer with. */
async function requireSnapshots(
  project: Project,
  { targets }: OpenTargets,
  { snapshots }: KnownSchemas,
): Promise<void> {
  for (const { deployment } of targets) {
    const { protocol, style } = deployment;
    const isThere = snapshots.some((one) => one.protocol === protocol && one.style === style);
    if (!isThere) await requireSnapshot(`${project.root}/${project.output}`, protocol, style);
  }
}

async function ask(
  project: Project,
  { targets }: OpenTargets,
  known: KnownSchemas,
  context: CommandContext,
): Promise<Outcome[]> {
  const progress = createProgress({
    total: targets.length,
    what: "deployments",
    write: context.err,
    isTerminal: context.isTerminal,
  });
  return askDeployments(project, targets, known, ({ deployment }) => {
    progress.advance(deployment.name);
  }).finally(progress.finish);
}

/**
 * The deployments to be asked again: those with an unexpected answer, unless half of their group gives the same. That
 * many do not flap at once, and asking all of them again would cost a day's quota.
 */
function findSuspects(
  answered: readonly Introspected[],
  isKnown: (outcome: Introspected) => boolean,
): Introspected[] {
  const sizes = new Map<string, number>();
  const count = (key: string) => sizes.set(key, (sizes.get(key) ?? 0) + 1);
  for (const one of answered) {
    count(groupOf(one));
    count(`${groupOf(one)} ${one.reading.hashes.schema}`);
  }
  return answered.filter((one) => {
    const [all = 0, same = 0] = [
      sizes.get(groupOf(one)),
      sizes.get(`${groupOf(one)} ${one.reading.hashes.schema}`),
    ];
    return !isKnown(one) && (all < FLEET || same * 2 < all);
  });
}

/** Of fewer deployments than this, half is no crowd. */
const FLEET = 4;

function groupOf({ deployment: { protocol, style } }: Pick<Introspected, "deployment">): string {
  return `${protocol}/${style}`;
}

async function compareGroups({
  project,
  known,
  answered,
  flapping,
  judging,
}: {
  readonly project: Project;
  readonly known: KnownSchemas;
  readonly answered: readonly Introspected[];
  readonly flapping: ReadonlyMap<string, SchemaReading>;
  readonly judging: Judging;
}): Promise<LiveComparison> {
  const rows = new Map(known.rows.map((row) => [row.name, row]));
  const comparisons: LiveComparison[] = [];
  for (const protocol of project.protocols) {
    for (const style of STYLE_NAMES) {
      const snapshot = known.snapshots.find((one) => one.protocol === protocol && one.style === style);
      if (snapshot === undefined) continue;
      const isOwn = (deployment: { readonly protocol: string; readonly style: string }) =>
        deployment.protocol === protocol && deployment.style === style;
      comparisons.push(
        compareLive({
          snapshot,
          style: styles[style],
          rows,
          deployments: project.deployments.filter((one) => isOwn(one) && one.status !== "retired"),
          answered: answered.filter(({ deployment }) => isOwn(deployment)),
          flapping,
          operations: await readAssessedOperations(project, protocol, style),
          exhaustiveEnums: judging.exhaustiveEnums,
          output: project.output,
        }),
      );
    }
  }
  return {
    findings: comparisons.flatMap(({ findings }) => findings),
    groups: comparisons.flatMap(({ groups }) => groups),
    operations: comparisons.flatMap(({ operations }) => operations),
    statuses: new Map(comparisons.flatMap(({ statuses }) => [...statuses])),
  };
}

function reportEndpoint(
  outcome: Outcome,
  statuses: LiveComparison["statuses"],
  findings: readonly (Finding & { readonly accepted: boolean })[],
  secrets: readonly string[],
): EndpointReport {
  const { name: deployment, protocol, style, chains } = outcome.deployment;
  const facts = { deployment, protocol, style, chains };
  if (outcome.kind === "failed") {
    const message = displayText(outcome.error.sentence, secrets);
    return { ...facts, status: statusOfFailure(outcome.error), message, group: null };
  }
  const group = shortHash(outcome.reading.hashes.schema);
  const status = statuses.get(deployment);
  const own = findings.filter(
    ({ code, where }) => /^(drift|fleet)\//.test(code) && where?.deployments.includes(deployment),
  );
  const seen: EndpointStatus =
    status !== undefined && status !== "flapping" && own.length > 0 && own.every(({ accepted }) => accepted)
      ? "accepted"
      : (status ?? (hasIndexingError(outcome) ? "indexing-error" : "same"));
  const message = outcome.notes.length > 0 ? displayText(outcome.notes.join("; "), secrets) : null;
  return { ...facts, status: seen, message, group };
}

function skippedEndpoints(project: Project, { unconfigured }: OpenTargets): EndpointReport[] {
  const retired = project.deployments.filter(({ status }) => status === "retired");
  return [
    ...unconfigured.map((deployment) => ({ deployment, message: "It has no URL." })),
    ...retired.map((deployment) => ({ deployment, message: "It is retired." })),
  ].map(({ deployment: { name, protocol, style, chains }, message }) => ({
    deployment: name,
    protocol,
    style,
    chains,
    status: "skipped",
    message,
    group: null,
  }));
}
