import { cached, compareCodeUnits, findNamed } from "../../../src/base/collections.ts";
import { baseTypeName, isList, isRequired } from "../../../src/dialects/api-schema.ts";
import type { EntityField, EntityModel } from "../../../src/dialects/entity-model.ts";
import { type IdTemplates, idTemplate } from "../../../src/dialects/protocol.ts";
import { readStyleTypes } from "../style-types.ts";
import type {
  Digits,
  EntityNotes,
  IdPart,
  IdPlan,
  Pairing,
  PlannedEntity,
  PlannedField,
  RollUp,
  RowPlan,
  ScalarFamily,
  ValueSource,
} from "./row-plan.ts";

type PlanSource = { readonly model: EntityModel; readonly notes: EntityNotes };

/** The rules of a protocol's definition for its rows. */
export type RowRules = {
  /** The field that holds the chain's id in the one row that its entity has for each chain. */
  readonly chainIdentity: { readonly entity: string; readonly field: string } | null;
  /** By entity, the field that leads to an entity with a chain. */
  readonly chainPath: Readonly<Record<string, string>>;
  /** By entity, a field that is unique on a chain, ascending, and never changes. */
  readonly cursors: Readonly<Record<string, string>>;
  /** The templates of ids by entity; generated rows have the ids of subgraphs. */
  readonly ids: IdTemplates;
};

/** A field as a style declares it. */
type Declared = {
  readonly field: EntityField;
  /** The entities that it refers to, several for an interface; undefined for any other type. */
  readonly targets: readonly string[] | undefined;
  /** The members of its enum; undefined for any other type. */
  readonly members: readonly string[] | undefined;
  readonly digits: Digits;
};

/** The fields of the entities of one style, derived ones too. */
type StyleFields = ReadonlyMap<string, readonly Declared[]>;

/** The stored fields of an entity in all styles; `auction_id` has the name of its reference. */
type StoredFields = ReadonlyMap<string, readonly Declared[]>;

type StoredEntity = { readonly name: string; readonly fields: StoredFields };

/** Requirements of derived fields for the fields they are derived from, by `Entity.field`. */
type Demands = {
  readonly references: ReadonlyMap<string, readonly string[]>;
  readonly pairings: ReadonlyMap<string, Pairing>;
  /** Entities with the ids of another entity. */
  readonly twins: ReadonlyMap<string, string>;
  readonly required: ReadonlySet<string>;
};

/** No effective limit. */
const ANY_DIGITS: Digits = { whole: 24, decimals: 24 };

/** Builds the plan of the rows that all styles of a protocol share. */
export function buildRowPlan(sources: readonly PlanSource[], rules: RowRules): RowPlan {
  const styles = sources.map(readFields);
  const names = [...new Set(styles.flatMap((style) => [...style.keys()]))].sort(compareCodeUnits);
  const stored = new Map(names.map((name) => [name, storedFields(name, styles)]));
  const demands = readDemands(styles, stored, rules);
  const notes = sources.map((source) => source.notes);
  const entities = Array.from(stored, ([name, fields], ordinal): PlannedEntity => {
    const isIdentity = rules.chainIdentity?.entity === name;
    const rollUp =
      notes.map(({ rollUps }) => rollUps.get(name)).find((candidate) => candidate !== undefined) ?? null;
    const isTimeseries = notes.some(({ timeseries }) => timeseries.has(name));
    const { id, unique } = planId({ name, fields }, rules, demands);
    const planned = [...fields]
      .filter(([key]) => key !== "id")
      .map(([key, all]): [string, PlannedField] => {
        const path = `${name}.${key}`;
        const inId = id.template?.some((part) => "field" in part && part.field === key) ?? false;
        const isChain = key === CHAIN_FIELD || (isIdentity && rules.chainIdentity?.field === key);
        const isSerial = key === ownProperty(rules.cursors, name) || key === unique;
        const isCreated = key === "timestamp" && isTimeseries && !isSerial;
        const source: ValueSource = isChain
          ? { kind: "chain" }
          : isSerial
            ? { kind: "serial", family: familyOf(all) }
            : isCreated
              ? { kind: "created" }
              : sourceOf(path, all, demands);
        const isFixed = isChain || isSerial || isCreated || inId || demands.required.has(path);
        const field = {
          name: key,
          isList: all.every(({ field: { type } }) => isList(type)),
          isNullable: !isFixed && all.every(({ field: { type } }) => !isRequired(type)),
          mayChange: !isFixed && changes(source),
          source,
        };
        return [key, field];
      });
    return {
      name,
      ordinal,
      isIdentity,
      isImmutable: rollUp !== null || sources.some(({ model }) => isImmutable(model, name)),
      rollUp,
      id,
      fields: new Map([...planned, ...intervalField(rollUp, fields)]),
    };
  });
  return new Map(entities.map((entity) => [entity.name, entity]));
}

