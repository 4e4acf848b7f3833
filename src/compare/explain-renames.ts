import { styles } from "../dialects/index.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import type { Project } from "../project/project.ts";
import { placeText } from "../report/describe-finding.ts";
import { type Finding, isBreaking } from "../report/finding.ts";
import { type FormerOperations, readFormerOperations } from "../workspace/former-snapshots.ts";
import { PORTABLE_FOLDER } from "../workspace/operation-files.ts";
import { parseSnapshot } from "../workspace/snapshot-schema.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { findDifferences } from "./find-differences.ts";
import { withoutSuggestion } from "./impact/assess-operations.ts";
import { shareRenames } from "./share-renames.ts";

/**
 * Adds the new names to findings about names that the snapshots renamed since their last committed version that differs.
 * Without git or an earlier version, the findings stay as they are.
 */
export async function explainRenames(
  workspace: Workspace,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  if (!findings.some(isAboutSchema)) return findings;
  const fixes = new Map<string, string>();
  for (const former of await readFormerOperations(workspace)) {
    for (const [place, fix] of await findFixes(workspace.project, former)) {
      if (!fixes.has(place)) fixes.set(place, fix);
    }
  }
  return findings.map((finding) => {
    const fix = finding.place && isAboutSchema(finding) ? fixes.get(placeText(finding.place)) : undefined;
    return fix === undefined ? finding : { ...finding, message: withoutSuggestion(finding.message), fix };
  });
}

/** Returns whether a finding is about a name that a schema does not have. */
export function isAboutSchema(finding: Finding): boolean {
  return isBreaking(finding) && (finding.code === "operation/invalid" || finding.layer === "portable");
}

/** Finds what to write in place of renamed names, by place. */
async function findFixes(
  project: Project,
  { pairs, operations }: FormerOperations,
): Promise<ReadonlyMap<string, string>> {
  const compared = await shareRenames(pairs, ({ id, protocol, style, before, after }, renames) => ({
    id,
    protocol,
    style,
    ...findDifferences({
      before: parseSnapshot(before.base),
      after: parseSnapshot(after.base),
      style: styles[style],
      where: null,
      operations: operations.get(id) ?? [],
      locate: () => null,
      fix: null,
      exhaustiveEnums: false,
      renames,
    }),
  }));
  const renames = new Set(
    compared.flatMap(({ id, renamed }) => renamed.map(({ rename }) => `${id} ${rename}`)),
  );
  const fixes = new Map<string, string>();
  for (const { protocol, style, renamed } of compared) {
    const others = project.surfaces.filter(
      (surface) => surface.protocol === protocol && surface.style !== style,
    );
    for (const { rename, ...impact } of renamed) {
      const isPortable = impact.file.startsWith(`${project.operations}/${protocol}/${PORTABLE_FOLDER}/`);
      const isShared = others.every(({ id }) => renames.has(`${id} ${rename}`));
      // Portable operations have the names of one style.
      if (isPortable && isShared && style !== AUTHORED_STYLE) continue;
      const fix =
        isPortable && !isShared
          ? `only ${style} style has renamed it: ${impact.fix} Until the other style follows, that is possible in operations of one style: ${project.operations}/${protocol}/${style}/.`
          : impact.fix;
      fixes.set(placeText(impact), fix);
    }
  }
  return fixes;
}
