import { listSome } from "../../base/clean-text.ts";
import { compareCodeUnits, groupBy } from "../../base/collections.ts";
import { shortHash } from "../../base/hash.ts";
import { describeLifecycle } from "../../project/lifecycle.ts";
import { renderTable } from "../../report/terminal.ts";
import {
  type AskedDeployment,
  hasWrongIdentity,
  type Introspection,
  introspect,
  isExcused,
} from "../../tasks/introspect.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { askingOptions, renderUnconfigured } from "../task-options.ts";

/** `lockflow introspect`: updates the snapshots from every deployment. */
export async function runIntrospect(
  context: CommandContext,
  options: Options<"introspect">,
): Promise<ExitCode> {
  let unconfigured = "";
  const introspection = await introspect({
    ...askingOptions(context, options),
    onAsking: (asking) => {
      context.out(`${asking.description}\n`);
      unconfigured = renderUnconfigured(asking, options.environment);
    },
  });
  context.out(`${renderIntrospection(introspection)}\n${unconfigured}`);
  return introspectionExitCode(introspection);
}

/** Returns 2 if a deployment that is not dormant failed, 1 if only identities are wrong, and 0 otherwise. */
export function introspectionExitCode({ deployments }: Introspection): ExitCode {
  const failed = deployments.filter((deployment) => deployment.message !== null && !isExcused(deployment));
  // If no deployment returned a schema, the run did nothing.
  if (failed.length === 0) return deployments.every(isExcused) ? 2 : 0;
  return failed.every(hasWrongIdentity) ? 1 : 2;
}

/** Renders an introspection: wrong identities, the fleet by schema, notes, and each failure on a line. */
export function renderIntrospection(introspection: Introspection): string {
  const { deployments, rows, removed } = introspection;
  const failed = deployments.filter(({ message }) => message !== null);
  const lines = [
    deployments.length === 0
      ? "Introspected nothing: no selected deployment is in use and has a URL."
      : `Introspected ${deployments.length - failed.length} of ${deployments.length} deployments.`,
  ];
  const list = (title: string, listed: readonly AskedDeployment[]) => {
    if (listed.length === 0) return;
    lines.push("", `${listed.length} ${title}:`);
    for (const { name, message, lifecycle } of listed) {
      const words = [message ?? "", ...(lifecycle ? [describeLifecycle(lifecycle)] : [])];
      lines.push(`  ${name}: ${words.join(" ")}`);
    }
  };
  list("not what the manifest says, so their snapshots are unchanged", failed.filter(hasWrongIdentity));
  if (lines.length > 1) lines.push("");
  if (rows.length > 0) lines.push(renderTable(schemaRows(introspection), "  "));
  for (const path of removed) lines.push(`  ${path} removed: no chain serves this variant any more.`);
  const notes = deployments.flatMap(({ name, notes }) => notes.map((note) => ({ name, note })));
  for (const [note, noted] of groupBy(notes, ({ note }) => note)) {
    const names = noted.map(({ name }) => name);
    lines.push(`  note: ${listSome(names, MOST_NAMED)} ${note}`);
  }
  for (const note of introspection.notes) lines.push(`  note: ${note}`);
  list(
    "failed, so their snapshots are unchanged",
    failed.filter((deployment) => !hasWrongIdentity(deployment) && !isExcused(deployment)),
  );
  list("dormant and returned no schema, so their snapshots are unchanged", failed.filter(isExcused));
  if (introspection.isAdaptable) lines.push("", "Next", "  lockflow adapt");
  return lines.join("\n");
}

function schemaRows({ rows, written }: Introspection): string[][] {
  return [...groupBy(rows, ({ snapshot }) => snapshot)]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([path, members]) => {
      const chains = members.flatMap((member) => member.chains);
      const served =
        members.length === 1
          ? `${chains.length} ${chains.length === 1 ? "chain" : "chains"}`
          : `${members.length} deployments`;
      const named = /\.[0-9a-f]{8}\.graphql$/.test(path) ? `${served}: ${chains.join(", ")}` : served;
      const state = written.includes(path) ? "written" : "unchanged";
      return [path, shortHash(members[0]?.schema ?? ""), state, named];
    });
}

const MOST_NAMED = 3;
