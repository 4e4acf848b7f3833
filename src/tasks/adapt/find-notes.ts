import {
  type ASTNode,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  Kind,
  TypeInfo,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { listSome } from "../../base/clean-text.ts";
import type { Rename } from "../../compare/find-api-renames.ts";
import { baseTypeName } from "../../dialects/api-schema.ts";
import { type EntityModel, isRowDefinition } from "../../dialects/entity-model.ts";
import { possibleObjects } from "../../operations/collect-fields.ts";
import type { ApiNames } from "../../operations/rename-document.ts";
import type { AdaptNoteCode } from "./adapt-types.ts";
import { entityNames, type Rewriting } from "./rewrite.ts";

/** A note at a node of the text that was read. */
export type NodeNote = { readonly code: AdaptNoteCode; readonly message: string; readonly node: ASTNode };

/** Finds what a person has to look at in an operation, by its text as it was read. */
export function findNotes(
  document: DocumentNode,
  { before, names, certain }: Rewriting,
  values: readonly Rename[],
): NodeNote[] {
  const notes: NodeNote[] = [];
  const info = new TypeInfo(before.graphql);
  const opaque = renamedValues(values, before.graphql);
  const isRenamed = (type: GraphQLNamedType) => names.types.has(type.name);
  const renamedEnums = new Set(
    certain.filter(({ kind }) => kind === "enum-value").map(({ owner }) => owner ?? ""),
  );
  visit(
    document,
    visitWithTypeInfo(info, {
      VariableDefinition: (node) => {
        const type = getNamedType(info.getInputType());
        if (type) notes.push(...noteVariable(node, type, { names, opaque }));
      },
      StringValue: (node) => {
        const value = opaque.get(getNamedType(info.getInputType())?.name ?? "")?.get(node.value);
        if (value === undefined) return;
        const message = `"${node.value}" is text here: write "${value}" in place of it.`;
        notes.push({ code: "adapt/enum-text", message, node });
      },
      Field: (node) => {
        const parent = info.getParentType();
        if (node.name.value === "__typename" && parent) {
          const renamed = possibleObjects(before.graphql, parent).filter(isRenamed);
          if (renamed.length === 0) return;
          const shown = renamed.map(({ name }) => `"${names.types.get(name)}" in place of "${name}"`);
          notes.push({ code: "adapt/typename", message: `Its values are new: ${listSome(shown, 4)}.`, node });
        }
        const type = getNamedType(info.getType());
        if (!type || (!renamedEnums.has(type.name) && !opaque.has(type.name))) return;
        const renamed = values
          .filter(({ owner }) => owner === type.name || owner?.toLowerCase() === type.name)
          .map(({ from, to }) => `"${to}" in place of "${from}"`);
        const message = `An alias cannot keep values: the answer has ${listSome(renamed, 4)}.`;
        notes.push({ code: "adapt/answer-values", message, node });
      },
    }),
  );
  return notes;
}

type Opaque = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Returns the renamed values of enums that an API shows as scalars, by the names of these. */
function renamedValues(values: readonly Rename[], schema: GraphQLSchema): Opaque {
  const opaque = new Map<string, Map<string, string>>();
  for (const { owner, from, to } of values) {
    const scalar = owner?.toLowerCase() ?? "";
    if (schema.getType(scalar) === undefined || schema.getType(owner ?? "") !== undefined) continue;
    opaque.set(scalar, (opaque.get(scalar) ?? new Map<string, string>()).set(from, to));
  }
  return opaque;
}

function noteVariable(
  node: VariableDefinitionNode,
  type: GraphQLNamedType,
  { names, opaque }: { readonly names: ApiNames; readonly opaque: Opaque },
): NodeNote[] {
  const notes: NodeNote[] = [];
  const name = `$${node.variable.name.value}`;
  const newType = names.types.get(type.name);
  if (newType !== undefined) {
    const message = `${name} has the type ${newType} in place of ${type.name}: code that imports the type must change.`;
    notes.push({ code: "adapt/variable-type", message, node });
  }
  const renamed = renamedMembers(type as GraphQLNamedType & GraphQLInputType, names);
  if (renamed.length > 0) {
    const message = `The values of ${name} come from code: ${listSome(renamed, 8)}.`;
    notes.push({ code: "adapt/variable-values", message, node });
  }
  const texts = [...(opaque.get(type.name) ?? [])].map(([from, to]) => `write "${to}" in place of "${from}"`);
  if (texts.length > 0) {
    const message = `The values of ${name} may come from code: ${listSome(texts, 8)}.`;
    notes.push({ code: "adapt/enum-text", message, node });
  }
  return notes;
}

/** Lists the renamed keys and values of an input type and of those below it, each once. */
function renamedMembers(type: GraphQLInputType & GraphQLNamedType, { members }: ApiNames): string[] {
  const words = new Set<string>();
  const types = new Set<GraphQLNamedType>([type]);
  // The loop also visits types that it adds.
  for (const inputType of types) {
    const all = isInputObjectType(inputType)
      ? Object.values(inputType.getFields())
      : isEnumType(inputType)
        ? inputType.getValues()
        : [];
    for (const member of all) {
      const to = members.get(`${inputType.name}.${member.name}`);
      if (to !== undefined) words.add(`write "${to}" in place of "${member.name}"`);
      const below = "type" in member ? getNamedType(member.type) : undefined;
      if (below && (isInputObjectType(below) || isEnumType(below))) types.add(below);
    }
  }
  return [...words];
}

/**
 * Finds the root fields of entities that kept their name, but may have rows of another protocol now: in the new API they
 * refer to an added entity that is like another one of the old API, such as `FlowStream` beside `LockupStream`.
 */
export function findMerged(
  document: DocumentNode,
  schema: GraphQLSchema,
  { models, certain }: Pick<Rewriting, "models" | "certain">,
): NodeNote[] {
  const merged = mergedEntities(models, certain);
  if (merged.size === 0) return [];
  const notes: NodeNote[] = [];
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: (node) => {
        if (info.getParentType() !== schema.getQueryType()) return;
        const why = merged.get(getNamedType(info.getType())?.name ?? "");
        if (why !== undefined) notes.push({ code: "adapt/merged", message: why, node });
      },
      VariableDefinition: () => false,
    }),
  );
  return notes;
}

