import { posix } from "node:path";
import { print } from "graphql";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { Attempt } from "./attempt.ts";
import { compareQuestions } from "./compare-questions.ts";
import type { Difference } from "./port-types.ts";

/** Operations that become one. */
export type Group = {
  /** The one whose text is kept. */
  readonly kept: Attempt;
  /** The others, with the variable of the kept one for each of theirs. */
  readonly others: readonly { readonly attempt: Attempt; readonly variables: ReadonlyMap<string, string> }[];
  /** How the copies of both styles differ. */
  readonly differences: readonly Difference[];
};

/**
 * Joins copies of one text, then each operation of multichain with the subgraph operation that asks the same, else with the
 * one of the same name and the same entities. The text of the subgraph operation is kept.
 */
export function pairOperations(attempts: readonly Attempt[]): Group[] {
  const groups = joinCopies(attempts);
  const authored = groups.filter(
    ({ kept }) =>
      kept.match.surface.style === AUTHORED_STYLE && kept.portable !== null && kept.question !== null,
  );
  const written = groups.filter(
    ({ kept }) => kept.match.surface.style !== AUTHORED_STYLE && kept.question !== null,
  );
  const joined = new Map<
    Group,
    { group: Group; variables: ReadonlyMap<string, string>; differences: readonly Difference[] }[]
  >();
  const taken = new Set<Group>();
  const join = (other: Group, kept: Group, compared: ReturnType<typeof compare>) => {
    taken.add(other);
    joined.set(kept, [...(joined.get(kept) ?? []), { ...compared, group: other }]);
  };
  for (const other of written) {
    const same = authored
      .filter((group) => isOfOneProtocol(group, other))
      .map((group) => ({ group, ...compare(other.kept, group.kept) }))
      .filter(({ differences }) => differences.length === 0)
      .sort((a, b) => likeness(other, b.group) - likeness(other, a.group));
    const [best] = same;
    if (best !== undefined) join(other, best.group, best);
  }
  for (const other of written) {
    if (taken.has(other)) continue;
    const near = authored
      .filter(
        (group) => isOfOneProtocol(group, other) && isTwin(other.kept, group.kept) && !joined.has(group),
      )
      .map((group) => ({ group, ...compare(other.kept, group.kept) }))
      .sort((a, b) => a.differences.length - b.differences.length);
    const [best] = near;
    if (best !== undefined) join(other, best.group, best);
  }
  return groups
    .filter((group) => !taken.has(group))
    .map((group) => {
      const more = joined.get(group) ?? [];
      return {
        kept: group.kept,
        others: [
          ...group.others,
          ...more.flatMap(({ group: { kept, others }, variables }) =>
            [kept, ...others.map(({ attempt }) => attempt)].map((attempt) => ({ attempt, variables })),
          ),
        ],
        differences: more.flatMap(({ differences }) => differences),
      };
    });
}

/** Joins operations of one surface with one name and one text. */
function joinCopies(attempts: readonly Attempt[]): Group[] {
  const groups = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const { found, match } = attempt;
    const texts = [found.node, ...found.fragments].map((node) => print(node));
    const key = [match.surface.id, found.name, ...texts].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), attempt]);
  }
  return [...groups.values()].flatMap(([kept, ...copies]) =>
    kept === undefined
      ? []
      : [{ kept, others: copies.map((attempt) => ({ attempt, variables: new Map() })), differences: [] }],
  );
}

function isOfOneProtocol(a: Group, b: Group): boolean {
  return a.kept.match.surface.protocol === b.kept.match.surface.protocol;
}

function compare({ question: one }: Attempt, { question: other }: Attempt) {
  if (one === null || other === null) throw new TypeError("An operation without a question has no twin.");
  return compareQuestions(one, other);
}

/** How probable it is that two operations were written as a pair. */
function likeness({ kept: a }: Group, { kept: b }: Group): number {
  const isNamedAlike = baseName(a) === baseName(b);
  const isNear = posix.dirname(a.found.file) === posix.dirname(b.found.file);
  return (isNamedAlike ? 4 : 0) + (a.found.file === b.found.file ? 2 : 0) + (isNear ? 1 : 0);
}

/** Whether two operations have one name, apart from words for their styles, and ask for the same entities. */
function isTwin(a: Attempt, b: Attempt): boolean {
  const rootsOf = ({ question }: Attempt) => [...(question?.roots ?? [])].sort().join();
  return baseName(a) === baseName(b) && rootsOf(a) === rootsOf(b);
}

/** The words of a name without those that mean a style. */
function baseName({ found: { name } }: Attempt): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "" && !OF_STYLES.has(word));
  return words.join("");
}

const OF_STYLES: ReadonlySet<string> = new Set([
  ...["envio", "hasura", "multichain", "hyperindex", "hyper", "index", "indexer"],
  ...["graph", "thegraph", "the", "subgraph", "sub", "query", "document", "get", "fetch"],
]);
