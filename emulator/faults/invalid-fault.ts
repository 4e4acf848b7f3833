import { EmulatorError } from "../../src/base/errors.ts";
import { nearestName } from "../../src/base/text.ts";

/** The error for a fault that cannot be set. */
export function invalidFault(sentence: string, hint?: string | null): EmulatorError {
  return new EmulatorError({ code: "EMULATOR_INVALID_FAULT", sentence, hint });
}

/** A hint that names the name nearest to what was given, or else all that are listed when they are few enough to read. */
export function hintOf(given: string, names: readonly string[], listed = names): string | null {
  const nearest = nearestName(given, names);
  if (nearest !== null) return `did you mean "${nearest}"?`;
  return listed.length > 40 || listed.length === 0 ? null : `there are ${listed.join(", ")}.`;
}
