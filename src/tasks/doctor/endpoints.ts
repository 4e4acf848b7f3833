import { join } from "node:path";
import { groupBy, mapConcurrently } from "../../base/collections.ts";
import { ConfigError, LockflowError } from "../../base/errors.ts";
import { displayText, endSentence, listSome } from "../../base/text.ts";
import type { ApiSchema } from "../../dialects/api-schema.ts";
import { styles } from "../../dialects/index.ts";
import type { Prober, TextOrder } from "../../dialects/prober.ts";
import { isCi } from "../../fleet/open-targets.ts";
import { failureOf } from "../../fleet/outcome.ts";
import { parseGraphqlBody } from "../../fleet/parse-graphql-body.ts";
import { postGraphql } from "../../fleet/post-graphql.ts";
import {
  chooseEndpoints,
  type DeploymentEndpoint,
  readUrls,
  resolveTargets,
  secretsOf,
  type Target,
} from "../../project/endpoints.ts";
import { describeLifecycle } from "../../project/lifecycle.ts";
import { leftOut } from "../../project/load-project.ts";
import { allMissingEntities, type Project } from "../../project/project.ts";
import {
  defaultVariables,
  findUnreadVariables,
  hasHost,
  type UnreadVariable,
} from "../../project/variables.ts";
import { readSnapshots } from "../../workspace/read-snapshots.ts";
import { parseSnapshot } from "../../workspace/snapshot.ts";
import { type CheckResult, ok, type ProjectContext, problem, skipped, warning } from "./context.ts";

/** Whether every endpoint answers. Each is asked once, for next to nothing. */
export async function checkEndpoints(context: ProjectContext): Promise<CheckResult[]> {
  const { project, environment, env, isOffline } = context;
  if (!hasHost(project, env)) {
    const keys = allMissingEntities(project, project.selected);
    if (keys.length > 0) {
      return [
        problem(
          "No host is configured, and the emulator cannot serve every protocol in place of one.",
          `add ${keys.join(" and ")}, the path of the entity SDL, or configure a host`,
        ),
      ];
    }
    if (!isCi(env)) return [ok("No host is configured, so commands ask the emulator on this machine.")];
    return [
      warning(
        "No host is configured, and with CI set `lockflow drift` does not ask the emulator instead: it exits with 2.",
        "hand the variables that .env.example names to this job, or add --emulator to drift",
      ),
    ];
  }
  const { chosen, unconfigured } = chooseEndpoints(project.selected, environment, env);
  if (isOffline) return [skipped(`${count(chosen.length)} not asked, because of --offline.`)];
  const targets = chosen.flatMap((one) => resolveOrLeave(one, env));
  const progress = context.startProgress(targets.length);
  const secrets = secretsOf(targets);
  const answers = await mapConcurrently(targets, project.concurrency, async (target): Promise<Answer> => {
    const answer = await ask(target, secrets, project.timeout);
    progress.advance(target.deployment.name);
    return answer;
  }).finally(progress.finish);
  const silent = answers.filter(({ error }) => error !== null);
  const failed = silent.filter(({ isDormant }) => !isDormant);
  const dormant = silent.filter(({ isDormant }) => isDormant).map(({ name }) => name);
  const sick = answers.filter(({ hasIndexingErrors }) => hasIndexingErrors).map(({ name }) => name);
  const left = chosen.length - targets.length;
  const found = describeFailures(failed);
  if (sick.length > 0) {
    found.push(
      warning(`${listSome(sick, 2)}: indexing has failed, and old data is served.`, "ask whoever runs it"),
    );
  }
  if (dormant.length > 0)
    found.push(ok(`Without an answer, as happens to what is dormant: ${listSome(dormant, 2)}.`));
  const answering = answers.length - silent.length;
  if (answering > 0) found.push(ok(`${answering} of ${chosen.length} endpoints answer.`));
  if (left > 0) {
    found.push(skipped(`${count(left)} not asked: a variable is not set, or holds what cannot be sent.`));
  }
  const others = leftOut(project).length;
  if (others > 0)
    found.push(
      skipped(others === 1 ? "One deployment was left out." : `${others} deployments were left out.`),
    );
  if (unconfigured.length === 1) found.push(ok("One deployment has no URL and is never asked."));
  if (unconfigured.length > 1)
    found.push(ok(`${unconfigured.length} deployments have no URL and are never asked.`));
  return found;
}

