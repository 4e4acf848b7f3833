import { displayText } from "../../../base/display-text.ts";
import { endSentence } from "../../../base/end-sentence.ts";
import { LockflowError } from "../../../base/errors/lockflow-error.ts";
import { groupBy } from "../../../base/group-by.ts";
import { isCi } from "../../../base/is-ci.ts";
import { listSome } from "../../../base/list-some.ts";
import { mapConcurrently } from "../../../base/map-concurrently.ts";
import { chooseEndpoints } from "../../../fleet/choose-endpoints.ts";
import { failureOf } from "../../../fleet/failure.ts";
import { parseGraphqlBody } from "../../../fleet/parse-graphql-body.ts";
import { postGraphql } from "../../../fleet/post-graphql.ts";
import { resolveTargets, secretsOf, type Target } from "../../../fleet/resolve-targets.ts";
import { allMissingEntities } from "../../../project/protocols/missing-entities.ts";
import type { DeploymentEndpoint } from "../../../project/read-urls.ts";
import { leftOut } from "../../../project/select-deployments.ts";
import { hasHost } from "../../../project/variables.ts";
import type { ApiSchema } from "../../../schema/api-schema.ts";
import { styles } from "../../../styles/index.ts";
import type { ProjectContext } from "../check-context.ts";
import { type CheckResult, ok, problem, skipped, warning } from "../check-result.ts";

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
  const { query, parse } = styles[deployment.style].probe(UNKNOWN, null);
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
