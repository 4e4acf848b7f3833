import { posix } from "node:path";
import { print } from "graphql";
import { cached, compareCodeUnits, groupBy } from "../base/collections.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { readFacts } from "../operations/portable/read-entities.ts";
import type { Attempt } from "./attempt.ts";
import { rootFields } from "./classify-surface.ts";
import { type Compared, compareQuestions } from "./compare-questions.ts";
import type { Difference } from "./port-types.ts";
import { wordsOf } from "./source-document.ts";

/** Operations that become one. */
export type Group = {
  /** The operation whose text is kept. */
  readonly kept: Attempt;
  /** The others, with the variable of the kept one for each of their variables. */
  readonly others: readonly { readonly attempt: Attempt; readonly variables: ReadonlyMap<string, string> }[];
  /** How the copies of both styles differ. */
  readonly differences: readonly Difference[];
  /** The operation of the other style with the same name and entities that could not be joined with it. */
  readonly twin: Attempt | null;
};

/**
 * Joins copies of one text, then each multichain operation with the subgraph operation of an equal question, else with the
 * one of the same name and entities. The text of the subgraph operation is kept. If it is not portable, both are kept.
 */
export function pairOperations(attempts: readonly Attempt[]): Group[] {
  const groups = joinCopies(attempts);
  const isAuthored = ({ kept }: Group) => kept.match.surface.style === AUTHORED_STYLE;
  const written = groups.filter((group) => !isAuthored(group) && group.kept.question !== null);
  const authored = groups.filter((group) => isAuthored(group) && group.kept.question !== null);
  const byOutline = groupBy(authored, ({ kept }) => outlineOf(kept));
  const byTwin = groupBy(groups, ({ kept }) => twinKey(kept));
  const joined = new Map<Group, Joined[]>();
  const taken = new Set<Group>();
  const join = (group: Group, [best]: readonly (Joined & { readonly to: Group })[]) => {
    if (best === undefined) return;
    taken.add(group);
    cached(joined, best.to, (): Joined[] => []).push(best);
  };
  for (const group of written) {
    const same = (byOutline.get(outlineOf(group.kept)) ?? [])
      .map((to) => ({ group, to, ...compare(group.kept, to.kept) }))
      .filter(({ differences }) => differences.length === 0)
      .sort((a, b) => likeness(group, b.to) - likeness(group, a.to));
    join(group, same);
  }
  for (const group of written.filter((candidate) => !taken.has(candidate))) {
    const near = (byTwin.get(twinKey(group.kept)) ?? [])
      .filter((to) => authored.includes(to) && !joined.has(to))
      .map((to) => ({ group, to, ...compare(group.kept, to.kept) }))
      .sort((a, b) => a.differences.length - b.differences.length);
    join(group, near);
  }
  return groups
    .filter((group) => !taken.has(group))
    .map((group) => {
      const more = joined.get(group) ?? [];
      const twin = (byTwin.get(twinKey(group.kept)) ?? []).find(
        (other) => isAuthored(other) !== isAuthored(group) && !taken.has(other) && !joined.has(other),
      );
      const others = more.flatMap(({ group: { kept, others: copies }, variables }) =>
        [kept, ...copies.map(({ attempt }) => attempt)].map((attempt) => ({ attempt, variables })),
      );
      return {
        kept: group.kept,
        others: [...group.others, ...others],
        differences: more.flatMap(({ differences }) => differences),
        twin: (more.length > 0 ? null : twin?.kept) ?? null,
      };
    });
}

/** A group of multichain that becomes part of another one. */
type Joined = Compared & { readonly group: Group };

/** Joins operations of one surface with one name and one text. */
function joinCopies(attempts: readonly Attempt[]): Group[] {
  const groups = groupBy(attempts, ({ source, match }) =>
    [match.surface.id, source.name, ...[source.node, ...source.fragments].map((node) => print(node))].join(
      "\n",
    ),
  );
  return [...groups.values()].flatMap(([kept, ...copies]): Group[] => {
    const others = copies.map((attempt) => ({ attempt, variables: new Map() }));
    return kept === undefined ? [] : [{ kept, others, differences: [], twin: null }];
  });
}

function compare({ question }: Attempt, { question: other }: Attempt) {
  if (question === null || other === null)
    throw new TypeError("An operation without a question has no twin.");
  return compareQuestions(question, other);
}

/** How probable it is that two operations were written as a pair. */
function likeness({ kept: a }: Group, { kept: b }: Group): number {
  const isNamedAlike = baseName(a) === baseName(b);
  const isNear = posix.dirname(a.source.file) === posix.dirname(b.source.file);
  return (isNamedAlike ? 4 : 0) + (a.source.file === b.source.file ? 2 : 0) + (isNear ? 1 : 0);
}

/** Operations with equal questions have one outline: the parts of their questions without the names of variables. */
function outlineOf({ question, match }: Attempt): string {
  const parts = [...(question?.parts ?? [])].filter(([, text]) => text !== "");
  const lines = parts.map(([path, text]) => `${path} ${text.replaceAll(/\$\w+/g, "$")}`);
  return [match.surface.protocol, ...lines.sort(compareCodeUnits)].join("\n");
}

/** Twins have one name, apart from words for their styles, and request the same entities. */
function twinKey(attempt: Attempt): string {
  return [attempt.match.surface.protocol, baseName(attempt), entitiesOf(attempt)].join(" ");
}

function entitiesOf({ question, source, context }: Attempt): string {
  const entityOf = (name: string) => readFacts(context).root(name)?.entity ?? name;
  const roots = question?.roots ?? rootFields(source).map(({ name }) => entityOf(name.value));
  return [...roots].sort().join();
}

/** The words of a name without those for a style. */
function baseName({ source: { name } }: Attempt): string {
  return wordsOf(name)
    .filter((word) => !OF_STYLES.has(word))
    .join("");
}

const OF_STYLES: ReadonlySet<string> = new Set([
  ...["envio", "hasura", "multichain", "hyperindex", "hyper", "index", "indexer"],
  ...["graph", "thegraph", "the", "subgraph", "sub", "query", "document", "get", "fetch"],
]);
