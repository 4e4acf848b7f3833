import {
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValidationContext,
  type ValueNode,
} from "graphql";

/** A selected field and the type it is selected on. */
type Selected = { readonly node: FieldNode; readonly parent: GraphQLNamedType | undefined };

/** The fields of a selection set by response key, and the fragments that it spreads. */
type Collected = {
  readonly fields: ReadonlyMap<string, readonly Selected[]>;
  readonly spreads: readonly string[];
};

/** Two sets of fields that are compared. The sets are exclusive if no object has both. */
type Sides<Side> = { readonly left: Side; readonly right: Side; readonly exclusive: boolean };

/** A response key and why its fields conflict. */
type Conflict = { readonly key: string; readonly reason: string };

/**
 * Reports fields that share a response key and cannot be merged. The comparisons and their order are those of the
 * server's library, because it reports a conflict each time it finds one: graphql-js remembers other pairs.
 */
export function overlappingFields(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema();
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of context.getDocument().definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  /** Pairs of fragments that were compared, and whether as exclusive ones. */
  const compared = new Map<string, boolean>();
  const collected = new Map<FragmentDefinitionNode, Collected>();
  let found: Conflict[] = [];
  /** Fragments that were reached through others, which end a comparison with fields. */
  let reached = new Set<string>();

  function compareWithin({ fields, spreads }: Collected): void {
    for (const [key, same] of fields) {
      same.forEach((left, index) => {
        for (const right of same.slice(index + 1)) compareFields(key, { left, right, exclusive: false });
      });
    }
    spreads.forEach((left, index) => {
      compareWithFragment(fields, left, false);
      for (const right of spreads.slice(index + 1)) compareFragments({ left, right, exclusive: false });
    });
  }

  function compareSets({ left, right, exclusive }: Sides<Collected["fields"]>): void {
    for (const [key, ours] of left) {
      for (const mine of ours) {
        for (const other of right.get(key) ?? []) compareFields(key, { left: mine, right: other, exclusive });
      }
    }
  }

  function compareWithFragment(fields: Collected["fields"], name: string, exclusive: boolean): void {
    const fragment = fragments.get(name);
    if (fragment === undefined) return;
    const inside = collectFragment(fragment);
    if (inside.spreads.includes(name)) return;
    compareSets({ left: fields, right: inside.fields, exclusive });
    for (const spread of inside.spreads) {
      if (reached.has(spread)) return;
      reached.add(spread);
      compareWithFragment(fields, spread, exclusive);
    }
  }

  function compareFragments({ left, right, exclusive }: Sides<string>): void {
    if (left === right) return;
    const pair = [left, right].sort().join(" ");
    const before = compared.get(pair);
    if (before === false || (before === true && exclusive)) return;
    compared.set(pair, exclusive);
    const [first, second] = [fragments.get(left), fragments.get(right)];
    if (first === undefined || second === undefined) return;
    const [ours, theirs] = [collectFragment(first), collectFragment(second)];
    compareSets({ left: ours.fields, right: theirs.fields, exclusive });
    for (const spread of theirs.spreads) compareFragments({ left, right: spread, exclusive });
    for (const spread of ours.spreads) compareFragments({ left: spread, right, exclusive });
  }

  function compareFields(key: string, sides: Sides<Selected>): void {
    const reason = findReason(sides);
    if (reason !== null) found.push({ key, reason });
  }

  function findReason({ left, right, exclusive }: Sides<Selected>): string | null {
    const isExclusive = exclusive || areExclusive(left.parent, right.parent);
    const [one, other] = [left.node, right.node];
    if (!isExclusive) {
      if (one.name.value !== other.name.value) {
        return `"${one.name.value}" and "${other.name.value}" are different fields`;
      }
      if (!haveLikeArguments(one, other)) return "they have differing arguments";
    }
    const [type, otherType] = [typeOf(left), typeOf(right)];
    if (type && otherType && areUnlike(type, otherType)) {
      return `they return conflicting types "${type}" and "${otherType}"`;
    }
    if (!one.selectionSet || !other.selectionSet) return null;
    const inside = compareSelections({
      left: collect(one.selectionSet, type && getNamedType(type)),
      right: collect(other.selectionSet, otherType && getNamedType(otherType)),
      exclusive: isExclusive,
    });
    if (inside.length === 0) return null;
    return inside.map(({ key, reason }) => `subfields "${key}" conflict because ${reason}`).join(" and ");
  }

  function compareSelections({ left, right, exclusive }: Sides<Collected>): readonly Conflict[] {
    const outside = found;
    found = [];
    compareSets({ left: left.fields, right: right.fields, exclusive });
    for (const name of right.spreads) compareWithFragment(left.fields, name, exclusive);
    for (const name of left.spreads) compareWithFragment(right.fields, name, exclusive);
    for (const name of left.spreads) {
      for (const other of right.spreads) compareFragments({ left: name, right: other, exclusive });
    }
    const inside = found;
    found = outside;
    return inside;
  }

  function typeOf({ node, parent }: Selected): GraphQLOutputType | undefined {
    const name = node.name.value;
    if (!isObjectType(parent) && !isInterfaceType(parent)) return undefined;
    if (parent === schema.getQueryType() && name === "__schema") return SchemaMetaFieldDef.type;
    if (parent === schema.getQueryType() && name === "__type") return TypeMetaFieldDef.type;
    return parent.getFields()[name]?.type;
  }

  function collectFragment(fragment: FragmentDefinitionNode): Collected {
    const known = collected.get(fragment);
    if (known) return known;
    const fields = collect(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
    collected.set(fragment, fields);
    return fields;
  }

  function collect(set: SelectionSetNode, type: GraphQLNamedType | undefined): Collected {
    const fields = new Map<string, Selected[]>();
    const spreads = new Set<string>();
    const add = ({ selections }: SelectionSetNode, parent: GraphQLNamedType | undefined): void => {
      for (const node of selections) {
        if (node.kind === Kind.FRAGMENT_SPREAD) spreads.add(node.name.value);
        else if (node.kind === Kind.INLINE_FRAGMENT) {
          const condition = node.typeCondition && schema.getType(node.typeCondition.name.value);
          add(node.selectionSet, condition ?? parent);
        } else {
          const key = node.alias?.value ?? node.name.value;
          const same = fields.get(key) ?? [];
          if (same.length === 0) fields.set(key, same);
          same.push({ node, parent });
        }
      }
    };
    add(set, type);
    return { fields, spreads: [...spreads] };
  }

  return {
    SelectionSet: (set) => {
      found = [];
      reached = new Set();
      compareWithin(collect(set, context.getParentType() ?? undefined));
      for (const { key, reason } of found) {
        context.reportError(new GraphQLError(`Fields "${key}" conflict because ${reason}. ${ADVICE}`));
      }
    },
  };
}

const ADVICE = "Use different aliases on the fields to fetch both if this was intentional.";

/** No object is of two object types. */
function areExclusive(one: GraphQLNamedType | undefined, other: GraphQLNamedType | undefined): boolean {
  return one !== other && isObjectType(one) && isObjectType(other);
}

/** Whether two types differ in lists, in nullability or as leaves. */
function areUnlike(one: GraphQLOutputType, other: GraphQLOutputType): boolean {
  if (isListType(one) || isListType(other)) {
    return !isListType(one) || !isListType(other) || areUnlike(one.ofType, other.ofType);
  }
  if (isNonNullType(one) || isNonNullType(other)) {
    return !isNonNullType(one) || !isNonNullType(other) || areUnlike(one.ofType, other.ofType);
  }
  return (isLeafType(one) || isLeafType(other)) && one !== other;
}

function haveLikeArguments(
  { arguments: ours = [] }: FieldNode,
  { arguments: theirs = [] }: FieldNode,
): boolean {
  if (ours.length !== theirs.length) return false;
  return ours.every(({ name, value }) => {
    const other = theirs.find((argument) => argument.name.value === name.value);
    return other !== undefined && isLike(value, other.value);
  });
}

/** Of two lists or objects, the server compares as many items as both have, and no keys. */
function isLike(a: ValueNode, b: ValueNode): boolean {
  if (a.kind === Kind.LIST && b.kind === Kind.LIST) {
    return a.values.every((item, at) => isLike(item, b.values[at] ?? item));
  }
  if (a.kind === Kind.OBJECT && b.kind === Kind.OBJECT) {
    return a.fields.every(({ value }, at) => isLike(value, b.fields[at]?.value ?? value));
  }
  if (a.kind === Kind.FLOAT && b.kind === Kind.FLOAT) return Number(a.value) === Number(b.value);
  if (a.kind === Kind.INT && b.kind === Kind.INT) return BigInt(a.value) === BigInt(b.value);
  if (a.kind === Kind.VARIABLE && b.kind === Kind.VARIABLE) return a.name.value === b.name.value;
  if (a.kind !== b.kind) return false;
  return !("value" in a) || ("value" in b && a.value === b.value);
}
