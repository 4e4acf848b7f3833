import { type ConstDirectiveNode, Kind, type ObjectTypeDefinitionNode } from "graphql";
import { argumentOf, findDirective, parseDocument, stringArgument } from "../../../src/dialects/parse-sdl.ts";

/** What an entity SDL says of rows and an entity model does not keep. */
export type EntityNotes = {
  /** Entities whose rows never change. */
  readonly immutable: ReadonlySet<string>;
  /** Entities whose rows have the time of their block. */
  readonly timeseries: ReadonlySet<string>;
  /** Roll-ups by name. */
  readonly rollUps: ReadonlyMap<string, RollUp>;
  /** By `Entity.field`, for those numbers that have a limit. */
  readonly digits: ReadonlyMap<string, Digits>;
};

/** How many digits a number may have before its point, and after it. */
export type Digits = { readonly whole: number; readonly decimals: number };

/** What a roll-up is made of. */
export type RollUp = {
  /** The entity whose rows it aggregates. */
  readonly source: string;
  readonly intervals: readonly string[];
  /** The aggregates by field; any other field is taken over from the source. */
  readonly aggregates: ReadonlyMap<string, Aggregate>;
};

/** How a field of a roll-up is computed. */
export type Aggregate = {
  /** `sum`, `max`, `min`, `count`, `first` or `last`. */
  readonly fn: string;
  /** A field of the source, or an SQL expression over them; null for a count. */
  readonly arg: string | null;
  /** Whether it goes on from one interval to the next. */
  readonly cumulative: boolean;
};

/** Reads the notes off an entity SDL, which a platform has accepted. */
export function readEntityNotes(text: string, place: string): EntityNotes {
  const immutable = new Set<string>();
  const timeseries = new Set<string>();
  const rollUps = new Map<string, RollUp>();
  const digits = new Map<string, Digits>();
  for (const node of parseDocument(text, place).definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const name = node.name.value;
    const entity = findDirective(node.directives, "entity");
    if (isTrue(entity, "timeseries")) timeseries.add(name);
    if (isTrue(entity, "immutable") || isTrue(entity, "timeseries")) immutable.add(name);
    const aggregation = findDirective(node.directives, "aggregation");
    if (aggregation) rollUps.set(name, readRollUp(node, aggregation));
    for (const field of node.fields ?? []) {
      const config = findDirective(field.directives, "config");
      const precision = numberOf(config, "precision");
      const decimals = numberOf(config, "scale") ?? 0;
      if (precision !== null)
        digits.set(`${name}.${field.name.value}`, { whole: Math.max(0, precision - decimals), decimals });
    }
  }
  return { immutable, timeseries, rollUps, digits };
}

function readRollUp(node: ObjectTypeDefinitionNode, aggregation: ConstDirectiveNode): RollUp {
  const intervals = argumentOf(aggregation, "intervals");
  const aggregates = new Map<string, Aggregate>();
  for (const field of node.fields ?? []) {
    const aggregate = findDirective(field.directives, "aggregate");
    if (aggregate === undefined) continue;
    // The function may be written as a name or as a string.
    const fn = argumentOf(aggregate, "fn");
    aggregates.set(field.name.value, {
      fn: fn?.kind === Kind.ENUM || fn?.kind === Kind.STRING ? fn.value : "",
      arg: stringArgument(aggregate, "arg"),
      cumulative: isTrue(aggregate, "cumulative"),
    });
  }
  return {
    source: stringArgument(aggregation, "source") ?? "",
    intervals:
      intervals?.kind === Kind.LIST
        ? intervals.values.flatMap((value) => (value.kind === Kind.STRING ? [value.value] : []))
        : [],
    aggregates,
  };
}

function isTrue(directive: ConstDirectiveNode | undefined, name: string): boolean {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.BOOLEAN && value.value;
}

function numberOf(directive: ConstDirectiveNode | undefined, name: string): number | null {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.INT ? Number(value.value) : null;
}
