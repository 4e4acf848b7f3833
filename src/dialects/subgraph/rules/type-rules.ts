import { type FieldDefinitionNode, Kind, print } from "graphql";
import { compareCodeUnits } from "../../../base/collections.ts";
import type { SchemaProblem } from "../../../base/errors.ts";
import { argumentOf, findDirective, typeExpression } from "../../parse-sdl.ts";
import type { GraphNodeFeatures } from "../release.ts";
import { type AuthoredTypes, baseTypeOf, fieldOf, type ObjectNode, problemAt } from "./authored-types.ts";

/** Checks that every object type has a role. Aggregations exist since 0.35. */
export function checkRoles({ objects }: AuthoredTypes, { aggregations }: GraphNodeFeatures): SchemaProblem[] {
  const idle = objects.filter(
    (node) =>
      !findDirective(node.directives, "entity") &&
      !(aggregations && findDirective(node.directives, "aggregation")) &&
      node.name.value !== "_Schema_",
  );
  const [first] = idle;
  if (first === undefined) return [];
  const names = idle.map((node) => node.name.value).join(", ");
  return [problemAt(first, `@entity directive missing on the following types: \`${names}\``)];
}

/**
 * Checks that entities, interfaces and aggregations have different names. graph-node deploys the others too, but then every
 * query fails.
 */
export function checkSameNames({ entities, interfaces, aggregations }: AuthoredTypes): SchemaProblem[] {
  const names = new Set<string>();
  const owners = [...entities, ...interfaces, ...aggregations];
  const again = owners.find(({ name }) => names.has(name.value) || !names.add(name.value));
  if (again === undefined) return [];
  const failure = `type ${again.name.value}_orderBy already exists in the input schema`;
  return [problemAt(again, `${failure}; it can be deployed, but every query fails with that error.`)];
}

