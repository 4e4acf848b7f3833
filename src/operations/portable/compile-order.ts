import { type ArgumentNode, type EnumValueNode, Kind, type ValueNode, type VariableNode } from "graphql";
import { baseTypeName, isList } from "../../dialects/api-schema.ts";
import { isOrdered } from "../../dialects/id-forms.ts";
import { enumNode, type NodeLocation } from "../../dialects/make-node.ts";
import type { AuthoredArguments, OrderTerm } from "../../dialects/portable-style.ts";
import { type EntityFacts, type Facts, type FieldFacts, hasBothStyles } from "./read-entities.ts";
import type { Scope } from "./scope.ts";

/** A list of rows of an entity. */
export type RowList = { readonly entity: EntityFacts; readonly isNested: boolean };

/**
 * Compiles the order of a list, without equal rows; null if it is refused.
 *
 * @param loc the place of the list, for generated nodes.
 */
export function compileOrder(
  { order, direction, loc }: Pick<AuthoredArguments, "order" | "direction"> & { readonly loc: NodeLocation },
  list: RowList,
  scope: Scope,
): ValueNode | null {
  // Without an order, rows are sorted by id.
  if ((order === null || order.value.kind !== Kind.ENUM) && !hasIdOrder(list.entity)) {
    return scope.refuse("portable/order", [list.entity.name, "id", ID_ORDER], { loc });
  }
  if (order === null || order.value.kind === Kind.NULL) {
    if (direction !== null && direction.value.kind !== Kind.NULL)
      scope.refuse("portable/direction-without-order", [], direction);
    scope.apply("id-order", { loc });
    return writeDefaultOrder({ value: null, direction: "asc", loc }, list, scope.facts);
  }
  const { value } = order;
  if (value.kind === Kind.VARIABLE) return noteOrder({ variable: value, direction }, list, scope);
  if (value.kind !== Kind.ENUM) return null;
  const path = readOrderPath(value.value, list, scope.facts);
  if (!Array.isArray(path)) return refusePath(path, { entity: list.entity, node: value }, scope);
  if (path[0] !== "id") scope.apply("id-tie-break", value);
  const terms = orderTerms(path, compileDirection(direction, value.loc, scope), value.loc);
  return scope.facts.written.writer.writeOrder(terms, loc);
}

/** Returns the columns that order rows: the named one, then the id for equal rows. */
function orderTerms(path: readonly string[], direction: () => ValueNode, loc: NodeLocation): OrderTerm[] {
  const paths = path[0] === "id" ? [path] : [path, ["id"]];
  return paths.map((path) => ({ path, direction: direction(), loc }));
}

function compileDirection(direction: ArgumentNode | null, loc: NodeLocation, scope: Scope): () => ValueNode {
  const value = direction?.value;
  if (value?.kind === Kind.VARIABLE) return () => scope.use(value, { treatment: { kind: "direction" } });
  const word = directionOf(value);
  return () => enumNode(word, value?.loc ?? loc);
}

/** Returns the direction of a value, which is ascending by default. */
export function directionOf(value: ValueNode | null | undefined): "asc" | "desc" {
  return value?.kind === Kind.ENUM && value.value === "desc" ? "desc" : "asc";
}

function noteOrder(
  { variable, direction }: { readonly variable: VariableNode; readonly direction: ArgumentNode | null },
  list: RowList,
  scope: Scope,
): VariableNode {
  const { entity, isNested } = list;
  scope.apply("order-variable", variable);
  const node = direction?.value;
  return scope.use(variable, {
    treatment: {
      kind: "order",
      entity: entity.name,
      isNested,
      direction: node?.kind === Kind.VARIABLE ? node : directionOf(node),
    },
    // The default includes the direction, which is only known when the variables are planned.
    compileDefault: (value) => {
      if (value.kind !== Kind.ENUM) return null;
      const path = readOrderPath(value.value, list, scope.facts);
      return Array.isArray(path) ? value : refusePath(path, { entity: list.entity, node: value }, scope);
    },
  });
}

