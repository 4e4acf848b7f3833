import { Kind } from "graphql";
import type { GraphNodeFeatures } from "../../release.ts";
import {
  type AuthoredTypes,
  argumentOf,
  baseTypeOf,
  directiveOf,
  fieldOf,
  type ObjectNode,
} from "./authored-types.ts";
import { type EntityProblem, problemAt } from "./entity-problem.ts";
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
  return [problemAt(first, `@entity directive missing on the following types: \`${names}\``)];
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
  return [problemAt(first, `The following type names are reserved: \`${names}\``)];
}

/** Checks that what entities say of themselves makes sense (A.2). */
export function checkEntityDirectives(
  { entities }: AuthoredTypes,
  { aggregations }: GraphNodeFeatures,
): EntityProblem[] {
  // Releases that know no time series pass over what would be one.
  const flags = [...(aggregations ? ["timeseries"] : []), "immutable", "skipDuplicates"];
  return entities.flatMap((entity) => checkEntityDirective(entity, flags));
}

function checkEntityDirective(entity: ObjectNode, flags: readonly string[]): EntityProblem[] {
  const name = entity.name.value;
  const refuse = (reason: string, node: Parameters<typeof problemAt>[0] = entity) => [
    problemAt(node, reason),
  ];
  for (const flag of flags) {
    const kind = argumentOf(directiveOf(entity, "entity"), flag)?.kind ?? Kind.BOOLEAN;
    if (kind === Kind.BOOLEAN) continue;
    return refuse(`The \`${flag}\` argument of the @entity directive must be a boolean`);
  }
  if (flags.includes("timeseries") && flagOf(entity, "timeseries")) {
    if (!isImmutable(entity)) return refuse(`Timeseries ${name} is marked as mutable, it must be immutable`);
    const id = fieldOf(entity, "id");
    if (id === undefined) return refuse(`Type ${name} is missing an \`id\` field`);
    if (baseTypeOf(id) === "Int8") return checkTimestamp(entity);
    return refuse(`Timeseries \`${name}\` must have an \`id\` field of type \`Int8\``, id);
  }
  if (!flagOf(entity, "skipDuplicates") || isImmutable(entity)) return [];
  return refuse(
    `Entity type \`${name}\` has skipDuplicates: true but is not immutable; skipDuplicates requires immutable: true`,
  );
}

/** Whether rows of an entity never change, as those of time series do not. */
export function isImmutable(entity: ObjectNode): boolean {
  return flagOf(entity, "immutable") ?? flagOf(entity, "timeseries") ?? false;
}

function flagOf(entity: ObjectNode, flag: string): boolean | undefined {
  const value = argumentOf(directiveOf(entity, "entity"), flag);
  return value?.kind === Kind.BOOLEAN ? value.value : undefined;
}

/** Checks that entities have ids that can identify (A.2). */
export function checkIds({ entities }: AuthoredTypes): EntityProblem[] {
  return entities.flatMap((entity) => {
    if (fieldOf(entity, "id") === undefined) {
      return problemAt(entity, `Type ${entity.name.value} is missing an \`id\` field`);
    }
    const type = idTypeOf(entity);
    return typeof type === "string" ? [] : type;
  });
}

/** The type of a type's ids as graph-node calls it, to whom `ID` is `String`; or why it can have none. */
export function idTypeOf(type: ObjectNode): string | EntityProblem {
  const name = type.name.value;
  const id = fieldOf(type, "id");
  if (id === undefined) return problemAt(type, `Type ${name} does not have an \`id\` field`);
  const base = baseTypeOf(id);
  if (!ID_TYPES.has(base))
    return problemAt(id, `Entity type ${name} uses illegal type ${base} for id column`);
  return base === "ID" ? "String" : base;
}

/** Checks that fields have types that exist (A.2). `Timestamp` does since 0.35 (D.1). */
export function checkFieldTypes(
  { objects, interfaces, enums, byName }: AuthoredTypes,
  { aggregations }: GraphNodeFeatures,
): EntityProblem[] {
  const known = new Set([
    ...FIELD_SCALARS,
    ...(aggregations ? ["Timestamp"] : []),
    ...[...objects, ...interfaces, ...enums].map((node) => node.name.value),
  ]);
  // Of several types of one name, the last is looked at.
  const owners = [...objects, ...interfaces].filter((owner) => byName.get(owner.name.value) === owner);
  return owners.flatMap((owner) =>
    (owner.fields ?? [])
      .filter((field) => !known.has(baseTypeOf(field)))
      .map((field) =>
        problemAt(
          field,
          `Type \`${owner.name.value}\`, field \`${field.name.value}\`: type \`${baseTypeOf(field)}\` is not defined`,
        ),
      ),
  );
}

/** The types that an id may have. */
export const ID_TYPES: ReadonlySet<string> = new Set(["ID", "String", "Bytes", "Int8"]);

/** `Float` is not among them, though every API schema lists it. */
const FIELD_SCALARS = ["Boolean", "Int", "Int8", "BigInt", "BigDecimal", "String", "ID", "Bytes"] as const;
