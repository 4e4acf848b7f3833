import { type FieldNode, Kind, print, type SelectionSetNode, type ValueNode } from "graphql";
import { compareCodeUnits } from "../base/collections.ts";
import { type ReadFilter, type ReadOrder, type ReadTest, Unreadable } from "../dialects/foreign-query.ts";
import { type Conditional, collectFields } from "../operations/collect-fields.ts";
import { CHAIN_FIELD, findChainPath } from "../operations/portable/compile-list.ts";
import type { EntityFacts, Facts } from "../operations/portable/read-entities.ts";
import { type Definitions, targetOf } from "./port-types.ts";
import { findUniqueColumn, splitChain } from "./split-chain.ts";
import { queryGrammar, rootsOf } from "./translate.ts";
import { flatten } from "./translate-filter.ts";

/** The question of a multichain operation: its parts in a form that is equal for equal questions. */
export type Question = {
  /** A text for each part, by its path: `streams.where`, `streams.asset.symbol`. */
  readonly parts: ReadonlyMap<string, string>;
  /** The defaults of variables; that of a size without one is the row cap. */
  readonly defaults: ReadonlyMap<string, string>;
  /** The entities of the root fields, in their order. */
  readonly roots: readonly string[];
  /** The paths of the root fields by their keys in an answer. */
  readonly keys: ReadonlyMap<string, string>;
  /** The text of the chain in its filters; null for all chains. */
  readonly chain: string | null;
};