/** Writes the default of an order, in the direction of its list. Rows are sorted by id without a value. */
export function writeDefaultOrder(
  {
    value,
    direction,
    loc,
  }: {
    readonly value: ValueNode | null;
    readonly direction: "asc" | "desc";
    readonly loc: NodeLocation;
  },
  list: RowList,
  facts: Facts,
): ValueNode {
  const path = value?.kind === Kind.ENUM ? readOrderPath(value.value, list, facts) : ["id"];
  // Without an order the direction is ignored.
  const word = value?.kind === Kind.ENUM ? direction : "asc";
  const terms = orderTerms(Array.isArray(path) ? path : ["id"], () => enumNode(word, loc), loc);
  return facts.written.writer.writeOrder(terms, loc);
}

/** Why rows cannot be ordered by a path. */
type OrderRefusal =
  | { readonly code: "portable/order"; readonly reason: string }
  | { readonly code: "portable/not-in-multichain"; readonly coordinate: string };

/** Returns the path of the column that a name orders rows by, or why it is not portable. */
export function readOrderPath(
  name: string,
  { entity, isNested }: RowList,
  facts: Facts,
): string[] | OrderRefusal {
  const refuse = (reason: string): OrderRefusal => ({ code: "portable/order", reason });
  const { field: first, child } = facts.authored.grammar.readOrder(name);
  if (child === null) return columnPath(entity.fields.get(name), entity, facts);
  if (entity.fields.has(name)) return refuse("a name with `__` is read as a field of another entity");
  const field = entity.fields.get(first);
  if (field?.kind !== "reference") return refuse(`${first} is not a reference`);
  if (isNested) return refuse("a nested list cannot be ordered by a field of a reference");
  if (!field.isStored) return refuse(`${first} is stored in the other entity`);
  const target = facts.entity(field.target);
  if (target === undefined || target.isInterface) return refuse(`${field.target} is an interface`);
  if (child === "id") return refuse("rows that refer to the same entity would have no defined order");
  if (field.writtenType === null || isList(field.writtenType)) {
    return { code: "portable/not-in-multichain", coordinate: `${entity.name}.${first}` };
  }
  const path = columnPath(target.fields.get(child), target, facts);
  return Array.isArray(path) ? [first, ...path] : path;
}

function columnPath(
  field: FieldFacts | undefined,
  entity: EntityFacts,
  facts: Facts,
): string[] | OrderRefusal {
  const refuse = (reason: string): OrderRefusal => ({ code: "portable/order", reason });
  if (field === undefined) return refuse("the column does not exist");
  if (field.kind === "reference") return refuse("it is a reference");
  if (field.kind === "list" || field.type.isList) return refuse("it is a list");
  if (field.type.isEnum) return refuse("it is an enum");
  if (field.name === "id" && !hasIdOrder(entity)) return refuse(ID_ORDER);
  if (field.writtenType === null) {
    return { code: "portable/not-in-multichain", coordinate: `${entity.name}.${field.name}` };
  }
  const isSame = facts.written.writer.fit(field.type, baseTypeName(field.writtenType)).conditions;
  return isSame || !hasBothStyles(facts)
    ? [field.name]
    : refuse(`it is \`${field.authoredType}\` in one style and \`${field.writtenType}\` in the other`);
}

const ID_ORDER = "its ids have another order in each style";

/** Whether rows have one order by their ids in both styles. */
function hasIdOrder({ fields }: EntityFacts): boolean {
  const id = fields.get("id");
  return id?.kind !== "column" || id.type.forms === null || isOrdered(id.type.forms);
}

function refusePath(
  refusal: OrderRefusal,
  { entity, node }: { readonly entity: EntityFacts; readonly node: EnumValueNode },
  scope: Scope,
): null {
  return refusal.code === "portable/order"
    ? scope.refuse(refusal.code, [entity.name, node.value, refusal.reason], node)
    : scope.refuse(refusal.code, [refusal.coordinate, scope.facts.written.style], node);
}
