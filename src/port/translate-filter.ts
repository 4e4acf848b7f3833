import { Kind, type ObjectValueNode, print, type ValueNode } from "graphql";
import {
  type QueryReader,
  type QueryWriter,
  type ReadFilter,
  type ReadTest,
  Unreadable,
} from "../dialects/foreign-query.ts";
import { listNode, objectNode, stringNode } from "../dialects/make-node.ts";
import type { AuthoredType } from "../dialects/portable-style.ts";
import type { EntityFacts, Facts } from "../operations/portable/read-entities.ts";
import { targetOf } from "./port-types.ts";

/** The input of the translation of a filter. */
export type FilterContext = {
  readonly entity: EntityFacts;
  readonly facts: Facts;
  readonly reader: QueryReader;
  readonly writer: QueryWriter;
  /** Receives notes on the translation. */
  readonly note: (code: string, message: string) => void;
};

/**
 * Writes a filter in the portable dialect; null if every row passes it.
 *
 * @throws Unreadable for a filter that a portable operation cannot have.
 */
export function translateFilter(filter: ReadFilter, context: FilterContext): ObjectValueNode | null {
  const flat = flatten(filter);
  return flat.kind === "and" && flat.of.length === 0 ? null : writeFilter(flat, context);
}

/** A test that is neither negated nor ignores case. */
const PLAIN = { isNegated: false, ignoresCase: false } as const;

/** Joins "and" within "and", and "or" within "or". */
export function flatten(filter: ReadFilter): ReadFilter {
  if (filter.kind === "related") return { ...filter, of: flatten(filter.of) };
  if (filter.kind === "test" || filter.kind === "given") return filter;
  const of = filter.of.map(flatten).flatMap((part) => (part.kind === filter.kind ? part.of : [part]));
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind: filter.kind, of };
}

function writeFilter(filter: ReadFilter, context: FilterContext): ObjectValueNode {
  switch (filter.kind) {
    case "test":
    case "related":
      return objectNode([writeCondition(filter, context)], undefined);
    case "given":
      throw new Unreadable(
        "port/filter-variable",
        `\`${print(filter.value)}\` holds a filter in the grammar of multichain, which callers would have to rewrite.`,
      );
    case "or": {
      if (filter.of.some((part) => part.kind === "and" && part.of.length === 0)) {
        throw new Unreadable("port/filter", "An empty filter in `_or` lets every row pass.");
      }
      const all = filter.of.map((part) => writeFilter(part, context));
      return objectNode([["or", listNode(all, undefined)]], undefined);
    }
    case "and":
      return writeAll(filter.of, context);
  }
}

/** Writes conditions into one object, unless two have one name or one is an "or", which needs its own object. */
function writeAll(of: readonly ReadFilter[], context: FilterContext): ObjectValueNode {
  const plain = new Map<string, ValueNode>();
  const others: ObjectValueNode[] = [];
  for (const part of of) {
    if (part.kind !== "test" && part.kind !== "related") {
      others.push(writeFilter(part, context));
      continue;
    }
    const [name, value] = writeCondition(part, context);
    if (plain.has(name)) others.push(objectNode([[name, value]], undefined));
    else plain.set(name, value);
  }
  if (others.length === 0) return objectNode(plain, undefined);
  const all = plain.size === 0 ? others : [objectNode(plain, undefined), ...others];
  return objectNode([["and", listNode(all, undefined)]], undefined);
}

function writeCondition(
  filter: Extract<ReadFilter, { kind: "related" | "test" }>,
  context: FilterContext,
): readonly [name: string, value: ValueNode] {
  if (filter.kind === "test") return writeTest(filter, context);
  const { field, of } = filter;
  const target = targetOf(context.entity, field, context.facts);
  const isColumn = context.entity.fields.get(field)?.kind === "column";
  if (isColumn && of.kind === "and" && of.of.length === 0) {
    throw new Unreadable(
      "port/filter",
      `The empty condition on \`${field}\` lets every row pass: leave it out.`,
    );
  }
  if (target === undefined) throw unknownField(field, context);
  const below = writeFilter(of, { ...context, entity: target });
  return [context.writer.filterName({ ...PLAIN, field, test: "related" }), below];
}

/** A column of an entity, or the id of a reference. */
function readColumn(
  column: string,
  context: FilterContext,
): { readonly name: string; readonly type: AuthoredType } {
  const { entity, reader } = context;
  const fieldFacts = entity.fields.get(column);
  if (fieldFacts?.kind === "column") return { name: column, type: fieldFacts.type };
  const reference = reader.readReference(column);
  const field = reference === null ? undefined : entity.fields.get(reference);
  if (reference !== null && field?.kind === "reference") return { name: reference, type: field.id };
  throw unknownField(column, context);
}

