import {
  type ArgumentNode,
  type ASTVisitor,
  type ConstValueNode,
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type ObjectFieldNode,
  type ObjectValueNode,
  type OperationDefinitionNode,
  parse,
  parseValue,
  print,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { askSubgraph } from "../../../emulator/agreement/ask-subgraph.ts";
import type { EntityFacts } from "../../../emulator/agreement/facts.ts";
import type { Question } from "../../../emulator/agreement/question.ts";
import type { Document } from "../../../emulator/agreement/write-document.ts";
import type { Choose } from "./choices.ts";
import { chooseRequest, dressRequest } from "./dress-request.ts";
import { declareVariable, dressBytes, type Variable } from "./variables.ts";

/** An operation in the subgraph dialect, with the values of its variables. */
export type RandomOperation = {
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/**
 * Writes questions as one operation with several roots, in ways that authors write them: with fragments, directives,
 * variables in all places, defaults, and omitted arguments. If all choices are zero, questions are unchanged.
 *
 * @param name unique in its batch, because fragments are named after it.
 */
export function dressOperation(
  name: string,
  questions: readonly Question[],
  facts: ReadonlyMap<string, EntityFacts>,
  schema: GraphQLSchema,
  choose: Choose,
): RandomOperation {
  const variables = new Map<string, Variable>();
  const chooseLater = chooseRequest(choose);
  const selections = questions.flatMap((question, index) => {
    const { node, given } = parseQuestion(askSubgraph(question, facts), `r${index}`);
    for (const variable of given) variables.set(variable.name, variable);
    return node.selectionSet.selections;
  });
  const plain: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: "query" as OperationDefinitionNode["operation"],
    name: { kind: Kind.NAME, value: name },
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  };
  const dresser: Dresser = { name, schema, choose, variables, fragments: [] };
  const info = new TypeInfo(schema);
  const portable = visit(plain, visitWithTypeInfo(info, createMender(info)));
  const dressed = visit(portable, visitWithTypeInfo(info, createVisitor(info, dresser)));
  const merged = mergeVariables([dressed, ...dresser.fragments], variables, choose);
  const used = new Set<string>();
  for (const node of merged) visit(node, { Variable: ({ name: { value } }) => void used.add(value) });
  const values: Record<string, unknown> = {};
  const definitions = [...variables.values()].flatMap((variable) => {
    if (!used.has(variable.name)) return [];
    const { definition, value } = declareVariable(variable, schema, choose);
    if (value !== undefined) values[variable.name] = value;
    return [definition];
  });
  const [operation, ...others] = merged;
  const plainRequest = {
    operation: { ...operation, variableDefinitions: definitions },
    fragments: others,
    variables: values,
  };
  const { fragments, variables: given, ...request } = dressRequest(plainRequest, chooseLater);
  return { name, query: [request.operation, ...fragments].map(print).join("\n\n"), variables: given };
}

type Dresser = {
  readonly name: string;
  readonly schema: GraphQLSchema;
  readonly choose: Choose;
  readonly variables: Map<string, Variable>;
  readonly fragments: FragmentDefinitionNode[];
};

/** Parses a question as part of an operation, with unique names for its key and its variables. */
function parseQuestion(
  { query, variables }: Document,
  key: string,
): { readonly node: OperationDefinitionNode; readonly given: readonly Variable[] } {
  const [node] = parse(query, { noLocation: true }).definitions;
  if (node?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError("A question is an operation.");
  const nameOf = (name: string) => `${name}_${key}`;
  const given = (node.variableDefinitions ?? []).map(
    ({ variable: { name }, type }): Variable => ({
      name: nameOf(name.value),
      type: print(type),
      value: variables?.[name.value],
      isArgument: false,
      isRange: false,
    }),
  );
  const renamed = visit(node, {
    Variable: (variable) => ({ ...variable, name: { ...variable.name, value: nameOf(variable.name.value) } }),
    Field: (field) =>
      field.alias?.value === "answer" ? { ...field, alias: { ...field.alias, value: key } } : undefined,
  });
  return { node: renamed, given };
}

/** Removes parts of questions that the styles write differently. */
function createMender(info: TypeInfo): ASTVisitor {
  return {
    Field: {
      leave: () => {
        const type = info.getType();
        return type && WRITTEN_DIFFERENTLY.has(getNamedType(type).name) ? null : undefined;
      },
    },
    ObjectField: {
      leave: (field: ObjectFieldNode) => {
        const type = info.getInputType();
        if (!type || getNamedType(type).name !== "Timestamp" || field.value.kind === Kind.NULL)
          return undefined;
        const name = field.name.value.replace(/_(in|not_in|[gl]te?)$/, "");
        return { ...field, name: { ...field.name, value: name }, value: { kind: Kind.NULL } };
      },
    },
  };
}

const WRITTEN_DIFFERENTLY: ReadonlySet<string> = new Set(["Timestamp"]);

function createVisitor(info: TypeInfo, dresser: Dresser): ASTVisitor {
  const { choose } = dresser;
  const typeName = () => {
    const type = info.getInputType();
    return type ? getNamedType(type).name : "";
  };
  return {
    StringValue: {
      leave: (node: ValueNode & { readonly kind: Kind.STRING; readonly value: string }) => {
        const text = dressBytes(node.value, choose(4));
        if (text !== node.value) return { ...node, value: text };
        const isId = typeName() === "ID" && /^(0|[1-9]\d{0,8})$/.test(text);
        const isNumber = typeName() === "BigInt" && /^-?\d{1,18}$/.test(text);
        if (!isId && !isNumber) return undefined;
        const form = choose(4);
        if (form === 1 && !/^-?0\d/.test(text)) return { kind: Kind.INT, value: text };
        return form === 2 && isNumber ? { ...node, value: text.replace(/^(-?)/, "$10") } : undefined;
      },
    },
    ObjectField: { leave: (node: ObjectFieldNode) => dressTest(node, info, dresser) },
    ObjectValue: {
      leave: (node: ObjectValueNode) => {
        const type = info.getInputType();
        const named = type && getNamedType(type);
        if (!isInputObjectType(named) || !named.name.endsWith("_filter")) return undefined;
        const rare = choose(10);
        const more = named.name === "Ship_filter" && rare === 1 ? (RARE[choose(RARE.length)] ?? node) : node;
        // The whole argument is handled with its list.
        return choose(8) === 1 ? hold(more, named.name, {}, dresser) : more;
      },
    },
    ListValue: {
      leave: (node: ValueNode) =>
        typeName().endsWith("_filter") && choose(6) === 1
          ? hold(node, `[${typeName()}!]`, {}, dresser)
          : undefined,
    },
    Field: {
      leave: (node: FieldNode, key: string | number | undefined) => {
        const isFirst = key === 0;
        const directives = !isFirst && choose(8) === 1 ? [directive(dresser)] : [];
        const args = isList(info) ? dressArguments(node.arguments ?? [], info, dresser) : node.arguments;
        return { ...node, directives, ...(args === undefined ? {} : { arguments: args }) };
      },
    },
    SelectionSet: {
      leave: (node: SelectionSetNode) => {
        const owner = info.getParentType()?.name;
        return owner === undefined ? undefined : split(node, owner, dresser);
      },
    },
  };
}

function isList(info: TypeInfo): boolean {
  const type = info.getType();
  return (
    isListType(type && getNullableType(type)) &&
    info.getFieldDef()?.args.some(({ name }) => name === "first") === true
  );
}

/** Replaces a test by another of the same column that questions for both styles do not contain. */
function dressTest(
  node: ObjectFieldNode,
  info: TypeInfo,
  { variables, choose }: Dresser,
): ObjectFieldNode | undefined {
  const type = info.getInputType();
  const owner = info.getParentInputType();
  if (!type || !isInputObjectType(owner)) return undefined;
  const name = node.name.value;
  const { value } = node;
  const called = (other: string): ObjectFieldNode | undefined =>
    other in owner.getFields() ? { ...node, name: { ...node.name, value: other } } : undefined;
  const isOfMany = isListType(getNullableType(type));
  const [, column = "", not = ""] = /^([a-z]+?)(?:_[gl]te?|(_not))?$/i.exec(name) ?? [];
  const isOfBytes = getNamedType(type).name === "Bytes" || column === "captain";
  if (isOfBytes && !isOfMany && value.kind !== Kind.NULL && column !== "" && choose(3) === 1) {
    // Digits that occur in values, but not at a byte boundary.
    const digits = ["", "0xbc", "0x2a"][choose(3)];
    const other = called(`${column}${not}_contains`);
    return other && digits && value.kind === Kind.STRING
      ? { ...other, value: { ...value, value: digits } }
      : other;
  }
  if (value.kind === Kind.LIST) {
    if (name.endsWith("_contains") && !name.endsWith("_not_contains") && choose(2) === 1) {
      return called(name.replace(/_contains$/, "_not_contains"));
    }
    if (/_(not_)?in$/.test(name) && choose(8) === 1) {
      return {
        ...node,
        name: { ...node.name, value: name.replace(/(_not)?_in$/, "_not_in") },
        value: { ...value, values: [] },
      };
    }
  }
  if (/_(contains|starts_with|ends_with)(_nocase)?$/.test(name) && !isOfMany && !isOfBytes) {
    const form = choose(4);
    const dress = (text: string) => (form === 1 ? `%${text}` : form === 2 ? `${text}%` : text);
    if (value.kind === Kind.STRING) return { ...node, value: { ...value, value: dress(value.value) } };
    const variable = value.kind === Kind.VARIABLE ? variables.get(value.name.value) : undefined;
    if (typeof variable?.value === "string") {
      variables.set(variable.name, { ...variable, value: dress(variable.value) });
    }
  }
  if (name === "chainId" && value.kind === Kind.STRING && choose(2) === 1) {
    return { ...node, value: { ...value, value: "1" } };
  }
  return undefined;
}

/** Filters that questions for both styles contain rarely or never. */
const RARE = [
  '{ name_contains: "%a" }',
  '{ motto_not_contains: "b%" }',
  '{ motto_contains_nocase: "%B" }',
  '{ motto_starts_with: "a", motto_contains: "b", motto_gte: "A", motto_not: "ab" }',
  '{ name_ends_with: "%", name_not_in: ["a"], name_in: ["a", "b", "ab"] }',
  '{ hull_contains: "0xBC" }',
  '{ hull_not_contains: "2a" }',
  '{ captain_contains: "bc", captain_not: "AB" }',
  '{ tags_not_contains: ["a", "b"] }',
  '{ tags_not_contains: ["", "ab"], tags_not: ["a"] }',
  '{ cargo_contains: ["+07", 3], decks_gt: 0, decks_lte: 12, decks_not: 3 }',
  '{ debts_not_contains: [1, "-0"] }',
].map((text) => parseValue(text, { noLocation: true }) as ObjectValueNode);

/** Replaces a value by a variable; variables inside it are resolved. */
function hold(
  value: ValueNode,
  type: string,
  { isArgument = false, isRange = false }: Partial<Variable>,
  { variables }: Dresser,
): ValueNode {
  const given: Record<string, unknown> = {};
  for (const [known, { value: held }] of variables) given[known] = held;
  const name = `${type.replace(/\W/g, "").replace(/^(\w)/, (letter) => letter.toLowerCase())}${variables.size}`;
  variables.set(name, { name, type, value: valueFromASTUntyped(value, given), isArgument, isRange });
  return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } };
}

