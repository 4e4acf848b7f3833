import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { cached, compareCodeUnits, groupBy } from "../../base/collections.ts";
import { endSentence } from "../../base/text.ts";
import type { ApiSchema } from "../../dialects/api-schema.ts";
import type { Change } from "../../dialects/members.ts";
import type { AssessedOperation } from "../../operations/operation-set.ts";
import type { ApiNames } from "../../operations/rename-document.ts";
import type { ImpactKind, OperationImpact } from "../../report/finding.ts";
import type { Sides } from "../expect-changes.ts";
import { indexSchema } from "../indexed-schema.ts";
import type { DiffOptions } from "../severity-rules.ts";
import { describeErrors } from "./describe-errors.ts";
import { arrangeEffects, compareEffects, type Effect, type SchemaPair } from "./effect.ts";
import { findAnswerEffects } from "./find-answer-effects.ts";
import { findDirectiveEffects } from "./find-input-effects.ts";
import { findVariableEffects } from "./find-variable-effects.ts";

/** The effects of a schema change on one operation. */
export type OperationAssessment = {
  readonly name: string;
  readonly verdict: OperationVerdict;
  /** The effects of the change, worst first; empty if the operation was invalid before. */
  readonly effects: readonly Effect[];
  readonly errorsBefore: readonly Effect[];
};

/** The worst effect; `was-broken` if it was invalid before and still is, `repaired` if it is valid now. */
export type OperationVerdict = ImpactKind | "unaffected" | "was-broken" | "repaired";

/** Finds the effects of a schema change on operations. Validation finds only a few of them. */
export function assessOperations(
  operations: readonly AssessedOperation[],
  { before, after }: Sides<ApiSchema>,
  { exhaustiveEnums }: DiffOptions,
): OperationAssessment[] {
  if (before === after) return operations.map(({ name }) => unaffected(name));
  const [was, is] = [indexSchema(before), indexSchema(after)];
  const documents = operations.map(({ document }) => document);
  const [errorsBefore, errorsAfter] = [was.validate(documents), is.validate(documents)];
  const pair = { before: was, after: is, exhaustiveEnums, inputChanges: new Map() };
  return operations.map((operation, index) =>
    assessOperation(operation, pair, {
      before: errorsBefore[index] ?? [],
      after: errorsAfter[index] ?? [],
    }),
  );
}

function assessOperation(
  { name, document }: AssessedOperation,
  pair: SchemaPair,
  invalid: { readonly before: readonly GraphQLError[]; readonly after: readonly GraphQLError[] },
): OperationAssessment {
  const definition = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (definition === undefined) return unaffected(name);
  const { before: was, after: is } = pair;
  const described = { document, operation: definition };
  const errorsBefore = describeErrors(invalid.before, described, { schema: was, other: is });
  const errors = describeErrors(invalid.after, described, { schema: is, other: was });
  if (errorsBefore.length > 0) {
    return { ...unaffected(name), verdict: errors.length > 0 ? "was-broken" : "repaired", errorsBefore };
  }
  const effects = arrangeEffects([
    ...errors,
    ...findAnswerEffects(document, definition, pair),
    ...findDirectiveEffects(document, definition, pair),
    ...findVariableEffects(definition, pair),
  ]);
  return { ...unaffected(name), verdict: effects[0]?.impact ?? "unaffected", effects };
}

function unaffected(name: string): OperationAssessment {
  return { name, verdict: "unaffected", effects: [], errorsBefore: [] };
}

/** A change and the changes that follow from it. */
export type Cause = {
  readonly change: Change;
  readonly derivedChanges: readonly Change[];
  /** The new coordinates of renamed members by their old ones. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Whether the change is only a possible rename. */
  readonly isOnlyPossible?: boolean;
};

/** A place of an operation that a cause affects, with a fix. */
export type JoinedImpact = OperationImpact & { readonly fix: string };

export type JoinedImpacts<C extends Cause> = {
  /** The places that each cause affects, worst first. */
  readonly byCause: ReadonlyMap<C, readonly JoinedImpact[]>;
  /** The effects that no cause explains; empty if all changes were given. */
  readonly unexplained: readonly JoinedImpact[];
};

