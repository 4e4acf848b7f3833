import { compareCodeUnits } from "../base/compare-code-units.ts";
import { displayText } from "../base/display-text.ts";
import { endSentence } from "../base/end-sentence.ts";
import type { LockflowError } from "../base/errors/lockflow-error.ts";
import { shortHash } from "../base/hash.ts";
import { capitalize } from "../base/identifier.ts";
import { listSome } from "../base/list-some.ts";
import { renderTable } from "../report/render-table.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";

/** What the report says of one deployment. */
export type DeploymentReport = {
  readonly name: string;
  /** Null when it answered. */
  readonly error: LockflowError | null;
  /** Whether it answered, and as another deployment than it should be. */
  readonly hasWrongIdentity: boolean;
  readonly notes: readonly string[];
};

/** What became of the snapshot files, as paths. */
export type SnapshotReport = {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
};

/** Renders an introspection: who is somebody else, the fleet by schema, what is worth a note, every failure on a line. */
export function renderIntrospection(
  deployments: readonly DeploymentReport[],
  rows: readonly FleetRow[],
  snapshots: SnapshotReport,
  secrets: readonly string[],
): string {
  const failed = deployments.filter(({ error }) => error !== null);
  const lines = [`Introspected ${deployments.length - failed.length} of ${deployments.length} deployments.`];
  const list = (title: string, listed: readonly DeploymentReport[]) => {
    if (listed.length === 0) return;
    lines.push("", `${listed.length} ${title}:`);
    for (const { name, error } of listed) lines.push(`  ${name}: ${displayText(oneLine(error), secrets)}`);
  };
  list(
    "not what the manifest says, so that what was served before is kept",
    failed.filter((one) => one.hasWrongIdentity),
  );
  if (lines.length > 1) lines.push("");
  if (rows.length > 0) lines.push(renderTable(schemaRows(rows, snapshots), "  "));
  for (const path of snapshots.removed) lines.push(`  ${path} removed: it is no variant any more.`);
  const notes = new Map<string, string[]>();
  for (const { name, notes: own } of deployments) {
    for (const note of own) notes.set(note, [...(notes.get(note) ?? []), name]);
  }
  for (const [note, names] of notes)
    lines.push(`  note: ${listSome(names, 3)} ${displayText(note, secrets)}`);
  list(
    "failed and keep what they served before",
    failed.filter((one) => !one.hasWrongIdentity),
  );
  return lines.join("\n");
}

function schemaRows(rows: readonly FleetRow[], snapshots: SnapshotReport): string[][] {
  const groups = new Map<string, FleetRow[]>();
  for (const row of rows) groups.set(row.snapshot, [...(groups.get(row.snapshot) ?? []), row]);
  return [...groups]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([path, members]) => {
      const chains = members.flatMap((member) => member.chains);
      const served = members.length === 1 ? `${chains.length} chains` : `${members.length} deployments`;
      const named = /\.[0-9a-f]{8}\.graphql$/.test(path) ? `${served}: ${chains.join(", ")}` : served;
      const state = snapshots.written.includes(path) ? "written" : "unchanged";
      return [path, shortHash(members[0]?.schema ?? ""), state, named];
    });
}

function oneLine(error: LockflowError | null): string {
  if (error === null) return "";
  const context = error.context.length > 0 ? ` (${error.context.join("; ")})` : "";
  const hint = error.hint ? ` ${endSentence(capitalize(error.hint))}` : "";
  return `${endSentence(`${error.sentence}${context}`)}${hint}`;
}
