import { readValue } from "./read-value.ts";
import { refuseValue } from "./refuse-value.ts";

/**
 * Makes the pattern that a subgraph makes of a text. It escapes nothing, and what begins or ends with `%` is the whole
 * pattern where it may stand anywhere.
 *
 * @param before what stands before the text; one with `0x` of its own wants the digits of bytes after it.
 */
export function wrapPattern(before: string, text: string, after: string, path: string): string {
  const isWhole = before + after === "%%" && /^%|%$/.test(text);
  const isBytes = before.includes("0x");
  const written = isBytes ? (readValue("x", text, path) as string).slice(2) : text;
  const pattern = isWhole ? text : before + written + after;
  // Databases fail for a backslash with nothing to escape, and only once there is a row to try it on.
  if (/(^|[^\\])(\\\\)*\\$/.test(pattern)) refuseValue(path, "pattern: it ends in a backslash");
  return pattern;
}