function unknownField(field: string, { entity }: FilterContext): Unreadable {
  return new Unreadable("port/field", `A filter on \`${field}\` of ${entity.name} has no form in subgraphs.`);
}

function writeTest(test: ReadTest, context: FilterContext): readonly [name: string, value: ValueNode] {
  const { name, type } = readColumn(test.column, context);
  if (test.test === "like") return writePattern(test, { name, type }, context);
  if (test.test === "null") {
    const value: ValueNode = { kind: Kind.NULL };
    // A null matches `_is_null: true`.
    return [
      context.writer.filterName({ ...PLAIN, field: name, test: "null", isNegated: test.isNegated }),
      value,
    ];
  }
  const value = writeValue(test.value, type, context);
  if (test.test === "has-all") {
    if (!type.isList)
      throw new Unreadable("port/operator", `\`_contains\` of \`${test.column}\` is not portable.`);
    return [context.writer.filterName({ ...PLAIN, field: name, test: "contains" }), value];
  }
  const { isNegated } = test;
  if (test.test === "in" && isNegated && value.kind === Kind.LIST && value.values.length === 0) {
    throw new Unreadable(
      "port/filter",
      `The empty list of \`${test.column}\` lets every row pass: leave it out.`,
    );
  }
  return [context.writer.filterName({ ...PLAIN, field: name, test: test.test, isNegated }), value];
}

function writePattern(
  { column, isNegated, ignoresCase, value }: ReadTest,
  { name, type }: { readonly name: string; readonly type: AuthoredType },
  context: FilterContext,
): readonly [name: string, value: ValueNode] {
  if (isOfBytes(type) && ignoresCase && (value.kind === Kind.VARIABLE || !hasWildcard(value))) {
    // Bytes only have digits in one case, so the same rows match.
    context.note(
      "port/bytes-case",
      `\`${column}\` holds bytes, which are compared in lower case instead of by \`_ilike\`.`,
    );
    const lower = value.kind === Kind.STRING ? stringNode(value.value.toLowerCase(), value.loc) : value;
    return [context.writer.filterName({ ...PLAIN, field: name, test: "equal", isNegated }), lower];
  }
  if (value.kind !== Kind.STRING) {
    throw new Unreadable(
      "port/pattern",
      `The pattern \`${print(value)}\` of \`${column}\` is given by the caller, with or without \`%\`: a portable operation has \`${name}_contains\`, which adds them.`,
    );
  }
  const [, before = "", text = "", after = ""] = /^(%?)(.*?)(%?)$/s.exec(value.value) ?? [];
  if (before === "" && after === "") {
    if (!ignoresCase && !hasWildcard(value)) {
      return [context.writer.filterName({ ...PLAIN, field: name, test: "equal", isNegated }), value];
    }
    throw new Unreadable(
      "port/pattern",
      `Subgraphs have no pattern like \`${value.value}\` of \`${column}\`.`,
    );
  }
  const isClear = !/^%|%$/.test(text);
  const test = !isClear || before + after === "%%" ? "contains" : before === "" ? "starts-with" : "ends-with";
  // A value that begins or ends with % is the whole pattern.
  const pattern = isClear ? text : value.value;
  return [
    context.writer.filterName({ ...PLAIN, field: name, test, isNegated, ignoresCase }),
    stringNode(pattern, value.loc),
  ];
}

function isOfBytes({ name, isIdWithBytes }: AuthoredType): boolean {
  return name === "Bytes" || isIdWithBytes;
}

function hasWildcard(value: ValueNode): boolean {
  return value.kind !== Kind.STRING || /[%_\\]/.test(value.value);
}

/** Writes a value as a literal of its type in subgraphs. */
export function writeValue(value: ValueNode, type: AuthoredType, context: FilterContext): ValueNode {
  if (value.kind === Kind.LIST) {
    return { ...value, values: value.values.map((item) => writeValue(item, type, context)) };
  }
  if (value.kind === Kind.NULL)
    throw new Unreadable("port/null", "A comparison with null matches no row: use `_is_null`.");
  if (value.kind !== Kind.STRING) return value;
  const { value: text } = value;
  if (type.isEnum) return { kind: Kind.ENUM, value: text, ...(value.loc && { loc: value.loc }) };
  if (isOfBytes(type) && text !== text.toLowerCase() && type.forms === null) {
    throw new Unreadable(
      "port/bytes-case",
      `Multichain indexers hold ${text} in lower case, so the original finds no rows: write it in lower case.`,
    );
  }
  if (type.name === "Int" && /^-?\d+$/.test(text)) return { kind: Kind.INT, value: text };
  if (type.name === "Boolean" && /^(true|false)$/.test(text))
    return { kind: Kind.BOOLEAN, value: text === "true" };
  return value;
}