/** The field with the chain's id, in any entity. */
const CHAIN_FIELD = "chainId";

function readFields({ model, notes }: PlanSource): StyleFields {
  const { membersOf } = readStyleTypes(model);
  const targets = new Map<string, string[]>();
  const tables = new Map<string, readonly EntityField[]>();
  for (const definition of model.definitions) {
    const { kind, name } = definition;
    if (kind === "interface") cached(targets, name, () => []);
    if (kind !== "entity" && kind !== "aggregation") continue;
    tables.set(name, definition.fields);
    for (const target of [name, ...(kind === "entity" ? definition.interfaces : [])])
      cached(targets, target, (): string[] => []).push(name);
  }
  const declare = (entity: string, field: EntityField): Declared => {
    const type = baseTypeName(field.type);
    const digits = notes.digits.get(`${entity}.${field.name}`) ?? ANY_DIGITS;
    return { field, targets: targets.get(type), members: membersOf(type), digits };
  };
  return new Map(
    Array.from(tables, ([entity, fields]) => [entity, fields.map((field) => declare(entity, field))]),
  );
}

function isImmutable({ definitions }: EntityModel, name: string): boolean {
  const definition = findNamed(definitions, name);
  return definition?.kind === "entity" && definition.immutable === true;
}

function storedFields(entity: string, styles: readonly StyleFields[]): StoredFields {
  const all = styles.map((style) => (style.get(entity) ?? []).filter(({ field }) => !field.derived));
  const references = new Set(
    all
      .flat()
      .filter(({ targets }) => targets !== undefined)
      .map(({ field }) => field.name),
  );
  const stored = new Map<string, Declared[]>();
  for (const fields of all) {
    const names = new Set(fields.map(({ field }) => field.name));
    for (const declared of fields) {
      const { name } = declared.field;
      const base = referenceName(name);
      const key = base !== null && references.has(base) && !names.has(base) ? base : name;
      cached(stored, key, (): Declared[] => []).push(declared);
    }
  }
  return stored;
}

const ID_SUFFIX = "_id";

/** `auction` of `auction_id`; null for any other name. */
export function referenceName(name: string): string | null {
  return name.endsWith(ID_SUFFIX) ? name.slice(0, -ID_SUFFIX.length) : null;
}

function readDemands(
  styles: readonly StyleFields[],
  stored: ReadonlyMap<string, StoredFields>,
  { chainPath }: RowRules,
): Demands {
  const references = new Map<string, readonly string[]>();
  const pairings = new Map<string, Pairing>();
  const twins = new Map<string, string>();
  const required = new Set<string>();
  for (const [owner, fields] of styles.flatMap((style) => [...style])) {
    const path = ownProperty(chainPath, owner);
    for (const { field, targets = [] } of fields) {
      if (field.name === path && !field.derived) required.add(`${owner}.${field.name}`);
      if (field.derivedFrom === null) continue;
      for (const target of targets) {
        const key = keyAmong(stored.get(target), field.derivedFrom);
        if (key === "id" && target !== owner) twins.set(target, owner);
        const place = `${target}.${key}`;
        if (holdsIds(stored.get(target)?.get(key), owner, stored))
          references.set(place, [...new Set([...(references.get(place) ?? []), owner])]);
        if (!isList(field.type)) pairings.set(place, "one-to-one");
        else if (field.name === path && !pairings.has(place)) pairings.set(place, "covering");
        if (field.name === path || (!isList(field.type) && isRequired(field.type))) required.add(place);
      }
    }
  }
  // Without a declared reference, the name of a scalar `auction_id` decides its target.
  const byName = new Map([...stored.keys()].map((name) => [name.toLowerCase(), name]));
  for (const [entity, all] of stored) {
    for (const [key, fields] of all) {
      const target = byName.get(referenceName(key)?.toLowerCase() ?? "");
      const place = `${entity}.${key}`;
      if (target !== undefined && !references.has(place) && holdsIds(fields, target, stored))
        references.set(place, [target]);
    }
  }
  return { references, pairings, twins, required };
}

/** Whether a field's type can hold the ids of an entity. */
function holdsIds(
  fields: readonly Declared[] = [],
  target: string,
  stored: ReadonlyMap<string, StoredFields>,
): boolean {
  const [family, ids] = [familyOf(fields), familyOf(stored.get(target)?.get("id") ?? [])];
  const isReference = fields.some(({ targets }) => targets !== undefined);
  return isReference || family === ids || (family === "text" && ids === "bytes");
}

function keyAmong(fields: StoredFields | undefined, name: string): string {
  const base = referenceName(name);
  return base !== null && fields?.has(base) && !fields.has(name) ? base : name;
}

