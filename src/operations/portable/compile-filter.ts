import { Kind, type ObjectFieldNode, type ObjectValueNode, print, type ValueNode } from "graphql";
import { baseTypeName, isList } from "../../dialects/api-schema.ts";
import { type IdForms, isOfBytes, isOrdered } from "../../dialects/id-forms.ts";
import { listNode, type NodeLocation, stringNode } from "../../dialects/make-node.ts";
import type { AuthoredOperator, Column, Condition } from "../../dialects/portable-style.ts";
import { compileValue, type Position, readDigits } from "./compile-value.ts";
import { type EntityFacts, type FieldFacts, hasBothStyles } from "./read-entities.ts";
import { type RelationFacts, requireSameRelation, type Scope, type Treatment } from "./scope.ts";

/** The rows that a filter is of. */
type FilterContext = {
  readonly entity: EntityFacts;
  /** Whether the filter is of related rows. */
  readonly isChild: boolean;
  readonly scope: Scope;
};

/** Compiles a filter of an entity as it is written, or the variable that holds one; null where it is refused. */
export function compileFilter(value: ValueNode, context: FilterContext): Condition | null {
  if (value.kind === Kind.VARIABLE) {
    context.scope.apply("filter-variable", value);
    return { kind: "given", value: noteFilter(value, { isList: false }, context), loc: value.loc };
  }
  if (value.kind !== Kind.OBJECT) return null;
  const members = value.fields.map((field) => compileMember(field, value, context));
  const of = members.filter((member) => member !== null);
  if (of.length < members.length) return null;
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind: "beside", of, loc: value.loc };
}

function noteFilter(
  value: ValueNode & { readonly kind: typeof Kind.VARIABLE },
  { isList }: { readonly isList: boolean },
  context: FilterContext,
) {
  const { entity, isChild, scope } = context;
  return scope.use(value, {
    treatment: { kind: "filter", entity: entity.name, isChild, isList },
    mayBeNull: false,
    isNotIn: false,
    compileDefault: (given) => {
      const write = (one: ValueNode) => {
        const condition = compileFilter(one, { ...context, scope: { ...scope, isDefault: true } });
        return condition === null ? null : scope.facts.written.writer.writeCondition(condition);
      };
      if (!isList || given.kind !== Kind.LIST) return write(given);
      const items = given.values.map(write);
      return items.includes(null)
        ? null
        : listNode(
            items.filter((item) => item !== null),
            given.loc,
          );
    },
  });
}

function compileMember(
  field: ObjectFieldNode,
  owner: ObjectValueNode,
  context: FilterContext,
): Condition | null {
  const { entity, scope } = context;
  const { grammar } = scope.facts.authored;
  const name = field.name.value;
  const word = grammar.readFilterWord(name);
  if (word === "other") {
    return scope.refuse("portable/change-block", [name, scope.facts.written.style], field);
  }
  const candidates = grammar.readFilterName(name).flatMap(({ field: fieldName, operator }) => {
    const facts = entity.fields.get(fieldName);
    return facts === undefined ? [] : [{ facts, operator }];
  });
  const ambiguous = candidates.find(({ facts }) => grammar.isAmbiguous(facts.name));
  if (ambiguous !== undefined) {
    return scope.refuse("portable/ambiguous-field", [ambiguous.facts.name], field);
  }
  if (word !== null) return compileJoined(word, { field, owner }, context);
  const [found] = candidates;
  if (found === undefined) {
    const said = `${entity.name} has no field that \`${name}\` is about.`;
    return scope.refuse("portable/internal", [scope.facts.authored.style, said], field);
  }
  return compileTest(found, field, context);
}

function compileJoined(
  word: "and" | "or",
  { field, owner }: { readonly field: ObjectFieldNode; readonly owner: ObjectValueNode },
  context: FilterContext,
): Condition | null {
  const { scope } = context;
  const others = owner.fields.filter((other) => other !== field);
  if (others.length > 0) {
    const names = others.map((other) => `\`${other.name.value}\``).join(", ");
    scope.refuse("portable/mixed-filter", [word, names], field, `write ${rewriteMixed(owner)}`);
  }
  const { value, loc } = field;
  if (value.kind === Kind.NULL) return scope.refuse("portable/null-filter", [word], field);
  if (value.kind === Kind.VARIABLE) {
    scope.apply("filter-variable", value);
    const list = noteFilter(value, { isList: true }, context);
    return { kind: word, of: list, loc };
  }
  if (value.kind !== Kind.LIST) return scope.refuse("portable/list-filter", [word, "takes a list"], field);
  const members = value.values.map((member) =>
    member.kind === Kind.NULL
      ? scope.refuse("portable/null-filter", [word], member)
      : compileFilter(member, context),
  );
  const of = members.filter((member) => member !== null);
  return of.length < members.length || others.length > 0 ? null : { kind: word, of, loc };
}

