import { displayText } from "../base/display-text.ts";
import { LockflowError } from "../base/errors/lockflow-error.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { type AcceptedEntry, BASELINE_PATH } from "../drift/baseline/accepted-entry.ts";
import { runAccept as accept } from "../drift/run-accept.ts";
import { readGenerationInputs } from "../generate/generation-inputs.ts";
import { openProject } from "../project/open-project.ts";
import type { Project } from "../project/project.ts";
import { isMended } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import { projectOptions } from "./api-options.ts";
import { checkRepository } from "./check-repository.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";

/**
 * `lockflow accept`: adds findings to what is known and tolerated, or with --prune takes out what is not needed. The
 * findings are those of the snapshots or, with --from, those of a saved report.
 */
export async function runAccept(context: CommandContext, options: Options<"accept">): Promise<ExitCode> {
  checkUsage(context, options);
  const { prune, reason = "", until = null, scope = null, from = null } = options;
  const { cwd, out, positionals } = context;
  const project = await openProject(projectOptions(context, options));
  const { entries, added, removed, written } = await accept(project, {
    request: prune ? null : { fingerprints: positionals, reason, until, scope },
    from,
    cwd,
    startedAt: Date.now(),
    findFaults: () => findFaults(project),
  });
  for (const entry of added) out(`  + ${describe(entry)}\n`);
  for (const entry of removed) out(`  - ${describe(entry)}\n`);
  out(
    written
      ? `Wrote ${BASELINE_PATH}: ${entries.length} accepted. Commit it.\n`
      : `${BASELINE_PATH} is as it was.\n`,
  );
  return 0;
}

function checkUsage(context: CommandContext, options: Options<"accept">): void {
  const hint = "run `lockflow accept --help`.";
  const isPrune = options.prune;
  const refused = isPrune
    ? (["reason", "until", "scope"] as const).find((name) => options[name] !== undefined)
    : undefined;
  if (refused !== undefined)
    throw new UsageError({ sentence: `--${refused} does not go with --prune.`, hint });
  if (isPrune && context.positionals.length > 0) {
    throw new UsageError({
      sentence: "--prune takes no fingerprints: it takes out all that is not needed.",
      hint,
    });
  }
  if (isPrune) return;
  if (context.positionals.length === 0) {
    throw new UsageError({
      sentence: "`lockflow accept` needs a fingerprint, or --prune.",
      hint: "copy the fingerprint from a report: twelve hex digits behind the code.",
    });
  }
  if (options.reason === undefined) {
    throw new UsageError({
      sentence: "`lockflow accept` needs --reason: why it is tolerated.",
      hint: 'for example --reason "linea is being redeployed".',
    });
  }
  if (options.scope?.length === 0) {
    throw new UsageError({ sentence: "--scope names no deployment.", hint });
  }
}

/** What `lockflow check` finds wrong with files. What cannot be checked shows no finding; `lockflow check` tells why. */
async function findFaults(project: Project): Promise<readonly Finding[]> {
  try {
    const { findings } = await checkRepository(project, await readGenerationInputs(project), null);
    return findings.filter(isMended);
  } catch (error) {
    if (!(error instanceof LockflowError)) throw error;
    return [];
  }
}

function describe({ fingerprint, code, coordinate, scope, reason, until }: AcceptedEntry): string {
  const facts = [
    fingerprint,
    code,
    ...(coordinate === null ? [] : [displayText(coordinate, [])]),
    ...(scope.length === 0 ? [] : [scope.length <= 3 ? scope.join(", ") : `${scope.length} deployments`]),
  ];
  return `${facts.join("  ")}${until === null ? "" : ` until ${until}`}: ${displayText(reason, [])}`;
}
