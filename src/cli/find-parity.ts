import { parityFindings } from "../compare/parity-findings.ts";
import type { Project } from "../project/project.ts";
import type { Finding } from "../report/finding.ts";
import type { ParseSnapshot } from "../snapshots/check-snapshots.ts";
import { readSnapshot } from "../snapshots/read-snapshots.ts";
import { compareStyles } from "./diff.ts";

/** What the styles of every protocol do not agree in, from the snapshots; a protocol without both is passed over. */
export async function findParity(project: Project, parse: ParseSnapshot): Promise<Finding[]> {
  const parities = await compareStyles(project, readSnapshot, parse);
  return parities.flatMap((parity) => parityFindings(parity, parity.protocol));
}
