import { compareCodeUnits } from "../base/compare-code-units.ts";
import { findNamed } from "../base/find-named.ts";
import { baseTypeName, isList, isRequired } from "../base/type-expression.ts";
import type { StyleName } from "../project/vocabulary.ts";
import {
  type EntityField,
  type EntityModel,
  isRowDefinition,
  type RowDefinition,
} from "../schema/entity-model.ts";

/** What rows of an entity can be filtered and ordered by in both styles. */
export type EntityColumns = {
  /** In order of name. */
  readonly columns: ReadonlyMap<string, Column>;
  /** The entities that its references and lists lead to, by field, in order of name. */
  readonly related: ReadonlyMap<string, string>;
};

export type Column = {
  /** What it holds, as the tables of the emitted client say it. */
  readonly kind: string;
  readonly isNullable: boolean;
  readonly isOrdered: boolean;
};

/** Finds what rows of an entity can be filtered by in both styles. What only one of them has is left out. */
export function filterColumns(
  { subgraph, multichain }: { readonly [S in StyleName]: EntityModel },
  entity: string,
): EntityColumns {
  const columns = new Map<string, Column>();
  const related = new Map<string, string>();
  const fields = [...(findRows(subgraph, entity)?.fields ?? [])].sort((a, b) =>
    compareCodeUnits(a.name, b.name),
  );
  for (const field of fields) {
    const twin = findNamed(findRows(multichain, entity)?.fields ?? [], field.name);
    if (!twin || isList(twin.type) !== isList(field.type)) continue;
    const target = findRows(subgraph, baseTypeName(field.type));
    const isAmbiguous = readsAsOperator(field.name);
    if (target && baseTypeName(twin.type) === target.name && !isAmbiguous)
      related.set(field.name, target.name);
    const kind = target ? referenceKind(field, target) : columnKind(subgraph, field.type);
    if (kind === null) continue;
    columns.set(field.name, {
      kind: (isAmbiguous ? "?" : "") + kind,
      isNullable: !isRequired(field.type),
      // Names are cut at two underscores.
      isOrdered: !/^[[>e]/.test(kind) && !field.name.includes("__"),
    });
  }
  return { columns, related };
}

function findRows({ definitions }: EntityModel, name: string): RowDefinition | undefined {
  return definitions.filter(isRowDefinition).find((definition) => definition.name === name);
}

/** A list that a row stores has no column of its own in the other style. */
function referenceKind({ type, derived }: EntityField, { fields }: RowDefinition): string | null {
  if (derived || isList(type)) return null;
  const id = baseTypeName(findNamed(fields, "id")?.type ?? "ID");
  return id === "Bytes" ? ">x" : id === "Int8" ? null : ">";
}

function columnKind({ definitions }: EntityModel, type: string): string | null {
  const base = baseTypeName(type);
  const isEnum = definitions.some(({ kind, name }) => kind === "enum" && name === base);
  const kind = isEnum ? "e" : KINDS.get(base);
  return kind === undefined ? null : (isList(type) ? "[" : "") + kind;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ["BigDecimal", "d"],
  ["BigInt", "n"],
  ["Boolean", "b"],
  ["Bytes", "x"],
  ["ID", "i"],
  ["Int", "#"],
  ["Int8", "n"],
  ["String", ""],
  ["Timestamp", "t"],
]);

/** Whether a subgraph takes the end of a field's name for an operator, so that it filters by another column. */
function readsAsOperator(name: string): boolean {
  return /_$|^(and|or)$|_(not|[gl]te?|(not_)?(in|(contains|starts_with|ends_with)(_nocase)?))$/.test(name);
}
