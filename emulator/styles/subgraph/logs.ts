import type { Arguments } from "./coerce.ts";
import { type ErrorEntry, messages } from "./messages.ts";
import type { SelectedField } from "./select.ts";

/** The limits of `_logs`. */
const MAX_FIRST = 1000;
const MAX_SKIP = 10_000;
const LONGEST_SEARCH = 1000;
const LONGEST_TIME = 50;

/** The error of the first argument of `_logs` that the server refuses; null if it refuses none. */
export function findLogsError({ args, location }: SelectedField): ErrorEntry | null {
  const problems = [
    ["from", timeProblem(args, "from")],
    ["to", timeProblem(args, "to")],
    ["search", searchProblem(args)],
    ["first", rangeProblem(args, "first", MAX_FIRST)],
    ["skip", rangeProblem(args, "skip", MAX_SKIP)],
  ] as const;
  for (const [name, value] of problems) {
    if (value !== null) return messages.invalidArgument(name, { kind: "String", value }, location);
  }
  return null;
}

function timeProblem(args: Arguments, name: string): string | null {
  const time = textOf(args, name);
  if (time === null) return null;
  const problem = !time.includes("T")
    ? "must be in ISO 8601 format (e.g., 2024-01-15T10:30:00Z)"
    : !/Z$|[+-]/.test(time)
      ? "must include timezone (Z or offset like +00:00)"
      : Buffer.byteLength(time) > LONGEST_TIME
        ? "timestamp exceeds maximum length"
        : /[{};'"]/.test(time)
          ? "timestamp contains invalid characters"
          : null;
  return problem && `Invalid timestamp: ${problem}`;
}

function searchProblem(args: Arguments): string | null {
  const text = textOf(args, "search");
  if (text === null) return null;
  const problem =
    text === ""
      ? "search text cannot be empty"
      : Buffer.byteLength(text) > LONGEST_SEARCH
        ? "search text exceeds maximum length of 1000 characters"
        : /[{}[\]:"]/.test(text)
          ? 'search text contains invalid characters ({}[]:")'
          : null;
  return problem && `Invalid search text: ${problem}`;
}

function rangeProblem(args: Arguments, name: string, most: number): string | null {
  const value = args.get(name);
  if (value?.kind !== "Int") return null;
  if (value.value < 0n) return `${name} must be non-negative`;
  return value.value > BigInt(most) ? `${name} must not exceed ${most}` : null;
}

function textOf(args: Arguments, name: string): string | null {
  const value = args.get(name);
  return value?.kind === "String" ? value.value : null;
}
