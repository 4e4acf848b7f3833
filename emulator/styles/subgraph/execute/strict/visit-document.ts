import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type InlineFragmentNode,
  Kind,
  type ListValueNode,
  type ObjectValueNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { baseTypeName, isList, itemType } from "../../../../../src/base/type-expression.ts";
import type { ApiDirective, ApiType } from "../../../../../src/schema/api-schema.ts";
import { typeExpression } from "../../../../../src/schema/parse-sdl.ts";
import { compareText } from "../scalars.ts";
import type { IndexedField, SchemaIndex } from "../schema-index.ts";

/** Where a directive can stand in a query. */
export type QueryDirectiveLocation =
  | "QUERY"
  | "MUTATION"
  | "SUBSCRIPTION"
  | "FIELD"
  | "FRAGMENT_DEFINITION"
  | "FRAGMENT_SPREAD"
  | "INLINE_FRAGMENT";

/** What a rule knows of the place it is called at. */
export type Place = {
  /** The type of the field, fragment or operation visited last, as an expression; undefined when unknown. */
  readonly type: string | undefined;
  /** The type whose fields are selected here. */
  readonly parent: ApiType | undefined;
  /** The type the schema wants for a value, as an expression; undefined when it wants none. */
  readonly input: string | undefined;
};

/** What a rule wants to be called for; each in the order of the document. */
export type StrictVisitor = {
  readonly operation?: (node: OperationDefinitionNode) => void;
  readonly fragmentDefinition?: (node: FragmentDefinitionNode) => void;
  readonly variableDefinition?: (node: VariableDefinitionNode) => void;
  readonly selectionSet?: (node: SelectionSetNode, place: Place) => void;
  readonly field?: (node: FieldNode, place: Place) => void;
  readonly leaveField?: () => void;
  readonly fragmentSpread?: (node: FragmentSpreadNode, place: Place) => void;
  readonly inlineFragment?: (node: InlineFragmentNode, place: Place) => void;
  readonly directives?: (nodes: readonly DirectiveNode[]) => void;
  readonly directive?: (node: DirectiveNode, location: QueryDirectiveLocation) => void;
  readonly leaveDirective?: () => void;
  readonly argument?: (node: ArgumentNode) => void;
  readonly value?: (node: ValueNode, place: Place) => void;
  readonly leaveDocument?: () => void;
};

/** What the rules look up: the schema, and the document they check. */
export type StrictContext = {
  readonly index: SchemaIndex;
  readonly directives: ReadonlyMap<string, ApiDirective>;
  readonly document: DocumentNode;
  /** Of two fragments with one name the last. */
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
};

