import { UsageError } from "../../base/errors.ts";
import { displayText } from "../../base/text.ts";
import { accept } from "../../tasks/accept.ts";
import { type AcceptedEntry, BASELINE_PATH } from "../../workspace/baseline.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { projectOptions } from "../task-options.ts";

/**
 * `lockflow accept`: adds findings of the snapshots, or of a saved report with --from, to the accepted ones. With --prune,
 * removes entries that are not needed.
 */
export async function runAccept(context: CommandContext, options: Options<"accept">): Promise<ExitCode> {
  checkUsage(context, options);
  const { prune, reason = "", until, scope, from } = options;
  const { out, positionals: fingerprints } = context;
  const { entries, added, removed, written } = await accept({
    ...projectOptions(context, options),
    ...(prune ? { prune } : { fingerprints, reason, until, scope }),
    from,
  });
  for (const entry of added) out(`  + ${describe(entry)}\n`);
  for (const entry of removed) out(`  - ${describe(entry)}\n`);
  out(
    written
      ? `Wrote ${BASELINE_PATH}: ${entries.length} accepted. Commit it.\n`
      : `${BASELINE_PATH} is unchanged.\n`,
  );
  return 0;
}

/** @throws UsageError */
function checkUsage({ positionals }: CommandContext, options: Options<"accept">): void {
  const hint = "run `lockflow accept --help`.";
  const refused = (["reason", "until", "scope"] as const).find((name) => options[name] !== undefined);
  if (options.prune && refused !== undefined) {
    throw new UsageError({ sentence: `--${refused} does not go with --prune.`, hint });
  }
  if (options.prune && positionals.length > 0) {
    const sentence = "--prune takes no fingerprints: it removes every entry that is not needed.";
    throw new UsageError({ sentence, hint });
  }
  if (options.prune) return;
  if (positionals.length === 0) {
    throw new UsageError({
      sentence: "`lockflow accept` needs a fingerprint, or --prune.",
      hint: "copy the fingerprint from a report: the twelve hex digits after the code.",
    });
  }
  if (options.reason === undefined) {
    throw new UsageError({
      sentence: "`lockflow accept` needs --reason: why the findings are accepted.",
      hint: 'add, for example, --reason "linea is being redeployed".',
    });
  }
  if (options.scope?.length === 0) throw new UsageError({ sentence: "--scope names no deployment.", hint });
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
