import { compareCodeUnits, findNamed, indexByName, memoize } from "../base/collections.ts";
import { type ApiSchema, baseTypeName, isList } from "../dialects/api-schema.ts";
import type { Definition, Entity, EntityModel } from "../dialects/entity-model.ts";
import { CAPABILITIES, type Style } from "../dialects/style.ts";
import type { OpaqueEnum, Parity, ParityRename, ParityRow, Verdict } from "../report/outcome.ts";
import { findRenames, type RenameContext } from "./find-renames.ts";
import { describeTypeChange, listDepth } from "./severity-rules.ts";

/** One side of the comparison: a model, the API schema that it was read from, and its style. */
export type ParitySide = {
  readonly style: Pick<Style, "scalars" | "schemas">;
  readonly model: EntityModel;
  readonly schema: ApiSchema;
};

type ParitySides = { readonly multichain: ParitySide; readonly subgraph: ParitySide };

/** Compares the entity models of the two styles of a protocol, by name. Sets no severity. */
export function compareModels(multichain: ParitySide, subgraph: ParitySide): Parity {
  const sides: ParitySides = { multichain, subgraph };
  const left = entitiesByName(multichain.model);
  const right = entitiesByName(subgraph.model);
  const names = unionOf(left, right);
  const apiTypes = {
    multichain: indexFieldTypes(multichain.schema),
    subgraph: indexFieldTypes(subgraph.schema),
  };
  const rows = names
    .flatMap((name) => compareEntity([left.get(name), right.get(name)], sides))
    .map((row) => ({ ...row, ...explain(row, apiTypes, subgraph.model) }));
  const counts = {
    equal: 0,
    mapped: 0,
    nullability: 0,
    conflict: 0,
    "only-multichain": 0,
    "only-subgraph": 0,
  };
  for (const row of rows) if (row.field !== null) counts[row.verdict]++;
  const entities = new Set([...left.keys(), ...right.keys()]);
  const types: Pick<RenameContext, "isSameType" | "isEntity"> = {
    isSameType: (a, b) => agrees(judgeField(a, b, sides)),
    isEntity: (type) => entities.has(type),
  };
  const ofMultichain = multichain.style.schemas.findCapabilities(multichain.schema);
  const ofSubgraph = subgraph.style.schemas.findCapabilities(subgraph.schema);
  return {
    rows,
    counts,
    renames: names.flatMap((name) => offerRenames(left.get(name), right.get(name), types)),
    opaqueEnums: findOpaqueEnums(rows, subgraph.model),
    capabilities: CAPABILITIES.map((capability) => {
      const [a, b] = [ofMultichain[capability], ofSubgraph[capability]];
      return { capability, multichain: a, subgraph: b, portable: a !== null && b !== null };
    }),
  };
}

function agrees(verdict: Verdict): boolean {
  return verdict === "equal" || verdict === "mapped";
}

type BareRow = Omit<ParityRow, "rule" | "weaker">;

type ApiTypes = ReadonlyMap<string, string>;

function indexFieldTypes({ types }: ApiSchema): ApiTypes {
  return new Map(
    types.flatMap((type) =>
      type.kind === "OBJECT"
        ? type.fields.map((field) => [`${type.name}.${field.name}`, field.type] as const)
        : [],
    ),
  );
}

/** Returns the rule that a difference follows. Reads types from the APIs: a model says more about a reference than its field. */
function explain(
  { entity, field, multichain, subgraph, verdict }: BareRow,
  apiTypes: { readonly multichain: ApiTypes; readonly subgraph: ApiTypes },
  model: EntityModel,
): Pick<ParityRow, "rule" | "weaker"> {
  if (field === null || multichain === null || subgraph === null || verdict === "conflict") {
    return { rule: null, weaker: null };
  }
  const coordinate = `${entity}.${field}`;
  const a = apiTypes.multichain.get(coordinate) ?? multichain;
  const b = apiTypes.subgraph.get(coordinate) ?? subgraph;
  const { tightened, loosened } = describeTypeChange(a, b);
  const weaker = tightened ? "multichain" : loosened ? "subgraph" : null;
  const reference = !isList(subgraph) && isDefined(model, "entity", baseTypeName(subgraph));
  if (reference && agrees(verdict) && weaker !== null) return { rule: "parity/relation-nullability", weaker };
  if (verdict !== "mapped") return { rule: null, weaker };
  const opaque = isDefined(model, "enum", baseTypeName(subgraph));
  return { rule: opaque ? "parity/opaque-enum" : "parity/scalar", weaker };
}

