import {
  type ASTNode,
  type ASTVisitor,
  type ConstValueNode,
  type FragmentDefinitionNode,
  Kind,
  type ListValueNode,
  type ObjectFieldNode,
  type ObjectValueNode,
  type OperationDefinitionNode,
  parseValue,
  print,
  type ValueNode,
  visit,
} from "graphql";
import type { OperationFacts } from "../../../../src/operations/portable/compiled-operation.ts";
import type { Ablation } from "./portable-world.ts";

type Variables = Readonly<Record<string, unknown>>;

/** Disables each rule of the translation alone, in all places. */
export const ABLATIONS: readonly Ablation[] = [
  {
    name: "a list without a page size has 100 rows",
    write: written({
      Argument: ({ name, value }) => (name.value === "limit" && print(value) === "100" ? null : undefined),
    }),
  },
  {
    name: "an omitted page size is 100",
    write: written({
      VariableDefinition: (node) =>
        node.defaultValue && print(node.defaultValue) === "100"
          ? { ...node, defaultValue: undefined }
          : undefined,
    }),
  },
  {
    name: "a list without an order is ordered by id",
    write: written({
      Argument: ({ name, value }) =>
        name.value === "order_by" && print(value) === "[{id: asc}]" ? null : undefined,
    }),
  },
  {
    name: "ties are ordered by id",
    write: written({
      ListValue: (node) => (isTieBreak(node) ? { ...node, values: node.values.slice(0, 1) } : undefined),
    }),
  },
  {
    name: "ties are ordered by id if a variable has the order",
    send: (mapped, _, style) =>
      style === "subgraph"
        ? mapped
        : mapValues(mapped, (value) => (isOrder(value) ? value.slice(0, 1) : value)),
  },
  {
    name: "an omitted direction is ascending",
    write: written({
      VariableDefinition: (node) =>
        node.defaultValue?.kind === Kind.ENUM ? { ...node, defaultValue: undefined } : undefined,
    }),
  },
  {
    name: "only rows of the requested chains are returned",
    write: written({
      ObjectValue: (node) =>
        print(node) === "{chainId: {_in: $chainIds}}" ? { ...node, fields: [] } : undefined,
      VariableDefinition: ({ variable }) => (variable.name.value === "chainIds" ? null : undefined),
    }),
    send: ({ chainIds: _, ...mapped }) => mapped,
  },
  {
    name: "bytes are in lower case",
    write: written({ StringValue: asAuthored((node) => /^0x[\da-f]*$/.test(node.value)) }),
  },
  {
    name: "bytes are in lower case, in variables",
    send: (mapped, given, style, { bytes = [] }) =>
      style === "subgraph"
        ? mapped
        : {
            ...mapped,
            ...Object.fromEntries(bytes.flatMap((name) => (name in mapped ? [[name, given[name]]] : []))),
          },
  },
  {
    name: "a comparison with null is _is_null",
    write: written({
      ObjectField: (node) =>
        node.name.value === "_is_null"
          ? { ...renamed(node, print(node.value) === "true" ? "_eq" : "_neq"), value: { kind: Kind.NULL } }
          : undefined,
    }),
  },
  {
    name: "directives of spreads and of __typename are put on an inline fragment",
    write: (node, style) => (style === "multichain" ? node : visit(node, UNWRAP)),
  },
  {
    name: "patterns have wildcards around the text",
    write: written({
      ObjectField: (node) =>
        /^_n?i?like$/.test(node.name.value) && node.value.kind === Kind.STRING
          ? { ...node, value: authoredValue(node.value) ?? node.value }
          : undefined,
    }),
  },
  {
    name: "patterns have wildcards around the text, in variables",
    send: (mapped, given, style, { wrap = [] }) =>
      style === "subgraph" ? mapped : { ...mapped, ...copies(wrap, given, (text) => text) },
  },
  {
    name: "text with a wildcard at one end is the whole pattern",
    write: written({
      ObjectField: (node) => {
        if (!/^_n?i?like$/.test(node.name.value) || !/_contains/.test(authoredKey(node))) return undefined;
        const value = node.value.kind === Kind.STRING ? authoredValue(node.value) : null;
        return value?.kind === Kind.STRING
          ? { ...node, value: { ...value, value: `%${value.value}%` } }
          : undefined;
      },
    }),
  },
  {
    name: "a pattern of bytes matches only whole bytes",
    write: written({
      ObjectField: (node) => {
        const [, digits] = /^_n?regex: "\^0x\(\.\.\)\*(.*)"$/.exec(print(node)) ?? [];
        const name = node.name.value === "_regex" ? "_like" : "_nlike";
        return digits === undefined
          ? undefined
          : { ...renamed(node, name), value: { kind: Kind.STRING, value: `%${digits}%` } };
      },
    }),
  },
  {
    name: "an empty _not_in matches no rows",
    write: written({
      ObjectField: (node) =>
        print(node) === "_in: []" && /_not_in$/.test(authoredKey(node)) ? renamed(node, "_nin") : undefined,
    }),
  },
  {
    name: "numbers in lists are normalized",
    write: written({
      ListValue: (node) => ({
        ...node,
        values: node.values.map((item) => (isNumber(item) ? (authoredValue(item) ?? item) : item)),
      }),
    }),
  },
  {
    name: "_not_contains of several items excludes each of them",
    write: written({
      ObjectField: (node) => {
        const tested = /^_or: \[\{(\w+): \{_contains: /.exec(print(node))?.[1];
        if (
          tested === undefined ||
          node.value.kind !== Kind.LIST ||
          !/_not_contains/.test(authoredText(node))
        )
          return undefined;
        const items = node.value.values.flatMap((value) => itemsOf(value));
        const all: ListValueNode = { kind: Kind.LIST, values: items };
        return { ...node, value: { kind: Kind.LIST, values: [object(tested, object("_contains", all))] } };
      },
    }),
  },
  {
    name: "a reference is compared by its id column",
    write: written({
      ObjectField: (node) => renamed(node, node.name.value.replace(/^(home|last|captain|ship)_id$/, "$1")),
    }),
  },
  {
    name: "an omitted filter is empty",
    write: written({
      VariableDefinition: (node) =>
        /_bool_exp!$/.test(print(node.type)) && node.defaultValue
          ? { ...node, defaultValue: undefined }
          : undefined,
    }),
  },
  {
    name: "a list variable with a default is non-null",
    write: (node, style) =>
      style === "multichain"
        ? node
        : visit(node, {
            VariableDefinition: (definition) =>
              definition.defaultValue?.kind === Kind.LIST && definition.type.kind === Kind.NON_NULL_TYPE
                ? { ...definition, type: definition.type.type }
                : undefined,
          }),
  },
  {
    name: "filters are mapped",
    send: (mapped, given, style, { multichain }) => sendRaw(mapped, given, style, multichain, "_bool_exp"),
  },
  {
    name: "orders are mapped",
    send: (mapped, given, style, { multichain }) => sendRaw(mapped, given, style, multichain, "_order_by"),
  },
  {
    name: "null is not sent",
    send: (mapped, given, style, { multichain }) => {
      const nulls = Object.keys(given).filter(
        (name) => given[name] === null && multichain.includes(`$${name}:`),
      );
      return style === "subgraph"
        ? mapped
        : { ...mapped, ...Object.fromEntries(nulls.map((name) => [name, null])) };
    },
  },
];

/** Edits the multichain document. */
function written(visitor: ASTVisitor): NonNullable<Ablation["write"]> {
  return <T extends OperationDefinitionNode | FragmentDefinitionNode>(node: T, style: string): T =>
    style === "subgraph" ? node : visit(node, visitor);
}

/** A value as its author wrote it. */
function asAuthored(is: (node: { readonly value: string }) => boolean) {
  return (node: ValueNode & { readonly value: string }) =>
    is(node) ? (authoredValue(node) ?? undefined) : undefined;
}

function authoredText({ loc }: Pick<ASTNode, "loc">): string {
  return loc === undefined ? "" : loc.source.body.slice(loc.start, loc.end);
}

/** The key before a value in the authored text. */
function authoredKey({ loc }: Pick<ASTNode, "loc">): string {
  return /(\w+)\s*:\s*$/.exec(loc?.source.body.slice(0, loc.start) ?? "")?.[1] ?? "";
}

function authoredValue(node: Pick<ASTNode, "loc">): ConstValueNode | null {
  try {
    return parseValue(authoredText(node), { noLocation: true }) as ConstValueNode;
  } catch {
    // The text is more than a value.
    return null;
  }
}

function isNumber(node: ValueNode): boolean {
  return node.kind === Kind.STRING && /^-?\d+$/.test(node.value);
}

function isTieBreak({ values }: ListValueNode): boolean {
  const [, last] = values;
  return values.length === 2 && last !== undefined && /^\{id: (asc|desc|\$\w+)\}$/.test(print(last));
}

function isOrder(value: unknown): value is readonly object[] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[1] === "object" &&
    Object.keys(value[1] ?? {}).join() === "id"
  );
}

function renamed(node: ObjectFieldNode, name: string): ObjectFieldNode {
  return { ...node, name: { ...node.name, value: name } };
}

function object(name: string, value: ValueNode): ObjectValueNode {
  return {
    kind: Kind.OBJECT,
    fields: [{ kind: Kind.OBJECT_FIELD, name: { kind: Kind.NAME, value: name }, value }],
  };
}

/** The items of `{ column: { _contains: [item] } }`. */
function itemsOf(value: ValueNode): readonly ValueNode[] {
  if (value.kind === Kind.LIST) return value.values;
  return value.kind === Kind.OBJECT ? value.fields.flatMap((field) => itemsOf(field.value)) : [];
}

const UNWRAP: ASTVisitor = {
  InlineFragment: {
    leave: ({ selectionSet, directives = [] }) => {
      const [only, ...others] = selectionSet.selections;
      if (
        only === undefined ||
        others.length > 0 ||
        directives.length === 0 ||
        (only.directives ?? []).length > 0
      )
        return undefined;
      const isWrapped =
        only.kind === Kind.FRAGMENT_SPREAD || (only.kind === Kind.FIELD && only.name.value === "__typename");
      return isWrapped ? { ...only, directives } : undefined;
    },
  },
};

function mapValues(values: Variables, map: (value: unknown, name: string) => unknown): Variables {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

/** Copies of pattern variables with other values. */
function copies(wrap: OperationFacts["wrap"], given: Variables, make: (text: string) => string): Variables {
  return Object.fromEntries(
    wrap.flatMap(({ to, from, before, after }) => {
      const text = given[from];
      return typeof text === "string" && /%/.test(before + after) ? [[to, make(text)]] : [];
    }),
  );
}

/** Sends the variables of a type unchanged. */
function sendRaw(mapped: Variables, given: Variables, style: string, text: string, type: string): Variables {
  if (style === "subgraph") return mapped;
  return mapValues(mapped, (value, name) =>
    new RegExp(`\\$${name}: \\[?\\w+${type}\\b`).test(text) ? given[name] : value,
  );
}
