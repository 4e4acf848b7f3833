import { LockflowError } from "../base/errors/lockflow-error.ts";
import type { ReportedRun } from "../drift/baseline/parse-reported-run.ts";
import { readGenerationInputs } from "../generate/generation-inputs.ts";
import type { Project } from "../project/project.ts";
import { isMended } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import { readSnapshot } from "../snapshots/read-snapshots.ts";
import { checkRepository } from "./check-repository.ts";
import { diffSnapshots } from "./diff.ts";

/** What can be found without asking anybody, to be accepted: what `lockflow diff` finds, as far as there are snapshots. */
export async function findOffline(project: Project): Promise<ReportedRun> {
  const { run } = await diffSnapshots(project, { exhaustiveEnums: false }, readSnapshot);
  return {
    findings: run.findings,
    answered: run.answered ?? new Set(),
    categories: run.categories ?? [],
  };
}

/** What `lockflow check` finds wrong with files. It is never accepted, and who tries is told so by its name. */
export async function findFaults(project: Project): Promise<readonly Finding[]> {
  try {
    const { findings } = await checkRepository(project, await readGenerationInputs(project), null);
    return findings.filter(isMended);
  } catch (error) {
    if (!(error instanceof LockflowError)) throw error;
    // What cannot be checked shows no finding; `lockflow check` tells why.
    return [];
  }
}