/** Returns why entities may have rows of another protocol, by their old names. */
function mergedEntities(
  models: Rewriting["models"],
  certain: readonly Rename[],
): ReadonlyMap<string, string> {
  const rows = (model: EntityModel) => model.definitions.filter(isRowDefinition);
  const renamed = entityNames(certain);
  const [was, is] = [rows(models.before), rows(models.after)];
  const oldNames = new Set(was.map(({ name }) => renamed.get(name) ?? name));
  const siblings = new Map<string, string>();
  for (const added of is.filter(({ name }) => !oldNames.has(name))) {
    const fieldNames = new Set(added.fields.map(({ name }) => name));
    const like = was.find(({ name, fields }) => {
      const alike = fields.filter((field) => field.name !== "id" && fieldNames.has(field.name)).length;
      const least = Math.min(fields.length, added.fields.length) - 1;
      return (added.name.endsWith(name) || added.name.startsWith(name)) && alike > 0 && alike >= least / 2;
    });
    if (like) siblings.set(added.name, like.name);
  }
  const merged = new Map<string, string>();
  for (const { name, fields } of was) {
    const to = renamed.get(name);
    if (to !== undefined) {
      // A removed word can widen a name.
      if (name.length > to.length && (name.endsWith(to) || name.startsWith(to))) {
        merged.set(name, `${to} is a wider name than ${name}: rows of other kinds may come back.`);
      }
      continue;
    }
    const now = is.find((definition) => definition.name === name);
    const added = now?.fields.find(
      (field) =>
        siblings.has(baseTypeName(field.type)) &&
        fields.every((entityField) => entityField.name !== field.name),
    );
    if (added) {
      merged.set(name, `${name} has ${added.name} now: rows of both protocols may come back.`);
    }
  }
  return merged;
}

/** Returns a document with one definition. */
export function documentOf(...definitions: DocumentNode["definitions"]): DocumentNode {
  return { kind: Kind.DOCUMENT, definitions };
}

/** Returns the names of the types that an operation has in its answer and its variables, each once. */
export function usedTypes(document: DocumentNode, schema: GraphQLSchema): string[] {
  const names = new Set<string>();
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: () => void names.add(getNamedType(info.getType())?.name ?? ""),
      VariableDefinition: () => void names.add(getNamedType(info.getInputType())?.name ?? ""),
    }),
  );
  return [...names];
}
