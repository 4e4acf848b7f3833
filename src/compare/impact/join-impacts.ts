import { cached } from "../../base/cached.ts";
import { compareCodeUnits } from "../../base/compare-code-units.ts";
import { endSentence } from "../../base/end-sentence.ts";
import { groupBy } from "../../base/group-by.ts";
import type { OperationImpact } from "../../report/finding.ts";
import type { Change } from "../../schema/change.ts";
import type { OperationAssessment } from "./assess-operations.ts";
import { compareEffects, type Effect } from "./effect.ts";

/** What happened, with what follows from it: a root cause, however it was found. */
export type Cause = {
  readonly change: Change;
  readonly derived: readonly Change[];
  /** What has another name now, by coordinates before and now. */
  readonly moves?: ReadonlyMap<string, string>;
};

/** A place of an operation that a cause touches, with what to do there. */
export type JoinedImpact = OperationImpact & { readonly fix: string };

export type JoinedImpacts<C extends Cause> = {
  /** For every cause that touches an operation: its places, worst first. */
  readonly byCause: ReadonlyMap<C, readonly JoinedImpact[]>;
  /** What no cause explains; when all changes were given, nothing. */
  readonly unexplained: readonly JoinedImpact[];
};

/** Joins what a change does to operations with the root causes, by the coordinates of both. */
export function joinImpacts<C extends Cause>(
  assessments: readonly OperationAssessment[],
  causes: readonly C[],
): JoinedImpacts<C> {
  const byCoordinate = new Map<string, Set<C>>();
  for (const cause of causes) {
    for (const { kind, coordinate, before } of [cause.change, ...cause.derived]) {
      // It is at the same coordinate as another change may be, and does nothing to an operation.
      if (kind === "description-changed") continue;
      // The type of a root has a name, too, which a fragment may stand on.
      const named = kind.startsWith("root-") && before !== null ? [coordinate, before] : [coordinate];
      for (const name of named) cached(byCoordinate, name, () => new Set<C>()).add(cause);
    }
  }
  const joined = new Map<C, NamedEffect[]>();
  const unexplained: NamedEffect[] = [];
  for (const { name, effects } of assessments) {
    for (const effect of effects) {
      const found = causesOf(effect, byCoordinate);
      if (found.size === 0) unexplained.push({ name, effect });
      for (const cause of found) {
        cached(joined, cause, (): NamedEffect[] => []).push({ name, effect: followMoves(effect, cause) });
      }
    }
  }
  return {
    byCause: new Map([...joined].map(([cause, effects]) => [cause, mergePlaces(effects)])),
    unexplained: mergePlaces(unexplained),
  };
}

type NamedEffect = { readonly name: string; readonly effect: Effect };

/** Where something has another name, what to do is to write that. */
function followMoves(effect: Effect, { moves }: Cause): Effect {
  if (moves === undefined || effect.impact !== "broken") return effect;
  for (const coordinate of effect.coordinates) {
    const moved = moves.get(coordinate);
    if (moved === undefined) continue;
    const [was, is] = [coordinate, moved].map((name) => name.slice(name.indexOf(".") + 1));
    return { ...effect, fix: `write "${is}" in place of "${was}".` };
  }
  return effect;
}

type ByCoordinate<C> = ReadonlyMap<string, ReadonlySet<C>>;

function causesOf<C>({ coordinates }: Effect, byCoordinate: ByCoordinate<C>): Set<C> {
  const exact = coordinates.flatMap((coordinate) => [...(byCoordinate.get(coordinate) ?? [])]);
  if (exact.length > 0) return new Set(exact);
  // The members of a type that came or went are not listed one by one.
  return new Set(coordinates.flatMap((coordinate) => [...byOwner(coordinate, byCoordinate)]));
}

function byOwner<C>(coordinate: string, byCoordinate: ByCoordinate<C>): Iterable<C> {
  const owner = coordinate.replace(/\(\w+:\)$|\.\w+$/, "");
  if (owner === coordinate) return [];
  return byCoordinate.get(owner) ?? byOwner(owner, byCoordinate);
}

/** A variable may lose twenty members to one cause: that is one place with one impact. */
function mergePlaces(effects: readonly NamedEffect[]): JoinedImpact[] {
  const sorted = [...effects].sort(
    (a, b) => compareEffects(a.effect, b.effect) || compareCodeUnits(a.name, b.name),
  );
  const places = groupBy(
    sorted,
    ({ name, effect: { impact, file, line, column } }) => `${name} ${impact} ${file}:${line}:${column}`,
  );
  return [...places.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { impact, severity, message, file, line, column, fix } = first.effect;
    const all = more.length === 0 ? message : `${endSentence(message)} And ${more.length} more like it.`;
    return [{ name: first.name, impact, severity, message: all, file, line, column, fix }];
  });
}
