import { isAboutSchema } from "../../compare/explain-renames.ts";
import type { Project } from "../../project/project.ts";
import type { Report } from "../../report/report.ts";
import { openWorkspace } from "../../workspace/workspace.ts";

/** Returns the commands that repair a checked project: `lockflow adapt`, if that would change operations. */
export async function nextCommands(project: Project, { findings }: Report): Promise<string[]> {
  if (!findings.some(isAboutSchema)) return [];
  const { isAdaptable } = await import("../../compare/is-adaptable.ts");
  return (await isAdaptable(openWorkspace(project))) ? ["lockflow adapt"] : [];
}
