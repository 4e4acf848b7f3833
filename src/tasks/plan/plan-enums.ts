import type { GraphQLSchema } from "graphql";
import { findNamed } from "../../base/collections.ts";
import type { DiffOptions } from "../../compare/severity-rules.ts";
import { baseTypeName } from "../../dialects/api-schema.ts";
import type { EntityText } from "../../dialects/derive-entities.ts";
import { type EntityEnum, isRowDefinition } from "../../dialects/entity-model.ts";
import { locateNode, type Place } from "../../dialects/locate.ts";
import { parseEntities } from "../../dialects/parse-entities.ts";
import { findEnumLiterals } from "../../operations/enum-literals.ts";
import type { PlacedOperation } from "../../operations/operation-set.ts";
import type { Finding, OperationImpact, Severity, Where } from "../../report/finding.ts";

/** Two entity schemas, and what their enums mean for an API that shows them as scalars. */
export type EnumComparison = {
  /** Null without an earlier entity schema: only values that operations name can be missed then. */
  readonly before: EntityText | null;
  readonly after: EntityText;
  /** The API that operations are written for. */
  readonly schema: GraphQLSchema;
  readonly operations: readonly PlacedOperation[];
  readonly where: Where;
  readonly locate: (coordinate: string) => Place | null;
};

/** Finds the values of enums that entity schemas add or remove. An API that shows enums as scalars does not show them. */
export function planEnums(comparison: EnumComparison, { exhaustiveEnums }: DiffOptions): Finding[] {
  const after = readUsedEnums(comparison.after);
  const before = comparison.before && readUsedEnums(comparison.before);
  return after.flatMap((is) => {
    const was = before === null ? null : findNamed(before, is.name);
    if (was === undefined) return [];
    const [old, now] = [was === null ? namedValues(is, comparison) : valuesOf(was), valuesOf(is)];
    const removed = [...old].filter((value) => !now.has(value));
    const added = was === null ? [] : [...now].filter((value) => !old.has(value));
    return [
      ...removed.map((value) =>
        buildFinding({ type: is, value, kind: "enum-value-removed", severity: "breaking" }, comparison),
      ),
      ...added.map((value) =>
        buildFinding(
          { type: is, value, kind: "enum-value-added", severity: exhaustiveEnums ? "breaking" : "risky" },
          comparison,
        ),
      ),
    ];
  });
}

/** Reads the enums that are types of fields. */
function readUsedEnums({ text, name }: EntityText): EntityEnum[] {
  const { definitions } = parseEntities(text, name);
  const used = new Set(
    definitions.filter(isRowDefinition).flatMap(({ fields }) => fields.map(({ type }) => baseTypeName(type))),
  );
  return definitions.flatMap((one) => (one.kind === "enum" && used.has(one.name) ? [one] : []));
}

function valuesOf({ values }: EntityEnum): Set<string> {
  return new Set((values ?? []).map(({ name }) => name));
}

/** The values of an enum that operations name. */
function namedValues(type: EntityEnum, { operations, schema }: EnumComparison): Set<string> {
  const literals = operations.flatMap(({ document }) => findEnumLiterals(document, schema, [type]));
  return new Set(literals.flatMap(({ node }) => ("value" in node ? [String(node.value)] : [])));
}

type EnumChange = {
  readonly type: EntityEnum;
  readonly value: string;
  readonly kind: "enum-value-added" | "enum-value-removed";
  readonly severity: Severity;
};

function buildFinding({ type, value, kind, severity }: EnumChange, comparison: EnumComparison): Finding {
  const { where, locate } = comparison;
  const coordinate = `${type.name}.${value}`;
  const isGone = kind === "enum-value-removed";
  return {
    code: `drift/${kind}`,
    severity,
    layer: "entity",
    subject: coordinate,
    message: `${coordinate}: enum value ${isGone ? `removed (was ${value})` : `added (${value})`}.`,
    coordinate,
    before: isGone ? value : null,
    after: isGone ? null : value,
    derived: 0,
    where,
    operations: isGone ? findUses(type, value, comparison) : [],
    place: locate(coordinate) ?? locate(type.name),
    fix: null,
  };
}

/** Finds the operations that name a value that is gone. */
function findUses(
  type: EntityEnum,
  value: string,
  { operations, schema }: EnumComparison,
): OperationImpact[] {
  return operations.flatMap(({ name, document, place }) =>
    findEnumLiterals(document, schema, [type])
      .filter(({ node }) => "value" in node && node.value === value)
      .map(({ node }): OperationImpact => {
        const at = locateNode(node.loc?.source.name ?? place.file, node);
        return {
          ...{ file: at.file, line: at.line ?? 1, column: at.column ?? 1, name },
          ...{ impact: "broken", severity: "breaking", message: `${type.name} has no value ${value}.` },
        };
      }),
  );
}