/** Omits arguments, sets them to null, or puts them into variables. */
function dressArguments(given: readonly ArgumentNode[], info: TypeInfo, dresser: Dresser): ArgumentNode[] {
  const { choose } = dresser;
  const definitions = info.getFieldDef()?.args ?? [];
  const typeOf = (name: string) =>
    String(definitions.find((one) => one.name === name)?.type).replace(/!$/, "");
  const argument = (name: string, value: ValueNode): ArgumentNode => ({
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: name },
    value,
  });
  const isOrdered = given.some(({ name }) => name.value === "orderBy");
  const all =
    isOrdered || choose(8) !== 1
      ? given
      : [...given, argument("orderDirection", { kind: Kind.ENUM, value: "desc" })];
  return all.flatMap(({ name: { value: name }, value }) => {
    const isRange = name === "first" || name === "skip";
    const isWhole = name === "where";
    switch (choose(isRange ? 6 : 8)) {
      case 1:
        return [argument(name, hold(value, typeOf(name), { isArgument: true, isRange }, dresser))];
      case 2:
        return isRange ? [] : [argument(name, hold(value, typeOf(name), { isArgument: true }, dresser))];
      case 3:
        return [argument(name, { kind: Kind.NULL })];
      case 4:
        return [
          argument(name, isRange ? hold({ kind: Kind.NULL }, "Int", { isArgument: true }, dresser) : value),
        ];
      default:
        return isWhole && choose(4) === 1 ? [] : [argument(name, value)];
    }
  });
}

