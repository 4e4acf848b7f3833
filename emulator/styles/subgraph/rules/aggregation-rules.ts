import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  print,
} from "graphql";
import {
  type AuthoredTypes,
  argumentOf,
  baseTypeOf,
  directiveOf,
  fieldOf,
  lineOf,
} from "./authored-types.ts";
import type { EntityProblem } from "./entity-problem.ts";
import { checkTimestamp } from "./timestamp-rule.ts";

/**
 * Checks roll-ups of time series: where their rows come from, by which intervals, and that they aggregate
 * something (A.2). The expression an aggregate computes is SQL and is looked at only where it is
 * the name of a field.
 */
export function checkAggregations(types: AuthoredTypes): EntityProblem[] {
  return types.aggregations.flatMap((aggregation) => [
    ...checkTimestamp(aggregation),
    ...checkFields(aggregation),
    ...checkSource(aggregation, types),
    ...checkIntervals(aggregation),
  ]);
}

function checkFields(aggregation: ObjectTypeDefinitionNode): EntityProblem[] {
  const name = aggregation.name.value;
  return (aggregation.fields ?? []).flatMap((field) => {
    const problems: EntityProblem[] = [];
    const line = lineOf(field);
    if (directiveOf(field, "derivedFrom")) {
      problems.push({
        reason: `Aggregation ${name} has a derived field ${field.name.value} but fields in aggregations can not be derived`,
        line,
      });
    }
    const aggregate = directiveOf(field, "aggregate");
    // `first` and `last` may take any value.
    const picks = ["first", "last"].includes(functionOf(aggregate) ?? "");
    if (aggregate && !picks && !NUMBERS.has(baseTypeOf(field))) {
      problems.push({
        reason: `Aggregation ${name}, field${field.name.value}: aggregates must use a numeric type, one of Int, Int8, BigInt, and BigDecimal`,
        line,
      });
    }
    return problems;
  });
}

function checkSource(aggregation: ObjectTypeDefinitionNode, { entities }: AuthoredTypes): EntityProblem[] {
  const name = aggregation.name.value;
  const line = lineOf(aggregation);
  const given = argumentOf(directiveOf(aggregation, "aggregation"), "source");
  if (given === undefined)
    return [{ reason: `Aggregation ${name} is missing the \`source\` argument`, line }];
  if (given.kind !== Kind.STRING) {
    return [
      {
        reason: `Aggregation ${name} has an invalid argument for \`source\`: it must be the name of a timeseries`,
        line,
      },
    ];
  }
  const source = entities.find((entity) => entity.name.value === given.value);
  if (source === undefined) {
    // "Aggregaton" is graph-node's spelling.
    return [
      {
        reason: `Aggregaton ${name} uses ${given.value} as the source, but there is no timeseries of that name`,
        line,
      },
    ];
  }
  const timeseries = argumentOf(directiveOf(source, "entity"), "timeseries");
  if (timeseries?.kind !== Kind.BOOLEAN || !timeseries.value) {
    return [
      {
        reason: `Aggregation ${name} uses ${given.value} as the source, but that type is not a timeseries`,
        line,
      },
    ];
  }

  const own = (aggregation.fields ?? []).filter(
    (field) => field.name.value !== "id" && field.name.value !== "timestamp",
  );
  const problems = [
    ...checkId(aggregation, source),
    ...own.flatMap((field) =>
      directiveOf(field, "aggregate")
        ? checkAggregate(field, aggregation, source)
        : checkDimension(field, aggregation, source),
    ),
  ];
  if (!own.some((field) => directiveOf(field, "aggregate"))) {
    problems.push({ reason: `Aggregation ${name} has no @aggregate fields`, line });
  }
  return problems;
}

function checkId(aggregation: ObjectTypeDefinitionNode, source: ObjectTypeDefinitionNode): EntityProblem[] {
  const name = aggregation.name.value;
  const id = fieldOf(aggregation, "id");
  if (id === undefined) {
    return [{ reason: `Type ${name} does not have an \`id\` field`, line: lineOf(aggregation) }];
  }
  const sourceId = fieldOf(source, "id");
  if (sourceId === undefined || baseTypeOf(id) === baseTypeOf(sourceId)) return [];
  return [
    {
      reason: `The type of the \`id\` field for aggregation ${name} must be ${baseTypeOf(sourceId)}, the same as in the source, but is ${baseTypeOf(id)}`,
      line: lineOf(id),
    },
  ];
}

