import type { Budget } from "../served-style.ts";
import { matchInTime } from "./match-in-time.ts";
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

function testInTime(regex: RegExp, text: string, budget: Budget): boolean {
  const startedAt = performance.now();
  try {
    const isMatch = matchInTime(regex, text, Math.max(1, Math.ceil(budget.left() / UNITS_A_MILLISECOND)));
    if (isMatch === null) throw messages.databaseFailed();
    return isMatch;
  } finally {
    budget.spend((performance.now() - startedAt) * UNITS_A_MILLISECOND);
  }
}