/** @param place `Entity.field`. */
function sourceOf(
  place: string,
  all: readonly Declared[],
  { references, pairings }: Pick<Demands, "references" | "pairings">,
): ValueSource {
  const typed = all.map((declared) => declared.targets).filter((names) => names !== undefined);
  // An interface in one style and an entity in the other: the common targets.
  const [first, ...others] = typed;
  const common = first?.filter((name) => others.every((targets) => targets.includes(name))) ?? [];
  const targets = first === undefined ? references.get(place) : common.length > 0 ? common : first;
  if (targets !== undefined) return { kind: "reference", targets, pairing: pairings.get(place) ?? "any" };
  const enums = all.map((declared) => declared.members).filter((names) => names !== undefined);
  const [members] = enums;
  if (members !== undefined) {
    const shared = members.filter((member) => enums.every((values) => values.includes(member)));
    return { kind: "enum", members: shared.length > 0 ? shared : members };
  }
  return {
    kind: "scalar",
    family: familyOf(all),
    digits: Math.min(...all.map(({ digits }) => digits.whole)),
    decimals: Math.min(...all.map(({ digits }) => digits.decimals)),
    hasAccounts: !HASHES.test(place),
  };
}

/** Name endings of bytes fields that are not addresses. Clients may refuse an invalid address. */
const HASHES = /(hash|root|digest|salt|proof|signature|data)$/i;

/** From narrow to wide: a value of a narrower family is valid in a wider one. */
const FAMILIES: readonly (readonly [scalar: string, family: ScalarFamily])[] = [
  ["Boolean", "boolean"],
  ["Timestamp", "time"],
  ["Int", "int"],
  ["Int8", "int8"],
  ["BigInt", "integer"],
  ["Float", "decimal"],
  ["BigDecimal", "decimal"],
  ["Json", "json"],
  ["Bytes", "bytes"],
];

function familyOf(all: readonly Declared[]): ScalarFamily {
  const types = new Set(all.map(({ field }) => baseTypeName(field.type)));
  return FAMILIES.find(([scalar]) => types.has(scalar))?.[1] ?? "text";
}

const CHANGING: ReadonlySet<ScalarFamily> = new Set(["boolean", "decimal", "int", "int8", "integer"]);

function changes(source: ValueSource): boolean {
  return source.kind === "enum" || (source.kind === "scalar" && CHANGING.has(source.family));
}

/** Plans the ids of an entity, and the field that makes those of a template unique. */
function planId(
  entity: StoredEntity,
  { ids, cursors, chainIdentity }: RowRules,
  demands: Demands,
): { readonly id: IdPlan; readonly unique: string | null } {
  const { name, fields } = entity;
  const text = idTemplate(ids, name, "subgraph");
  const template = text === null ? null : parseTemplate(text);
  const isIdentity = chainIdentity?.entity === name;
  const family = familyOf(fields.get("id") ?? []);
  const unique = uniquePart(template ?? [], entity, demands);
  // A part that is not a field is replaced by the row's number.
  const isNumbered = template?.some(
    (part) => "field" in part && part.field !== CHAIN_FIELD && !fields.has(part.field),
  );
  const id: IdPlan = {
    family: family === "bytes" || family === "int" ? family : WHOLE.has(family) ? "integer" : "text",
    template: isIdentity || unique !== null || isNumbered ? template : null,
    isOrdered: ownProperty(cursors, name) === "id",
    isChain: isIdentity && template === null,
    twin: demands.twins.get(name) ?? null,
  };
  return { id, unique };
}

const WHOLE: ReadonlySet<ScalarFamily> = new Set(["int8", "integer", "decimal", "time"]);

function parseTemplate(template: string): IdPart[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("{") ? { field: part.slice(1, -1) } : { text: part }));
}

/** The last field of a template that can differ in every row. */
function uniquePart(
  template: readonly IdPart[],
  { name: entity, fields }: StoredEntity,
  demands: Demands,
): string | null {
  const names = template.flatMap((part) => ("field" in part ? [part.field] : []));
  return (
    names.findLast((name) => {
      const all = fields.get(name);
      const path = `${entity}.${name}`;
      if (all === undefined || name === CHAIN_FIELD || demands.references.has(path)) return false;
      const { kind } = sourceOf(path, all, demands);
      return kind === "scalar" && familyOf(all) !== "boolean" && familyOf(all) !== "json";
    }) ?? null
  );
}

/** Rows of a roll-up name their interval, although it is not a field. */
function intervalField(
  rollUp: RollUp | null,
  fields: ReadonlyMap<string, unknown>,
): (readonly [string, PlannedField])[] {
  if (rollUp === null || fields.has("interval")) return [];
  const source = { kind: "enum", members: rollUp.intervals } as const;
  return [["interval", { name: "interval", isList: false, isNullable: false, mayChange: false, source }]];
}

/** An own property of a record. */
function ownProperty(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
