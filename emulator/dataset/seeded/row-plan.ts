import { type ConstDirectiveNode, Kind, type ObjectTypeDefinitionNode } from "graphql";
import { argumentOf, findDirective, parseDocument, stringArgument } from "../../../src/dialects/parse-sdl.ts";

/**
 * How a protocol's rows are generated: the entities of both styles by name, in code-unit order. One plan, so that the
 * styles agree.
 */
export type RowPlan = ReadonlyMap<string, PlannedEntity>;

/** The rows of an entity or a roll-up. */
export type PlannedEntity = {
  readonly name: string;
  /** Its index among all entities. */
  readonly ordinal: number;
  /** Whether it has one row per chain, with the chain's id. */
  readonly isIdentity: boolean;
  readonly isImmutable: boolean;
  readonly rollUp: RollUp | null;
  readonly id: IdPlan;
  /** All stored fields except the id. A reference stored as `auction_id` is named `auction`. */
  readonly fields: ReadonlyMap<string, PlannedField>;
};

export type IdPlan = {
  readonly family: "bytes" | "int" | "integer" | "text";
  /** The parts of a declared template; null for ids of the default form. */
  readonly template: readonly IdPart[] | null;
  /** Whether ids ascend in order of creation, also as text. */
  readonly isOrdered: boolean;
  /** Whether the id is the chain's. */
  readonly isChain: boolean;
  /** The entity with the same ids; null for ids of its own. */
  readonly twin: string | null;
};

/** A field's value, or literal text. */
export type IdPart = { readonly field: string } | { readonly text: string };

export type PlannedField = {
  readonly name: string;
  readonly isList: boolean;
  readonly isNullable: boolean;
  readonly mayChange: boolean;
  readonly source: ValueSource;
};

export type ValueSource =
  | { readonly kind: "chain" }
  /** Unique and ascending among the rows of a chain. */
  | { readonly kind: "serial"; readonly family: ScalarFamily }
  /** The row's creation time. */
  | { readonly kind: "created" }
  | {
      readonly kind: "reference";
      /** The possible target entities: several for an interface. */
      readonly targets: readonly string[];
      readonly pairing: Pairing;
    }
  | { readonly kind: "enum"; readonly members: readonly string[] }
  | (ScalarSource & { readonly kind: "scalar" });

export type ScalarSource = {
  readonly family: ScalarFamily;
  /** The most digits before and after the point. */
  readonly digits: number;
  readonly decimals: number;
  /** Whether a bytes field holds accounts, which repeat, or hashes. */
  readonly hasAccounts: boolean;
};

/** `one-to-one` if a derived field holds a single row; `covering` if every target must be referenced. */
export type Pairing = "any" | "covering" | "one-to-one";

/** The kind of a value, whatever scalar each style stores it as. */
export type ScalarFamily =
  | "boolean"
  | "bytes"
  | "decimal"
  | "int"
  | "int8"
  | "integer"
  | "json"
  | "text"
  | "time";

/** The facts of an entity SDL that an entity model does not hold. */
export type EntityNotes = {
  /** Entities whose rows have the time of their block. */
  readonly timeseries: ReadonlySet<string>;
  readonly rollUps: ReadonlyMap<string, RollUp>;
  /** By `Entity.field`, for numbers with a limit. */
  readonly digits: ReadonlyMap<string, Digits>;
};

/** The most digits of a number before and after its point. */
export type Digits = { readonly whole: number; readonly decimals: number };

export type RollUp = {
  /** The aggregated entity. */
  readonly source: string;
  readonly intervals: readonly string[];
  /** The aggregates by field; other fields are copied from the source. */
  readonly aggregates: ReadonlyMap<string, Aggregate>;
};

export type Aggregate = {
  /** `sum`, `max`, `min`, `count`, `first` or `last`. */
  readonly fn: string;
  /** A field of the source, or an SQL expression; null for a count. */
  readonly arg: string | null;
  /** Whether it continues from one interval to the next. */
  readonly cumulative: boolean;
};

/** Reads the notes of an entity SDL that the platform has accepted. */
export function readEntityNotes(text: string, place: string): EntityNotes {
  const timeseries = new Set<string>();
  const rollUps = new Map<string, RollUp>();
  const digits = new Map<string, Digits>();
  for (const node of parseDocument(text, place).definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const name = node.name.value;
    const entity = findDirective(node.directives, "entity");
    if (isTrue(entity, "timeseries")) timeseries.add(name);
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
  return { timeseries, rollUps, digits };
}

function readRollUp(node: ObjectTypeDefinitionNode, aggregation: ConstDirectiveNode): RollUp {
  const intervals = argumentOf(aggregation, "intervals");
  const aggregates = new Map<string, Aggregate>();
  for (const field of node.fields ?? []) {
    const aggregate = findDirective(field.directives, "aggregate");
    if (aggregate === undefined) continue;
    // The function is written as a name or as a string.
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
