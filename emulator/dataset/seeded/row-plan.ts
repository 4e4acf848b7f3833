import { type ConstDirectiveNode, Kind, type ObjectTypeDefinitionNode } from "graphql";
import { argumentOf, findDirective, parseDocument, stringArgument } from "../../../src/dialects/parse-sdl.ts";

/** What the rows of a protocol are made by: the entities of both styles in one, so that the styles agree. */
export type RowPlan = {
  /** In code-unit order of their names. */
  readonly entities: ReadonlyMap<string, PlannedEntity>;
};

/** An entity, or a roll-up, as its rows are made. */
export type PlannedEntity = {
  readonly name: string;
  /** Its place among all. */
  readonly ordinal: number;
  /** Whether it has one row for each chain, with the chain's id. */
  readonly isIdentity: boolean;
  readonly isImmutable: boolean;
  readonly rollUp: RollUp | null;
  readonly id: IdPlan;
  /** All stored fields but the id. A reference that a style stores as `auction_id` is `auction`. */
  readonly fields: ReadonlyMap<string, PlannedField>;
};

/** What ids are made of. */
export type IdPlan = {
  readonly family: "bytes" | "int" | "integer" | "text";
  /** The parts of a declared template: fields, and text between them; null for ids of the usual form. */
  readonly template: readonly IdPart[] | null;
  /** Whether ids have to be in the order in which rows are made, as text too. */
  readonly isOrdered: boolean;
  /** Whether the id is the chain's. */
  readonly isChain: boolean;
  /** The entity whose rows have the same ids; null for ids of its own. */
  readonly twin: string | null;
};

/** A field's value, or text as it is. */
export type IdPart = { readonly field: string } | { readonly text: string };

/** A stored field. */
export type PlannedField = {
  readonly name: string;
  readonly isList: boolean;
  /** Whether some rows have null. */
  readonly isNullable: boolean;
  /** Whether a later block may change its value. */
  readonly mayChange: boolean;
  readonly source: ValueSource;
};

/** Where the values of a field come from. */
export type ValueSource =
  /** The id of the chain. */
  | { readonly kind: "chain" }
  /** A different one for each row of a chain, ascending. */
  | { readonly kind: "serial"; readonly family: ScalarFamily }
  /** When the row was made. */
  | { readonly kind: "created" }
  | {
      readonly kind: "reference";
      /** The entities whose rows it may lead to: several where it leads to an interface. */
      readonly targets: readonly string[];
      readonly pairing: Pairing;
    }
  | { readonly kind: "enum"; readonly members: readonly string[] }
  | (ScalarSource & { readonly kind: "scalar" });

/** What a scalar is drawn from. */
export type ScalarSource = {
  readonly family: ScalarFamily;
  /** The most digits before the point, and after it. */
  readonly digits: number;
  readonly decimals: number;
  /** Whether the field, where it holds bytes, holds accounts, of which there are few, or hashes. */
  readonly hasAccounts: boolean;
};

/**
 * `one-to-one` where a row may be referred to by one row only, because a derived field holds one; `covering` where every row has
 * to be referred to.
 */
export type Pairing = "any" | "covering" | "one-to-one";

/** What a value is, whatever scalar each style stores it as. */
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
