import type { Difference } from "./port-types.ts";
import type { Question } from "./read-question.ts";

/** The differences of two questions, and the variables of the first by those of the second. */
export type Compared = {
  /** The first question is that of the multichain document. Empty if the questions are equal. */
  readonly differences: readonly Difference[];
  readonly variables: ReadonlyMap<string, string>;
};

/** Compares two questions, up to the names of variables. The chain does not count: it is an option. */
export function compareQuestions(first: Question, second: Question): Compared {
  const differences: Difference[] = [];
  const forth = new Map<string, string>();
  const paths = [...first.parts.keys(), ...[...second.parts.keys()].filter((path) => !first.parts.has(path))];
  for (const path of paths) {
    const [part = "", other = ""] = [first.parts.get(path), second.parts.get(path)];
    if (match(part, other) || isWithin(path)) continue;
    differences.push({ path, multichain: part, subgraph: other });
  }
  for (const [name, usual] of first.defaults) {
    const other = forth.get(name);
    const default_ = other === undefined ? undefined : second.defaults.get(other);
    if (other === undefined || default_ === undefined || default_ === usual) continue;
    differences.push({ path: `$${other}`, multichain: usual, subgraph: default_ });
  }
  return { differences, variables: forth };

  /** Whether only one of the questions has a part of a field. */
  function isWithin(path: string): boolean {
    return differences.some(
      (difference) =>
        path.startsWith(`${difference.path}.`) &&
        (difference.multichain === "" || difference.subgraph === ""),
    );
  }

  /** Whether texts are equal if variables are renamed, each always in the same way. */
  function match(written: string, other: string): boolean {
    if (written.replaceAll(VARIABLE, "$") !== other.replaceAll(VARIABLE, "$")) return false;
    const [left, right] = [written, other].map((text) =>
      [...text.matchAll(VARIABLE)].map(([, name = ""]) => name),
    );
    const pairs = (left ?? []).map((name, at) => [name, right?.[at] ?? ""] as const);
    const isOne = ([a, b]: readonly [string, string]) =>
      [...forth, ...pairs].every(([c, d]) => (c === a) === (d === b));
    if (!pairs.every(isOne)) return false;
    for (const [a, b] of pairs) forth.set(a, b);
    return true;
  }
}

const VARIABLE = /\$(\w+)/g;
