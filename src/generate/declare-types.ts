import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  type SelectionSetNode,
} from "graphql";
import { cached, compareCodeUnits } from "../base/collections.ts";
import type { EntityEnum } from "../dialects/entity-model.ts";
import {
  type Conditional,
  collectFields,
  fieldDefinition,
  isAlwaysAsked,
  possibleObjects,
} from "../operations/collect-fields.ts";
import type { Fragment, Operation, OperationSet } from "../operations/operation-set.ts";
import type { CacheKey } from "./cache-keys.ts";
import { enumType, inputObjectType, variablesType } from "./input-types.ts";
import { createLeafTypes, type LeafTypes, type ScalarTypes } from "./scalars.ts";
import { authoredDescription, type SchemaDocs, servedDoc } from "./schema-docs.ts";
import { createTypeNames, nameRows, resultName } from "./type-names.ts";
import {
  type Doc,
  NULL,
  renderType,
  requireModuleSize,
  type TypeDeclaration,
  type TypeMember,
  type TypeTree,
  textType,
  unionType,
} from "./type-tree.ts";

/** All that decides the documents of a surface. */
export type DocumentsSource = {
  readonly set: OperationSet;
  readonly schema: GraphQLSchema;
  readonly docs: SchemaDocs;
  readonly scalars: ScalarTypes;
  /** What tells rows of several chains apart in one cache, where ids do not. */
  readonly cacheKeys?: readonly CacheKey[];
};

/** Declares the types of operations, their rows, fragments, input types and enums, with the words of the schema. */
export function declareTypes({ set, schema, docs, scalars }: DocumentsSource): {
  readonly imports: readonly string[];
  readonly declarations: readonly TypeDeclaration[];
} {
  const { fragments } = set;
  const names = createTypeNames(set, schema);
  const leaves = createLeafTypes(scalars, names);
  const rowNames = nameRows(set, schema, names);
  const shared = { schema, fragments, docs, leaves, known: new Map(), numbers: new Map() };
  const written = new Map<unknown, Operation | Fragment>(
    [...set.operations, ...fragments.values()].map((item) => [item.node, item]),
  );
  const documents = set.files.flatMap(({ document }) =>
    document.definitions.flatMap((node) => {
      const item = written.get(node);
      if (!item) return [];
      return "fragments" in item ? declareOperation(item) : [declareFragment(item)];
    }),
  );
  const enums = new Map<string, TypeDeclaration>();
  const inputs = new Map<string, TypeDeclaration>();
  // It grows as input types name others.
  for (const [name, type] of leaves.declared)
    (isEnumType(type) ? enums : inputs).set(name, declareInput(type));
  return {
    imports: leaves.imports,
    declarations: [...scalars.enums.map(declareEnum), ...inOrder(enums), ...inOrder(inputs), ...documents],
  };

  function declareOperation(operation: Operation): TypeDeclaration[] {
    const { name, node } = operation;
    const root = schema.getRootType(node.operation);
    if (!root) throw new TypeError(`The schema has no ${node.operation}s.`);
    const title = `\`${node.operation} ${name}\``;
    const context: SelectionContext = { ...shared, owner: `${node.operation} ${name}` };
    const rowTypes: TypeDeclaration[] = [];
    const members = selectionMembers(root, [always(node.selectionSet)], context, (key, type) => {
      const row = rowNames.get(name)?.get(key);
      if (row === undefined) return type;
      rowTypes.push({ name: row, type, doc: titled(null, `What \`${key}\` of ${title} holds.`) });
      return textType(row);
    });
    const result = `The result of ${title}: ${listResult(root, node.selectionSet)}.`;
    return [
      {
        name: `${resultName(operation)}Variables`,
        type: variablesType(operation, schema, docs, leaves),
        doc: titled(null, `The variables of ${title}.`),
      },
      ...rowTypes,
      {
        name: resultName(operation),
        type: { kind: "object", members },
        doc: titled(authoredDescription(node), result),
      },
    ];
  }

  /** The response in the words of the schema: `streams: [Stream!]!`. */
  function listResult(root: GraphQLObjectType, selections: SelectionSetNode): string {
    const fields = collectFields([always(selections)], {
      findFragment: (key) => fragments.get(key)?.node,
      object: { schema, type: root },
    });
    return [...fields]
      .map(([key, [use]]) => {
        const type = use && fieldDefinition(root, use.node.name.value)?.type;
        return `\`${key}${type ? `: ${type}` : ""}\``;
      })
      .join(", ");
  }

  function declareFragment({ name, node }: Fragment): TypeDeclaration {
    const condition = node.typeCondition.name.value;
    const target = schema.getType(condition);
    if (!target) throw new TypeError(`The schema has no type "${condition}".`);
    const context: SelectionContext = { ...shared, owner: `fragment ${name}` };
    return {
      name: `${name}Fragment`,
      type: selectionType(target, [always(node.selectionSet)], context),
      doc: titled(authoredDescription(node), `What \`fragment ${name} on ${condition}\` selects.`),
    };
  }

  function declareInput(type: GraphQLEnumType | GraphQLInputObjectType): TypeDeclaration {
    return {
      name: names.ofSchemaType(type.name),
      type: isEnumType(type) ? enumType(type.getValues()) : inputObjectType(type, docs, leaves),
      doc: servedDoc(type),
    };
  }

  /** An enum that the API shows as an opaque scalar. */
  function declareEnum({ name, description, values }: EntityEnum): TypeDeclaration {
    return {
      name: leaves.enumNames.get(name) ?? name,
      type: enumType(values ?? []),
      doc: servedDoc({ description }),
    };
  }
}

