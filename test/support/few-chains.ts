import { CHAINS } from "../../src/project/chains.ts";
import type { Config } from "../../src/project/config.ts";

/**
 * The chains of a configuration in which all but a few are retired, so that a fleet is asked in a fraction of the time:
 * for tests that depend on requests, and not on how many there are.
 */
export function fewChains(...active: readonly string[]): NonNullable<Config["chains"]> {
  return Object.fromEntries(
    CHAINS.filter(({ key }) => !active.includes(key)).map(({ key }) => [key, { status: "retired" }]),
  );
}
