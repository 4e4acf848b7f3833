import { join } from "node:path";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { readText } from "../base/disk/read-tree.ts";
import { readOperationSources } from "../generate/read-operation-sources.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../project/vocabulary.ts";
import type { OperationReport } from "../report/report.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import {
  digestOperations,
  OPERATION_RECORD_PATH,
  type OperationGroup,
  parseOperationRecord,
} from "../snapshots/operation-record.ts";
import type { CommittedSchemas } from "../snapshots/read-snapshots.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";

/** What a report says of the operations while everybody serves what is known. */
export type RecordedOperations = (protocol: Protocol, style: StyleName) => readonly OperationReport[];

/**
 * Reads from the operation record what would be found by parsing the operations and judging them by the known schemas,
 * which takes longer than everything else a run does.
 *
 * @returns null when there is no record, or one that was not made of exactly what is known and written now.
 */
export async function readRecordedOperations(
  project: Project,
  known: CommittedSchemas,
): Promise<RecordedOperations | null> {
  const groups = await readRecord(join(project.root, project.output, OPERATION_RECORD_PATH));
  if (groups === null) return null;
  const reports = new Map<string, readonly OperationReport[]>();
  for (const protocol of project.protocols) {
    for (const style of STYLE_NAMES) {
      const isOwn = (one: { readonly protocol: string; readonly style: string }) =>
        one.protocol === protocol && one.style === style;
      const snapshot = known.snapshots.find(isOwn);
      const sources = await readOperationSources(project.root, project.operations, protocol, style);
      if (snapshot === undefined || sources.length === 0) continue;
      const group = groups.find(isOwn);
      const ingredients = { snapshot, rows: known.rows, sources, folder: project.operations };
      if (group === undefined || group.digest !== digestOperations(group.rows, ingredients)) return null;
      const deployments = project.deployments.filter((one) => isOwn(one) && one.status !== "retired");
      const chains = chainsOfKnown(deployments, known.rows, snapshot);
      if (chains === null) return null;
      const files = new Map(sources.map(({ path }) => [path.slice(project.operations.length + 1), path]));
      const own = reportRecorded(group, chains, files);
      if (own === null) return null;
      reports.set(`${protocol}/${style}`, own);
    }
  }
  return (protocol, style) => reports.get(`${protocol}/${style}`) ?? [];
}

async function readRecord(path: string): Promise<readonly OperationGroup[] | null> {
  const text = await readText(path).catch(() => null);
  return text === null ? null : parseOperationRecord(text);
}

/**
 * The chains whose schema is known. Null where the fleet record is not about these deployments, or not of these
 * snapshots: then what was recorded by it says nothing of them.
 */
function chainsOfKnown(
  deployments: readonly Deployment[],
  rows: readonly FleetRow[],
  { protocol, style, base, variants }: Snapshot,
): ReadonlySet<string> | null {
  const own = rows.filter((row) => row.protocol === protocol && row.style === style);
  const isOfSnapshots = own.every(({ snapshot, schema }) =>
    [base, ...variants].some((file) => file.path === snapshot && file.hash === schema),
  );
  const served = own.flatMap(({ chains }) => chains);
  if (!isOfSnapshots || new Set(served).size !== served.length) return null;
  const byName = new Map(rows.map((row) => [row.name, row]));
  const chains = new Set<string>();
  for (const deployment of deployments) {
    const row = byName.get(deployment.name);
    if (row === undefined) continue;
    if (!own.includes(row) || row.chains.join() !== deployment.chains.join()) return null;
    for (const chain of deployment.chains) chains.add(chain);
  }
  return chains;
}

/**
 * Null when the record does not say of every operation where it is written, and on every chain whether it is valid.
 *
 * @param files paths from the project's root by those from the operations folder.
 */
function reportRecorded(
  { rows }: OperationGroup,
  chains: ReadonlySet<string>,
  files: ReadonlyMap<string, string>,
): OperationReport[] | null {
  const reports: OperationReport[] = [];
  for (const { operation: name, protocol, style, line, ...row } of rows) {
    const file = files.get(row.file);
    const valid = row.chains.filter((chain) => chains.has(chain)).sort(compareCodeUnits);
    const missing = row.missing.filter((chain) => chains.has(chain)).sort(compareCodeUnits);
    const told = valid.length + missing.length;
    const isWhole = told === chains.size && new Set([...valid, ...missing]).size === told;
    if (file === undefined || !isWhole) return null;
    reports.push({ name, protocol, style, file, line, impact: "unaffected", chains: valid, missing });
  }
  return reports;
}
