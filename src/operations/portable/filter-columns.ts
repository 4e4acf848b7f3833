import { isInputObjectType } from "graphql";
import type { ColumnKind, Scalar } from "../../../packages/client/src/variables/map-filter.ts";
import { compareCodeUnits } from "../../base/collections.ts";
import { baseTypeName, isList, isRequired } from "../../dialects/api-schema.ts";
import type { IdForms } from "../../dialects/id-forms.ts";
import type { AuthoredType } from "../../dialects/portable-style.ts";
import { type Facts, type FieldFacts, formsOf, type PortableContext, readFacts } from "./read-entities.ts";
import { isSameRelation } from "./scope.ts";

/** The columns that both styles can filter and order rows of an entity by. */
export type EntityColumns = {
  /** In order of name. */
  readonly columns: ReadonlyMap<string, Column>;
  /** The entities of its references and lists, by field, in order of name. */
  readonly related: ReadonlyMap<string, string>;
};

export type Column = {
  /** The type of its values. */
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** The forms of its ids, if the styles write them differently. */
  readonly forms: IdForms | null;
};

/** Finds the columns that both styles can filter rows of an entity by. */
export function filterColumns(context: PortableContext, entity: string): EntityColumns {
  const facts = readFacts(context);
  const { grammar, graphql } = facts.authored;
  const columns = new Map<string, Column>();
  const related = new Map<string, string>();
  const fields = facts.entity(entity)?.fields ?? new Map<string, FieldFacts>();
  for (const field of fields.values()) {
    const isAmbiguous = grammar.isAmbiguous(field.name);
    if (field.kind !== "column") {
      const { target } = field;
      const isEntity = facts.entity(target)?.isInterface === false;
      if (!isEntity) continue;
      if (isSameRelation(field)) {
        related.set(field.name, target);
        // Rows can be ordered by fields of the reference, but not filtered.
        if (isAmbiguous) columns.set(`${field.name}_`, REFUSED);
      }
    }
    const kind = columnKind(entity, field, facts);
    if (kind === null) continue;
    columns.set(field.name, {
      kind: isAmbiguous ? (`orderOnly ${kind}` as const) : kind,
      isNullable: !isRequired(field.authoredType),
      forms: formsOf(field),
    });
  }
  const input = graphql.getType(grammar.typeNames.filter(entity));
  for (const key of isInputObjectType(input) ? Object.keys(input.getFields()) : []) {
    // Ambiguous names: two fields match, and the platform may choose the other one.
    const readings = grammar.readFilterName(key).filter(({ field }) => fields.has(field));
    const isTwofold = readings.some(({ field }) => grammar.isAmbiguous(field)) && !columns.has(key);
    if (isTwofold && readings.length > 1) columns.set(key, REFUSED);
  }
  return { columns: inOrder(columns), related: inOrder(related) };
}

/** The columns of an entity that hold ids which the styles write differently, by the names of the written schema. */
export function idColumns({ columns }: EntityColumns): (readonly [column: string, forms: IdForms])[] {
  return [...columns].flatMap(([name, { kind, forms }]) =>
    forms === null || kind.startsWith("orderOnly ")
      ? []
      : [[kind.startsWith("reference ") ? `${name}_id` : name, forms] as const],
  );
}

const REFUSED: Column = { kind: "refused", isNullable: false, forms: null };

function columnKind(entity: string, field: FieldFacts, { written }: Facts): Usable | null {
  if (field.kind === "list") return null;
  const isReference = field.kind === "reference";
  const type: AuthoredType = isReference ? field.id : field.type;
  const name = written.writer.columnName({ name: field.name, isReference });
  const writtenType = written.field(entity, name)?.type;
  if (writtenType === undefined || isList(writtenType) !== type.isList) return null;
  if (!written.writer.fit(type, baseTypeName(writtenType)).conditions) return null;
  const isSmall = type.name === "BigInt" && baseTypeName(writtenType) === "Int";
  const plain = type.isEnum ? "enum" : isSmall ? "int32" : SCALARS.get(type.name);
  if (plain === undefined) return null;
  const hasBytes = type.isIdWithBytes && (plain === "id" || plain === "text");
  const scalar = hasBytes ? (`${plain}WithBytes` as const) : plain;
  return isReference ? `reference ${scalar}` : type.isList ? `list ${scalar}` : scalar;
}

type Usable = Exclude<ColumnKind, "refused" | `orderOnly ${string}`>;

/** Not `Int8`: the styles refuse different values of it. */
const SCALARS: ReadonlyMap<string, Scalar> = new Map([
  ["BigDecimal", "decimal"],
  ["BigInt", "bigInt"],
  ["Boolean", "boolean"],
  ["Bytes", "bytes"],
  ["ID", "id"],
  ["Int", "int"],
  ["String", "text"],
  ["Timestamp", "timestamp"],
]);

function inOrder<T>(items: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...items].sort(([a], [b]) => compareCodeUnits(a, b)));
}
