import { listSome } from "../../base/clean-text.ts";
import { groupBy, mapConcurrently } from "../../base/collections.ts";
import { LockflowError } from "../../base/errors.ts";
import { displayText, endSentence } from "../../base/text.ts";
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
import { resolveHttpProxy } from "../../project/http-proxy.ts";
import { describeLifecycle } from "../../project/lifecycle.ts";
import { leftOut } from "../../project/load-project.ts";
import { allMissingEntities } from "../../project/project.ts";
import { hasHost } from "../../project/variables.ts";
import { parseSnapshot } from "../../workspace/snapshot-schema.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { type CheckResult, ok, type ProjectContext, problem, skipped, warning } from "./context.ts";

/** Checks that every endpoint answers, with one small request to each. */
export async function checkEndpoints(context: ProjectContext): Promise<CheckResult[]> {
  const { project, environment, env, isOffline } = context;
  if (!hasHost(project, env)) {
    const keys = allMissingEntities(project, project.selected);
    if (keys.length > 0) {
      return [
        problem(
          "No host is configured, and the emulator cannot serve every protocol.",
          `set ${keys.join(" and ")} to the path of the entity schema, or configure a host`,
        ),
      ];
    }
    if (!isCi(env)) return [ok("No host is configured, so commands use the emulator on this machine.")];
    return [
      warning(
        "No host is configured. In CI, `lockflow drift` does not use the emulator and exits with 2.",
        "pass the variables in .env.example to this job, or add --emulator to drift",
      ),
    ];
  }
  const { chosen, unconfigured } = chooseEndpoints(project.selected, environment, env);
  if (isOffline) return [skipped(`${count(chosen.length)} not checked, because of --offline.`)];
  const targets = chosen.flatMap((endpoint) => orSkip(() => resolveTargets([endpoint], env)));
  const progress = context.startProgress(targets.length);
  const secrets = secretsOf(targets);
  const answers = await mapConcurrently(targets, project.concurrency, async (target): Promise<Answer> => {
    const answer = await queryEndpoint(target, secrets, project.timeout);
    progress.advance(target.deployment.name);
    return answer;
  }).finally(progress.finish);
  const silent = answers.filter(({ failure }) => failure !== null);
  const failed = silent.filter(({ isDormant }) => !isDormant);
  const dormant = silent.filter(({ isDormant }) => isDormant).map(({ name }) => name);
  const sick = answers.filter(({ isSick }) => isSick).map(({ name }) => name);
  const left = chosen.length - targets.length;
  const results = describeFailures(failed);
  if (sick.length > 0) {
    results.push(
      warning(
        `${listSome(sick, 2)}: indexing has failed, so the data is old.`,
        "report it to the operator of the indexer",
      ),
    );
  }
  if (dormant.length > 0) results.push(ok(`Dormant deployments without an answer: ${listSome(dormant, 2)}.`));
  const answering = answers.length - silent.length;
  if (answering > 0) results.push(ok(`${answering} of ${chosen.length} endpoints answer.`));
  if (left > 0) {
    results.push(skipped(`${count(left)} not checked: a variable is not set, or its value is not valid.`));
  }
  const others = leftOut(project).length;
  if (others > 0)
    results.push(
      skipped(others === 1 ? "One deployment is not selected." : `${others} deployments are not selected.`),
    );
  if (unconfigured.length === 1) results.push(ok("One deployment has no URL and is never used."));
  if (unconfigured.length > 1)
    results.push(ok(`${unconfigured.length} deployments have no URL and are never used.`));
  return results;
}

type Answer = {
  readonly name: string;
  readonly failure: Pick<LockflowError, "sentence" | "hint"> | null;
  readonly isSick: boolean;
  /** Whether the configuration calls the deployment dormant. */
  readonly isDormant: boolean;
};

/** A schema without types: probes of it select only the fields of the platform. */
const UNKNOWN: ApiSchema = {
  queryType: "Query",
  mutationType: null,
  subscriptionType: null,
  types: [],
  directives: [],
};

/** Skips an endpoint with a missing or invalid variable, which other checks report. */
function orSkip<T>(resolve: () => readonly T[]): readonly T[] {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof LockflowError) return [];
    throw error;
  }
}

async function queryEndpoint(target: Target, secrets: readonly string[], timeout: number): Promise<Answer> {
  const { name, style, status } = target.deployment;
  const { query, parse } = styles[style].prober.buildProbe(UNKNOWN, null);
  const isDormant = status === "dormant";
  try {
    const body = await postGraphql({ target, query, timeout });
    const { hasIndexingErrors } = parse(parseGraphqlBody(body, secrets).data);
    return { name, failure: null, isSick: hasIndexingErrors && !isDormant, isDormant };
  } catch (thrown) {
    const { sentence, hint } = failureOf(thrown, secrets);
    const failure = { sentence: displayText(sentence, secrets), hint };
    return { name, failure, isSick: false, isDormant };
  }
}