/** The same filter with nothing beside `and` and `or`. */
function rewriteMixed({ fields }: ObjectValueNode): string {
  const isWord = ({ name }: ObjectFieldNode) => name.value === "and" || name.value === "or";
  const plain = fields.filter((field) => !isWord(field));
  const parts = [plain, ...fields.filter(isWord).map((field) => [field])].filter((part) => part.length > 0);
  return `{ and: [${parts.map((part) => `{ ${part.map((field) => print(field)).join(", ")} }`).join(", ")}] }`;
}

function compileTest(
  { facts: field, operator }: { readonly facts: FieldFacts; readonly operator: AuthoredOperator },
  node: ObjectFieldNode,
  context: FilterContext,
): Condition | null {
  const { entity, scope } = context;
  const { written } = scope.facts;
  const name = node.name.value;
  const coordinate = `${entity.name}.${field.name}`;
  if (field.kind !== "column") {
    const target = scope.facts.entity(field.target);
    if (target === undefined || target.isInterface) {
      return scope.refuse("portable/interface", [field.target, written.style], node);
    }
    if (operator.name === "related") return compileRelated({ field, target }, node, context);
    if (field.kind === "list") {
      return scope.refuse("portable/list-filter", [name, "compares a stored list of references"], node);
    }
  }
  const column: Column = { name: field.name, isReference: field.kind === "reference" };
  const writtenType = written.field(entity.name, written.writer.columnName(column))?.type;
  if (writtenType === undefined) {
    return scope.refuse("portable/not-in-multichain", [coordinate, written.style], node);
  }
  const type = field.kind === "column" ? field.type : field.id;
  if (
    isList(writtenType) !== type.isList ||
    written.writer.fit(type, baseTypeName(writtenType)) === "neither"
  ) {
    return scope.refuse("portable/type-differs", [coordinate, field.authoredType, writtenType], node);
  }
  if (column.isReference) scope.apply("reference-column", node);
  const { value, loc } = node;
  if (value.kind === Kind.NULL) {
    if (operator.name !== "equal") return scope.refuse("portable/null-filter", [name], node);
    scope.apply("null-test", node);
    return { kind: "null", column, isNull: !operator.isNegated, loc };
  }
  if (type.name === "Timestamp" && hasBothStyles(scope.facts)) {
    return scope.refuse("portable/scalar", [coordinate, type.name], node);
  }
  if (type.forms !== null && !type.isList && !takesId(type.forms, operator)) {
    if (isOfBytes(type.forms)) {
      return scope.refuse(
        "portable/pattern",
        [name, `looks for bytes in a column of bytes, which ${written.style} cannot`],
        node,
      );
    }
    const reason = `compares ids of ${type.forms.entity}, which the styles write differently`;
    return scope.refuse("portable/id-form", [`\`${name}\``, reason], node);
  }
  const tested: Tested = { name, column, position: { type, writtenType }, operator, value, node, loc };
  if (type.isList) return compileListTest(tested, scope);
  switch (operator.name) {
    case "contains":
    case "starts-with":
    case "ends-with":
      return type.name === "Bytes" ? compileBytesPattern(tested, scope) : compilePattern(tested, scope);
    case "in":
      return compileIn(tested, scope);
    case "related":
      return null;
    default:
      return compare(tested, operator.name, compileValue(value, tested.position, scope));
  }
}

/** Whether ids that the styles write differently can be compared by an operator: their parts cannot, nor any other order. */
function takesId(forms: IdForms, { name }: Pick<AuthoredOperator, "name">): boolean {
  return name === "equal" || name === "in" || (isOrdered(forms) && /^(greater|less)/.test(name));
}

/** What a test of a column is compiled of. */
type Tested = {
  /** As the author wrote it, with its operator. */
  readonly name: string;
  readonly column: Column;
  readonly position: Position;
  readonly operator: AuthoredOperator;
  readonly value: ValueNode;
  readonly node: ObjectFieldNode;
  readonly loc: NodeLocation;
};

function compare(
  { column, operator, loc }: Tested,
  test: Extract<Condition, { kind: "test" }>["test"],
  value: ValueNode | null,
): Condition | null {
  return value === null ? null : { kind: "test", column, test, isNegated: operator.isNegated, value, loc };
}

function compileRelated(
  { field, target }: { readonly field: RelationFacts; readonly target: EntityFacts },
  node: ObjectFieldNode,
  { entity, isChild, scope }: FilterContext,
): Condition | null {
  const name = node.name.value;
  if (isChild) return scope.refuse("portable/nested-child-filter", [name], node);
  if (!requireSameRelation({ entity, field }, node, scope)) return null;
  if (node.value.kind === Kind.NULL) return scope.refuse("portable/null-filter", [name], node);
  const of = compileFilter(node.value, { entity: target, isChild: true, scope });
  return of === null ? null : { kind: "related", field: field.name, of, loc: node.loc };
}

