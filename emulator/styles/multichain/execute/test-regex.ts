import { createContext, Script } from "node:vm";
import type { Budget } from "../../budget.ts";
import { messages } from "./messages.ts";

/** What a millisecond costs. */
const UNITS_A_MILLISECOND = 2000;

/** Texts of fewer characters are tried in no time, however a pattern goes back and forth. */
const SHORT = 12;

/** Texts of fewer characters are searched for one repetition from every place in no time. */
const LONG = 2000;

/**
 * A test of texts that takes no more time than a request has left. The database matches without trying every way,
 * and JavaScript does not: a pattern as short as `(a+)+$` may keep it busy for ever.
 */
export function createRegexTest(regex: RegExp, budget: Budget): (text: string) => boolean {
  const { source } = regex;
  // Only what can be repeated in more than one way is tried in more than a few.
  const repetitions = source.match(/\)[*+?{]|\\[1-9]/g)?.length ?? 0;
  const harmlessUpTo =
    repetitions === 0 ? Number.POSITIVE_INFINITY : repetitions > 1 || source.includes("|") ? SHORT : LONG;
  return (text) => {
    budget.spend(1 + text.length / 64);
    try {
      return text.length < harmlessUpTo ? regex.test(text) : testInTime(regex, text, budget);
    } catch (error) {
      // What is read late is refused late.
      if (error instanceof SyntaxError) throw messages.regexInvalid("regular expression is too complex");
      throw error;
    }
  };
}

type Box = { regex: RegExp; text: string };

const TEST = new Script("regex.test(text)");
let box: Box | undefined;

/** Only the engine itself can be told to stop a match, and only this way. It costs a tenth of a millisecond. */
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
