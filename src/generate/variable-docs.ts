import {
  type ArgumentNode,
  type DirectiveNode,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  type SelectionSetNode,
  type StringValueNode,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import type { Operation } from "./operation-set.ts";
import { fieldDefinition } from "./response-fields.ts";
import { type SchemaDocs, servedDoc } from "./schema-docs.ts";
import type { Doc } from "./type-tree.ts";

/**
 * What the variables of an operation are documented with: a description of their own, else that of the arguments and
 * input fields they are given for.
 */
export function documentVariables(
  { node, fragments }: Operation,
  schema: GraphQLSchema,
  docs: SchemaDocs,
): ReadonlyMap<string, Doc> {
  const variables = node.variableDefinitions ?? [];
  if (variables.length === 0) return new Map();
  const uses = new Map<string, Use[]>();
  const addArguments = (
    nodes: readonly ArgumentNode[] | undefined,
    known: readonly GraphQLArgument[] = [],
  ) => {
    for (const { name, value } of nodes ?? []) {
      const argument = known.find((each) => each.name === name.value);
      collectUses(value, argument?.type, { name: name.value, doc: servedDoc(argument) }, docs, uses);
    }
  };
  const addSelections = (type: GraphQLNamedType | null | undefined, { selections }: SelectionSetNode) => {
    for (const selection of selections) {
      addDirectives(selection);
      if (selection.kind === Kind.FIELD) {
        const field = type && fieldDefinition(type, selection.name.value);
        addArguments(selection.arguments, field?.args);
        if (selection.selectionSet) addSelections(field && getNamedType(field.type), selection.selectionSet);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition;
        addSelections(condition ? schema.getType(condition.name.value) : type, selection.selectionSet);
      }
    }
  };
  const addDirectives = ({ directives }: { readonly directives?: readonly DirectiveNode[] | undefined }) => {
    for (const each of directives ?? [])
      addArguments(each.arguments, schema.getDirective(each.name.value)?.args);
  };
  addDirectives(node);
  addSelections(schema.getRootType(node.operation), node.selectionSet);
  for (const fragment of fragments) {
    addDirectives(fragment);
    addSelections(schema.getType(fragment.typeCondition.name.value), fragment.selectionSet);
  }
  return new Map(
    variables.flatMap((variable): [string, Doc][] => {
      const name = variable.variable.name.value;
      const doc = ownDoc(variable) ?? mergeUses(uses.get(name) ?? []);
      return doc ? [[name, doc]] : [];
    }),
  );
}

/** What a variable is given for: an argument, or an input field. */
type Use = { readonly name: string; readonly doc: Doc | null };

function collectUses(
  value: ValueNode,
  type: GraphQLInputType | undefined,
  use: Use,
  docs: SchemaDocs,
  uses: Map<string, Use[]>,
  isField = false,
): void {
  if (value.kind === Kind.VARIABLE) {
    const name = value.name.value;
    uses.set(name, [...(uses.get(name) ?? []), use]);
  } else if (value.kind === Kind.LIST) {
    for (const item of value.values) collectUses(item, type, use, docs, uses, isField);
  } else if (value.kind === Kind.OBJECT) {
    const input = type && getNamedType(type);
    if (!isInputObjectType(input)) return;
    for (const { name, value: inner } of value.fields) {
      const doc = docs.docOf(input.name, name.value);
      const fieldType = input.getFields()[name.value]?.type;
      // `{ sender: { _eq: $sender } }`: where nothing is said of the operator, it is about the field.
      const isOperator = isField && doc === null && !docs.isOfEntityField(input.name, name.value);
      collectUses(inner, fieldType, isOperator ? use : { name: name.value, doc }, docs, uses, true);
    }
  }
}

function ownDoc(variable: VariableDefinitionNode): Doc | null {
  const { description }: { readonly description?: StringValueNode | undefined } = variable;
  return servedDoc({ description: description?.value });
}

/** Of several uses each is named, and only what all of them deprecate is deprecated. */
function mergeUses(uses: readonly Use[]): Doc | null {
  const documented = new Map<string, Use & { readonly doc: Doc }>();
  for (const { name, doc } of uses) {
    if (doc) documented.set(JSON.stringify([name, doc]), { name, doc });
  }
  const [first, ...others] = documented.values();
  if (!first) return null;
  if (others.length === 0) return first.doc;
  const lines = [first, ...others].map(
    ({ name, doc }) => `- \`${name}\`: ${doc.description ?? "deprecated"}`,
  );
  const deprecated = uses.every(({ doc }) => doc?.deprecation != null);
  return { description: lines.join("\n"), deprecation: deprecated ? first.doc.deprecation : null };
}
