import { join } from "node:path";
import { createJiti } from "jiti";
import { LockflowError } from "../errors/lockflow-error.ts";
import { readText } from "../files/read-tree.ts";
import { type Protocol, STYLE_NAMES } from "../model/vocabulary.ts";
import type { Project } from "../registry/project.ts";
import { renderTable } from "../report/render-table.ts";
import { parseGraphqlBody } from "../transport/parse-graphql-body.ts";
import { postGraphql } from "../transport/post-graphql.ts";
import { secretsOf, type Target } from "../transport/resolve-targets.ts";
import { displayText } from "../utils/display-text.ts";
import type { CommandContext } from "./command.ts";

const OPERATION = "RecentStreams";
const ROWS = 3;

/**
 * Runs one generated operation against one deployment of each style and shows its rows: what was generated is
 * loaded from disk, as a user's program would. A project without that operation is spared it.
 */
export async function showcase(
  project: Project,
  targets: readonly Target[],
  context: CommandContext,
): Promise<void> {
  const protocol = project.protocols[0] as Protocol;
  const secrets = secretsOf(targets);
  let shown = 0;
  for (const style of STYLE_NAMES) {
    const path = `${project.output}/${protocol}/${style}.strings.ts`;
    const target = chooseTarget(targets, protocol, style, project);
    if (!target || (await readText(join(project.root, path))) === null) continue;
    const documents = await createJiti(import.meta.url).import<Record<string, unknown>>(
      join(project.root, path),
    );
    const query = documents[`${OPERATION}Document`];
    if (typeof query !== "string") continue;
    shown++;
    context.out(`  ${OPERATION} of ${path}, asked of ${target.deployment.name}:\n`);
    try {
      const rows = rowsOf(await ask(target, query, project));
      const shownRows = rows.map((row) => row.map((cell) => displayText(cell, secrets)));
      context.out(`${renderTable(shownRows, "    ")}\n`);
    } catch (error) {
      if (!(error instanceof LockflowError)) throw error;
      context.out(`    ${displayText(error.sentence, secrets)}\n`);
    }
  }
  if (shown === 0) context.out(`  There is no generated operation ${OPERATION} to show.\n`);
}

function chooseTarget(
  targets: readonly Target[],
  protocol: Protocol,
  style: string,
  project: Project,
): Target | undefined {
  const candidates = targets.filter(
    ({ deployment }) => deployment.protocol === protocol && deployment.style === style,
  );
  const wellKnown = project.chains.find((chain) => chain.chainId === 1)?.key ?? "";
  return candidates.find(({ deployment }) => deployment.chains.includes(wellKnown)) ?? candidates[0];
}

async function ask(target: Target, query: string, { timeout }: Project): Promise<unknown> {
  const { url, headers } = target;
  const bytes = await postGraphql({ url, headers, query, variables: { first: ROWS }, timeout });
  return parseGraphqlBody(bytes, secretsOf([target])).data["streams"];
}

function rowsOf(streams: unknown): string[][] {
  const header = ["alias", "chain id", "category", "sender", "recipient", "asset"];
  const rows = (Array.isArray(streams) ? streams : []).map((stream: Record<string, unknown>) => {
    const asset = stream["asset"] as { readonly symbol?: unknown } | null;
    const cells = [
      stream["alias"],
      stream["chainId"],
      stream["category"],
      shortAddress(stream["sender"]),
      shortAddress(stream["recipient"]),
      asset?.symbol,
    ];
    return cells.map((cell) => String(cell ?? "–"));
  });
  return [header, ...rows];
}

function shortAddress(value: unknown): string {
  return typeof value === "string" ? `${value.slice(0, 6)}…${value.slice(-4)}` : "–";
}
