import { displayText } from "../base/display-text.ts";
import { EndpointError } from "../base/errors/endpoint-error.ts";
import { LockflowError } from "../base/errors/lockflow-error.ts";

/**
 * What was thrown while one deployment was read, as that deployment's failure: the others are read all the same. A bug
 * of ours is told as one.
 *
 * @param secrets what was sent to it: a bug's message may hold what it answered.
 */
export function ownFailure(error: unknown, secrets: readonly string[]): LockflowError {
  if (error instanceof LockflowError) return error;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new EndpointError({
    code: "ENDPOINT_UNREADABLE",
    sentence: `Its answer could not be read, and that is a bug in Lockflow (${displayText(reason, secrets)}).`,
    context: firstFrames(error),
    hint: "report it, with what the endpoint answers if you may show it; the other deployments are not affected.",
    cause: error,
  });
}

/** Where it was thrown. A stack that ran full repeats itself. */
function firstFrames(error: unknown): string[] {
  const lines = error instanceof Error ? (error.stack ?? "").split("\n") : [];
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 3)
    .map((line) => line.trim());
}
