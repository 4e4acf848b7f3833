import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  type SelectionSetNode,
} from "graphql";
import { compareCodeUnits } from "../base/collections.ts";
import type { EntityEnum } from "../dialects/entity-model.ts";
import { fieldDefinition } from "../operations/collect-fields.ts";
import type { Fragment, Operation, OperationSet } from "../operations/operation-set.ts";
import type { CacheKey } from "./cache-keys.ts";
import { enumType, findInputDocs, inputObjectType, variablesType } from "./input-types.ts";
import { createLeafTypes, type ScalarTypes } from "./scalars.ts";
import { authoredDescription, type SchemaDocs, servedDoc } from "./schema-docs.ts";
import { createSelectionTypes } from "./selection-types.ts";
import { always, collectObject } from "./selections.ts";
import { createTypeNames, fragmentTypeName, nameRows, resultName } from "./type-names.ts";
import { type Doc, type TypeDeclaration, textType } from "./type-tree.ts";

/** Everything that decides the documents of a surface. */
export type DocumentsSource = {
  readonly set: OperationSet;
  readonly schema: GraphQLSchema;
  readonly docs: SchemaDocs;
  readonly scalars: ScalarTypes;
  /** The fields that identify rows of several chains in one cache, where ids do not. */
  readonly cacheKeys?: readonly CacheKey[];
};

/** Declares the types of operations, their rows, fragments, input types and enums, with the descriptions of the schema. */
export function declareTypes({ set, schema, docs, scalars }: DocumentsSource): {
  readonly imports: readonly string[];
  readonly declarations: readonly TypeDeclaration[];
} {
  const { fragments } = set;
  const names = createTypeNames(set, schema);
  const leaves = createLeafTypes(scalars, names);
  const rowNames = nameRows(set, schema, names);
  const inputDocs = findInputDocs(set.operations, docs);
  const selections = createSelectionTypes({ schema, fragments, docs, leaves });
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
  // Grows during the loop: input types refer to others.
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
    const rowTypes: TypeDeclaration[] = [];
    const members = selections.rootMembers(operation, root, (key, type) => {
      const row = rowNames.get(name)?.get(key);
      if (row === undefined) return type;
      rowTypes.push({ name: row, type, doc: null });
      return textType(row);
    });
    const result = `Result: ${listResult(root, node.selectionSet)}.`;
    return [
      {
        name: `${resultName(operation)}Variables`,
        type: variablesType(operation, { docs, leaves, inputDocs }),
        doc: null,
      },
      ...rowTypes,
      {
        name: resultName(operation),
        type: { kind: "object", members },
        doc: titled(authoredDescription(node), result),
      },
    ];
  }

  /** Describes the response by its fields and their types: `streams: [Stream!]!`. */
  function listResult(root: GraphQLObjectType, selections: SelectionSetNode): string {
    return [...collectObject(root, always(selections), { schema, fragments })]
      .map(([key, [use]]) => {
        const type = use && fieldDefinition(root, use.node.name.value)?.type;
        return `\`${key}${type ? `: ${type}` : ""}\``;
      })
      .join(", ");
  }

  function declareFragment(fragment: Fragment): TypeDeclaration {
    const { name, node } = fragment;
    const condition = node.typeCondition.name.value;
    const target = schema.getType(condition);
    if (!target) throw new TypeError(`The schema has no type "${condition}".`);
    return {
      name: fragmentTypeName(name),
      type: selections.fragmentType(fragment, target),
      doc: titled(authoredDescription(node), `The fields of \`fragment ${name} on ${condition}\`.`),
    };
  }

  function declareInput(type: GraphQLEnumType | GraphQLInputObjectType): TypeDeclaration {
    return {
      name: names.ofSchemaType(type.name),
      type: isEnumType(type) ? enumType(type.getValues()) : inputObjectType(type, docs, leaves),
      doc: servedDoc(type) ?? inputDocs.get(type.name) ?? null,
    };
  }

  /** Declares an enum that the API shows as an opaque scalar. */
  function declareEnum({ name, description, values }: EntityEnum): TypeDeclaration {
    return {
      name: leaves.enumNames.get(name) ?? name,
      type: enumType(values ?? []),
      doc: servedDoc({ description }),
    };
  }
}

function titled(description: string | null, title: string): Doc {
  return { description: description === null ? title : `${description}\n\n${title}`, deprecation: null };
}

function inOrder(declarations: ReadonlyMap<string, TypeDeclaration>): TypeDeclaration[] {
  return [...declarations].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, declaration]) => declaration);
}
