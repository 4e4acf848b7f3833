import { baseTypeName } from "../../src/dialects/api-schema.ts";
import type {
  Aggregation,
  Definition,
  Entity,
  EntityEnum,
  EntityField,
  EntityInterface,
  EntityModel,
} from "../../src/dialects/entity-model.ts";
import {
  type AddEnumMemberFault,
  type AddFieldFault,
  type DropFieldFault,
  type Fault,
  hintOf,
  type RenameFieldFault,
  type RetypeFieldFault,
} from "./fault.ts";

/** A fault that changes the entities. */
export type ModelEdit =
  | DropFieldFault
  | RenameFieldFault
  | RetypeFieldFault
  | AddFieldFault
  | AddEnumMemberFault;

export function isModelEdit(fault: Fault): fault is Fault & ModelEdit {
  return "field" in fault || "member" in fault;
}

type Problem = { readonly problem: string; readonly hint: string | null };

/** Edits a model, and updates the definitions that depend on the edit. */
export function editModel(model: EntityModel, edit: ModelEdit): EntityModel | Problem {
  if (edit.kind === "add-enum-member") return addEnumMember(model, edit);
  const [owner, field] = membersOf(edit.field);
  const target = findOwner(model, owner);
  if ("problem" in target) return target;
  if (edit.kind === "add-field") return addField(model, target, { name: field, type: edit.type });
  const current = target.fields.find((candidate) => candidate.name === field);
  if (current === undefined) {
    const names = target.fields.map(({ name }) => name);
    return fault(`${owner} has no field "${field}".`, hintOf(field, names));
  }
  if (field === "id") return fault(`Every entity needs its "id", ${owner} too.`);
  const parent = parentWith(model, target, field);
  if (parent !== undefined) {
    return fault(
      `${owner} has "${field}" of the interface ${parent}.`,
      `change ${parent}.${field}, and with it every entity that implements ${parent}.`,
    );
  }
  const place = { holders: holdersOf(model, target.name), name: field };
  switch (edit.kind) {
    case "drop-field":
      return withoutSources(replaceField(model, place, []), place);
    case "rename-field": {
      if (target.fields.some(({ name }) => name === edit.to))
        return fault(`${owner} has "${edit.to}" already.`);
      const renamed = replaceField(model, place, [{ ...current, name: edit.to }]);
      return mapFields(renamed, null, (fields) =>
        fields.map((entityField) =>
          isDerivedFrom(entityField, place) ? { ...entityField, derivedFrom: edit.to } : entityField,
        ),
      );
    }
    case "retype-field": {
      if (current.derived) return fault(`${owner}.${field} is derived, so its type cannot be set.`);
      const problem = checkType(model, edit.type);
      if (problem) return problem;
      const retyped = replaceField(model, place, [{ ...current, type: edit.type }]);
      const refersToOther = baseTypeName(edit.type) !== baseTypeName(current.type);
      return refersToOther ? withoutSources(retyped, place) : retyped;
    }
  }
}

/** The two names of `Stream.sender`. */
export function membersOf(path: string): readonly [owner: string, member: string] {
  const [owner = "", member = ""] = path.split(".");
  return [owner, member];
}

/** The definitions that share a field: an interface and its implementers, or the owner alone. */
export function holdersOf(model: EntityModel, owner: string): string[] {
  const implementers = model.definitions.filter(
    (definition) => definition.kind === "entity" && definition.interfaces.includes(owner),
  );
  return [owner, ...implementers.map(({ name }) => name)];
}

type Owner = Entity | EntityInterface | Aggregation;

function hasFields(definition: Definition): definition is Owner {
  return ["entity", "interface", "aggregation"].includes(definition.kind);
}

function findOwner(model: EntityModel, name: string): Owner | Problem {
  const owners = model.definitions.filter(hasFields);
  const owner = owners.find((candidate) => candidate.name === name);
  if (owner) return owner;
  const names = owners.map((candidate) => candidate.name);
  return fault(`There is no entity "${name}".`, hintOf(name, names));
}