function offerRenames(
  left: Entity | undefined,
  right: Entity | undefined,
  types: Pick<RenameContext, "isSameType" | "isEntity">,
): ParityRename[] {
  if (!left || !right) return [];
  const [a, b] = [indexByName(left.fields), indexByName(right.fields)];
  const removed = left.fields.filter(({ name }) => !b.has(name));
  const added = right.fields.filter(({ name }) => !a.has(name));
  const stayed = [...left.fields, ...right.fields].filter(({ name }) => a.has(name) && b.has(name));
  return findRenames(removed, added, { stayed, ...types }).map((rename) => ({
    entity: left.name,
    multichain: rename.removed.name,
    subgraph: rename.added.name,
  }));
}

function findOpaqueEnums(rows: readonly ParityRow[], { definitions }: EntityModel): OpaqueEnum[] {
  const opaque = new Map<string, OpaqueEnum>();
  const enums = definitions.filter((definition) => definition.kind === "enum");
  for (const { multichain, subgraph, rule } of rows) {
    if (rule !== "parity/opaque-enum" || multichain === null || subgraph === null) continue;
    const name = baseTypeName(subgraph);
    const definition = findNamed(enums, name);
    if (definition === undefined || definition.values === null) continue;
    const members = definition.values.map((value) => value.name).sort(compareCodeUnits);
    opaque.set(name, { multichain: baseTypeName(multichain), subgraph: name, shownBy: "subgraph", members });
  }
  return [...opaque.values()].sort((a, b) => compareCodeUnits(a.subgraph, b.subgraph));
}

function compareEntity(
  [left, right]: readonly [multichain: Entity | undefined, subgraph: Entity | undefined],
  sides: ParitySides,
): BareRow[] {
  const entity = left?.name ?? right?.name ?? "";
  const [leftFields, rightFields] = [indexByName(left?.fields ?? []), indexByName(right?.fields ?? [])];
  return [
    {
      entity,
      field: null,
      multichain: left ? "entity" : null,
      subgraph: right ? "entity" : null,
      verdict: left && right ? "equal" : left ? "only-multichain" : "only-subgraph",
    },
    ...unionOf(leftFields, rightFields).map((field): BareRow => {
      const multichain = leftFields.get(field)?.type ?? null;
      const subgraph = rightFields.get(field)?.type ?? null;
      return { entity, field, multichain, subgraph, verdict: judgeField(multichain, subgraph, sides) };
    }),
  ];
}

function judgeField(left: string | null, right: string | null, sides: ParitySides): Verdict {
  if (left === null) return "only-subgraph";
  if (right === null) return "only-multichain";
  if (left === right) return "equal";
  const leftBase = baseTypeName(left);
  const rightBase = baseTypeName(right);
  if (leftBase !== rightBase && !isMapped(leftBase, rightBase, sides)) return "conflict";
  const shape = (type: string) => type.replace(/\w+/, "T");
  if (shape(left) === shape(right)) return "mapped";
  return listDepth(left) === listDepth(right) ? "nullability" : "conflict";
}

function isMapped(left: string, right: string, { multichain, subgraph }: ParitySides): boolean {
  const leftFamily = multichain.style.scalars.get(left)?.family;
  if (leftFamily !== undefined) return leftFamily === subgraph.style.scalars.get(right)?.family;
  // An enum scalar has the enum's name in lower case, and no members.
  return left === right.toLowerCase() && isDefined(subgraph.model, "enum", right);
}

function isDefined(model: EntityModel, kind: Definition["kind"], name: string): boolean {
  return definedNames(model).has(`${kind} ${name}`);
}

const definedNames = memoize(
  ({ definitions }: EntityModel) => new Set(definitions.map(({ kind, name }) => `${kind} ${name}`)),
);

function entitiesByName({ definitions }: EntityModel): Map<string, Entity> {
  return indexByName(definitions.filter((definition) => definition.kind === "entity"));
}

function unionOf(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort(compareCodeUnits);
}
