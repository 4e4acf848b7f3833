import { EmulatorError } from "../../src/base/errors.ts";
import type { OwnIndexer } from "../custom/custom-indexer.ts";

/**
 * Parses the text of a file of rows as JSON. What it holds is checked with the entities.
 *
 * @throws EmulatorError `EMULATOR_ROWS_INVALID`
 */
export function parseRowsText(path: string, text: string): NonNullable<OwnIndexer["rows"]> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EmulatorError({
      code: "EMULATOR_ROWS_INVALID",
      sentence: `${path} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: "give an object from entity to a list of rows.",
      cause,
    });
  }
}
