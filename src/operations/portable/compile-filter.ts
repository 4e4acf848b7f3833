import { Kind, type ObjectFieldNode, type ObjectValueNode, print, type ValueNode } from "graphql";
import { baseTypeName, isList } from "../../dialects/api-schema.ts";
import { type IdForms, isOfBytes, isOrdered } from "../../dialects/id-forms.ts";
import { listNode } from "../../dialects/make-node.ts";
import type { AuthoredOperator, Column, Condition } from "../../dialects/portable-style.ts";
import { compileTested } from "./compile-test.ts";
import {
  type EntityFacts,
  type FieldFacts,
  hasBothStyles,
  isDeployed,
  type RelationFacts,
} from "./read-entities.ts";
import { requireSameRelation, type Scope } from "./scope.ts";

/** The rows that a filter applies to. */
type FilterContext = {
  readonly entity: EntityFacts;
  /** Whether it filters related rows. */
  readonly isChild: boolean;
  readonly scope: Scope;
};

/** Compiles a filter of an entity, or the variable that holds one; null if it is refused. */
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
    ifNull: "error",
    compileDefault: (defaultValue) => {
      const write = (filter: ValueNode) => {
        const condition = compileFilter(filter, { ...context, scope: { ...scope, isDefault: true } });
        return condition && scope.facts.written.writer.writeCondition(condition);
      };
      if (!isList || defaultValue.kind !== Kind.LIST) return write(defaultValue);
      const filters = defaultValue.values.map(write);
      const written = filters.filter((filter) => filter !== null);
      return written.length < filters.length ? null : listNode(written, defaultValue.loc);
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
  const [match] = candidates;
  if (match === undefined) {
    const said = `${entity.name} has no field that \`${name}\` is about.`;
    return scope.refuse("portable/internal", [scope.facts.authored.style, said], field);
  }
  return compileTest(match, field, context);
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
    const fix = `write ${rewriteMixed(owner)}`;
    scope.refuse("portable/mixed-filter", [word, names], { ...field, fix });
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

/** Returns the same filter, in which `and` and `or` have no conditions beside them. */
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
      if (!isDeployed(scope.facts, written.style)) return null;
      return scope.refuse("portable/list-filter", [name, "compares a stored list of references"], node);
    }
  }
  const column: Column = { name: field.name, isReference: field.kind === "reference" };
  const writtenType = written.field(entity.name, written.writer.columnName(column))?.type;
  if (writtenType === undefined) {
    return scope.refuse("portable/not-in-multichain", [coordinate, written.style], node);
  }
  const type = field.kind === "column" ? field.type : field.id;
  const isSame =
    isList(writtenType) === type.isList && written.writer.fit(type, baseTypeName(writtenType)).conditions;
  if (!isSame && hasBothStyles(scope.facts)) {
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
  return compileTested({ name, column, position: { type, writtenType }, operator, value, node, loc }, scope);
}

/** Whether an operator can compare ids that the styles write differently: not by their parts, and not by their order. */
function takesId(forms: IdForms, { name }: Pick<AuthoredOperator, "name">): boolean {
  return name === "equal" || name === "in" || (isOrdered(forms) && /^(greater|less)/.test(name));
}

function compileRelated(
  { field, target }: { readonly field: RelationFacts; readonly target: EntityFacts },
  node: ObjectFieldNode,
  { entity, isChild, scope }: FilterContext,
): Condition | null {
  const name = node.name.value;
  if (isChild && isDeployed(scope.facts, scope.facts.authored.style)) {
    return scope.refuse("portable/nested-child-filter", [name], node);
  }
  if (!requireSameRelation({ entity, field }, node, scope)) return null;
  if (node.value.kind === Kind.NULL) return scope.refuse("portable/null-filter", [name], node);
  const of = compileFilter(node.value, { entity: target, isChild: true, scope });
  return of === null ? null : { kind: "related", field: field.name, of, loc: node.loc };
}
