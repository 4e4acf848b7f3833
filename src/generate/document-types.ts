import {
  type FieldNode,
  type GraphQLEnumType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  type SelectionSetNode,
} from "graphql";
import { capitalize } from "../utils/identifier.ts";
import { authoredDescription } from "./operation-docs.ts";
import type { OperationSet } from "./operation-set.ts";
import {
  type Conditional,
  collectResponseFields,
  fieldDefinition,
  possibleObjects,
  type ResponseFields,
} from "./response-fields.ts";
import { type SchemaDocs, servedDoc } from "./schema-docs.ts";
import type { Doc, TypeDeclaration, TypeMember, TypeTree } from "./type-tree.ts";
import { documentVariables } from "./variable-docs.ts";

/** What the types of a set of operations are documented from. */
export type DocumentedSet = {
  readonly set: OperationSet;
  /** The whole schema. */
  readonly schema: GraphQLSchema;
  readonly docs: SchemaDocs;
};

/**
 * Gives the types of operations, fragments, inputs and enums their comments: it walks types and selections side by
 * side. What `@include` and `@skip` may leave out gets the question marks that the plugin forgets.
 *
 * @throws TypeError when a type has what its selections do not.
 */
export function documentTypes(
  declarations: readonly TypeDeclaration[],
  input: DocumentedSet,
): TypeDeclaration[] {
  const documenters = indexDocumenters(input);
  return declarations.map((declaration) => {
    const document = documenters.get(declaration.name) ?? schemaTypeDocumenter(declaration.name, input);
    return { ...declaration, ...document(declaration.type) };
  });
}

type Documenter = (type: TypeTree) => Pick<TypeDeclaration, "type" | "doc">;

function indexDocumenters(input: DocumentedSet): ReadonlyMap<string, Documenter> {
  const { set, schema, docs } = input;
  const documenters = new Map<string, Documenter>();
  for (const operation of set.operations) {
    const { name, node } = operation;
    const typeName = `${name}${capitalize(node.operation)}`;
    const title = `\`${node.operation} ${name}\``;
    const root = schema.getRootType(node.operation);
    if (!root) continue;
    documenters.set(typeName, (type) => {
      const returned = listResult(root, node.selectionSet, input);
      return {
        type: documentSelections(type, root, [always(node.selectionSet)], input),
        doc: titledDoc(authoredDescription(node), `The result of ${title}: ${returned}.`),
      };
    });
    documenters.set(`${typeName}Variables`, (type) => {
      const variables = documentVariables(operation, schema, docs);
      return {
        type: documentMembers(type, (key) => variables.get(key) ?? null),
        doc: titledDoc(null, `The variables of ${title}.`),
      };
    });
  }
  for (const { name, node } of set.fragments.values()) {
    const condition = node.typeCondition.name.value;
    const target = schema.getType(condition);
    if (!target) continue;
    // What is selected from each of several types has a declaration of its own.
    for (const object of possibleObjects(schema, target)) {
      documenters.set(`${name}_${object.name}_Fragment`, (type) => ({
        type: documentSelections(type, object, [always(node.selectionSet)], input),
        doc: null,
      }));
    }
    documenters.set(`${name}Fragment`, (type) => ({
      type: documentSelections(type, target, [always(node.selectionSet)], input),
      doc: titledDoc(authoredDescription(node), `What \`fragment ${name} on ${condition}\` selects.`),
    }));
  }
  return documenters;
}

function always(node: SelectionSetNode): Conditional<SelectionSetNode> {
  return { node, conditions: [] };
}

function titledDoc(description: string | null, title: string): Doc {
  return { description: description === null ? title : `${description}\n\n${title}`, deprecation: null };
}

/** The response in the words of the schema: `streams: [Stream!]!`. */
function listResult(root: GraphQLObjectType, selections: SelectionSetNode, input: DocumentedSet): string {
  const fields = collectResponseFields(input.schema, input.set.fragments, root, [always(selections)]);
  return [...fields]
    .map(([key, [use]]) => {
      const type = use && fieldDefinition(root, use.node.name.value)?.type;
      return `\`${key}${type ? `: ${type}` : ""}\``;
    })
    .join(", ");
}

/**
 * Documents the objects inside a type. Where there may be several kinds of them, the plugin writes one type for each
 * object type of the schema that something is selected from, in the order of the schema.
 */
function documentSelections(
  tree: TypeTree,
  selected: GraphQLNamedType,
  selectionSets: readonly Conditional<SelectionSetNode>[],
  input: DocumentedSet,
): TypeTree {
  const { schema, set } = input;
  const candidates = possibleObjects(schema, selected).map((object) => ({
    object,
    selectionSets,
    fields: collectResponseFields(schema, set.fragments, object, selectionSets),
  }));
  let start = 0;
  const document = (part: TypeTree): TypeTree => {
    switch (part.kind) {
      case "text":
        return part;
      case "generic":
        return { ...part, parameters: part.parameters.map(document) };
      case "union":
        return { ...part, parts: part.parts.map(document) };
      case "object":
      case "intersection": {
        const keys = keysOf(part);
        // Of an interface that nothing implements there are no objects.
        if (keys.length === 0) return part;
        const fits = ({ fields }: Candidate) => keys.every((key) => fields.has(key));
        const index = candidates.findIndex((candidate, at) => at >= start && fits(candidate));
        const candidate = candidates[index] ?? candidates.find(fits);
        if (!candidate) throw mismatch(selected, keys, candidates);
        start = index + 1;
        return documentObjects(part, candidate, input);
      }
    }
  };
  return document(tree);
}

