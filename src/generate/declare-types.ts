import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  type SelectionSetNode,
} from "graphql";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { EntityEnum } from "../schema/entity-model.ts";
import { enumType, inputObjectType, variablesType } from "./input-types.ts";
import { createLeafTypes } from "./leaf-types.ts";
import type { Fragment, Operation, OperationSet } from "./operation-set.ts";
import type { ScalarTypes } from "./resolve-scalars.ts";
import { type Conditional, collectResponseFields, fieldDefinition } from "./response-fields.ts";
import { authoredDescription, type SchemaDocs, servedDoc } from "./schema-docs.ts";
import { createSelectionContext, selectionMembers, selectionType } from "./selection-types.ts";
import { createTypeNames, nameRows, resultName } from "./type-names.ts";
import { type Doc, type TypeDeclaration, textType, unionType } from "./type-tree.ts";

/** What the types of one protocol and style are made from. */
export type TypesInput = {
  readonly set: OperationSet;
  /** The whole schema. */
  readonly schema: GraphQLSchema;
  readonly docs: SchemaDocs;
  readonly scalars: ScalarTypes;
};

/** Declares the types of operations, their rows, fragments, input types and enums, with the words of the schema. */
export function declareTypes({ set, schema, docs, scalars }: TypesInput): {
  readonly imports: readonly string[];
  readonly declarations: readonly TypeDeclaration[];
} {
  const names = createTypeNames(set, schema);
  const leaves = createLeafTypes(scalars, names);
  const rowNames = nameRows(set, schema, names);
  const context = createSelectionContext({ schema, fragments: set.fragments, docs, leaves });

  const operations = new Map(set.operations.map((operation) => [operation.node as unknown, operation]));
  const fragments = new Map(
    [...set.fragments.values()].map((fragment) => [fragment.node as unknown, fragment]),
  );
  const documents: TypeDeclaration[] = set.files.flatMap(({ document }) =>
    document.definitions.flatMap((node) => {
      const operation = operations.get(node);
      if (operation) return declareOperation(operation);
      const fragment = fragments.get(node);
      return fragment ? declareFragment(fragment) : [];
    }),
  );

  const schemaTypes = new Map<string, TypeDeclaration>();
  // It grows as input types name others.
  for (const [name, type] of leaves.declared) schemaTypes.set(name, declareSchemaType(type));
  const inOrder = [...schemaTypes].sort(([a], [b]) => compareCodeUnits(a, b));
  const declaredAs = (isWanted: (type: unknown) => boolean) =>
    inOrder.flatMap(([name, declaration]) => (isWanted(leaves.declared.get(name)) ? [declaration] : []));
  return {
    imports: leaves.imports,
    declarations: [
      ...scalars.enums.map(declareEnum),
      ...declaredAs(isEnumType),
      ...declaredAs(isInputObjectType),
      ...documents,
    ],
  };

  function declareOperation(operation: Operation): TypeDeclaration[] {
    const { name, node } = operation;
    const root = schema.getRootType(node.operation);
    if (!root) throw new TypeError(`The schema has no ${node.operation}s.`);
    const title = `\`${node.operation} ${name}\``;
    const rows = rowNames.get(name) ?? new Map<string, string>();
    const rowTypes: TypeDeclaration[] = [];
    const members = selectionMembers(root, [always(node.selectionSet)], context, (key, type) => {
      const row = rows.get(key);
      if (row === undefined) return type;
      rowTypes.push({ name: row, type, doc: titled(null, `What \`${key}\` of ${title} holds.`) });
      return textType(row);
    });
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
        doc: titled(
          authoredDescription(node),
          `The result of ${title}: ${listResult(root, node.selectionSet)}.`,
        ),
      },
    ];
  }

  /** The response in the words of the schema: `streams: [Stream!]!`. */
  function listResult(root: GraphQLObjectType, selections: SelectionSetNode): string {
    const fields = collectResponseFields(schema, set.fragments, root, [always(selections)]);
    return [...fields]
      .map(([key, [use]]) => {
        const type = use && fieldDefinition(root, use.node.name.value)?.type;
        return `\`${key}${type ? `: ${type}` : ""}\``;
      })
      .join(", ");
  }

  function declareFragment({ name, node }: Fragment): TypeDeclaration[] {
    const condition = node.typeCondition.name.value;
    const target = schema.getType(condition);
    if (!target) throw new TypeError(`The schema has no type "${condition}".`);
    return [
      {
        name: `${name}Fragment`,
        type: selectionType(target, [always(node.selectionSet)], context),
        doc: titled(authoredDescription(node), `What \`fragment ${name} on ${condition}\` selects.`),
      },
    ];
  }

  function declareSchemaType(type: GraphQLNamedType): TypeDeclaration {
    const name = names.ofSchemaType(type.name);
    const doc = servedDoc(type);
    if (isEnumType(type)) return { name, type: enumType(type), doc };
    if (isInputObjectType(type)) return { name, type: inputObjectType(type, docs, leaves), doc };
    throw new TypeError(`The type "${type.name}" is neither an enum nor an input type.`);
  }

  /** An enum that the API shows as an opaque scalar. */
  function declareEnum({ name, description, values }: EntityEnum): TypeDeclaration {
    return {
      name: leaves.enumNames.get(name) ?? name,
      type: unionType((values ?? []).map((value) => textType(JSON.stringify(value.name), servedDoc(value)))),
      doc: servedDoc({ description }),
    };
  }
}

function always(node: SelectionSetNode): Conditional<SelectionSetNode> {
  return { node, conditions: [] };
}

function titled(description: string | null, title: string): Doc {
  return { description: description === null ? title : `${description}\n\n${title}`, deprecation: null };
}