/** Walks a document once for all rules, in the order in which the server walks it for each. */
export function visitDocument(context: StrictContext, visitors: readonly StrictVisitor[]): void {
  const { index, document } = context;
  let place: Place = { type: undefined, parent: undefined, input: undefined };

  function within(change: Partial<Place>, visit: () => void): void {
    const outside = place;
    place = { ...outside, ...change };
    visit();
    place = outside;
  }

  function operation(node: OperationDefinitionNode): void {
    // The schema names a type for queries only.
    const type = node.operation === "query" ? index.queryType : undefined;
    within({ type }, () => {
      for (const visitor of visitors) visitor.operation?.(node);
      for (const definition of node.variableDefinitions ?? []) variableDefinition(definition);
      directives(node.directives, OPERATION_LOCATIONS[node.operation]);
      selectionSet(node.selectionSet);
    });
  }

  function variableDefinition(node: VariableDefinitionNode): void {
    within({ input: typeExpression(node.type) }, () => {
      for (const visitor of visitors) visitor.variableDefinition?.(node);
      if (node.defaultValue) value(node.defaultValue);
    });
  }

  function fragmentDefinition(node: FragmentDefinitionNode): void {
    within({ type: node.typeCondition.name.value }, () => {
      for (const visitor of visitors) visitor.fragmentDefinition?.(node);
      directives(node.directives, "FRAGMENT_DEFINITION");
      selectionSet(node.selectionSet);
    });
  }

  function selectionSet(node: SelectionSetNode): void {
    const parent = place.type === undefined ? undefined : index.type(baseTypeName(place.type));
    within({ parent }, () => {
      for (const visitor of visitors) visitor.selectionSet?.(node, place);
      for (const selected of node.selections) selection(selected);
    });
  }

  function selection(node: SelectionNode): void {
    switch (node.kind) {
      case Kind.FIELD: {
        const definition = fieldOf(index, place.parent, node.name.value);
        within({ type: definition?.type }, () => {
          for (const visitor of visitors) visitor.field?.(node, place);
          argumentsOf(node.arguments, definition?.args);
          directives(node.directives, "FIELD");
          if (node.selectionSet) selectionSet(node.selectionSet);
          for (const visitor of visitors) visitor.leaveField?.();
        });
        break;
      }
      case Kind.FRAGMENT_SPREAD:
        for (const visitor of visitors) visitor.fragmentSpread?.(node, place);
        directives(node.directives, "FRAGMENT_SPREAD");
        break;
      case Kind.INLINE_FRAGMENT:
        within({ type: node.typeCondition?.name.value ?? place.type }, () => {
          for (const visitor of visitors) visitor.inlineFragment?.(node, place);
          directives(node.directives, "INLINE_FRAGMENT");
          selectionSet(node.selectionSet);
        });
        break;
    }
  }

  function directives(nodes: readonly DirectiveNode[] | undefined, location: QueryDirectiveLocation): void {
    if (nodes === undefined || nodes.length === 0) return;
    for (const visitor of visitors) visitor.directives?.(nodes);
    for (const node of nodes) {
      for (const visitor of visitors) visitor.directive?.(node, location);
      argumentsOf(node.arguments, context.directives.get(node.name.value)?.args);
      for (const visitor of visitors) visitor.leaveDirective?.();
    }
  }

  function argumentsOf(
    nodes: readonly ArgumentNode[] | undefined,
    definitions: readonly { readonly name: string; readonly type: string }[] | undefined,
  ): void {
    for (const node of nodes ?? []) {
      const definition = definitions?.find((each) => each.name === node.name.value);
      within({ input: definition?.type }, () => {
        for (const visitor of visitors) visitor.argument?.(node);
        value(node.value);
      });
    }
  }

  function value(node: ValueNode): void {
    for (const visitor of visitors) visitor.value?.(node, place);
    if (node.kind === Kind.LIST) items(node);
    else if (node.kind === Kind.OBJECT) fields(node);
  }

  function items(node: ListValueNode): void {
    // Behind a required list the server loses sight of the type.
    const { input } = place;
    const item = input !== undefined && isList(input) && !input.endsWith("!") ? itemType(input) : undefined;
    within({ input: item }, () => {
      for (const each of node.values) value(each);
    });
  }

  function fields(node: ObjectValueNode): void {
    const type = place.input === undefined ? undefined : index.type(baseTypeName(place.input));
    const definitions = type?.kind === "INPUT_OBJECT" ? type.fields : [];
    for (const [name, item] of sortedFields(node)) {
      within({ input: definitions.find((each) => each.name === name)?.type }, () => value(item));
    }
  }

  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operation(definition);
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragmentDefinition(definition);
  }
  for (const visitor of visitors) visitor.leaveDocument?.();
}

const OPERATION_LOCATIONS = {
  query: "QUERY",
  mutation: "MUTATION",
  subscription: "SUBSCRIPTION",
} as const;

/** A field as the schema declares it, which `__typename` is not. */
export function fieldOf(
  index: SchemaIndex,
  parent: ApiType | undefined,
  name: string,
): IndexedField | undefined {
  return parent === undefined || name === "__typename" ? undefined : index.field(parent.name, name);
}

/** The fields of an object in the order of their names, in which the server keeps them; of equal names the last. */
export function sortedFields(node: ObjectValueNode): readonly (readonly [name: string, value: ValueNode])[] {
  const fields = new Map(node.fields.map((field) => [field.name.value, field.value] as const));
  return [...fields].sort(([a], [b]) => compareText(a, b));
}