type Candidate = {
  readonly object: GraphQLObjectType;
  readonly selectionSets: readonly Conditional<SelectionSetNode>[];
  readonly fields: ResponseFields;
};

function keysOf(tree: TypeTree): string[] {
  if (tree.kind === "object") return tree.members.map(responseKey);
  return tree.kind === "intersection" || tree.kind === "union" ? tree.parts.flatMap(keysOf) : [];
}

function responseKey({ key }: TypeMember): string {
  return key.endsWith("?") ? key.slice(0, -1) : key;
}

function mismatch(
  type: GraphQLNamedType,
  keys: readonly string[],
  candidates: readonly Candidate[],
): TypeError {
  const selected = new Set(candidates.flatMap(({ fields }) => [...fields.keys()]));
  const strangers = keys.filter((key) => !selected.has(key));
  return new TypeError(
    `The type that was made for "${type.name}" has ${(strangers.length > 0 ? strangers : keys).join(", ")}, which no object of it is asked for.`,
  );
}

/** Documents the members of one object, which may be written as several in an intersection. */
function documentObjects(tree: TypeTree, candidate: Candidate, input: DocumentedSet): TypeTree {
  if (tree.kind === "intersection" || tree.kind === "union") {
    return { ...tree, parts: tree.parts.map((part) => documentObjects(part, candidate, input)) };
  }
  if (tree.kind !== "object") return tree;
  const { object, selectionSets, fields } = candidate;
  const members = tree.members.map((member): TypeMember => {
    const key = responseKey(member);
    const uses = fields.get(key) ?? [];
    const name = uses[0]?.node.name.value ?? "";
    const type = fieldDefinition(object, name)?.type;
    const inner = uses.flatMap(({ node: { selectionSet: node }, conditions }) =>
      node ? [{ node, conditions }] : [],
    );
    return {
      key: isAlwaysThere(uses, selectionSets) ? member.key : `${key}?`,
      doc: fieldDoc(object, name, input.docs),
      type:
        type && inner.length > 0
          ? documentSelections(member.type, getNamedType(type), inner, input)
          : member.type,
    };
  });
  return { kind: "object", members };
}

/** The plugin forgets conditions of a fragment in what that fragment spreads, and in fields that several select. */
function isAlwaysThere(
  uses: readonly Conditional<FieldNode>[],
  selectionSets: readonly Conditional<SelectionSetNode>[],
): boolean {
  return selectionSets.every((asked) =>
    uses.some(({ conditions }) => conditions.every((condition) => asked.conditions.includes(condition))),
  );
}

/** What an interface says of a field is true of the objects that have it. */
function fieldDoc(object: GraphQLObjectType, field: string, docs: SchemaDocs): Doc | null {
  const own = docs.docOf(object.name, field);
  if (own !== null) return own;
  for (const parent of object.getInterfaces()) {
    const doc = parent.getFields()[field] ? docs.docOf(parent.name, field) : null;
    if (doc !== null) return doc;
  }
  return null;
}

function schemaTypeDocumenter(name: string, { schema, docs }: DocumentedSet): Documenter {
  const definition = schema.getType(name);
  if (isInputObjectType(definition)) {
    return (type) => ({
      type: documentMembers(type, (key) => docs.docOf(name, key)),
      doc: servedDoc(definition),
    });
  }
  if (isEnumType(definition)) {
    return (type) => ({ type: documentValues(type, definition), doc: servedDoc(definition) });
  }
  throw new TypeError(`There is a type "${name}" that no operation, fragment or input is called after.`);
}

function documentMembers(tree: TypeTree, docOf: (key: string) => Doc | null): TypeTree {
  switch (tree.kind) {
    case "object":
      return {
        kind: "object",
        members: tree.members.map((member) => ({ ...member, doc: docOf(responseKey(member)) })),
      };
    case "generic":
      return { ...tree, parameters: tree.parameters.map((each) => documentMembers(each, docOf)) };
    case "union":
      return { ...tree, parts: tree.parts.map((each) => documentMembers(each, docOf)) };
    default:
      return tree;
  }
}

function documentValues(tree: TypeTree, definition: GraphQLEnumType): TypeTree {
  const parts = tree.kind === "union" ? tree.parts : [tree];
  return {
    kind: "union",
    parts: parts.map((part) =>
      part.kind === "text" ? { ...part, doc: servedDoc(definition.getValue(part.text.slice(1, -1))) } : part,
    ),
  };
}
