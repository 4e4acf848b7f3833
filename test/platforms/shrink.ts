import type { Question } from "./write-questions.ts";

/** The most queries that are sent to shrink one. */
const MOST = 400;

/**
 * Makes a question as small as possible while its answer stays wrong: removes pieces of its text and of its variables
 * as long as the two answers still differ.
 */
export async function shrink(
  question: Question,
  isWrong: (question: Question) => Promise<boolean>,
): Promise<Question> {
  let asked = 0;
  let smallest = question;
  for (let progress = true; progress && asked < MOST; ) {
    progress = false;
    for (const smaller of smallerThan(smallest)) {
      if (asked >= MOST) break;
      asked += 1;
      if (!(await isWrong(smaller))) continue;
      smallest = smaller;
      progress = true;
      break;
    }
  }
  return smallest;
}

function* smallerThan({ query, variables }: Question): Generator<Question> {
  if (variables !== null) {
    yield { query, variables: null };
    for (const smaller of smallerValues(variables)) {
      yield { query, variables: smaller as Question["variables"] };
    }
  }
  const tokens = query.match(/\.\.\.|[$@]?\w+\s*:?|"(?:[^"\\]|\\.)*"|\s+|[^\s\w]/g) ?? [];
  const pieces = tokens.flatMap((token, at) => {
    const end = CLOSING[token] === undefined ? at + 1 : closingOf(tokens, at);
    // A name is removed together with its block.
    return [
      [at, end],
      [at - 1, end],
      [at - 2, end],
      [at, at + 2],
    ] as const;
  });
  const sorted = pieces
    .filter(([from, to]) => from >= 0 && to <= tokens.length)
    .sort(([a, b], [c, d]) => d - c - (b - a));
  const seen = new Set<string>();
  for (const [from, to] of sorted) {
    const smaller = tokens.toSpliced(from, to - from).join("");
    if (seen.has(smaller) || smaller.trim() === query.trim()) continue;
    seen.add(smaller);
    yield { query: smaller, variables };
  }
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" };

function closingOf(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at] ?? "";
    if (token in CLOSING) depth += 1;
    else if (Object.values(CLOSING).includes(token) && --depth === 0) return at + 1;
  }
  return start + 1;
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const index of value.keys()) {
      yield value.toSpliced(index, 1);
      for (const smaller of smallerValues(value[index])) yield value.with(index, smaller);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const smaller of smallerValues(item)) yield { ...value, [key]: smaller };
    }
  }
}