type Answer = {
  readonly name: string;
  readonly error: LockflowError | null;
  readonly sentence: string;
  readonly hasIndexingErrors: boolean;
  /** Whether the configuration calls it dormant. */
  readonly isDormant: boolean;
};

/** What is asked of a schema that nothing is known of: the platform's own fields, where a style has any. */
const UNKNOWN: ApiSchema = {
  queryType: "Query",
  mutationType: null,
  subscriptionType: null,
  types: [],
  directives: [],
};

/** A variable that is missing is another check's business. */
function resolveOrLeave(one: DeploymentEndpoint, env: ProjectContext["env"]): Target[] {
  try {
    return resolveTargets([one], env);
  } catch (error) {
    if (error instanceof LockflowError) return [];
    throw error;
  }
}

async function ask(target: Target, secrets: readonly string[], timeout: number): Promise<Answer> {
  const { url, headers, deployment } = target;
  const { query, parse } = styles[deployment.style].prober.buildProbe(UNKNOWN, null);
  const { name } = deployment;
  const isDormant = deployment.status === "dormant";
  try {
    const body = await postGraphql({ url, headers, query, timeout });
    const { hasIndexingErrors } = parse(parseGraphqlBody(body, secrets).data);
    return { name, error: null, sentence: "", hasIndexingErrors: hasIndexingErrors && !isDormant, isDormant };
  } catch (thrown) {
    const error = failureOf(thrown, secrets);
    const sentence = displayText(error.sentence, secrets);
    return { name, error, sentence, hasIndexingErrors: false, isDormant };
  }
}

/** Endpoints that fail alike are reported together: a network that is down is one problem and not fifty-four. */
function describeFailures(failed: readonly Answer[]): CheckResult[] {
  return [...groupBy(failed, ({ sentence }) => sentence)].map(([sentence, answers]) => {
    const names = answers.map(({ name }) => name);
    return problem(endSentence(`${listSome(names, 2)}: ${sentence}`), answers[0]?.error?.hint ?? null);
  });
}

function count(endpoints: number): string {
  return endpoints === 1 ? "One endpoint was" : `${endpoints} endpoints were`;
}

/** What may be asked of endpoints that count. None says how much is left until nothing is, and it answers HTTP 429. */
export function checkQuota({ project, environment, env }: ProjectContext): CheckResult[] {
  if (!hasHost(project, env)) return [];
  const limits = chooseEndpoints(project.selected, environment, env).chosen.flatMap(({ endpoint }) =>
    endpoint.dailyQueries === null ? [] : [endpoint.dailyQueries],
  );
  if (limits.length === 0) return [ok("No limit is known of what these endpoints may be asked.")];
  const [least, most] = [Math.min(...limits), Math.max(...limits)];
  const limit = least === most ? `${least}` : `${least} to ${most}`;
  return [
    ok(
      `${limits.length === 1 ? `One endpoint takes ${limit} queries a day` : `${limits.length} endpoints take ${limit} queries a day each`}, shared by all who ask. What is left is not told; a refresh asks two.`,
    ),
  ];
}

/** By which rules endpoints order text, which no schema shows. Each that may have any rules is asked once. */
export async function checkCollation(context: ProjectContext): Promise<CheckResult[]> {
  const { project, environment, env, isOffline } = context;
  if (!hasHost(project, env)) {
    return [skipped("No host is configured; the emulator orders text by bytes, and an indexer need not.")];
  }
  const { chosen } = chooseEndpoints(project.selected, environment, env);
  const asked = chosen.flatMap((one) => {
    const { buildTextOrderProbe } = styles[one.deployment.style].prober;
    return buildTextOrderProbe === null ? [] : [{ ...one, buildTextOrderProbe }];
  });
  if (isOffline) return asked.length === 0 ? [] : [skipped("No endpoint was asked, because of --offline.")];
  return mapConcurrently(asked, project.concurrency, (one) => queryCollation(one, context));
}