function directive({ choose, variables }: Dresser): DirectiveNode {
  const name = choose(2) === 0 ? "include" : "skip";
  const value = choose(2) === 0;
  const literal: ConstValueNode = { kind: Kind.BOOLEAN, value };
  const held = `b${variables.size}`;
  const isHeld = choose(3) !== 0;
  if (isHeld) variables.set(held, { name: held, type: "Boolean", value, isArgument: false, isRange: false });
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: name },
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: "if" },
        value: isHeld ? { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: held } } : literal,
      },
    ],
  };
}

/** Moves some of the selections into a fragment of some form. The first stays, so that the selection is not empty. */
function split(node: SelectionSetNode, owner: string, dresser: Dresser): SelectionSetNode {
  const { choose, fragments, name } = dresser;
  const { selections } = node;
  const form = choose(6);
  if (form === 0 || form === 5) return node;
  const at = 1 + choose(Math.max(1, selections.length - 1));
  const kept = selections.slice(0, at);
  const moved = selections.slice(at);
  // A fragment with all selections has no condition.
  const isWhole = moved.length === 0;
  const inner: SelectionSetNode = { ...node, selections: isWhole ? selections : moved };
  const directives = isWhole || choose(2) === 0 ? [] : [directive(dresser)];
  const typeCondition = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: owner } } as const;
  let fragment: SelectionNode;
  if (form < 3) {
    const own = { kind: Kind.NAME, value: `${name}_${fragments.length}` } as const;
    fragments.push({ kind: Kind.FRAGMENT_DEFINITION, name: own, typeCondition, selectionSet: inner });
    fragment = { kind: Kind.FRAGMENT_SPREAD, name: own, directives };
  } else {
    const isNamed = form === 3;
    fragment = {
      kind: Kind.INLINE_FRAGMENT,
      ...(isNamed ? { typeCondition } : {}),
      directives,
      selectionSet: inner,
    };
  }
  const isTwice = choose(4) === 1;
  return { ...node, selections: [...(isWhole && !isTwice ? [] : kept), fragment, ...(isTwice ? moved : [])] };
}