/** Reports endpoints with the same failure together: a network that is down is one problem, not fifty-four. */
function describeFailures(failed: readonly Answer[]): CheckResult[] {
  return [...groupBy(failed, ({ failure }) => failure?.sentence)].map(([sentence, answers]) => {
    const names = answers.map(({ name }) => name);
    return problem(endSentence(`${listSome(names, 2)}: ${sentence}`), answers[0]?.failure?.hint ?? null);
  });
}

function count(endpoints: number): string {
  return endpoints === 1 ? "One endpoint was" : `${endpoints} endpoints were`;
}

/** Reports the proxies that requests go through. */
export function checkProxy({ project, environment, env }: ProjectContext): CheckResult[] {
  const { chosen } = chooseEndpoints(project.selected, environment, env);
  const addressed = chosen.flatMap((endpoint) => orSkip(() => readUrls([endpoint], env)));
  const routes = addressed.map(({ url }) => ({ host: new URL(url).host, proxy: resolveHttpProxy(url, env) }));
  if (routes.every(({ proxy }) => proxy === null)) return [];
  return [...groupBy(routes, ({ proxy }) => proxy && `${proxy.name} (${proxy.variable})`)].map(
    ([proxy, sameProxy]) => {
      const hosts = listSome([...new Set(sameProxy.map(({ host }) => host))].sort(), 5);
      return ok(
        `Requests to ${hosts} go ${proxy === null ? "through no proxy" : `through the proxy ${proxy}`}.`,
      );
    },
  );
}

/** Reports the daily limits of endpoints. No endpoint reports its remaining quota before it answers HTTP 429. */
export function checkQuota({ project, environment, env }: ProjectContext): CheckResult[] {
  if (!hasHost(project, env)) return [];
  const limits = chooseEndpoints(project.selected, environment, env).chosen.flatMap(({ endpoint }) =>
    endpoint.dailyQueries === null ? [] : [endpoint.dailyQueries],
  );
  if (limits.length === 0) return [ok("No query limit of these endpoints is known.")];
  const [least, most] = [Math.min(...limits), Math.max(...limits)];
  const limit = least === most ? `${least}` : `${least} to ${most}`;
  return [
    ok(
      `${limits.length === 1 ? `One endpoint allows ${limit} queries a day` : `${limits.length} endpoints allow ${limit} queries a day each`}, shared by all of its users. The remaining quota is unknown; \`introspect\` sends two.`,
    ),
  ];
}

/** Reports how endpoints order text, which no schema shows, with one request to each that may differ. */
export async function checkCollation(context: ProjectContext): Promise<CheckResult[]> {
  const { project, environment, env, isOffline } = context;
  if (!hasHost(project, env)) {
    return [skipped("No host is configured. The emulator orders text by bytes; an indexer may differ.")];
  }
  const { chosen } = chooseEndpoints(project.selected, environment, env);
  const probed = chosen.flatMap((endpoint) => {
    const { buildTextOrderProbe } = styles[endpoint.deployment.style].prober;
    return buildTextOrderProbe === null ? [] : [{ ...endpoint, buildTextOrderProbe }];
  });
  if (isOffline) return probed.length === 0 ? [] : [skipped("Not checked, because of --offline.")];
  return mapConcurrently(probed, project.concurrency, (endpoint) => queryCollation(endpoint, context));
}

type Probed = DeploymentEndpoint & {
  readonly buildTextOrderProbe: NonNullable<Prober["buildTextOrderProbe"]>;
};

async function queryCollation(probed: Probed, { project, env }: ProjectContext): Promise<CheckResult> {
  const { name, protocol, style } = probed.deployment;
  let secrets: readonly string[] = [];
  try {
    const snapshot = openWorkspace(project).snapshot({ protocol, style });
    if (snapshot === null) return skipped(`${name}: cannot be checked without a snapshot.`);
    const probe = probed.buildTextOrderProbe(parseSnapshot(snapshot.base));
    if (probe === null) return skipped(`${name}: its schema has no text to compare.`);
    const targets = resolveTargets([probed], env);
    secrets = secretsOf(targets);
    const [target] = targets as [Target];
    const body = await postGraphql({ target, query: probe.query, timeout: project.timeout });
    return SENTENCES[probe.parse(parseGraphqlBody(body, secrets).data)](name);
  } catch (thrown) {
    // `checkEndpoints` reports failures.
    const { sentence } = failureOf(thrown, secrets);
    return skipped(`${name}: ${displayText(sentence, secrets)}`);
  }
}

const SENTENCES: Readonly<Record<TextOrder, (name: string) => CheckResult>> = {
  bytes: (name) => ok(`${name} orders text by bytes, as the emulator does.`),
  language: (name) =>
    ok(`${name} orders text by the rules of a language ("a" before "B"); the emulator orders it by bytes.`),
  unknown: (name) => skipped(`${name}: its rows do not show how it orders text.`),
};

/** Reports the deployments that the configuration calls dormant or retired. */
export function checkLifecycle({ project }: ProjectContext): CheckResult[] {
  const ended = project.deployments.filter(({ status }) => status !== "active");
  return [...groupBy(ended, describeLifecycle)].map(([sentence, deployments]) => {
    const names = deployments.map(({ name }) => name);
    return ok(`${listSome(names, 2)}: ${sentence}`);
  });
}
