import { displayText } from "../base/display-text.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import { readExplanations, renderExplanation } from "../report/explanations.ts";
import type { CommandContext, ExitCode } from "./context.ts";

/** `lockflow explain`: what a code means, why it matters and what to do. Needs no project. */
export async function runExplain(context: CommandContext): Promise<ExitCode> {
  const [code = ""] = context.positionals;
  const text = renderExplanation(code);
  if (text === null) throw unknownCode(code);
  context.out(`${text}\n`);
  return 0;
}

function unknownCode(code: string): UsageError {
  const codes = [...readExplanations().keys()];
  const nearest = nearestName(code, codes);
  return new UsageError({
    sentence: `No finding has the code "${displayText(code, [])}".`,
    hint:
      nearest === null
        ? "copy it from a report: it stands in brackets behind the finding."
        : `did you mean "${nearest}"?`,
  });
}