function always(node: SelectionSetNode) {
  return { node, conditions: [] };
}

function titled(description: string | null, title: string): Doc {
  return { description: description === null ? title : `${description}\n\n${title}`, deprecation: null };
}

function inOrder(declarations: ReadonlyMap<string, TypeDeclaration>): TypeDeclaration[] {
  return [...declarations].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, declaration]) => declaration);
}

/** What the types of selections are made from. */
export type SelectionContext = {
  readonly schema: GraphQLSchema;
  readonly fragments: OperationSet["fragments"];
  readonly docs: SchemaDocs;
  readonly leaves: LeafTypes;
  /** Each object that may stand above asks for the same selections. */
  readonly known: Map<string, TypeTree>;
  readonly numbers: Map<SelectionSetNode, number>;
  /** Whose selections they are, as authors call it. */
  readonly owner: string;
};

/** Builds the type of what selection sets ask of a type: the distinct objects that it may be, as a server collects them. */
export function selectionType(
  type: GraphQLNamedType,
  selectionSets: readonly Conditional<SelectionSetNode>[],
  context: SelectionContext,
): TypeTree {
  const { numbers } = context;
  const asked = selectionSets.map(({ node, conditions }) => [
    cached(numbers, node, () => numbers.size),
    conditions,
  ]);
  return cached(context.known, JSON.stringify([type.name, asked]), () => {
    const kinds = new Map<string, TypeTree>();
    for (const object of possibleObjects(context.schema, type)) {
      const members = selectionMembers(object, selectionSets, context);
      const kind: TypeTree = members.length === 0 ? NOTHING : { kind: "object", members };
      const text = renderType(kind, "");
      requireModuleSize(text.length, context.owner);
      kinds.set(text, kind);
    }
    return unionType([...kinds.values()]);
  });
}

/** An object of which nothing is asked. With `never`, a union would promise what only the others in it have. */
const NOTHING = textType("Record<PropertyKey, undefined>");

/**
 * Builds the properties of objects of one type, in the order of the response.
 *
 * @param nameObjects gives the objects below a key a name of their own, and returns that.
 */
export function selectionMembers(
  object: GraphQLObjectType,
  selectionSets: readonly Conditional<SelectionSetNode>[],
  context: SelectionContext,
  nameObjects: (key: string, objects: TypeTree) => TypeTree = (_, objects) => objects,
): TypeMember[] {
  const fields = collectFields(selectionSets, {
    findFragment: (key) => context.fragments.get(key)?.node,
    object: { schema: context.schema, type: object },
  });
  return [...fields].map(([key, uses]) => {
    const name = uses[0]?.node.name.value ?? "";
    const definition = fieldDefinition(object, name);
    if (!definition) throw new TypeError(`The type "${object.name}" has no field "${name}".`);
    const named = getNamedType(definition.type);
    let value: TypeTree;
    if (name === "__typename") value = textType(JSON.stringify(object.name));
    else if (isCompositeType(named)) {
      const inner = uses.flatMap(({ node: { selectionSet: node }, conditions }) =>
        node ? [{ node, conditions }] : [],
      );
      value = nameObjects(key, selectionType(named, inner, context));
    } else value = textType(context.leaves.typeOf(named));
    return {
      key: isAlwaysAsked(uses, selectionSets) ? key : `${key}?`,
      type: resultType(definition.type, value),
      doc: fieldDoc(object, name, context.docs),
    };
  });
}

/** Puts lists and null around a value as the schema has them. */
function resultType(type: GraphQLOutputType, value: TypeTree): TypeTree {
  if (isNonNullType(type)) return presentType(type.ofType, value);
  return unionType([presentType(type, value), NULL]);
}

function presentType(type: GraphQLOutputType, value: TypeTree): TypeTree {
  return isListType(type) ? { kind: "array", item: resultType(type.ofType, value) } : value;
}

/** What an interface says of a field is true of the objects that have it. */
function fieldDoc(object: GraphQLObjectType, field: string, docs: SchemaDocs): Doc | null {
  for (const owner of [object, ...object.getInterfaces()]) {
    const doc = owner === object || owner.getFields()[field] ? docs.docOf(owner.name, field) : null;
    if (doc !== null) return doc;
  }
  return null;
}
