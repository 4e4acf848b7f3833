import { type ConstDirectiveNode, type FieldDefinitionNode, Kind, print } from "graphql";
import type { SchemaProblem } from "../../../base/errors.ts";
import { argumentOf, findDirective, listArgument } from "../../parse-sdl.ts";
import { type AuthoredTypes, baseTypeOf, fieldOf, type ObjectNode, problemAt } from "./authored-types.ts";
import { findExpressionProblem } from "./sql-expression.ts";
import { checkTimestamp, idTypeOf } from "./type-rules.ts";

/** Checks roll-ups of time series: their sources, intervals and aggregates. */
export function checkAggregations(types: AuthoredTypes): SchemaProblem[] {
  return types.aggregations.flatMap((aggregation) => [
    ...checkTimestamp(aggregation),
    ...checkDerived(aggregation),
    ...checkTypes(aggregation, types),
    ...checkSource(aggregation, types),
    ...checkIntervals(aggregation),
  ]);
}

/** Returns the intervals of an aggregation that are strings. */
export function intervalsOf(aggregation: ObjectNode): string[] {
  const items = listArgument(findDirective(aggregation.directives, "aggregation"), "intervals");
  return items.flatMap((item) => (item.kind === Kind.STRING ? [item.value] : []));
}

function checkDerived(aggregation: ObjectNode): SchemaProblem[] {
  return (aggregation.fields ?? [])
    .filter((field) => findDirective(field.directives, "derivedFrom"))
    .map((field) =>
      problemAt(
        field,
        `Aggregation ${aggregation.name.value} has a derived field ${field.name.value} but fields in aggregations can not be derived`,
      ),
    );
}

function checkTypes(aggregation: ObjectNode, { entities }: AuthoredTypes): SchemaProblem[] {
  const name = aggregation.name.value;
  return (aggregation.fields ?? []).flatMap((field) => {
    const aggregate = findDirective(field.directives, "aggregate");
    const type = baseTypeOf(field);
    if (aggregate === undefined || NUMBERS.includes(type)) return [];
    const picks = isPick(functionOf(aggregate));
    if (!SCALARS.has(type)) {
      if (picks && entities.some((entity) => entity.name.value === type)) return [];
      return problemAt(
        field,
        `Type \`${name}\`, field \`${field.name.value}\`: type \`${type}\` is not defined`,
      );
    }
    if (!picks) return notNumeric(field, name);
    if (PICKED.has(type)) return [];
    return problemAt(
      field,
      `Aggregation '${name}', field '${field.name.value}': first/last aggregates must use a numeric, byte array, string or a reference type`,
    );
  });
}

function notNumeric(field: FieldDefinitionNode, aggregation: string): SchemaProblem {
  const numbers = "Int, Int8, BigInt, and BigDecimal";
  return problemAt(
    field,
    `Aggregation ${aggregation}, field${field.name.value}: aggregates must use a numeric type, one of ${numbers}`,
  );
}

function checkSource(aggregation: ObjectNode, { entities }: AuthoredTypes): SchemaProblem[] {
  const name = aggregation.name.value;
  const refuse = (reason: string) => [problemAt(aggregation, reason)];
  const argument = argumentOf(findDirective(aggregation.directives, "aggregation"), "source");
  if (argument === undefined) return refuse(`Aggregation ${name} is missing the \`source\` argument`);
  if (argument.kind !== Kind.STRING) {
    return refuse(
      `Aggregation ${name} has an invalid argument for \`source\`: it must be the name of a timeseries`,
    );
  }
  const source = entities.find((entity) => entity.name.value === argument.value);
  if (source === undefined) {
    // "Aggregaton" is graph-node's spelling.
    return refuse(
      `Aggregaton ${name} uses ${argument.value} as the source, but there is no timeseries of that name`,
    );
  }
  const timeseries = argumentOf(findDirective(source.directives, "entity"), "timeseries");
  if (timeseries?.kind !== Kind.BOOLEAN || !timeseries.value) {
    return refuse(
      `Aggregation ${name} uses ${argument.value} as the source, but that type is not a timeseries`,
    );
  }
  const fields = (aggregation.fields ?? []).filter(
    (field) => field.name.value !== "id" && field.name.value !== "timestamp",
  );
  return [
    ...checkId(aggregation, source),
    ...fields.flatMap((field) =>
      findDirective(field.directives, "aggregate")
        ? (checkAggregate(field, name, source) ?? [])
        : (checkDimension(field, name, source) ?? []),
    ),
    ...(fields.some((field) => findDirective(field.directives, "aggregate"))
      ? []
      : refuse(`Aggregation ${name} has no @aggregate fields`)),
  ];
}

function checkId(aggregation: ObjectNode, source: ObjectNode): SchemaProblem[] {
  const wanted = idTypeOf(source);
  if (typeof wanted !== "string") return [wanted];
  const type = idTypeOf(aggregation);
  if (typeof type !== "string") return [type];
  if (type === wanted) return [];
  return [
    problemAt(
      fieldOf(aggregation, "id") ?? aggregation,
      `The type of the \`id\` field for aggregation ${aggregation.name.value} must be ${wanted}, the same as in the source, but is ${type}`,
    ),
  ];
}

