import { join } from "node:path";
import type { Memo } from "../base/create-memo.ts";
import { parityFindings } from "../compare/parity-findings.ts";
import type { Project } from "../project/project.ts";
import type { StyleName } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { ProtocolParity } from "../report/render-parity.ts";
import { checkSnapshots } from "../snapshots/check-snapshots.ts";
import { parseSnapshotText, type SnapshotText } from "../snapshots/parse-snapshot.ts";
import { readSchemaFiles, readSnapshots } from "../snapshots/read-snapshots.ts";
import { requireDefinitions } from "../snapshots/require-definitions.ts";
import { styles } from "../styles/index.ts";
import { compareStyles, paritySide } from "./compare-styles.ts";

/** What was found wrong in the snapshots. */
export type CheckedSchemas = {
  readonly findings: readonly Finding[];
  readonly schemaFiles: Awaited<ReturnType<typeof readSchemaFiles>>;
  /** Whether a snapshot is not as introspection wrote it. */
  readonly isSpoilt: boolean;
  /** How the styles of each protocol agree; none where a snapshot is spoilt. */
  readonly parities: readonly ProtocolParity[];
};

/**
 * Checks that the snapshots are as introspection wrote them, and that the styles agree.
 *
 * @param memo what a generation has parsed and read already.
 * @throws ConfigError for a definition that names a field which no snapshot has.
 */
export async function checkSchemas(project: Project, memo: Memo): Promise<CheckedSchemas> {
  const { root, output, protocols, surfaces, waiting, deployments } = project;
  const parse = (file: SnapshotText) =>
    memo(`snapshot ${file.path}`, [file.text], () => parseSnapshotText(file));
  const read = (style: StyleName, file: SnapshotText) =>
    memo(`model ${file.path}`, [file.text], () => styles[style].read(parse(file)));
  const schemaFiles = await readSchemaFiles(join(root, output));
  const files = { files: schemaFiles, surfaces, waiting, deployments, output };
  const snapshots = checkSnapshots({ ...files, parse, read });
  const isSpoilt = snapshots.some(({ code }) => code === "snapshot/edited");
  const committed = isSpoilt ? [] : await readSnapshots(join(root, output), surfaces);
  if (!isSpoilt) await requireDefinitions(project, committed, ({ style, base }) => read(style, base));
  const parities = compareStyles(protocols, committed, ({ style, base }) =>
    paritySide(parse(base), { ...styles[style], read: () => read(style, base) }),
  );
  // What one style has more is for `diff` to tell: nothing in this repository can be wrong about it.
  const disagreements = parities
    .flatMap((parity) => parityFindings(parity, parity.protocol))
    .filter(({ severity }) => severity !== "additive");
  return { findings: [...snapshots, ...disagreements], schemaFiles, isSpoilt, parities };
}
