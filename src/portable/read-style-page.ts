import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from "graphql";
import { baseTypeName } from "../base/type-expression.ts";
import type { ResolvedProtocol } from "../project/protocols/resolve-protocols.ts";
import type { StyleName } from "../project/vocabulary.ts";
import { typeExpression } from "../schema/parse-sdl.ts";
import { styles } from "../styles/index.ts";
import type { PagedList } from "../styles/style.ts";
import { collectFields } from "./collect-fields.ts";
import { isCursor, isSelected } from "./read-list.ts";

/** How the one list of an operation is paged that is written for one style. */
export type StylePage = PagedList & {
  /** The key of the list. */
  readonly key: string;
  /** The type of the variable that rows come after, without whether it may be null. */
  readonly afterType: string;
};

/** Reads how an operation of one style is paged by a cursor, by what decides it for one of both; null where it cannot be. */
export function readStylePage(
  {
    node,
    fragments,
    schema,
  }: {
    readonly node: OperationDefinitionNode;
    readonly fragments: readonly FragmentDefinitionNode[];
    readonly schema: GraphQLSchema;
  },
  style: StyleName,
  definition: Pick<ResolvedProtocol, "cursors">,
): StylePage | null {
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  const [root, ...others] = collectFields(node.selectionSet, byName).fields;
  if (!root || root.isConditional || others.length > 0) return null;
  const type = schema.getQueryType()?.getFields()[root.node.name.value]?.type;
  const list = styles[style].readPagedList(root.node);
  if (!type || !isListType(getNullableType(type)) || list === null) return null;
  if (!isCursor(list.column, getNamedType(type).name, definition)) return null;
  const after = node.variableDefinitions?.find(({ variable }) => variable.name.value === list.after);
  const isOpen = after?.defaultValue !== undefined && after.defaultValue.kind !== Kind.NULL;
  let uses = 0;
  for (const one of [node, ...fragments]) {
    visit(one, {
      VariableDefinition: () => false,
      Variable: ({ name }) => {
        if (name.value === list.after) uses++;
      },
    });
  }
  if (!after || !isOpen || uses > 1 || !isSelected(root, list.column)) return null;
  const afterType = baseTypeName(typeExpression(after.type));
  // Cursors come as text, and what is written in the authors' style is read by its types.
  if (afterType === "Int" && styles[style].portable.kind === "authored") return null;
  return { ...list, key: root.key, afterType };
}