function checkAggregate(
  field: FieldDefinitionNode,
  aggregation: string,
  source: ObjectNode,
): SchemaProblem | null {
  const place = `Field ${field.name.value} in aggregation ${aggregation}`;
  const refuse = (reason: string) => problemAt(field, `${place} ${reason}`);
  const directive = findDirective(field.directives, "aggregate");
  const fn = argumentOf(directive, "fn");
  if (fn === undefined) return refuse("is missing the `fn` argument");
  const called = functionOf(directive);
  if (called === null || !FUNCTIONS.has(called)) {
    return refuse(`uses the unknown aggregation function \`${called ?? print(fn)}\``);
  }
  const arg = argumentOf(directive, "arg");
  if (arg === undefined) {
    if (called === "count") return findUnquoted();
    return refuse(`is missing the \`arg\` argument since the function ${called} requires it`);
  }
  if (arg.kind !== Kind.STRING) return refuse("has an invalid argument for `arg`: it must be a string");
  const cumulative = argumentOf(directive, "cumulative");
  if (cumulative !== undefined && cumulative.kind !== Kind.BOOLEAN) {
    return refuse("has an invalid value for `cumulative`. It needs to be a boolean");
  }
  const type = baseTypeOf(field);
  const reason = findExpressionProblem(arg.value, (column) => {
    const origin = fieldOf(source, column);
    if (origin === undefined) {
      return `${place} has \`arg\` ${arg.value} but the source type does not have such a field`;
    }
    const stored = baseTypeOf(origin);
    if (!NUMBERS.includes(stored)) {
      if (isPick(called) && (PICKED.has(stored) || (!SCALARS.has(stored) && stored === type))) return null;
      return `${place} has arg \`${arg.value}\` but that is not a numeric field in ${source.name.value}`;
    }
    if (!NUMBERS.includes(type)) return notNumeric(field, aggregation).reason;
    if (NUMBERS.indexOf(stored) <= NUMBERS.indexOf(type)) return null;
    return `${place} has \`arg\` ${arg.value} of type ${stored} but it is of the wider type ${type} in the source`;
  });
  return reason === null ? findUnquoted() : problemAt(field, reason);

  /** For an enum value, the platform runs the same checks as for a string, and then its process crashes. */
  function findUnquoted(): SchemaProblem | null {
    return fn?.kind === Kind.ENUM ? refuse(`needs quotation marks around its function ${called}`) : null;
  }
}

/** Checks the fields without an aggregate, which are copied from the source. */
function checkDimension(
  field: FieldDefinitionNode,
  aggregation: string,
  source: ObjectNode,
): SchemaProblem | null {
  const name = field.name.value;
  const origin = fieldOf(source, name);
  if (origin === undefined) {
    return problemAt(
      field,
      `Aggregation ${aggregation} uses ${source.name.value} as the source, but that does not have a field ${name}`,
    );
  }
  if (baseTypeOf(field) === baseTypeOf(origin)) return null;
  return problemAt(
    field,
    `Field ${name} in aggregation ${aggregation} has type ${baseTypeOf(field)} but its type in the source is ${baseTypeOf(origin)}`,
  );
}

function checkIntervals(aggregation: ObjectNode): SchemaProblem[] {
  const name = aggregation.name.value;
  const argument = argumentOf(findDirective(aggregation.directives, "aggregation"), "intervals");
  const intervals = intervalsOf(aggregation);
  const refuse = (reason: string) => problemAt(aggregation, `Aggregation ${name}${reason}`);
  if (argument === undefined) {
    return [refuse(" is missing an `intervals` argument for the timeseries directive")];
  }
  if (argument.kind !== Kind.LIST || intervals.length === 0 || intervals.length < argument.values.length) {
    return [refuse(" has an invalid argument for `intervals`: it must be a non-empty list of strings")];
  }
  return intervals
    .filter((interval) => interval !== "hour" && interval !== "day")
    .map((interval) => refuse(`: the interval ${interval} is not supported`));
}

/** Returns the function, written as a string or as a name. */
function functionOf(aggregate: ConstDirectiveNode | undefined): string | null {
  const value = argumentOf(aggregate, "fn");
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : null;
}

/** Returns whether a function picks a row, so that it does not need a number. */
function isPick(called: string | null): boolean {
  return called === "first" || called === "last";
}

const FUNCTIONS: ReadonlySet<string> = new Set(["sum", "max", "min", "count", "first", "last"]);

/** The numeric types, from the narrowest to the widest. */
const NUMBERS: readonly string[] = ["Int", "Int8", "BigInt", "BigDecimal"];

const PICKED: ReadonlySet<string> = new Set(["Bytes", "String", "ID"]);

const SCALARS: ReadonlySet<string> = new Set([...NUMBERS, ...PICKED, "Boolean", "Timestamp"]);
