import { Kind, type ObjectTypeDefinitionNode } from "graphql";
import type { GraphNodeFeatures } from "../../../../src/styles/subgraph/release.ts";
import {
  type AuthoredTypes,
  argumentOf,
  baseTypeOf,
  directiveOf,
  fieldOf,
  lineOf,
} from "./authored-types.ts";
import type { EntityProblem } from "./entity-problem.ts";
import { checkTimestamp } from "./timestamp-rule.ts";

/** Checks that every object type has a role (A.2). Aggregations are one since 0.35 (D.1). */
export function checkRoles({ objects }: AuthoredTypes, { aggregations }: GraphNodeFeatures): EntityProblem[] {
  const idle = objects.filter(
    (node) =>
      !directiveOf(node, "entity") &&
      !(aggregations && directiveOf(node, "aggregation")) &&
      node.name.value !== "_Schema_",
  );
  const [first] = idle;
  if (first === undefined) return [];
  const names = idle.map((node) => node.name.value).join(", ");
  return [
    {
      reason: `@entity directive missing on the following types: \`${names}\``,
      line: lineOf(first),
    },
  ];
}

/** Checks that no type has a name that graph-node needs itself (A.2). */
export function checkReservedNames({ objects, interfaces, byName }: AuthoredTypes): EntityProblem[] {
  const declared = [...objects, ...interfaces].map((node) => node.name.value);
  const reserved = [
    ...["Boolean", "ID", "Int", "BigDecimal", "String", "Bytes", "BigInt", "Query", "Subscription"],
    ...declared.map((name) => `${name}_filter`),
    ...declared.map((name) => `${name}_orderBy`),
  ];
  const used = reserved.flatMap((name) => byName.get(name) ?? []);
  const [first] = used;
  if (first === undefined) return [];
  const names = used.map((node) => node.name.value).join(", ");
  return [{ reason: `The following type names are reserved: \`${names}\``, line: lineOf(first) }];
}

/** Checks that what entities say of themselves makes sense (A.2). */
export function checkEntityDirectives(
  { entities }: AuthoredTypes,
  { aggregations }: GraphNodeFeatures,
): EntityProblem[] {
  // Releases that know no time series pass over what would be one.
  const flags = ["immutable", "skipDuplicates", ...(aggregations ? ["timeseries"] : [])];
  return entities.flatMap((entity) => checkEntityDirective(entity, flags));
}

function checkEntityDirective(entity: ObjectTypeDefinitionNode, known: readonly string[]): EntityProblem[] {
  const name = entity.name.value;
  const line = lineOf(entity);
  const directive = directiveOf(entity, "entity");
  const flags = new Map<string, boolean>();
  for (const flag of known) {
    const value = argumentOf(directive, flag);
    if (value === undefined) continue;
    if (value.kind !== Kind.BOOLEAN) {
      return [{ reason: `The \`${flag}\` argument of the @entity directive must be a boolean`, line }];
    }
    flags.set(flag, value.value);
  }
  const timeseries = flags.get("timeseries") ?? false;
  const immutable = flags.get("immutable") ?? timeseries;
  if (timeseries) {
    if (!immutable)
      return [{ reason: `Timeseries ${name} is marked as mutable, it must be immutable`, line }];
    const id = fieldOf(entity, "id");
    if (id !== undefined && baseTypeOf(id) !== "Int8") {
      return [
        { reason: `Timeseries \`${name}\` must have an \`id\` field of type \`Int8\``, line: lineOf(id) },
      ];
    }
    return checkTimestamp(entity);
  }
  if (flags.get("skipDuplicates") && !immutable) {
    // The wording is ours: graph-node's own is not known.
    return [{ reason: `Entity ${name} uses \`skipDuplicates\` but is mutable, it must be immutable`, line }];
  }
  return [];
}

/** Checks that entities have ids that can identify (A.2). */
export function checkIds({ entities }: AuthoredTypes): EntityProblem[] {
  return entities.flatMap(checkId);
}

function checkId(entity: ObjectTypeDefinitionNode): EntityProblem[] {
  const name = entity.name.value;
  const id = fieldOf(entity, "id");
  if (id === undefined) return [{ reason: `Type ${name} is missing an \`id\` field`, line: lineOf(entity) }];
  const type = baseTypeOf(id);
  if (ID_TYPES.has(type)) return [];
  return [{ reason: `Entity type ${name} uses illegal type ${type} for id column`, line: lineOf(id) }];
}

/** Checks that fields have types that exist (A.2). `Timestamp` does since 0.35 (D.1). */
export function checkFieldTypes(
  { objects, interfaces, enums }: AuthoredTypes,
  { aggregations }: GraphNodeFeatures,
): EntityProblem[] {
  const known = new Set([
    ...FIELD_SCALARS,
    ...(aggregations ? ["Timestamp"] : []),
    ...[...objects, ...interfaces, ...enums].map((node) => node.name.value),
  ]);
  return [...objects, ...interfaces].flatMap((owner) =>
    (owner.fields ?? [])
      .filter((field) => !known.has(baseTypeOf(field)))
      .map((field) => ({
        reason: `Type \`${owner.name.value}\`, field \`${field.name.value}\`: type \`${baseTypeOf(field)}\` is not defined`,
        line: lineOf(field),
      })),
  );
}

const ID_TYPES: ReadonlySet<string> = new Set(["ID", "String", "Bytes", "Int8"]);

/** `Float` is not among them, though every API schema lists it. */
const FIELD_SCALARS = ["Boolean", "Int", "Int8", "BigInt", "BigDecimal", "String", "ID", "Bytes"] as const;
