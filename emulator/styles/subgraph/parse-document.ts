import {
  type ArgumentNode,
  type ConstDirectiveNode,
  type ConstValueNode,
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  Location,
  type NamedTypeNode,
  type NameNode,
  type ObjectFieldNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  Token,
  TokenKind,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { readBlockString } from "../../../src/dialects/subgraph/read.ts";
import { refuse } from "./messages.ts";
import { createTokenStream, parseError, type QueryToken, readStringToken } from "./token-stream.ts";

/**
 * Parses a query document with the grammar of the server's parser, which differs from the specification: variables
 * have no directives, a fragment may be named `on`, and numbers and line ends are read differently. Only nodes that
 * errors point at have a `loc`.
 *
 * @throws QueryError with the parser's error.
 */
export function parseDocument(text: string): DocumentNode {
  const tokens = createTokenStream(text);
  const source = new Source(text);

  function document(): DocumentNode {
    const definitions: DefinitionNode[] = [];
    for (;;) {
      const found = definition();
      if (found === undefined) break;
      definitions.push(found);
    }
    if (definitions.length === 0) return failAmong(...DEFINITION);
    const rest = tokens.peek();
    if (rest.kind !== "LexicalError" || rest.unexpected !== "end of input") fail("end of input");
    return { kind: Kind.DOCUMENT, definitions };
  }

  function definition(): DefinitionNode | undefined {
    const start = tokens.peek();
    if (start.kind === "LexicalError") return undefined;
    if (isPunctuator("{")) {
      const set = selectionSet();
      return {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        selectionSet: set,
        loc: locate(start),
      };
    }
    if (start.kind !== "Name") return undefined;
    const operation = OPERATIONS.get(start.value);
    if (operation !== undefined) return operationDefinition(operation);
    return start.value === "fragment" ? fragmentDefinition() : undefined;
  }

  function operationDefinition(operation: OperationTypeNode): DefinitionNode {
    const start = take();
    const name = isName() ? nameNode() : undefined;
    const hasVariables = skip("(");
    const variableDefinitions = hasVariables ? variables() : [];
    const directives = directiveNodes();
    if (!isPunctuator("{")) {
      // After it read any of these, the parser does not list the other options.
      if (name || hasVariables || directives.length > 0) failAmong("{");
      failAmong("{", "Name", "(", "$", ":", "=", ")");
    }
    return {
      kind: Kind.OPERATION_DEFINITION,
      operation,
      ...(name ? { name } : {}),
      variableDefinitions,
      directives,
      selectionSet: selectionSet(),
      loc: locate(start),
    };
  }

  function variables(): VariableDefinitionNode[] {
    const definitions: VariableDefinitionNode[] = [];
    if (!isPunctuator("$")) fail("$");
    while (isPunctuator("$")) {
      const start = take();
      const variable = { kind: Kind.VARIABLE, name: nameNode() } as const;
      expect(":", ":");
      const type = typeNode();
      const defaultValue = skip("=") ? constValue() : undefined;
      definitions.push({
        kind: Kind.VARIABLE_DEFINITION,
        variable,
        type,
        ...(defaultValue ? { defaultValue } : {}),
        directives: NO_DIRECTIVES,
        loc: locate(start),
      });
    }
    expect(")", "$", "Name", ":", "=", ")");
    return definitions;
  }

  function typeNode(): TypeNode {
    let type: NamedTypeNode | { readonly kind: Kind.LIST_TYPE; readonly type: TypeNode };
    if (skip("[")) {
      const item = typeNode();
      expect("]", "]");
      type = { kind: Kind.LIST_TYPE, type: item };
    } else {
      if (!isName()) failAmong("Name", "[");
      type = namedType();
    }
    return skip("!") ? { kind: Kind.NON_NULL_TYPE, type } : type;
  }

  function fragmentDefinition(): FragmentDefinitionNode {
    const start = take();
    const name = nameNode();
    if (!isName("on")) fail("on");
    take();
    const typeCondition = namedType();
    const directives = directiveNodes();
    return {
      kind: Kind.FRAGMENT_DEFINITION,
      name,
      typeCondition,
      directives,
      selectionSet: selectionSet(),
      loc: locate(start),
    };
  }

  function selectionSet(): SelectionSetNode {
    if (!skip("{")) failAmong("{");
    const selections: SelectionNode[] = [];
    for (;;) {
      if (isName()) selections.push(field());
      else if (isPunctuator("...")) selections.push(fragment());
      else break;
    }
    if (selections.length === 0) failAmong("Name");
    expect("}", "}");
    return { kind: Kind.SELECTION_SET, selections };
  }

  function field(): FieldNode {
    const start = tokens.peek();
    const first = nameNode();
    const second = skip(":") ? nameNode() : undefined;
    const args = argumentNodes();
    const directives = directiveNodes();
    const set = isPunctuator("{") ? selectionSet() : undefined;
    return {
      kind: Kind.FIELD,
      ...(second ? { alias: first } : {}),
      name: second ?? first,
      arguments: args,
      directives,
      ...(set ? { selectionSet: set } : {}),
      ...(start.kind === "LexicalError" ? {} : { loc: locate(start) }),
    };
  }

  function fragment(): SelectionNode {
    take();
    if (isName() && !isName("on")) {
      return { kind: Kind.FRAGMENT_SPREAD, name: nameNode(), directives: directiveNodes() };
    }
    const hasCondition = isName("on");
    if (hasCondition) take();
    const typeCondition = hasCondition ? namedType() : undefined;
    const directives = directiveNodes();
    if (!isPunctuator("{") && !hasCondition && directives.length === 0) failAmong("{", "on", "Name");
    return {
      kind: Kind.INLINE_FRAGMENT,
      ...(typeCondition ? { typeCondition } : {}),
      directives,
      selectionSet: selectionSet(),
    };
  }

  function directiveNodes(): readonly DirectiveNode[] {
    if (!isPunctuator("@")) return NO_DIRECTIVES;
    const directives: DirectiveNode[] = [];
    while (skip("@")) directives.push({ kind: Kind.DIRECTIVE, name: nameNode(), arguments: argumentNodes() });
    return directives;
  }

  function argumentNodes(): readonly ArgumentNode[] {
    if (!skip("(")) return NO_ARGUMENTS;
    const args: ArgumentNode[] = [];
    if (!isName()) fail("Name");
    while (isName()) {
      const name = nameNode();
      expect(":", ":");
      args.push({ kind: Kind.ARGUMENT, name, value: value() });
    }
    expect(")", "Name", ":", ")");
    return args;
  }

  function value(): ValueNode {
    if (skip("$")) return { kind: Kind.VARIABLE, name: nameNode() };
    return list(value) ?? object(value) ?? plainValue();
  }

  /** Default values contain no variables, at any depth. */
  function constValue(): ConstValueNode {
    return list(constValue) ?? object(constValue) ?? plainValue();
  }

  function list<T extends ValueNode>(item: () => T) {
    if (!skip("[")) return undefined;
    const values: T[] = [];
    while (beginsValue(item === value)) values.push(item());
    expect("]", "]");
    return { kind: Kind.LIST, values } as const;
  }

  function object<T extends ValueNode>(item: () => T) {
    if (!skip("{")) return undefined;
    const fields: (ObjectFieldNode & { readonly value: T })[] = [];
    while (isName()) {
      const name = nameNode();
      expect(":", ":");
      fields.push({ kind: Kind.OBJECT_FIELD, name, value: item() });
    }
    expect("}", "Name", ":", "}");
    return { kind: Kind.OBJECT, fields } as const;
  }

  function beginsValue(variable: boolean): boolean {
    const token = tokens.peek();
    if (token.kind === "LexicalError") return false;
    if (token.kind !== "Punctuator") return true;
    return token.value === "[" || token.value === "{" || (variable && token.value === "$");
  }

  function plainValue(): Exclude<ConstValueNode, { kind: Kind.LIST | Kind.OBJECT }> {
    const token = tokens.peek();
    switch (token.kind) {
      case "Name":
        take();
        if (token.value === "null") return { kind: Kind.NULL };
        return token.value === "true" || token.value === "false"
          ? { kind: Kind.BOOLEAN, value: token.value === "true" }
          : { kind: Kind.ENUM, value: token.value };
      case "IntValue":
        if (BigInt.asIntN(64, BigInt(token.value)) !== BigInt(token.value)) {
          const size = token.value.startsWith("-") ? "small" : "large";
          failAt(token, `number too ${size} to fit in target type`);
        }
        take();
        return { kind: Kind.INT, value: token.value };
      case "FloatValue":
        if (Number.isNaN(Number(token.value))) failAt(token, "invalid float literal");
        take();
        return { kind: Kind.FLOAT, value: token.value };
      case "StringValue": {
        const reading = readStringToken(token.value);
        if ("unexpected" in reading) return failAt(token, `Unexpected ${reading.unexpected}`);
        take();
        return { kind: Kind.STRING, value: reading.text, block: false };
      }
      case "BlockString":
        take();
        return { kind: Kind.STRING, value: readBlockString(token.value.slice(3, -3)), block: true };
      default:
        return failAmong(...VALUE);
    }
  }

  function namedType(): NamedTypeNode {
    return { kind: Kind.NAMED_TYPE, name: nameNode() };
  }

  function nameNode(): NameNode {
    if (!isName()) fail("Name");
    return { kind: Kind.NAME, value: take().value };
  }

  function isName(value?: string): boolean {
    const token = tokens.peek();
    return token.kind === "Name" && (value === undefined || token.value === value);
  }

  function isPunctuator(value: string): boolean {
    const token = tokens.peek();
    return token.kind === "Punctuator" && token.value === value;
  }

  function skip(punctuator: string): boolean {
    const found = isPunctuator(punctuator);
    if (found) tokens.next();
    return found;
  }

  function expect(punctuator: string, ...expected: readonly string[]): void {
    if (!skip(punctuator)) fail(...expected);
  }

  function take(): QueryToken {
    const token = tokens.next();
    return token.kind === "LexicalError" ? fail() : token;
  }

  function fail(...expected: readonly string[]): never {
    return refuse(parseError(tokens.peek(), expected, false));
  }

  function failAmong(...expected: readonly string[]): never {
    return refuse(parseError(tokens.peek(), expected, true));
  }

  function failAt({ line, column }: QueryToken, message: string): never {
    return refuse({ locations: [{ line, column }], message });
  }

  function locate({ value, start, end, line, column }: QueryToken): Location {
    const token = new Token(TokenKind.NAME, start, end, line, column, value);
    return new Location(token, token, source);
  }

  return document();
}

const DEFINITION = ["{", "query", "mutation", "subscription", "fragment"];
const VALUE = ["IntValue", "FloatValue", "StringValue", "BlockString", "true", "false", "null", "Name"];
const NO_ARGUMENTS: readonly ArgumentNode[] = [];
const NO_DIRECTIVES: readonly ConstDirectiveNode[] = [];

const OPERATIONS: ReadonlyMap<string, OperationTypeNode> = new Map([
  ["query", OperationTypeNode.QUERY],
  ["mutation", OperationTypeNode.MUTATION],
  ["subscription", OperationTypeNode.SUBSCRIPTION],
]);