function compileIn(tested: Tested, scope: Scope): Condition | null {
  const { value, operator, name, node, position } = tested;
  if (value.kind === Kind.VARIABLE) {
    const variable = compileValue(value, position, {
      ...scope,
      use: (variable, use) => scope.use(variable, { ...use, isNotIn: operator.isNegated }),
    });
    return compare(tested, "in", variable);
  }
  if (value.kind !== Kind.LIST) return scope.refuse("portable/list-filter", [name, "takes a list"], node);
  const isNothing = operator.isNegated && value.values.length === 0;
  if (isNothing) scope.apply("not-in-nothing", node);
  const compiled = compare(tested, "in", compileValue(value, position, scope));
  return isNothing && compiled?.kind === "test" ? { ...compiled, isNegated: false } : compiled;
}

function compileListTest(tested: Tested, scope: Scope): Condition | null {
  const { name, operator, value, node, column, loc, position } = tested;
  const refuse = (reason: string) => scope.refuse("portable/list-filter", [name, reason], node);
  if (operator.ignoresCase) return refuse("ignores case in a list");
  if (value.kind !== Kind.LIST && value.kind !== Kind.VARIABLE) return refuse("takes a list");
  const isNotContains = operator.name === "contains" && operator.isNegated;
  if (isNotContains && value.kind === Kind.VARIABLE) return refuse("takes no variable");
  const compiled = compileValue(value, position, scope);
  if (operator.name === "equal") return compare(tested, "equal", compiled);
  if (!isNotContains || compiled?.kind !== Kind.LIST) return compare(tested, "has-all", compiled);
  scope.apply("list-not-contains", node);
  const of = compiled.values.map(
    (item): Condition => ({
      ...{ kind: "test", column, test: "has-all", isNegated: false, loc },
      value: listNode([item], item.loc),
    }),
  );
  return {
    kind: "and",
    of: [
      { kind: "null", column, isNull: false, loc },
      { kind: "not", of: { kind: "or", of, loc }, loc },
    ],
    loc,
  };
}

function compileBytesPattern(tested: Tested, scope: Scope): Condition | null {
  const { name, operator, value, node } = tested;
  if (operator.name !== "contains" || operator.ignoresCase) {
    return scope.refuse("portable/pattern", [name, "looks for text in bytes"], node);
  }
  scope.apply("pattern", node);
  return compare(
    tested,
    "bytes-like",
    compilePatternValue(value, { ...BYTES, ...scope.facts.written.writer.bytesPattern }, scope),
  );
}

const BYTES = { kind: "pattern", name: "bytes", isWhole: false, isBytes: true } as const;

function compilePattern(tested: Tested, scope: Scope): Condition | null {
  const { operator, value, node } = tested;
  scope.apply("pattern", node);
  const treatment = PATTERNS[operator.name as keyof typeof PATTERNS];
  const pattern = compilePatternValue(value, treatment, scope);
  return compare(tested, operator.ignoresCase ? "like-nocase" : "like", pattern);
}

type Pattern = Extract<Treatment, { kind: "pattern" }>;

const LIKE = { kind: "pattern", isWhole: false, isBytes: false } as const;

const PATTERNS: Readonly<Record<"contains" | "starts-with" | "ends-with", Pattern>> = {
  contains: { ...LIKE, name: "like", before: "%", after: "%", isWhole: true },
  "starts-with": { ...LIKE, name: "start", before: "", after: "%" },
  "ends-with": { ...LIKE, name: "end", before: "%", after: "" },
};

function compilePatternValue(value: ValueNode, treatment: Pattern, scope: Scope): ValueNode | null {
  if (value.kind === Kind.VARIABLE) {
    return scope.use(value, {
      treatment,
      mayBeNull: false,
      isNotIn: false,
      compileDefault: (given) => compilePatternValue(given, treatment, scope),
    });
  }
  const { before, after, isWhole, isBytes } = treatment;
  if (isBytes) {
    const digits = readDigits(value, scope);
    return digits === null ? null : stringNode(`${before}${digits}${after}`, value.loc);
  }
  if (value.kind !== Kind.STRING) return null;
  const text = value.value;
  const pattern = isWhole && (text.startsWith("%") || text.endsWith("%")) ? text : `${before}${text}${after}`;
  const backslashes = /\\*$/.exec(pattern)?.[0].length ?? 0;
  return backslashes % 2 === 0
    ? stringNode(pattern, value.loc)
    : scope.refuse("portable/pattern", [print(value), "ends in a backslash"], value);
}
