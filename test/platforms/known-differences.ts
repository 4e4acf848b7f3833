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

/** Errors of strict validation that a node reports beside others of the same mistake. */
const UNUSED = /^Fragment "\w+" is never used\.$/;
const BESIDE = /^(?:Cannot query field "\w+" on type|Unknown argument ")/;
const LACKS = /^the emulator does not support (?:arguments that differ|conflicts if two fragments)/;

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
  {
    reason:
      "With strict validation the emulator validates with graphql-js, which does not report fields below a leaf, " +
      "compares other pairs of fields, and reports a fragment that only unused fragments spread.",
    matches: ({ kind, node, emulator }) => {
      const [theirs, ours] = [messagesOf(node), messagesOf(emulator)];
      return (
        kind === "words" &&
        [...theirs].filter((message) => !ours.has(message)).every((message) => BESIDE.test(message)) &&
        [...ours].filter((message) => !theirs.has(message)).every((message) => UNUSED.test(message))
      );
    },
  },
  {
    reason:
      "A node with strict validation merges fields that the specification does not. The emulator refuses these, and " +
      "says that it does not support them.",
    matches: ({ kind, emulator }) =>
      kind !== "http" && [...messagesOf(emulator)].some((message) => LACKS.test(message)),
  },
];

/** The different messages of a reply. */
function messagesOf(reply: string): ReadonlySet<string> {
  const { errors = [] } = JSON.parse(reply.slice(reply.indexOf(" "))) as { errors?: { message?: string }[] };
  return new Set(errors.map((error) => error.message ?? ""));
}

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
