import { UsageError } from "../../base/errors.ts";
import { displayText, nearestName } from "../../base/text.ts";
import { readExplanations, renderExplanation } from "../../report/explanations.ts";
import type { CommandContext, ExitCode } from "../context.ts";

/** `lockflow explain`: prints the explanation of a finding code. Needs no project. */
export async function runExplain({ positionals: [code = ""], out }: CommandContext): Promise<ExitCode> {
  const text = renderExplanation(code);
  if (text === null) {
    const nearest = nearestName(code, readExplanations().keys());
    throw new UsageError({
      sentence: `No finding has the code "${displayText(code, [])}".`,
      hint:
        nearest === null
          ? "copy the code from a report: it is in brackets after each finding."
          : `did you mean "${nearest}"?`,
    });
  }
  out(`${text}\n`);
  return 0;
}
