import { Kind, type ObjectFieldNode, type ValueNode } from "graphql";
import { buildFileFinding } from "../../report/build-file-finding.ts";
import { argumentValue } from "../../schema/argument-value.ts";
import type { ListArgument } from "../../styles/style.ts";
import { at, type FoundAt, type Scope } from "./pitfall-scope.ts";
import type { ListField } from "./read-definition.ts";

/** Finds what goes wrong with how many rows a list answers, and with which of them come first. */
export function findListPitfalls({ node, row }: ListField, scope: Scope): FoundAt[] {
  const { pitfalls, protocol, owner } = scope;
  const size = readNumber(argumentValue(node, pitfalls.size.name), scope);
  const skip = readNumber(argumentValue(node, pitfalls.skip.name), scope);
  const found: FoundAt[] = [
    ...findOutside(size, pitfalls.size, "operation/first-range", scope),
    ...findOutside(skip, pitfalls.skip, "operation/skip-range", scope),
  ];
  const filter = collectEntries(argumentValue(node, "where"), pitfalls.conjunction);
  const cursor = Object.hasOwn(protocol.cursors, row) ? protocol.cursors[row] : undefined;
  const cursors = cursor === undefined ? ["id"] : [cursor, "id"];
  const key = (node.alias ?? node.name).value;

  const isSmall = pitfalls.ownTypes.has(row) || protocol.identity.chain?.entity === row;
  if (size.kind === "none" && !isSmall && !namesRows(filter, cursors, scope)) {
    const { name, unsaid, range } = pitfalls.size;
    const example = range?.most ?? MANY;
    const fix =
      size.variable === null
        ? `write "${name}", as in \`${name}: ${example}\`, and ask for the next page while a page is full.`
        : `declare it \`$${size.variable}: Int! = ${example}\`, and ask for the next page while a page is full.`;
    const finding = buildFileFinding("operation/no-page-size", [key, unsaid, size.variable], {
      ...at(owner, node),
      fix,
    });
    found.push([node, finding]);
  }

  const skipped = argumentValue(node, pitfalls.skip.name);
  if (skipped?.kind !== Kind.VARIABLE) return found;
  const order = pitfalls.orderOf(node);
  const [first] = order ?? [];
  // Pages in an order that no cursor has may be meant; so large ones are of somebody who wants all rows.
  const isWalk =
    (order !== null && (first === undefined || cursors.includes(first))) ||
    (size.kind === "number" && size.value >= MANY);
  const hasCursor = filter.some((entry) =>
    cursors.some((column) => pitfalls.operandOf(entry, column, "order") !== null),
  );
  if (isWalk && !hasCursor) {
    const by = first !== undefined && cursors.includes(first) ? first : (cursors[0] ?? "id");
    const { range } = pitfalls.skip;
    const limit = range === null ? "" : `, and ${range.by} refuses more than ${range.most}`;
    const finding = buildFileFinding("operation/skip-walk", [key, skipped.name.value, by], {
      ...at(owner, skipped),
      fix: `order by "${by}", and go on with \`where: { ${pitfalls.writeAfter(by)} }\`: every row that is skipped is read${limit}.`,
    });
    found.push([skipped, finding]);
  }
  return found;
}

/** As many rows as one page may have: the most that graph-node answers, and what hosted row caps were seen to be. */
const MANY = 1000;

/** What an argument is worth: nothing, a number, or what callers give. */
type Given =
  | { readonly kind: "none"; readonly variable: string | null }
  | {
      readonly kind: "number";
      readonly value: number;
      readonly node: ValueNode;
      readonly variable: string | null;
    }
  | { readonly kind: "callers" };

function readNumber(value: ValueNode | null, { variables }: Scope): Given {
  if (value?.kind === Kind.INT)
    return { kind: "number", value: Number(value.value), node: value, variable: null };
  if (value?.kind !== Kind.VARIABLE) return { kind: "none", variable: null };
  const variable = value.name.value;
  const { type, defaultValue } = variables.get(variable) ?? {};
  if (defaultValue?.kind === Kind.INT) {
    return { kind: "number", value: Number(defaultValue.value), node: defaultValue, variable };
  }
  return type?.kind === Kind.NON_NULL_TYPE ? { kind: "callers" } : { kind: "none", variable };
}

function findOutside(
  given: Given,
  { name, range }: ListArgument,
  code: "operation/first-range" | "operation/skip-range",
  { owner, operation }: Scope,
): FoundAt[] {
  if (given.kind !== "number" || range === null) return [];
  const { value, variable, node } = given;
  if (value >= range.least && value <= range.most) return [];
  const place = at(variable === null ? owner : operation, node);
  return [[node, buildFileFinding(code, [name, value, range, variable], place)]];
}

/** The entries of a filter that is written out, of which all have to hold. */
function collectEntries(filter: ValueNode | null, conjunction: string): ObjectFieldNode[] {
  if (filter?.kind === Kind.LIST) return filter.values.flatMap((one) => collectEntries(one, conjunction));
  if (filter?.kind !== Kind.OBJECT) return [];
  return filter.fields.flatMap((entry) =>
    entry.name.value === conjunction ? collectEntries(entry.value, conjunction) : [entry],
  );
}

/** Whether a filter names the rows it wants, so that there are no more of them than a page has. */
function namesRows(
  filter: readonly ObjectFieldNode[],
  columns: readonly string[],
  { pitfalls }: Scope,
): boolean {
  const { operandOf, size } = pitfalls;
  return filter.some((entry) =>
    columns.some((column) => {
      const one = operandOf(entry, column, "equal");
      if (one !== null && one.kind !== Kind.NULL) return true;
      const some = operandOf(entry, column, "in");
      if (some === null) return false;
      return size.unsaid === null || (some.kind === Kind.LIST && some.values.length <= size.unsaid);
    }),
  );
}
