import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  type SelectionSetNode,
} from "graphql";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { EntityEnum } from "../schema/entity-model.ts";
import type { CacheKey } from "./find-cache-keys.ts";
import { enumType, inputObjectType, variablesType } from "./input-types.ts";
import { createLeafTypes } from "./leaf-types.ts";
import type { Fragment, Operation, OperationSet } from "./operation-set.ts";
import type { ScalarTypes } from "./resolve-scalars.ts";
import { collectResponseFields, fieldDefinition } from "./response-fields.ts";
import { authoredDescription, type SchemaDocs, servedDoc } from "./schema-docs.ts";
import { type SelectionContext, selectionMembers, selectionType } from "./selection-types.ts";
import { createTypeNames, nameRows, resultName } from "./type-names.ts";
import { type Doc, type TypeDeclaration, textType } from "./type-tree.ts";

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
    const fields = collectResponseFields(schema, fragments, root, [always(selections)]);
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
