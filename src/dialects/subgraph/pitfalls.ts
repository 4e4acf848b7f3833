import { type ASTNode, Kind } from "graphql";
import { namedTypeNode, wrapSelection } from "../make-node.ts";
import { typeExpression } from "../parse-sdl.ts";
import type { Comparison, Misreading, Pitfalls, Surroundings } from "../pitfalls.ts";
import { argumentValue } from "../values.ts";
import { readFilterName, SUBGRAPH_LIMITS } from "./portable.ts";

/** The pitfalls of graph-node. */
export const SUBGRAPH_PITFALLS: Pitfalls = {
  size: {
    name: "first",
    range: { least: 1, most: SUBGRAPH_LIMITS.mostRows, by: "graph-node" },
    unsaid: SUBGRAPH_LIMITS.rows,
  },
  // graph-node has no default limit, but hosted nodes have this one.
  skip: { name: "skip", range: { least: 0, most: SUBGRAPH_LIMITS.mostSkipped, by: "a hosted graph-node" } },
  ownTypes: new Set(["_Meta_"]),
  orderOf: (list) => {
    const order = argumentValue(list, "orderBy");
    if (order === null) return [];
    return order.kind === Kind.ENUM ? [order.value] : null;
  },
  conjunction: "and",
  operandOf: ({ name, value }, column, comparison) =>
    SUFFIXES[comparison].some((suffix) => name.value === column + suffix) ? value : null,
  writeAfter: (cursor) => `${cursor}_gt: $after`,
  exclusion: { isOperator: (key) => key.endsWith("_not_in"), ofNothing: "no row" },
  // Addresses are bytes here. Ids may be text or bytes, but the type of their variables is `ID` for both.
  comparesCase: () => false,
  writeBytes: () => null,
  misread,
  withoutValue: (object, member) => {
    if (object.endsWith("_filter")) return REFUSES_NULL.test(member) ? "refuses" : "compares";
    return object === "Block_height" || object === "BlockChangedFilter" ? "refuses" : null;
  },
  failsForNothing: true,
};

/** The members of filters that take no null. The others compare for equality. */
const REFUSES_NULL = /_$|_([gl]te?|in|(contains|starts_with|ends_with)(_nocase)?|change_block)$|^(and|or)$/;

function misread(part: ASTNode, { parent, conditionOf, input, hasField }: Surroundings): Misreading | null {
  switch (part.kind) {
    case Kind.FRAGMENT_SPREAD: {
      const condition = conditionOf(part.name.value);
      const [directive] = part.directives ?? [];
      if (!condition || !directive) return null;
      const message = `graph-node ignores \`@${directive.name.value}\` of a spread.`;
      return { message, corrected: wrapSelection(part, condition) };
    }
    case Kind.FIELD: {
      const [directive] = part.directives ?? [];
      if (part.name.value === "__typename" && directive && parent !== null) {
        const message = `graph-node ignores \`@${directive.name.value}\` of \`__typename\`.`;
        return { message, corrected: wrapSelection(part, namedTypeNode(parent, part.loc)) };
      }
      const order = argumentValue(part, "orderBy");
      if (order !== null || argumentValue(part, "orderDirection") === null) return null;
      return {
        message: "graph-node ignores `orderDirection` without `orderBy`: rows are ordered by id, ascending.",
        fix: "add `orderBy`, or remove `orderDirection`.",
      };
    }
    case Kind.OBJECT: {
      const words = new Set(part.fields.map(({ name }) => name.value));
      if (words.size !== 2 || !words.has("and") || !words.has("or")) return null;
      return {
        message: "graph-node reads `or` beside `and` as `and`: all conditions of both must hold.",
        fix: "write `and: [{ or: […] }, …]`.",
      };
    }
    case Kind.OBJECT_FIELD: {
      const key = part.name.value;
      const entity = /^(.+)_filter$/.exec(input ?? "")?.[1];
      if (entity === undefined || key === "and" || key === "or") return null;
      const column = readColumn(key);
      const others = readFilterName(key).filter(({ field }) => field !== column && hasField(entity, field));
      if (others.length === 0) return null;
      return {
        message: `graph-node reads \`${key}\` as a condition on \`${column}\`, not on \`${others[0]?.field}\`.`,
        fix: `if \`${others[0]?.field}\` is meant, filter the rows of the answer, or rename the field in the entity schema.`,
      };
    }
    case Kind.VARIABLE_DEFINITION: {
      const { type, defaultValue } = part;
      if (type.kind !== Kind.LIST_TYPE || !defaultValue || defaultValue.kind === Kind.NULL) return null;
      const message = `A graph-node that validates operations refuses \`${typeExpression(type)}\` with a default.`;
      return { message, corrected: { ...part, type: { kind: Kind.NON_NULL_TYPE, type } } };
    }
    default:
      return null;
  }
}

/** Returns the field that graph-node reads in the key of a filter: it strips the longest suffix, as often as it is there. */
function readColumn(key: string): string {
  const [shortest = key] = readFilterName(key)
    .map(({ field }) => field)
    .sort((a, b) => a.length - b.length);
  const suffix = key.slice(shortest.length);
  let column = shortest;
  while (suffix !== "" && column.endsWith(suffix)) column = column.slice(0, -suffix.length);
  return column;
}

const SUFFIXES: Readonly<Record<Comparison, readonly string[]>> = {
  equal: [""],
  in: ["_in"],
  order: ["_gt", "_gte", "_lt", "_lte"],
};
