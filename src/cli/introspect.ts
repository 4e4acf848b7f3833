import { introspect } from "../api.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { shortHash } from "../base/hash.ts";
import { type AskedDeployment, hasWrongIdentity, type Introspection } from "../fleet/introspect-project.ts";
import { renderTable } from "../report/render-table.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import { askingOptions, renderUnconfigured } from "./api-options.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";

/** `lockflow introspect` */
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

/** A deployment that could not be asked makes the answer 2; one that is another than it should be, 1. */
export function introspectionExitCode({ deployments }: Introspection): ExitCode {
  const failed = deployments.filter(({ message }) => message !== null);
  if (failed.length === 0) return 0;
  return failed.every(hasWrongIdentity) ? 1 : 2;
}

/** Renders an introspection: who is somebody else, the fleet by schema, what is worth a note, every failure on a line. */
export function renderIntrospection(introspection: Introspection): string {
  const { deployments, rows, removed } = introspection;
  const failed = deployments.filter(({ message }) => message !== null);
  const lines = [`Introspected ${deployments.length - failed.length} of ${deployments.length} deployments.`];
  const list = (title: string, listed: readonly AskedDeployment[]) => {
    if (listed.length === 0) return;
    lines.push("", `${listed.length} ${title}:`);
    for (const { name, message } of listed) lines.push(`  ${name}: ${message}`);
  };
  list("not what the manifest says, so that what was served before is kept", failed.filter(hasWrongIdentity));
  if (lines.length > 1) lines.push("");
  if (rows.length > 0) lines.push(renderTable(schemaRows(introspection), "  "));
  for (const path of removed) lines.push(`  ${path} removed: it is no variant any more.`);
  const notes = new Map<string, string[]>();
  for (const { name, notes: own } of deployments) {
    for (const note of own) notes.set(note, [...(notes.get(note) ?? []), name]);
  }
  for (const [note, names] of notes) lines.push(`  note: ${listNames(names)} ${note}`);
  list(
    "failed and keep what they served before",
    failed.filter((one) => !hasWrongIdentity(one)),
  );
  return lines.join("\n");
}

function schemaRows({ rows, written }: Introspection): string[][] {
  const groups = new Map<string, FleetRow[]>();
  for (const row of rows) groups.set(row.snapshot, [...(groups.get(row.snapshot) ?? []), row]);
  return [...groups]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([path, members]) => {
      const chains = members.flatMap((member) => member.chains);
      const served = members.length === 1 ? `${chains.length} chains` : `${members.length} deployments`;
      const named = /\.[0-9a-f]{8}\.graphql$/.test(path) ? `${served}: ${chains.join(", ")}` : served;
      const state = written.includes(path) ? "written" : "unchanged";
      return [path, shortHash(members[0]?.schema ?? ""), state, named];
    });
}

function listNames(names: readonly string[]): string {
  if (names.length <= 3) return names.join(", ");
  return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}
