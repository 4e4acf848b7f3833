import { EmulatorError } from "../../src/base/errors/emulator-error.ts";

/** The error for a fault that cannot be set. */
export function invalidFault(sentence: string, hint?: string | null): EmulatorError {
  return new EmulatorError({ code: "EMULATOR_INVALID_FAULT", sentence, hint });
}

/** A hint that names the nearest name, or else all there are when they are few enough to read. */
export function hintOf(nearest: string | null, names: readonly string[]): string | null {
  if (nearest !== null) return `did you mean "${nearest}"?`;
  return names.length > 40 || names.length === 0 ? null : `there are ${names.join(", ")}.`;
}