/** The interface that declares an entity's field. */
function parentWith(model: EntityModel, target: Owner, field: string): string | undefined {
  if (target.kind !== "entity") return undefined;
  return target.interfaces.find((name) => {
    const parent = model.definitions.find((definition) => definition.name === name);
    return parent?.kind === "interface" && parent.fields.some((candidate) => candidate.name === field);
  });
}

function addField(
  model: EntityModel,
  target: Owner,
  { name, type }: Pick<EntityField, "name" | "type">,
): EntityModel | Problem {
  if (target.fields.some((field) => field.name === name))
    return fault(`${target.name} has "${name}" already.`);
  const problem = checkType(model, type);
  if (problem) return problem;
  const field: EntityField = {
    name,
    description: null,
    type,
    args: [],
    derived: false,
    derivedFrom: null,
    aggregate: false,
    precise: false,
  };
  return mapFields(model, holdersOf(model, target.name), (fields) => [...fields, field]);
}

const SCALARS = [
  "BigDecimal",
  "BigInt",
  "Boolean",
  "Bytes",
  "Float",
  "ID",
  "Int",
  "Int8",
  "Json",
  "String",
  "Timestamp",
];

function checkType(model: EntityModel, type: string): Problem | null {
  if (!isTypeExpression(type)) {
    return fault(`"${type}" is not a type.`, 'for example "String", "BigInt!" or "[Bytes!]!".');
  }
  const names = [...SCALARS, ...model.definitions.map((definition) => definition.name)];
  const name = baseTypeName(type);
  if (names.includes(name)) return null;
  return fault(`There is no type "${name}".`, hintOf(name, names));
}

function addEnumMember(
  model: EntityModel,
  { member: path }: { readonly member: string },
): EntityModel | Problem {
  const [name, member] = membersOf(path);
  const enums = model.definitions.filter(
    (definition): definition is EntityEnum => definition.kind === "enum",
  );
  const target = enums.find((candidate) => candidate.name === name);
  const names = enums.map((candidate) => candidate.name);
  if (target === undefined) return fault(`There is no enum "${name}".`, hintOf(name, names));
  if (target.values?.some((value) => value.name === member)) return fault(`${name} has "${member}" already.`);
  const values = [...(target.values ?? []), { name: member, description: null }];
  return {
    ...model,
    definitions: model.definitions.map((definition) =>
      definition === target ? { ...target, values } : definition,
    ),
  };
}

/** A field, and the definitions that share it. */
type FieldPlace = { readonly holders: readonly string[]; readonly name: string };

function replaceField(
  model: EntityModel,
  { holders, name }: FieldPlace,
  replacement: readonly EntityField[],
): EntityModel {
  return mapFields(model, holders, (fields) =>
    fields.flatMap((field) => (field.name === name ? replacement : [field])),
  );
}

/** Drops fields that are derived from a removed field. */
function withoutSources(model: EntityModel, place: FieldPlace): EntityModel {
  return mapFields(model, null, (fields) => fields.filter((field) => !isDerivedFrom(field, place)));
}

function isDerivedFrom({ derivedFrom, type }: EntityField, { holders, name }: FieldPlace): boolean {
  return derivedFrom === name && holders.includes(baseTypeName(type));
}

function mapFields(
  model: EntityModel,
  names: readonly string[] | null,
  change: (fields: readonly EntityField[]) => readonly EntityField[],
): EntityModel {
  return {
    ...model,
    definitions: model.definitions.map((definition) =>
      hasFields(definition) && (names?.includes(definition.name) ?? true)
        ? { ...definition, fields: change(definition.fields) }
        : definition,
    ),
  };
}

function fault(problem: string, hint: string | null = null): Problem {
  return { problem, hint };
}

/** Whether a text is a GraphQL type: `String`, `[Bytes!]!`. */
function isTypeExpression(text: string): boolean {
  const nullable = text.endsWith("!") ? text.slice(0, -1) : text;
  if (nullable.startsWith("[")) return nullable.endsWith("]") && isTypeExpression(nullable.slice(1, -1));
  return /^[A-Za-z_]\w*$/.test(nullable);
}