/** Joins the effects on operations with their root causes, by coordinate. */
export function joinImpacts<C extends Cause>(
  assessments: readonly OperationAssessment[],
  causes: readonly C[],
): JoinedImpacts<C> {
  const byCoordinate = new Map<string, Set<C>>();
  for (const cause of causes) {
    for (const { kind, coordinate, before } of [cause.change, ...cause.derivedChanges]) {
      // It has no effect on operations, and another change may have the same coordinate.
      if (kind === "description-changed") continue;
      // Fragments can name the type of a root.
      const named = kind.startsWith("root-") && before !== null ? [coordinate, before] : [coordinate];
      for (const name of named) cached(byCoordinate, name, () => new Set<C>()).add(cause);
    }
  }
  const joined = new Map<C, NamedEffect[]>();
  const unexplained: NamedEffect[] = [];
  for (const { name, effects } of assessments) {
    for (const effect of effects) {
      const explaining = causesOf(effect, byCoordinate);
      if (explaining.size === 0) unexplained.push({ name, effect });
      for (const cause of explaining) {
        cached(joined, cause, (): NamedEffect[] => []).push({ name, effect: suggestRename(effect, cause) });
      }
    }
  }
  return {
    byCause: new Map([...joined].map(([cause, effects]) => [cause, mergePlaces(effects)])),
    unexplained: mergePlaces(unexplained),
  };
}

type NamedEffect = { readonly name: string; readonly effect: Effect };

/** Suggests the new name if a broken place uses a renamed coordinate, and removes other guesses. */
function suggestRename(effect: Effect, { change, renamed, isOnlyPossible }: Cause): Effect {
  if (effect.impact !== "broken" || !change.kind.endsWith("-renamed")) return effect;
  const message = withoutSuggestion(effect.message);
  if (isOnlyPossible) {
    const fix = `"${change.before}" was possibly renamed to "${change.after}": check that it has the same data.`;
    return { ...effect, message, fix };
  }
  for (const coordinate of effect.coordinates) {
    const newCoordinate = renamed?.get(coordinate);
    if (newCoordinate === undefined) continue;
    const [oldName, newName] = [coordinate, newCoordinate].map((name) => name.slice(name.indexOf(".") + 1));
    return { ...effect, message, fix: `write "${newName}" in place of "${oldName}".` };
  }
  return { ...effect, message };
}

/** Removes the guess of graphql-js, which names the nearest spelling. */
export function withoutSuggestion(message: string): string {
  return message.replace(/ Did you mean [^?]*\?$/, "");
}

type ByCoordinate<C> = ReadonlyMap<string, ReadonlySet<C>>;

function causesOf<C>({ coordinates }: Effect, byCoordinate: ByCoordinate<C>): Set<C> {
  const exact = coordinates.flatMap((coordinate) => [...(byCoordinate.get(coordinate) ?? [])]);
  if (exact.length > 0) return new Set(exact);
  // The members of an added or removed type are not listed, so look for their owner.
  return new Set(coordinates.flatMap((coordinate) => [...byOwner(coordinate, byCoordinate)]));
}

function byOwner<C>(coordinate: string, byCoordinate: ByCoordinate<C>): Iterable<C> {
  const owner = coordinate.replace(/\(\w+:\)$|\.\w+$/, "");
  if (owner === coordinate) return [];
  return byCoordinate.get(owner) ?? byOwner(owner, byCoordinate);
}

/** Merges the effects at one place: a variable may lose twenty members because of one cause. */
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

/** Renames types and fields in operations that are written for `schema`. Locations stay the same. */
export function renameInOperations(
  operations: readonly AssessedOperation[],
  { types, members }: ApiNames,
  schema: ApiSchema,
): AssessedOperation[] {
  const typeInfo = new TypeInfo(indexSchema(schema).graphql());
  const rename = (node: NamedTypeNode | FieldNode, name: string | undefined) =>
    name === undefined ? undefined : { ...node, name: { ...node.name, value: name } };
  // On leaving, because the children are resolved by their parents' old names.
  const visitor = visitWithTypeInfo(typeInfo, {
    NamedType: { leave: (node) => rename(node, types.get(node.name.value)) },
    Field: {
      leave: (node) => rename(node, members.get(`${typeInfo.getParentType()?.name}.${node.name.value}`)),
    },
  });
  return operations.map(({ name, document }) => ({ name, document: visit(document, visitor) }));
}

/** Returns whether an operation selects `__typename` anywhere. */
export function selectsTypeName(document: DocumentNode): boolean {
  let isSelected = false;
  visit(document, {
    Field: ({ name }) => {
      if (name.value === "__typename") isSelected = true;
    },
  });
  return isSelected;
}
