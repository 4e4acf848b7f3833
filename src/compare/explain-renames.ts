import { orNull } from "../base/errors.ts";
import { styles } from "../dialects/index.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { placeText } from "../report/describe-finding.ts";
import { type Finding, isBreaking } from "../report/finding.ts";
import {
  derivedSurfaces,
  openWithTexts,
  readFormerTexts,
  snapshotOf,
} from "../workspace/former-snapshots.ts";
import { PORTABLE_FOLDER } from "../workspace/operation-files.ts";
import { readOperations } from "../workspace/operations.ts";
import { snapshotPath } from "../workspace/snapshot.ts";
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
  const earlier = await readFormerTexts(workspace);
  // The styles are not always updated together, so each earlier version is also tried alone.
  const alone = earlier.size > 1 ? [...earlier].map((one) => new Map([one])) : [];
  const fixes = new Map<string, string>();
  for (const texts of [earlier, ...alone]) {
    for (const [place, fix] of await findFixes(workspace, texts)) {
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

/** Finds what to write in place of renamed names, by place. Operations are read as the earlier snapshots had them. */
async function findFixes(
  workspace: Workspace,
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const { project } = workspace;
  const former = openWithTexts(workspace, texts);
  const served = project.surfaces.filter((surface) =>
    texts.has(`${project.output}/${snapshotPath(surface)}`),
  );
  const changed = [...served, ...derivedSurfaces(workspace)];
  const compared = await orNull(async () => {
    const operations = await readOperations(former, changed);
    return shareRenames(changed, (surface, renames) => {
      const [before, after] = [snapshotOf(former, surface), snapshotOf(workspace, surface)];
      const differences =
        before && after
          ? findDifferences({
              before: parseSnapshot(before.base),
              after: parseSnapshot(after.base),
              style: styles[surface.style],
              where: null,
              operations: operations.get(surface.id) ?? [],
              locate: () => null,
              fix: null,
              exhaustiveEnums: false,
              renames,
            })
          : { renames: [], renamed: [] };
      return { surface, ...differences };
    });
  });
  const fixes = new Map<string, string>();
  for (const { surface, renamed } of compared ?? []) {
    const { protocol, style } = surface;
    const others = project.surfaces.filter((one) => one.protocol === protocol && one.style !== style);
    for (const { rename, ...impact } of renamed) {
      const isPortable = impact.file.startsWith(`${project.operations}/${protocol}/${PORTABLE_FOLDER}/`);
      const isShared = others.every(({ id }) =>
        compared?.some((one) => one.surface.id === id && one.renamed.some((each) => each.rename === rename)),
      );
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