/** Checks that types do not have names of graph-node. */
export function checkReservedNames({ objects, interfaces, byName }: AuthoredTypes): SchemaProblem[] {
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

/** Checks the arguments of `@entity`. */
export function checkEntityDirectives(
  { entities }: AuthoredTypes,
  { aggregations }: GraphNodeFeatures,
): SchemaProblem[] {
  // Releases without time series ignore the argument.
  const flags = [...(aggregations ? ["timeseries"] : []), "immutable", "skipDuplicates"];
  return entities.flatMap((entity) => checkEntityDirective(entity, flags));
}

function checkEntityDirective(entity: ObjectNode, flags: readonly string[]): SchemaProblem[] {
  const name = entity.name.value;
  const refuse = (reason: string) => [problemAt(entity, reason)];
  for (const flag of flags) {
    const kind = argumentOf(findDirective(entity.directives, "entity"), flag)?.kind ?? Kind.BOOLEAN;
    if (kind === Kind.BOOLEAN) continue;
    return refuse(`The \`${flag}\` argument of the @entity directive must be a boolean`);
  }
  if (flags.includes("timeseries") && flagOf(entity, "timeseries")) {
    if (!isImmutable(entity)) return refuse(`Timeseries ${name} is marked as mutable, it must be immutable`);
    const id = fieldOf(entity, "id");
    if (id === undefined) return refuse(`Type ${name} is missing an \`id\` field`);
    if (baseTypeOf(id) === "Int8") return checkTimestamp(entity);
    return [problemAt(id, `Timeseries \`${name}\` must have an \`id\` field of type \`Int8\``)];
  }
  if (!flagOf(entity, "skipDuplicates") || isImmutable(entity)) return [];
  return refuse(
    `Entity type \`${name}\` has skipDuplicates: true but is not immutable; skipDuplicates requires immutable: true`,
  );
}

/** Returns whether the rows of an entity never change, as in time series. */
export function isImmutable(entity: ObjectNode): boolean {
  return flagOf(entity, "immutable") ?? flagOf(entity, "timeseries") ?? false;
}

function flagOf(entity: ObjectNode, flag: string): boolean | undefined {
  const value = argumentOf(findDirective(entity.directives, "entity"), flag);
  return value?.kind === Kind.BOOLEAN ? value.value : undefined;
}

/** Checks that entities have valid ids. */
export function checkIds({ entities }: AuthoredTypes): SchemaProblem[] {
  return entities.flatMap((entity) => {
    if (fieldOf(entity, "id") === undefined) {
      return problemAt(entity, `Type ${entity.name.value} is missing an \`id\` field`);
    }
    const type = idTypeOf(entity);
    return typeof type === "string" ? [] : type;
  });
}

/** Returns the type of an id in graph-node's terms, in which `ID` is `String`; or the reason why it is not valid. */
export function idTypeOf(type: ObjectNode): string | SchemaProblem {
  const name = type.name.value;
  const id = fieldOf(type, "id");
  if (id === undefined) return problemAt(type, `Type ${name} does not have an \`id\` field`);
  const base = baseTypeOf(id);
  if (!ID_TYPES.has(base))
    return problemAt(id, `Entity type ${name} uses illegal type ${base} for id column`);
  return base === "ID" ? "String" : base;
}

/** Checks that the types of fields exist. `Timestamp` exists since 0.35. */
export function checkFieldTypes(
  { objects, interfaces, enums, byName }: AuthoredTypes,
  { aggregations }: GraphNodeFeatures,
): SchemaProblem[] {
  const names = new Set([
    ...FIELD_SCALARS,
    ...(aggregations ? ["Timestamp"] : []),
    ...[...objects, ...interfaces, ...enums].map((node) => node.name.value),
  ]);
  // graph-node checks the last of several types with one name.
  const owners = [...objects, ...interfaces].filter((owner) => byName.get(owner.name.value) === owner);
  return owners.flatMap((owner) =>
    (owner.fields ?? [])
      .filter((field) => !names.has(baseTypeOf(field)))
      .map((field) =>
        problemAt(
          field,
          `Type \`${owner.name.value}\`, field \`${field.name.value}\`: type \`${baseTypeOf(field)}\` is not defined`,
        ),
      ),
  );
}

/** The valid types of ids. */
export const ID_TYPES: ReadonlySet<string> = new Set(["ID", "String", "Bytes", "Int8"]);

/** The valid scalars of fields. `Float` is not valid, although every API schema lists it. */
const FIELD_SCALARS = ["Boolean", "Int", "Int8", "BigInt", "BigDecimal", "String", "ID", "Bytes"] as const;

/** Checks that a time series or an aggregation has a `timestamp` of type `Timestamp`. */
export function checkTimestamp(type: ObjectNode): SchemaProblem[] {
  const name = type.name.value;
  const timestamp = fieldOf(type, "timestamp");
  if (timestamp === undefined) {
    return [problemAt(type, `Timeseries ${name} is missing a \`timestamp\` field`)];
  }
  const base = baseTypeOf(timestamp);
  if (base === "Timestamp") return [];
  return [
    problemAt(
      timestamp,
      `Type ${name} has a \`timestamp\` field of type ${base}, but it must be of type Timestamp`,
    ),
  ];
}

/**
 * Checks that implementers of an interface have all of its fields with exactly the same types. graph-node reports
 * only the first one that does not.
 */
export function checkImplementations({ objects, interfaces }: AuthoredTypes): SchemaProblem[] {
  for (const object of objects) {
    for (const { name } of object.interfaces ?? []) {
      const parent = interfaces.find((candidate) => candidate.name.value === name.value);
      if (parent === undefined) return [problemAt(object, `Interface \`${name.value}\` not defined`)];
      const missing = (parent.fields ?? []).filter((wanted) => {
        const field = fieldOf(object, wanted.name.value);
        return field === undefined || typeExpression(field.type) !== typeExpression(wanted.type);
      });
      if (missing.length === 0) continue;
      const fields = missing.map((field) => print(field)).join(", ");
      return [
        problemAt(
          object,
          `Entity type \`${object.name.value}\` does not satisfy interface \`${name.value}\` because it is missing the following fields: ${fields}`,
        ),
      ];
    }
  }
  return [];
}

/** Checks that all implementers of an interface have ids of one type. `ID` and `String` are equal here. */
export function checkImplementersIds({ objects, interfaces }: AuthoredTypes): SchemaProblem[] {
  for (const parent of [...interfaces].sort((a, b) => compareCodeUnits(a.name.value, b.name.value))) {
    const implementers = objects.filter((object) =>
      object.interfaces?.some(({ name }) => name.value === parent.name.value),
    );
    const ids = implementers.flatMap((object) => fieldOf(object, "id") ?? []).map(baseTypeOf);
    const types = new Set(ids.map((type) => (type === "ID" ? "String" : type)));
    if (types.size < 2) continue;
    return [
      problemAt(
        parent,
        `Implementors of interface \`${parent.name.value}\` use different id types \`${[...types].join(", ")}\`. They must all use the same type`,
      ),
    ];
  }
  return [];
}

/**
 * Checks that the target of every derived field refers back to the entity, or to one of its interfaces that also has the
 * field. A field may also be derived from the target's `id`.
 */
export function checkDerivedFrom(types: AuthoredTypes): SchemaProblem[] {
  return types.entities.flatMap((entity) =>
    (entity.fields ?? []).flatMap((field) => {
      const problem = findProblem(entity, field, types);
      if (problem === null) return [];
      const place = `Field \`${field.name.value}\` in type \`${entity.name.value}\``;
      return problemAt(field, `${place} has invalid @derivedFrom: ${problem}`);
    }),
  );
}

function findProblem(
  entity: ObjectNode,
  field: FieldDefinitionNode,
  { objects, interfaces }: AuthoredTypes,
): string | null {
  const directive = findDirective(field.directives, "derivedFrom");
  if (directive === undefined) return null;
  const value = argumentOf(directive, "field");
  if (value === undefined) return "the @derivedFrom directive must have a `field` argument";
  if (value.kind !== Kind.STRING) return "the @derivedFrom `field` argument must be a string";

  const targetName = baseTypeOf(field);
  const target = [...objects, ...interfaces].find((node) => node.name.value === targetName);
  if (target === undefined) return "type must be an existing entity or interface";
  const back = fieldOf(target, value.value);
  if (back === undefined) return `field \`${value.value}\` does not exist on type \`${targetName}\``;
  if (back.name.value === "id") return null;

  const parents = interfaces.filter(
    (parent) =>
      entity.interfaces?.some(({ name }) => name.value === parent.name.value) &&
      fieldOf(parent, field.name.value) !== undefined,
  );
  const wanted = [entity, ...parents].map((node) => node.name.value);
  if (wanted.includes(baseTypeOf(back))) return null;
  const signatures = wanted.flatMap((name) => [name, `${name}!`, `[${name}!]`, `[${name}!]!`]);
  return `field \`${value.value}\` on type \`${targetName}\` must have one of the following types: ${signatures.join(", ")}`;
}
