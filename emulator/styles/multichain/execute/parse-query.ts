import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  TokenKind,
  visit,
} from "graphql";
import { messages } from "./messages.ts";

/** The syntax tree of a request. */
export type ParsedQuery = {
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
};

/** Parses the text of a request; whatever the parser of the server would not read is one and the same error. */
export function parseQuery(query: string): ParsedQuery {
  const document = syntaxTree(query);
  refuseRepeatedNames(document);
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    else if (definition.kind !== Kind.FRAGMENT_DEFINITION) throw messages.invalidDocument();
    else if (!fragments.has(definition.name.value)) fragments.set(definition.name.value, definition);
  }
  return { operations, fragments };
}

/** The operation to run. Of several with one name the first is taken. */
export function chooseOperation(
  { operations }: ParsedQuery,
  operationName: string | null,
): OperationDefinitionNode {
  if (operationName === null) {
    const [only] = operations;
    if (only === undefined || operations.length > 1) throw messages.operationAmbiguous();
    return only;
  }
  if (!/^[_A-Za-z]\w*$/.test(operationName)) throw messages.operationNameInvalid(operationName);
  if (operations.some(isShorthand)) throw messages.operationAnonymous();
  const named = operations.find((operation) => operation.name?.value === operationName);
  if (!named) throw messages.operationMissing(operationName);
  return named;
}

function syntaxTree(query: string): DocumentNode {
  try {
    return parse(query);
  } catch (cause) {
    // A document nested too deep for the stack is as unreadable as one with a syntax error.
    if (cause instanceof GraphQLError || cause instanceof RangeError) throw messages.invalidDocument();
    throw cause;
  }
}

function refuseRepeatedNames(document: DocumentNode): void {
  function check(nodes: readonly { readonly name: { readonly value: string } }[] | undefined): void {
    const names = (nodes ?? []).map((node) => node.name.value);
    if (new Set(names).size < names.length) throw messages.invalidDocument();
  }
  visit(document, {
    Field: (node) => check(node.arguments),
    Directive: (node) => check(node.arguments),
    ObjectValue: (node) => check(node.fields),
  });
}

/** `{ … }` without the keyword, which alone counts as anonymous. */
function isShorthand(operation: OperationDefinitionNode): boolean {
  return operation.loc?.startToken.kind === TokenKind.BRACE_L;
}
