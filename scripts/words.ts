// `npm run words [-- path…]`: fails on words that plain English does not need, in every file that git does not ignore.
// `npm run words -- --commits main..HEAD`: the same for the subjects of commits, and their form.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The words to find, in any case. A blank also matches a line break in a comment or between two joined strings. */
const WORDS: readonly { readonly word: RegExp; readonly better: string }[] = [
  { word: /\b(no|some|any)body\b/, better: "name the program or the person" },
  { word: /\bwho(m|so)?ever\b/, better: "name the program or the person" },
  { word: /\b(told|tells)\b/, better: "reports, says, returns" },
  { word: /\bmended\b/, better: "fixed, corrected" },
  // "There is no …", "is no longer …" and "is no larger than …" are plain.
  { word: /(?<!\bthere )\b(is|are) no(?! (longer|(more|less|\w+er) than)\b)\b/, better: "is not a, has no" },
  { word: /\bthere (is|are) no\b(?! longer)[^.;:,"'`\n]* that\b/, better: "no … exists, or a verb" },
  { word: /(?<=^|[.;:*/"'`] )What (is|are|was|were)\b(?=[^?\n]*$)/, better: "name the subject" },
  { word: /\b(of|by) which\b/, better: "with which, or two sentences" },
  { word: /\bin whose\b/, better: "two sentences" },
  { word: /\bbesides them\b/, better: "other, also" },
  { word: /\bas it comes\b/, better: "unchanged, at once" },
  { word: /\brests\b/, better: "waits" },
  { word: /\bmoments?\b/, better: "time, block, now" },
  { word: /\bwish(es|ed|ing)?\b/, better: "want, option" },
  { word: /\bstrangers?\b/, better: "untrusted, unknown" },
];

/**
 * The only places that may contain these words: a file, a folder (its path ends in a slash), or one literal text in it.
 * Keep this short: an exception that excuses nothing fails the check.
 */
const EXCEPTIONS: readonly Exception[] = [
  { path: "scripts/words.ts", reason: "the list itself" },
  { path: "test/words.test.ts", reason: "examples of the list" },
  { path: "generated/", reason: "descriptions that indexers serve" },
  { path: "emulator/dataset/entities/", reason: "descriptions that indexers serve" },
  { path: "packages/graph-node/src/", text: '"nobody"', reason: "the system account and node id" },
  {
    path: "docs/picture/play-worst-day.ts",
    text: "nobody creates streams there",
    reason: "part of a committed picture",
  },
  { path: "docs/data.md", reason: "descriptions that indexers serve" },
  { path: "test/cli/golden/describe-all.txt", reason: "descriptions that indexers serve" },
  { path: "test/cli/golden/describe-wide.txt", reason: "descriptions that indexers serve" },
  ...[
    "src/dialects/subgraph/rules/aggregation-rules.ts",
    "test/dialects/subgraph/validate-entities.test.ts",
  ].map((path) => ({
    path,
    text: "as the source, but there is no timeseries of that name",
    reason: "a message of graph-node",
  })),
];

type Exception = { readonly path: string; readonly text?: string; readonly reason: string };

type Hit = { readonly line: number; readonly text: string; readonly better: string };

/** Finds the words in a text, and where the text spans lines, the line on which each begins. */
export function findWords(text: string, allowed: readonly string[] = []): Hit[] {
  const excused = allowed.flatMap((literal) => rangesOf(literal, text));
  return PATTERNS.flatMap(({ pattern, better }) =>
    [...text.matchAll(pattern)]
      .filter(({ index }) => !excused.some(([start, end]) => start <= index && index < end))
      .map((match) => ({
        line: text.slice(0, match.index).split("\n").length,
        text: match[0].replace(BREAK, " "),
        better,
      })),
  ).sort((one, other) => one.line - other.line);
}

/** Returns what is wrong with the subject of a commit; null if nothing is. */
export function checkSubject(subject: string): string | null {
  if (subject.length > 72) return `has ${subject.length} characters; at most 72 are allowed`;
  if (!/^[a-z][a-z0-9 ./-]*: \S/.test(subject)) return "must have the form `area: summary`";
  const [word] = findWords(subject);
  return word ? `says "${word.text}" (${word.better})` : null;
}

/** A line break between two words, with what begins the next line of a comment or joins two strings. */
const BREAK = / ?["'`] \+\s*\n\s*["'`]|\s*\n\s*(?:\*|\/\/|#|>)? */g;

const PATTERNS = WORDS.map(({ word, better }) => ({
  pattern: new RegExp(word.source.replaceAll(" ", `(?: |${BREAK.source})`), "gim"),
  better,
}));

function rangesOf(literal: string, text: string): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    ranges.push([at, at + literal.length]);
  }
  return ranges;
}

function git(...args: readonly string[]): string[] {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 1e8 })
    .split(/[\0\n]/)
    .filter(Boolean);
}

/** Returns a line for each word in the files at some paths (default: all files), and for each exception without use. */
export function checkFiles(paths: readonly string[]): string[] {
  const unused = new Set(EXCEPTIONS);
  const problems = (paths.length === 0 ? ["."] : paths).flatMap((path) => {
    const files = listFiles(path);
    return files.length === 0 ? [`${path} has no file`] : files.flatMap((file) => checkFile(file, unused));
  });
  if (paths.length > 0) return problems;
  return [
    ...problems,
    ...[...unused].map(({ path }) => `scripts/words.ts: the exception for ${path} is unused`),
  ];
}

/** Returns a line for each word in a file, and removes the exceptions that excuse a word from `unused`. */
function checkFile(path: string, unused: Set<Exception>): string[] {
  const content = readFileSync(path, "utf8");
  const isBinary = content.includes("\0");
  if (isBinary) return [];
  const exceptions = EXCEPTIONS.filter((one) =>
    one.path.endsWith("/") ? path.startsWith(one.path) : path === one.path,
  );
  for (const one of exceptions) {
    const excused = one.text === undefined ? content : content.includes(one.text) ? one.text : "";
    if (findWords(excused).length > 0) unused.delete(one);
  }
  if (exceptions.some(({ text }) => text === undefined)) return [];
  const literals = exceptions.flatMap(({ text }) => text ?? []);
  return findWords(content, literals).map(
    ({ line, text, better }) => `${path}:${line} "${text}" (${better})`,
  );
}

/** Returns the files at a path that git does not ignore. */
function listFiles(path: string): string[] {
  return git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", path).filter(existsSync);
}

function checkCommits(range: string): string[] {
  return git("log", "-z", "--no-merges", "--format=%s", range).flatMap((subject) => {
    const problem = checkSubject(subject);
    return problem === null ? [] : [`"${subject}" ${problem}`];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [first, range = "", ...rest] = process.argv.slice(2);
  const problems =
    first === "--commits"
      ? checkCommits(range)
      : checkFiles(first === undefined ? [] : [first, range, ...rest].filter(Boolean));
  if (problems.length > 0) {
    process.stderr.write(`${problems.join("\n")}\n${problems.length} to rewrite.\n`);
    process.exitCode = 1;
  }
}
