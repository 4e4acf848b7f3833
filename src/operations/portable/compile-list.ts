import { type ArgumentNode, type FieldNode, Kind, print, type ValueNode } from "graphql";
import { baseTypeName, isList, isRequired } from "../../dialects/api-schema.ts";
import { intNode, variableNode } from "../../dialects/make-node.ts";
import type { Condition } from "../../dialects/portable-style.ts";
import { compileFilter } from "./compile-filter.ts";
import { compileOrder, type RowList } from "./compile-order.ts";
import { compileId } from "./compile-value.ts";
import { type EntityFacts, type Facts, hasBothStyles, servesOneChain } from "./read-entities.ts";
import type { Scope } from "./scope.ts";

/** Compiles the arguments of a list: its size, its order and, at the root, its chains; null if they are refused. */
export function compileList(node: FieldNode, list: RowList, scope: Scope): readonly ArgumentNode[] | null {
  const { entity, isNested } = list;
  const { grammar } = scope.facts.authored;
  const args = grammar.readArguments(node);
  refuseOthers(args.others, scope);
  const [size, skipped] = [withValue(args.first), withValue(args.skip)];
  if (size === null) scope.apply("default-limit", node);
  const first =
    size === null
      ? intNode(grammar.limits.rows, (args.first ?? node).loc)
      : compileCount(size, "first", scope);
  const skip = skipped === null ? null : (compileCount(skipped, "skip", scope) ?? undefined);
  const order = compileOrder({ ...args, loc: node.loc }, list, scope);
  const filter = compileWholeFilter(withValue(args.filter), entity, scope);
  const chains = isNested ? null : compileChains(node, entity, scope);
  if (first === null || skip === undefined || order === null || filter === undefined) return null;
  if (chains === undefined) return null;
  return scope.facts.written.writer.writeList({
    first,
    skip,
    order,
    filter: joinFilters(chains, filter, scope),
  });
}

/** Null counts as no argument. */
function withValue(argument: ArgumentNode | null): ArgumentNode | null {
  return argument?.value.kind === Kind.NULL ? null : argument;
}

/** Compiles the arguments of a lookup by id; null if they are refused. */
export function compileLookup(
  node: FieldNode,
  { entity, takesChain }: { readonly entity: EntityFacts; readonly takesChain: boolean },
  scope: Scope,
): readonly ArgumentNode[] | null {
  const { written, authored } = scope.facts;
  const args = authored.grammar.readArguments(node);
  refuseOthers(args.others, scope);
  const id = entity.fields.get("id");
  const writtenType = written.field(entity.name, "id")?.type;
  if (args.id === null || id?.kind !== "column" || writtenType === undefined) return null;
  const isSame = written.writer.fit(id.type, writtenType.replace("!", "")).conditions;
  if (!isSame && hasBothStyles(scope.facts)) {
    return scope.refuse("portable/type-differs", [`${entity.name}.id`, id.authoredType, writtenType], node);
  }
  scope.apply("lookup", node);
  const value = compileId(args.id.value, { type: id.type, writtenType }, scope);
  if (value === null) return null;
  const chain = takesChain
    ? scope.use(variableNode(CHAINS, node.loc), { treatment: { kind: "chain" } })
    : null;
  return written.writer.writeLookup(value, chain);
}

/** The variable that the compiler adds for the requested chains. */
export const CHAINS = "chainIds";

function refuseOthers(others: readonly ArgumentNode[], scope: Scope): void {
  for (const other of others) scope.refuse("portable/argument", [other.name.value], other);
}

/** Compiles the size of a list or the number of skipped rows; null if it is refused. */
function compileCount({ value }: ArgumentNode, kind: "first" | "skip", scope: Scope): ValueNode | null {
  const { mostRows, mostSkipped } = scope.facts.authored.grammar.limits;
  const [code, least, most] =
    kind === "first"
      ? (["portable/first-range", 1, mostRows] as const)
      : (["portable/skip-range", 0, mostSkipped] as const);
  const requireRange = (count: ValueNode): ValueNode | null => {
    if (count.kind !== Kind.INT) return null;
    const number = Number(count.value);
    if (number >= least && number <= most) return count;
    return scope.refuse(code, [print(count), most], count);
  };
  return value.kind === Kind.VARIABLE
    ? scope.use(value, { treatment: { kind }, compileDefault: requireRange })
    : requireRange(value);
}