function checkAggregate(
  field: FieldDefinitionNode,
  aggregation: ObjectTypeDefinitionNode,
  source: ObjectTypeDefinitionNode,
): EntityProblem[] {
  const place = `Field ${field.name.value} in aggregation ${aggregation.name.value}`;
  const line = lineOf(field);
  const directive = directiveOf(field, "aggregate");
  const given = argumentOf(directive, "fn");
  if (given === undefined) return [{ reason: `${place} is missing the \`fn\` argument`, line }];
  const called = functionOf(directive);
  if (called === null || !FUNCTIONS.has(called)) {
    return [{ reason: `${place} uses the unknown aggregation function \`${called ?? print(given)}\``, line }];
  }
  const arg = argumentOf(directive, "arg");
  if (arg === undefined) {
    if (called === "count") return [];
    return [
      { reason: `${place} is missing the \`arg\` argument since the function ${called} requires it`, line },
    ];
  }
  if (arg.kind !== Kind.STRING) {
    return [{ reason: `${place} has an invalid argument for \`arg\`: it must be a string`, line }];
  }
  const cumulative = argumentOf(directive, "cumulative");
  if (cumulative !== undefined && cumulative.kind !== Kind.BOOLEAN) {
    return [{ reason: `${place} has an invalid value for \`cumulative\`. It needs to be a boolean`, line }];
  }
  if (/^[A-Za-z_]\w*$/.test(arg.value) && fieldOf(source, arg.value) === undefined) {
    return [
      { reason: `${place} has \`arg\` ${arg.value} but the source type does not have such a field`, line },
    ];
  }
  return [];
}

/** What is not aggregated is taken over from the source. */
function checkDimension(
  field: FieldDefinitionNode,
  aggregation: ObjectTypeDefinitionNode,
  source: ObjectTypeDefinitionNode,
): EntityProblem[] {
  const line = lineOf(field);
  const origin = fieldOf(source, field.name.value);
  if (origin === undefined) {
    return [
      {
        reason: `Aggregation ${aggregation.name.value} uses ${source.name.value} as the source, but that does not have a field ${field.name.value}`,
        line,
      },
    ];
  }
  if (baseTypeOf(field) === baseTypeOf(origin)) return [];
  return [
    {
      reason: `Field ${field.name.value} in aggregation ${aggregation.name.value} has type ${baseTypeOf(field)} but its type in the source is ${baseTypeOf(origin)}`,
      line,
    },
  ];
}

function checkIntervals(aggregation: ObjectTypeDefinitionNode): EntityProblem[] {
  const name = aggregation.name.value;
  const line = lineOf(aggregation);
  const given = argumentOf(directiveOf(aggregation, "aggregation"), "intervals");
  if (given === undefined) {
    return [
      {
        reason: `Aggregation ${name} is missing an \`intervals\` argument for the timeseries directive`,
        line,
      },
    ];
  }
  const values = given.kind === Kind.LIST ? given.values : [];
  const intervals = values.flatMap((value) => (value.kind === Kind.STRING ? [value.value] : []));
  if (intervals.length === 0 || intervals.length < values.length) {
    return [
      {
        reason: `Aggregation ${name} has an invalid argument for \`intervals\`: it must be a non-empty list of strings`,
        line,
      },
    ];
  }
  return intervals
    .filter((interval) => interval !== "hour" && interval !== "day")
    .map((interval) => ({ reason: `Aggregation ${name}: the interval ${interval} is not supported`, line }));
}

/** The function may be written as a name or as a string. */
function functionOf(aggregate: ConstDirectiveNode | undefined): string | null {
  const value = argumentOf(aggregate, "fn");
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : null;
}

const FUNCTIONS: ReadonlySet<string> = new Set(["sum", "max", "min", "count", "first", "last"]);

const NUMBERS: ReadonlySet<string> = new Set(["Int", "Int8", "BigInt", "BigDecimal"]);