type Asked = DeploymentEndpoint & {
  readonly buildTextOrderProbe: NonNullable<Prober["buildTextOrderProbe"]>;
};

async function queryCollation(one: Asked, { project, env }: ProjectContext): Promise<CheckResult> {
  const { name, protocol, style } = one.deployment;
  let secrets: readonly string[] = [];
  try {
    const [snapshot] = await readSnapshots(join(project.root, project.output), [{ protocol, style }]);
    if (snapshot === undefined)
      return skipped(`${name}: without a snapshot it is not known what to ask for.`);
    const probe = one.buildTextOrderProbe(parseSnapshot(snapshot.base));
    if (probe === null) return skipped(`${name}: its schema has no texts that would tell.`);
    const targets = resolveTargets([one], env);
    secrets = secretsOf(targets);
    const [{ url, headers }] = targets as [Target];
    const body = await postGraphql({ url, headers, query: probe.query, timeout: project.timeout });
    return SENTENCES[probe.parse(parseGraphqlBody(body, secrets).data)](name);
  } catch (thrown) {
    // That an endpoint fails is another check's to say.
    const { sentence } = failureOf(thrown, secrets);
    return skipped(`${name}: ${displayText(sentence, secrets)}`);
  }
}

const SENTENCES: Readonly<Record<TextOrder, (name: string) => CheckResult>> = {
  bytes: (name) => ok(`${name} orders text by bytes, as the emulator does.`),
  language: (name) =>
    ok(`${name} orders text by a language's rules, "a" before "B"; the emulator orders it by bytes.`),
  unknown: (name) => skipped(`${name}: its rows do not tell by which rules text is ordered.`),
};

/** Whether variables make URLs that commands take, and whether one of our own naming is set in vain. */
export function checkVariables(context: ProjectContext): CheckResult[] {
  const { project, env, envFiles } = context;
  const unread = findUnreadVariables(project, env).map(describeUnread);
  if (hasHost(project, env)) return [...findUnfitUrls(project, context), ...unread];
  const known = defaultVariables(project.protocols);
  for (const { name, values } of envFiles.filter(({ isExample }) => !isExample)) {
    const held = known.filter((one) => (values.get(one) ?? "") !== "" && (env[one] ?? "").trim() === "");
    if (held.length === 0) continue;
    const sentence = `${held.join(", ")}: set in ${name}, which only your shell can load, so commands do not read it.`;
    unread.push(warning(sentence, `set -a; . ./${name}; set +a`));
  }
  return unread;
}

/** What is wrong with the URLs that variables make, each once. One that is not set is another check's business. */
function findUnfitUrls({ deployments }: Project, { environment, env }: ProjectContext): CheckResult[] {
  const { chosen } = chooseEndpoints(deployments, environment, env);
  const faults = new Map<string, CheckResult>();
  const read = (some: typeof chosen): boolean => {
    try {
      return readUrls(some, env).length > 0;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { code, sentence, hint } = error;
      if (code !== "CONFIG_VARIABLE_MISSING") faults.set(sentence, problem(sentence, hint));
      return false;
    }
  };
  // Each by itself, so that one that lacks a variable hides none; and all of them, of which two may have one URL.
  const fit = chosen.filter((one) => read([one]));
  read(fit);
  return [...faults.values()];
}

function describeUnread({ name, nearest }: UnreadVariable): CheckResult {
  if (nearest !== null) {
    return warning(`${name} is set, and nothing reads it.`, `rename it: ${nearest} is what is read`);
  }
  return warning(
    `${name} is set, and nothing reads it: the configuration says it itself, or nobody is asked who needs it.`,
    `unset ${name}, or see docs/configuration.md for what it goes with`,
  );
}

/** What the configuration tells became of deployments; nothing of those that are in use. */
export function checkLifecycle({ project }: ProjectContext): CheckResult[] {
  const ended = project.deployments.filter(({ status }) => status !== "active");
  return [...groupBy(ended, describeLifecycle)].map(([sentence, deployments]) => {
    const names = deployments.map(({ name }) => name);
    return ok(`${listSome(names, 2)}: ${sentence}`);
  });
}
