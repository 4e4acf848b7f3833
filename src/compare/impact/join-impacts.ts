import { compareCodeUnits } from "../../base/compare-code-units.ts";
import { endSentence } from "../../base/end-sentence.ts";
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
  const byCoordinate = new Map<string, C[]>();
  for (const cause of causes) {
    for (const { kind, coordinate, before } of [cause.change, ...cause.derived]) {
      // It is at the same coordinate as another change may be, and does nothing to an operation.
      if (kind === "description-changed") continue;
      // The type of a root has a name, too, which a fragment may stand on.
      const named = kind.startsWith("root-") && before !== null ? [coordinate, before] : [coordinate];
      for (const name of named) {
        const known = byCoordinate.get(name);
        if (known === undefined) byCoordinate.set(name, [cause]);
        else if (!known.includes(cause)) known.push(cause);
      }
    }
  }
  const joined = new Map<C, Told[]>();
  const unexplained: Told[] = [];
  for (const { name, effects } of assessments) {
    for (const effect of effects) {
      const found = causesOf(effect, byCoordinate);
      if (found.size === 0) unexplained.push({ name, effect });
      for (const cause of found) {
        const own = { name, effect: followMoves(effect, cause) };
        const told = joined.get(cause);
        if (told) told.push(own);
        else joined.set(cause, [own]);
      }
    }
  }
  return {
    byCause: new Map([...joined].map(([cause, told]) => [cause, mergePlaces(told)])),
    unexplained: mergePlaces(unexplained),
  };
}

type Told = { readonly name: string; readonly effect: Effect };

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

function causesOf<C>({ coordinates }: Effect, byCoordinate: ReadonlyMap<string, readonly C[]>): Set<C> {
  const exact = coordinates.flatMap((coordinate) => byCoordinate.get(coordinate) ?? []);
  if (exact.length > 0) return new Set(exact);
  // The members of a type that came or went are not told one by one.
  return new Set(coordinates.flatMap((coordinate) => byOwner(coordinate, byCoordinate)));
}

function byOwner<C>(coordinate: string, byCoordinate: ReadonlyMap<string, readonly C[]>): readonly C[] {
  const owner = coordinate.replace(/\(\w+:\)$|\.\w+$/, "");
  if (owner === coordinate) return [];
  return byCoordinate.get(owner) ?? byOwner(owner, byCoordinate);
}

/** A variable may lose twenty members to one cause: that is one place with one impact. */
function mergePlaces(told: readonly Told[]): JoinedImpact[] {
  const places = new Map<string, { readonly first: Told; more: number }>();
  const sorted = [...told].sort(
    (a, b) => compareEffects(a.effect, b.effect) || compareCodeUnits(a.name, b.name),
  );
  for (const one of sorted) {
    const { impact, file, line, column } = one.effect;
    const key = `${one.name} ${impact} ${file}:${line}:${column}`;
    const known = places.get(key);
    if (known) known.more++;
    else places.set(key, { first: one, more: 0 });
  }
  return [...places.values()].map(({ first: { name, effect }, more }) => ({
    name,
    impact: effect.impact,
    severity: effect.severity,
    message: more === 0 ? effect.message : `${endSentence(effect.message)} And ${more} more like it.`,
    file: effect.file,
    line: effect.line,
    column: effect.column,
    fix: effect.fix,
  }));
}
