import type { Difference } from "./compare-replies.ts";
import type { Question } from "./write-questions.ts";

/** A known difference, and why it stays. */
export type KnownDifference = {
  readonly reason: string;
  readonly matches: (difference: Difference, question: Question) => boolean;
};

const AMBIGUOUS =
  /\{(?:"locations":\[[^\]]*\],)?"message":"(?:Ambiguous result|Null value resolved|[^"]*expected prefetched result)[^"]*"\},?/g;
const MERGED = /can not merge fields because type `\w+`/g;
const UNORDERED =
  /\{"message":"(?:Variable|Fragment) \\"\$?\w+\\" is (?:not defined|never used)[^"]*(?:\\"[^"]*)*"\},?/g;

/** Fields that lead to interfaces with several types. */
const OF_INTERFACES = /\b(?:things?|sealeds?|witness|idol|toys?)\b/;

const AT_ITS_END = "LIKE pattern must not end";

/** Everything else that differs fails. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    reason:
      "Of several entities behind a derived single reference, a node reads one row more than it has parents. Which " +
      "rows these are, and so which errors are reported and how often, follows from their place in the database.",
    matches: ({ kind, node, emulator }) =>
      kind === "words" &&
      node.includes("Ambiguous result") &&
      emulator.includes("Ambiguous result") &&
      node.replaceAll(AMBIGUOUS, "").replace(",]", "]") ===
        emulator.replaceAll(AMBIGUOUS, "").replace(",]", "]"),
  },
  {
    reason:
      "Of several variables that are not defined or never used, and of several such fragments, the validation library " +
      "reports them in random order.",
    matches: ({ kind, node, emulator }) =>
      kind === "words" &&
      node.replace(UNORDERED, "").replace(",]", "]") === emulator.replace(UNORDERED, "").replace(",]", "]") &&
      wordsOf(node) === wordsOf(emulator),
  },
  {
    reason: "If several types of an interface cannot be merged, a node reports a random one.",
    matches: ({ kind, node, emulator }) =>
      kind === "words" && node.replaceAll(MERGED, "") === emulator.replaceAll(MERGED, ""),
  },
  {
    reason:
      "A node queries the types of an interface, and reports their errors, in random order, even for the same question.",
    matches: ({ kind, node, emulator }, { query }) =>
      kind === "words" &&
      OF_INTERFACES.test(query) &&
      onceEach(node).length > 2 &&
      node.length === emulator.length &&
      onceEach(node).sort().join() === onceEach(emulator).sort().join(),
  },
  {
    reason:
      "A pattern that ends in a backslash fails when it is tried on a row. Beside other conditions, PostgreSQL's " +
      "planner decides which of them is tried first.",
    matches: ({ kind, node, emulator }) =>
      kind !== "http" && node.split(AT_ITS_END).length !== emulator.split(AT_ITS_END).length,
  },
];

function onceEach(text: string): string[] {
  return [...new Set(text.replace(/\]\}$/, ",").split('{"message":'))];
}

function wordsOf(text: string): string {
  const found = text.match(UNORDERED) ?? [];
  return found
    .map((words) => words.replace(/,$/, ""))
    .sort()
    .join();
}
