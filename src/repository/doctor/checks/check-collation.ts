import { join } from "node:path";
import { displayText } from "../../../base/display-text.ts";
import { mapConcurrently } from "../../../base/map-concurrently.ts";
import { chooseEndpoints } from "../../../fleet/choose-endpoints.ts";
import { failureOf } from "../../../fleet/failure.ts";
import { parseGraphqlBody } from "../../../fleet/parse-graphql-body.ts";
import { postGraphql } from "../../../fleet/post-graphql.ts";
import { resolveTargets, secretsOf, type Target } from "../../../fleet/resolve-targets.ts";
import type { DeploymentEndpoint } from "../../../project/read-urls.ts";
import { hasHost } from "../../../project/variables.ts";
import { parseSnapshot } from "../../../snapshots/parse-snapshot.ts";
import { readSnapshots } from "../../../snapshots/read-snapshots.ts";
import { styles } from "../../../styles/index.ts";
import type { TextOrder, TextOrderProbe } from "../../../styles/style.ts";
import type { ProjectContext } from "../check-context.ts";
import { type CheckResult, ok, skipped } from "../check-result.ts";

/** By which rules endpoints order text, which no schema shows. Each that may have any rules is asked once. */
export async function checkCollation(context: ProjectContext): Promise<CheckResult[]> {
  const { project, environment, env, isOffline } = context;
  if (!hasHost(project, env)) {
    return [skipped("No host is configured; the emulator orders text by bytes, and an indexer need not.")];
  }
  const { chosen } = chooseEndpoints(project.selected, environment, env);
  const asked = chosen.flatMap((one) => {
    const { textOrder } = styles[one.deployment.style];
    return textOrder === null ? [] : [{ ...one, textOrder }];
  });
  if (isOffline) return asked.length === 0 ? [] : [skipped("No endpoint was asked, because of --offline.")];
  return mapConcurrently(asked, project.concurrency, (one) => ask(one, context));
}

type Asked = DeploymentEndpoint & { readonly textOrder: TextOrderProbe };

async function ask(one: Asked, { project, env }: ProjectContext): Promise<CheckResult> {
  const { name, protocol, style } = one.deployment;
  let secrets: readonly string[] = [];
  try {
    const [snapshot] = await readSnapshots(join(project.root, project.output), [{ protocol, style }]);
    if (snapshot === undefined)
      return skipped(`${name}: without a snapshot it is not known what to ask for.`);
    const probe = one.textOrder(parseSnapshot(snapshot.base));
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
