import type { Entity, EntityField, EntityModel } from "../model/entity-model.ts";
import type { Parity, ParityRow, Verdict } from "../model/parity.ts";
import type { ScalarFacts } from "../styles/style.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";
import { baseTypeName, nullableType } from "../utils/type-expression.ts";

/** One side of the comparison: a model, and what is known of its scalars. */
export type ParitySide = {
  readonly model: EntityModel;
  readonly scalars: ReadonlyMap<string, ScalarFacts>;
};

/** Compares the entity models of the two styles of a protocol, by name. Pure and neutral: judging is not done here. */
export function compareModels(multichain: ParitySide, subgraph: ParitySide): Parity {
  const left = entitiesByName(multichain.model);
  const right = entitiesByName(subgraph.model);
  const names = [...new Set([...left.keys(), ...right.keys()])].sort(compareCodeUnits);
  const rows = names.flatMap((name) =>
    compareEntity(name, left.get(name), right.get(name), multichain, subgraph),
  );
  const counts: Record<Verdict, number> = {
    equal: 0,
    mapped: 0,
    nullability: 0,
    conflict: 0,
    "only-multichain": 0,
    "only-subgraph": 0,
  };
  for (const row of rows) if (row.field !== null) counts[row.verdict]++;
  return { rows, counts };
}

function compareEntity(
  name: string,
  left: Entity | undefined,
  right: Entity | undefined,
  multichain: ParitySide,
  subgraph: ParitySide,
): ParityRow[] {
  const own: ParityRow = {
    entity: name,
    field: null,
    multichain: left ? "entity" : null,
    subgraph: right ? "entity" : null,
    verdict: left && right ? "equal" : left ? "only-multichain" : "only-subgraph",
  };
  const leftFields = fieldsByName(left);
  const rightFields = fieldsByName(right);
  const names = [...new Set([...leftFields.keys(), ...rightFields.keys()])].sort(compareCodeUnits);
  return [
    own,
    ...names.map((field): ParityRow => {
      const a = leftFields.get(field)?.type ?? null;
      const b = rightFields.get(field)?.type ?? null;
      return {
        entity: name,
        field,
        multichain: a,
        subgraph: b,
        verdict: judgeField(a, b, multichain, subgraph),
      };
    }),
  ];
}

function judgeField(
  left: string | null,
  right: string | null,
  multichain: ParitySide,
  subgraph: ParitySide,
): Verdict {
  if (left === null) return "only-subgraph";
  if (right === null) return "only-multichain";
  if (left === right) return "equal";
  const leftBase = baseTypeName(left);
  const rightBase = baseTypeName(right);
  const sameName = leftBase === rightBase;
  if (!sameName && !isMapped(leftBase, rightBase, multichain, subgraph)) return "conflict";
  const shape = (type: string) => type.replace(/\w+/, "T");
  if (shape(left) === shape(right)) return "mapped";
  return listDepth(left) === listDepth(right) ? "nullability" : "conflict";
}

function isMapped(left: string, right: string, multichain: ParitySide, subgraph: ParitySide): boolean {
  const leftFamily = multichain.scalars.get(left)?.family;
  if (leftFamily !== undefined) return leftFamily === subgraph.scalars.get(right)?.family;
  // An enum scalar is called by the folded name of the enum, and shows no members.
  return left === right.toLowerCase() && isEnum(subgraph.model, right);
}

function isEnum(model: EntityModel, name: string): boolean {
  return model.definitions.some((definition) => definition.kind === "enum" && definition.name === name);
}

function listDepth(type: string): number {
  return [...nullableType(type)].filter((character) => character === "[").length;
}

function entitiesByName(model: EntityModel): Map<string, Entity> {
  return new Map(
    model.definitions.flatMap((definition): [string, Entity][] =>
      definition.kind === "entity" ? [[definition.name, definition]] : [],
    ),
  );
}

function fieldsByName(entity: Entity | undefined): Map<string, EntityField> {
  return new Map((entity?.fields ?? []).map((field) => [field.name, field]));
}
