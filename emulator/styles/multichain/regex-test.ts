import { createContext, Script } from "node:vm";
import type { Budget } from "../served-style.ts";
import { messages } from "./messages.ts";

const UNITS_A_MILLISECOND = 2000;

/** Shorter texts are fast even with backtracking. */
const SHORT = 12;

/** In shorter texts, a search for one repetition from every position is fast. */
const LONG = 2000;

/**
 * Creates a test of texts that is limited by the request's budget. The database does not backtrack, but JavaScript
 * does: a pattern as short as `(a+)+$` may run forever.
 *
 * @param repetitions the number of quantifiers.
 */
export function createRegexTest(
  regex: RegExp,
  repetitions: number,
  budget: Budget,
): (text: string) => boolean {
  // Only patterns with several ways to repeat can be slow.
  const harmlessUpTo =
    repetitions === 0
      ? Number.POSITIVE_INFINITY
      : repetitions > 1 || regex.source.includes("|")
        ? SHORT
        : LONG;
  return (text) => {
    budget.spend(1 + text.length / 64);
    try {
      return text.length < harmlessUpTo ? regex.test(text) : testInTime(regex, text, budget);
    } catch (error) {
      // Postgres reports these errors late too.
      if (error instanceof SyntaxError) throw messages.regexInvalid("regular expression is too complex");
      throw error;
    }
  };
}

type Box = { regex: RegExp; text: string };

const TEST = new Script("regex.test(text)");
let box: Box | undefined;

/** A timeout of `vm` is the only way to stop a match. It costs a tenth of a millisecond. */
function testInTime(regex: RegExp, text: string, budget: Budget): boolean {
  box ??= createContext(Object.create(null)) as Box;
  Object.assign(box, { regex, text });
  const startedAt = performance.now();
  try {
    const timeout = Math.max(1, Math.ceil(budget.left() / UNITS_A_MILLISECOND));
    return TEST.runInContext(box, { timeout }) as boolean;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw messages.databaseFailed();
    throw error;
  } finally {
    budget.spend((performance.now() - startedAt) * UNITS_A_MILLISECOND);
  }
}
