import type { ReportedRun } from "../compare/baseline/parse-reported-run.ts";
import type { Project } from "../registry/project.ts";
import { diffSnapshots } from "./diff.ts";

/** What can be found without asking anybody, to be accepted: what `lockflow diff` finds. */
export async function findOffline(project: Project): Promise<ReportedRun> {
  const { run } = await diffSnapshots(project, { exhaustiveEnums: false });
  return {
    findings: run.findings,
    answered: run.answered ?? new Set(),
    categories: run.categories ?? [],
  };
}