/** Reads the question of a multichain operation, which must be valid. */
export function readQuestion({ node, fragments }: Definitions, facts: Facts): Question {
  const { reader } = queryGrammar();
  const parts = new Map<string, string>();
  const roots: string[] = [];
  const keys = new Map<string, string>();
  const sizes = new Set<string>();
  const directions = new Set<string>();
  let chain: string | null = null;
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  const collect = (sets: readonly Conditional<SelectionSetNode>[]) =>
    collectFields(sets, { findFragment: (name) => byName.get(name) });

  const fields = [...collect([{ node: node.selectionSet, conditions: [] }])];
  const rootNames = fields.map(([key, [first]]) => {
    const { entity, kind } = reader.readRoot(first?.node.name.value ?? "");
    return { key, name: rootsOf(facts).get(entity)?.[kind] ?? key };
  });
  for (const [index, [key, places]] of fields.entries()) {
    const { name = key } = rootNames[index] ?? {};
    // The key is only used if several fields have the same name.
    const path = rootNames.filter((rootName) => rootName.name === name).length === 1 ? name : key;
    keys.set(key, path);
    readPlaces(path, places, null);
  }
  return { parts, defaults: readDefaults(), roots, keys, chain };

  function readPlaces(
    path: string,
    places: readonly Conditional<FieldNode>[],
    parent: EntityFacts | null,
  ): void {
    const [first] = places;
    if (first === undefined) return;
    const { node: field } = first;
    const name = field.name.value;
    const conditions = places.map((place) =>
      place.conditions.map(({ variable, is }) => `${is ? "" : "not "}$${variable}`),
    );
    const isAlways = conditions.some((some) => some.length === 0);
    const all = conditions.map((some) => some.join(" and ")).sort();
    const when = isAlways ? "" : ` if ${all.join(" or ")}`;
    const sets = places.flatMap(({ node: { selectionSet }, conditions: outer }) =>
      selectionSet === undefined ? [] : [{ node: selectionSet, conditions: isAlways ? [] : outer }],
    );
    if (parent === null) {
      const { entity, kind } = reader.readRoot(name);
      roots.push(entity);
      parts.set(path, `${kind === "list" ? "rows of" : "the row of"} ${entity}${when}`);
      readArguments(path, field, { entity: facts.entity(entity), kind: kind === "list" ? "root" : "lookup" });
      readBelow(path, sets, facts.entity(entity));
      return;
    }
    parts.set(path, `${name}${when}`);
    const target = targetOf(parent, name, facts);
    if (parent.fields.get(name)?.kind === "list")
      readArguments(path, field, { entity: target, kind: "nested" });
    readBelow(path, sets, target);
  }

  function readBelow(
    path: string,
    sets: readonly Conditional<SelectionSetNode>[],
    entity: EntityFacts | undefined,
  ): void {
    for (const [key, places] of collect(sets)) {
      if (entity === undefined)
        parts.set(`${path}.${key}`, places.map((place) => print(place.node)).join(" "));
      else readPlaces(`${path}.${key}`, places, entity);
    }
  }

  function readArguments(
    path: string,
    field: FieldNode,
    {
      entity,
      kind,
    }: { readonly entity: EntityFacts | undefined; readonly kind: "root" | "lookup" | "nested" },
  ): void {
    const args = reader.readArguments(field);
    for (const other of args.others) parts.set(`${path}.${other.name.value}`, print(other.value));
    if (kind === "lookup") {
      parts.set(`${path}.id`, args.id === null ? "" : plain(args.id));
      if (args.chain !== null) chain = plain(args.chain);
      return;
    }
    const { where, isOfOneChain } = readWhere(args.filter, entity, kind === "root");
    parts.set(`${path}.where`, where);
    const { distinct } = args;
    if (distinct !== null && !(entity && findUniqueColumn(distinct, entity, { facts, isOfOneChain })))
      parts.set(`${path}.distinct_on`, print(distinct));
    parts.set(`${path}.orderBy`, orderText(args.order));
    parts.set(`${path}.first`, args.first === null ? String(reader.rowCap) : plain(args.first));
    if (args.skip !== null) parts.set(`${path}.skip`, plain(args.skip));
    if (args.first?.kind === Kind.VARIABLE) sizes.add(args.first.name.value);
  }

  /** Describes a filter, and removes its condition on the chain. */
  function readWhere(
    value: ValueNode | null,
    entity: EntityFacts | undefined,
    isRoot: boolean,
  ): { readonly where: string; readonly isOfOneChain: boolean } {
    if (value === null) return { where: "", isOfOneChain: !isRoot };
    try {
      const filter = reader.readFilter(value);
      const describe = (part: ReadFilter) => describeFilter(flatten(part), entity, facts).text;
      if (!isRoot || entity === undefined) return { where: describe(filter), isOfOneChain: !isRoot };
      const split = splitChain(filter, findChainPath(entity.name, facts) ?? [CHAIN_FIELD]);
      if (split.chain !== null) chain = plain(split.chain);
      return { where: describe(split.rest), isOfOneChain: split.isOne };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return { where: print(value), isOfOneChain: false };
    }
  }

  function orderText(value: ValueNode | null): string {
    if (value === null) return "id asc";
    try {
      const terms = reader.readOrder(value);
      for (const { direction } of terms)
        if (direction.kind === Kind.VARIABLE) directions.add(direction.name.value);
      return describeOrder(terms);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return print(value);
    }
  }

  function readDefaults(): ReadonlyMap<string, string> {
    const texts = (node.variableDefinitions ?? []).map(({ variable, defaultValue, type }) => {
      const name = variable.name.value;
      if (defaultValue !== undefined && defaultValue.kind !== Kind.NULL) {
        // The compiler gives an optional filter an empty default.
        return [name, plain(defaultValue).replaceAll(/"|^\{\}$/g, "")] as const;
      }
      const usual = sizes.has(name) ? String(reader.rowCap) : directions.has(name) ? "asc" : "";
      return [name, type.kind === Kind.NON_NULL_TYPE ? "" : usual] as const;
    });
    return new Map(texts);
  }
}

/** A value without the quotes of numbers. */
function plain(value: ValueNode): string {
  if (value.kind === Kind.LIST) return `[${value.values.map(plain).join(", ")}]`;
  return value.kind === Kind.STRING && /^-?\d+$/.test(value.value) ? value.value : print(value);
}

/** A value of a filter. In multichain, enum values are text. */
function plainMember(value: ValueNode): string {
  if (value.kind === Kind.LIST) return `[${value.values.map(plainMember).join(", ")}]`;
  return value.kind === Kind.ENUM ? JSON.stringify(value.value) : plain(value);
}

/** Equal rows are sorted by id, in the same direction. Columns after the id have no effect. */
function describeOrder(terms: readonly ReadOrder[]): string {
  const end = terms.findIndex(({ path }) => path.join() === "id");
  const counted = terms.slice(0, end < 0 ? undefined : end + 1);
  const last = counted.at(-1);
  if (last === undefined) return "id asc";
  const texts = counted.map(({ path, direction }) =>
    path.length === 0 ? plain(direction) : `${path.join(".")} ${plain(direction)}`,
  );
  const isComplete = end >= 0 || counted.some(({ path }) => path.length === 0);
  return [...texts, ...(isComplete ? [] : [`id ${plain(last.direction)}`])].join(", ");
}

type Described = { readonly text: string; readonly isJoined: boolean };

/** Describes a filter, with its conditions in one order. */
function describeFilter(filter: ReadFilter, entity: EntityFacts | undefined, facts: Facts): Described {
  switch (filter.kind) {
    case "given":
      return { text: print(filter.value), isJoined: false };
    case "test":
      return { text: describeTest(filter, entity), isJoined: false };
    case "related": {
      const target = targetOf(entity, filter.field, facts);
      return { text: `${filter.field} (${describeFilter(filter.of, target, facts).text})`, isJoined: false };
    }
    default: {
      const parts = filter.of
        .map((part) => describeFilter(part, entity, facts))
        .filter(({ text }) => text !== "" || filter.kind === "or");
      const [only] = parts;
      if (parts.length === 1 && only !== undefined) return only;
      if (parts.length === 0) return { text: filter.kind === "or" ? "nothing" : "", isJoined: false };
      const texts = [...new Set(parts.map(({ text, isJoined }) => (isJoined ? `(${text})` : text)))];
      // The order does not depend on names of variables.
      const keyOf = (text: string) => text.replaceAll(/\$\w+/g, "$");
      texts.sort((a, b) => compareCodeUnits(keyOf(a), keyOf(b)));
      return { text: texts.join(` ${filter.kind} `), isJoined: true };
    }
  }
}

const WORDS: Readonly<Record<ReadTest["test"], readonly [plain: string, negated: string]>> = {
  equal: ["=", "≠"],
  greater: [">", "≤"],
  "greater-or-equal": ["≥", "<"],
  less: ["<", "≥"],
  "less-or-equal": ["≤", ">"],
  in: ["in", "not in"],
  like: ["like", "not like"],
  "has-all": ["has all of", "lacks some of"],
  null: ["is null", "is not null"],
};

function describeTest(
  { column, test, isNegated, ignoresCase, value }: ReadTest,
  entity: EntityFacts | undefined,
): string {
  const field = entity?.fields.get(column);
  const isBytes = field?.kind === "column" && (field.type.name === "Bytes" || field.type.isIdWithBytes);
  const hasWildcard = value.kind === Kind.STRING && /[%_\\]/.test(value.value);
  // Bytes have one case, so a pattern without wildcards is an equality.
  const isEquality =
    test === "like" && !hasWildcard && (isBytes ? true : value.kind === Kind.STRING && !ignoresCase);
  const word = WORDS[isEquality ? "equal" : test][isNegated ? 1 : 0];
  if (test === "null") return `${column} ${word}`;
  const text = plainMember(value);
  const shown = isEquality && isBytes && value.kind === Kind.STRING ? text.toLowerCase() : text;
  return `${column} ${word}${!isEquality && ignoresCase ? " (any case)" : ""} ${shown}`;
}
