import {
  type ConstDirectiveNode,
  type GraphQLSchema,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
} from "graphql";
import { findNamed } from "../../base/collections.ts";
import type { DiffOptions } from "../../compare/severity-rules.ts";
import { baseTypeName } from "../../dialects/api-schema.ts";
import type { EntityText } from "../../dialects/derive-entities.ts";
import { type EntityEnum, isRowDefinition } from "../../dialects/entity-model.ts";
import { parseEntities } from "../../dialects/parse-entities.ts";
import { toGraphqlSchema } from "../../dialects/to-graphql-schema.ts";
import { findEnumLiterals } from "../../operations/enum-literals.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import type { Finding, OperationImpact, Severity } from "../../report/finding.ts";
import { type MeaningComparison, placeImpact, planMeanings, readHidden } from "./plan-meanings.ts";

/** Two entity schemas that are compared beyond their APIs. */
export type HiddenComparison = Omit<MeaningComparison, "before"> & {
  /** With its path from the project's root. */
  readonly after: EntityText & { readonly file: string };
  /** Null if no earlier entity schema is known. */
  readonly before: EntityText | null;
  /** Whether no other style is planned, whose API would show the values of enums. */
  readonly isOnlyStyle: boolean;
};

/** Finds the changes of an entity schema that the API of the style does not show. */
export function planHidden(comparison: HiddenComparison, rules: DiffOptions): Finding[] {
  const { before, style, isOnlyStyle } = comparison;
  // One platform shows the enums, and has no indexes.
  const isOpaque = style.portable.kind !== "authored";
  return [
    ...(isOpaque && isOnlyStyle ? planEnums(comparison, rules) : []),
    ...(isOpaque && before !== null ? planIndexes({ ...comparison, before }) : []),
    ...(before === null ? findUncompared(comparison) : planMeanings({ ...comparison, before })),
  ];
}

/** Reports that an entity schema has arguments which no API shows, and that they are not compared. */
function findUncompared({ after, style, where }: HiddenComparison): Finding[] {
  if (!readHidden(after, style).some(({ text }) => text.includes("("))) return [];
  const place = { file: after.file, line: null, column: null };
  return [buildFileFinding("plan/hidden-not-compared", [], { place, where })];
}

type EnumComparison = Omit<HiddenComparison, "isOnlyStyle"> & { readonly schema: GraphQLSchema };

/** Finds added and removed values of enums, which an API that shows enums as scalars does not show. */
function planEnums(hidden: HiddenComparison, { exhaustiveEnums }: DiffOptions): Finding[] {
  const comparison = { ...hidden, schema: toGraphqlSchema(hidden.api, { repeatable: false }) };
  const after = readUsedEnums(comparison.after);
  const before = comparison.before && readUsedEnums(comparison.before);
  return after.flatMap((is) => {
    const was = before === null ? null : findNamed(before, is.name);
    if (was === undefined) return [];
    const [old, now] = [was === null ? null : valuesOf(was), valuesOf(is)];
    const values = new Set([...(old ?? []), ...namedValues(is, comparison)]);
    const removed = [...values].filter((value) => !now.has(value));
    const added = old === null ? [] : [...now].filter((value) => !old.has(value));
    const severity = exhaustiveEnums ? "breaking" : "risky";
    return [
      ...removed.map((value) => buildFinding({ type: is, value, isGone: true }, "breaking", comparison)),
      ...added.map((value) => buildFinding({ type: is, value, isGone: false }, severity, comparison)),
    ];
  });
}

/** Reads the enums that are types of fields. */
function readUsedEnums({ text, name }: EntityText): EntityEnum[] {
  const { definitions } = parseEntities(text, name);
  const used = new Set(
    definitions.filter(isRowDefinition).flatMap(({ fields }) => fields.map(({ type }) => baseTypeName(type))),
  );
  return definitions.flatMap((definition) =>
    definition.kind === "enum" && used.has(definition.name) ? [definition] : [],
  );
}

function valuesOf({ values }: EntityEnum): Set<string> {
  return new Set((values ?? []).map(({ name }) => name));
}

/** Returns the values of an enum that operations contain. */
function namedValues(type: EntityEnum, { operations, schema }: EnumComparison): Set<string> {
  const literals = operations.flatMap(({ document }) => findEnumLiterals(document, schema, [type]));
  return new Set(literals.flatMap(({ node }) => ("value" in node ? [String(node.value)] : [])));
}

type EnumChange = {
  readonly type: EntityEnum;
  readonly value: string;
  readonly isGone: boolean;
};

function buildFinding(
  { type, value, isGone }: EnumChange,
  severity: Severity,
  comparison: EnumComparison,
): Finding {
  const { where, locate } = comparison;
  const coordinate = `${type.name}.${value}`;
  return {
    code: `drift/enum-value-${isGone ? "removed" : "added"}`,
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

/** Finds the operations that contain a removed value. */
function findUses(
  type: EntityEnum,
  value: string,
  { operations, schema }: EnumComparison,
): OperationImpact[] {
  const message = `${type.name} has no value ${value}.`;
  return operations.flatMap((operation) =>
    findEnumLiterals(operation.document, schema, [type])
      .filter(({ node }) => "value" in node && node.value === value)
      .map(({ node }) => placeImpact(operation, node, { impact: "broken", severity: "breaking", message })),
  );
}

/** Finds added and removed indexes. Filters and orders depend on them for speed. */
function planIndexes({ before, after, where, locate }: MeaningComparison): Finding[] {
  const [old, now] = [readIndexes(before), readIndexes(after)];
  const describe = (name: string, code: "plan/index-added" | "plan/index-removed") => {
    return buildFileFinding(code, [name], { place: locate(name.replace(/\(.*/, "")), where });
  };
  return [
    ...[...now].filter((name) => !old.has(name)).map((name) => describe(name, "plan/index-added")),
    ...[...old].filter((name) => !now.has(name)).map((name) => describe(name, "plan/index-removed")),
  ];
}

/** Reads the indexes of a schema: `Auction.price` for one column, `Auction(seller, price)` for several. */
function readIndexes({ text }: EntityText): Set<string> {
  return new Set(
    parse(text).definitions.flatMap((type) => {
      if (type.kind !== Kind.OBJECT_TYPE_DEFINITION) return [];
      const ofFields = (type.fields ?? []).flatMap(({ name, directives = [] }) =>
        directives.some(isIndex) ? [`${type.name.value}.${name.value}`] : [],
      );
      return [...ofFields, ...readTypeIndexes(type)];
    }),
  );
}

/** Reads the indexes that a type declares. */
function readTypeIndexes({ name, directives = [] }: ObjectTypeDefinitionNode): string[] {
  return directives.filter(isIndex).flatMap(({ arguments: args = [] }) => {
    const fields = args.find((arg) => arg.name.value === "fields")?.value;
    if (fields?.kind !== Kind.LIST) return [];
    const names = fields.values.flatMap((value) => ("value" in value ? [String(value.value)] : []));
    return names.length === 1 ? [`${name.value}.${names[0]}`] : [`${name.value}(${names.join(", ")})`];
  });
}

function isIndex({ name }: ConstDirectiveNode): boolean {
  return name.value === "index";
}
