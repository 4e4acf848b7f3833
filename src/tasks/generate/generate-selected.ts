import { isOf, type Surface, selectedSurfaces } from "../../dialects/surface.ts";
import { formatPaths } from "../../generate/format-files.ts";
import { generateFiles } from "../../generate/generate-files.ts";
import { ROUTES_PATH } from "../../generate/manifest/render-routes.ts";
import { portablePaths } from "../../generate/portable/render-portable.ts";
import { CLIENT_PATH, PROXIED_PATH, PROXY_PATH } from "../../generate/render-client.ts";
import { documentPaths } from "../../generate/render-documents.ts";
import { idsPath } from "../../generate/render-ids.ts";
import { writeSelected } from "../../generate/write-generation.ts";
import { isBreaking } from "../../report/finding.ts";
import type { GenerationInputs } from "../../workspace/generation-inputs.ts";
import { OPERATION_RECORD_PATH } from "../../workspace/snapshot.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { explainFindings, type GenerateResult, nothingOf } from "./generate-project.ts";

/**
 * Generates the selected surfaces, and keeps the files of other surfaces. Files that list all operations, such as the
 * manifest, are written unless operations of other surfaces have errors.
 *
 * @throws FileError
 */
export async function generateSelected(
  workspace: Workspace,
  inputs: GenerationInputs,
): Promise<GenerateResult> {
  const { project } = workspace;
  const surfaces = selectedSurfaces(project);
  const groups = inputs.groups.filter((group) => surfaces.some((surface) => isOf(surface)(group)));
  const selected = await generateFiles({ ...project, surfaces }, { ...inputs, groups });
  const findings = await explainFindings(workspace, selected.findings);
  const failed = findings.filter(isBreaking);
  const result = { ...nothingOf(project), findings, failed };
  if (failed.length > 0) return result;
  const whole = await generateFiles(project, inputs, selected.compiled);
  const inFormat = (paths: readonly string[]) => paths.flatMap((path) => formatPaths(project.format, path));
  const ownPaths = inFormat(pathsOf(surfaces));
  const allPaths = inFormat(pathsOf(project.surfaces));
  const isOther = (path: string) => allPaths.includes(path) && !ownPaths.includes(path);
  // The proxy imports the portable operations of every protocol, so all of them must be written.
  const portable = inFormat(project.protocols.flatMap(portablePaths));
  const isCut = whole.files.some(({ path }) => portable.includes(path) && isOther(path));
  const left = isCut ? inFormat([PROXY_PATH]) : [];
  const files = whole.files.filter(({ path }) => !isOther(path) && !left.includes(path));
  const lists = whole.compiled.size > 0 ? [...LIST_PATHS, ...PORTABLE_LIST_PATHS] : LIST_PATHS;
  const isUnchanged = (path: string) => !whole.files.some((file) => file.path === path);
  return {
    ...result,
    ...(await writeSelected(project, files)),
    kept: whole.findings.some(isBreaking) ? inFormat(lists).filter(isUnchanged).sort() : [],
  };
}

/** The files that list the operations of all surfaces, and those of projects with portable operations. */
const LIST_PATHS = ["manifest.ts", ROUTES_PATH, OPERATION_RECORD_PATH];
const PORTABLE_LIST_PATHS = [CLIENT_PATH, PROXIED_PATH, PROXY_PATH];

/** Returns the paths of files of the given surfaces only. A file for both styles counts if both are given. */
function pathsOf(surfaces: readonly Surface[]): string[] {
  const whole = surfaces.filter(({ protocol, style }) =>
    surfaces.some((other) => other.protocol === protocol && other.style !== style),
  );
  return [
    ...surfaces.flatMap(documentPaths),
    ...new Set(whole.flatMap(({ protocol }) => portablePaths(protocol))),
    ...new Set(surfaces.map(({ protocol }) => idsPath(protocol))),
  ];
}