/** Merges some variables of the same type, so that one variable is used in places of several kinds. */
function mergeVariables<T extends readonly (OperationDefinitionNode | FragmentDefinitionNode)[]>(
  nodes: T,
  variables: Map<string, Variable>,
  choose: Choose,
): [OperationDefinitionNode, ...FragmentDefinitionNode[]] {
  const renamed = new Map<string, string>();
  const kept = new Map<string, Variable>();
  for (const variable of variables.values()) {
    const { type, name } = variable;
    if (variable.value === null) continue;
    const other = kept.get(type);
    if (other === undefined || choose(3) !== 1) {
      kept.set(type, variable);
      continue;
    }
    const isRange = variable.isRange || other.isRange;
    const value =
      variable.isRange && other.isRange
        ? Math.max(Number(variable.value), Number(other.value))
        : variable.isRange
          ? variable.value
          : other.value;
    const merged = { ...other, value, isRange, isArgument: variable.isArgument && other.isArgument };
    renamed.set(name, other.name);
    variables.set(other.name, merged);
    kept.set(type, merged);
  }
  for (const name of renamed.keys()) variables.delete(name);
  return nodes.map((node) =>
    visit(node, {
      Variable: (variable) => {
        const name = renamed.get(variable.name.value);
        return name === undefined ? undefined : { ...variable, name: { ...variable.name, value: name } };
      },
    }),
  ) as [OperationDefinitionNode, ...FragmentDefinitionNode[]];
}