/** Returns null if the list has no filter, undefined if the filter is refused. */
function compileWholeFilter(
  argument: ArgumentNode | null,
  entity: EntityFacts,
  scope: Scope,
): Condition | null | undefined {
  if (argument === null) return null;
  const { value } = argument;
  // A filter variable without a value means no filter.
  const noteOptional: Scope["use"] = (variable, use) => scope.use(variable, { ...use, ifNull: "same" });
  const whole = value.kind === Kind.VARIABLE ? { ...scope, use: noteOptional } : scope;
  return compileFilter(value, { entity, isChild: false, scope: whole }) ?? undefined;
}

/** Returns null if the protocol has one chain, undefined if the list is refused. */
function compileChains(node: FieldNode, entity: EntityFacts, scope: Scope): Condition | null | undefined {
  const path = findChainPath(entity.name, scope.facts);
  if (path === null) {
    if (servesOneChain(scope.facts)) return null;
    const fix = `say it in the protocol's definition: \`chainPath: { ${entity.name}: "…" }\` names the field that leads on.`;
    scope.refuse("portable/no-chain-path", [entity.name], { ...node, fix });
    return undefined;
  }
  scope.apply("chain-scope", node);
  const { loc } = node;
  const value = scope.use(variableNode(CHAINS, loc), { treatment: { kind: "chains" } });
  const column = { name: CHAIN_FIELD, isReference: false };
  const test: Condition = { kind: "test", column, test: "in", isNegated: false, value, loc };
  return path.reduceRight<Condition>((of, field) => ({ kind: "related", field, of, loc }), test);
}

function joinFilters(chains: Condition | null, filter: Condition | null, scope: Scope): ValueNode | null {
  const { writer } = scope.facts.written;
  const both = [chains, filter].filter((condition) => condition !== null);
  const [only] = both;
  if (only === undefined) return null;
  if (both.length > 1) return writer.writeCondition({ kind: "and", of: both, loc: only.loc });
  return only.kind === "given" ? only.value : writer.writeCondition(only);
}

/** The field that contains the chain of a row. */
export const CHAIN_FIELD = "chainId";

/**
 * Finds the relations from an entity to one with the field of the chain that lose no row: required references, and those
 * that the protocol's definition names. Null without such a path.
 */
export function findChainPath(entity: string, facts: Facts): readonly string[] | null {
  return hasChain(entity, facts) ? [] : (followDefinition(entity, facts) ?? findRequired(entity, facts));
}

function hasChain(entity: string, { written }: Facts): boolean {
  const field = written.field(entity, CHAIN_FIELD);
  return field !== undefined && !isList(field.type);
}

function followDefinition(entity: string, facts: Facts): readonly string[] | null {
  const { chainPath } = facts.definition;
  const path: string[] = [];
  const seen = new Set<string>();
  let current = entity;
  while (!hasChain(current, facts)) {
    if (seen.has(current)) return null;
    seen.add(current);
    const name = Object.hasOwn(chainPath, current) ? chainPath[current] : undefined;
    const step = name === undefined ? undefined : facts.written.field(current, name);
    if (step === undefined) {
      // After the path of the definition, required references may continue.
      const rest = path.length === 0 ? null : findRequired(current, facts);
      return rest === null ? null : [...path, ...rest];
    }
    path.push(step.name);
    current = baseTypeName(step.type);
  }
  return path;
}

/** Finds the shortest path over required references. */
function findRequired(entity: string, facts: Facts): readonly string[] | null {
  const seen = new Set([entity]);
  let ways: readonly (readonly [entity: string, path: readonly string[]])[] = [[entity, []]];
  while (ways.length > 0) {
    const way = ways.find(([name]) => hasChain(name, facts));
    if (way !== undefined) return way[1];
    ways = ways.flatMap(([name, path]) =>
      requiredReferences(name, facts).flatMap(([field, target]) => {
        if (seen.has(target)) return [];
        seen.add(target);
        return [[target, [...path, field]] as const];
      }),
    );
  }
  return null;
}

function requiredReferences(
  entity: string,
  { written }: Facts,
): (readonly [field: string, target: string])[] {
  return written.authoredFields(entity).flatMap(({ name, type, derived }) => {
    const isReference = !derived && !isList(type) && written.field(baseTypeName(type), "id") !== undefined;
    return isReference && isRequired(type) ? [[name, baseTypeName(type)] as const] : [];
  });
}
