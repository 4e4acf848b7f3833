import { compareCodeUnits, findNamed } from "../../../src/base/collections.ts";
import { baseTypeName, isList, isRequired } from "../../../src/dialects/api-schema.ts";
import type { EntityField, EntityModel } from "../../../src/dialects/entity-model.ts";
import { type IdTemplates, idTemplate } from "../../../src/dialects/protocol.ts";
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

/** A field as the styles declare it. */
type Declared = { readonly field: EntityField; readonly tables: Tables; readonly digits: Digits };

/** The entities of one style, by name. */
type Tables = {
  readonly fields: ReadonlyMap<string, readonly EntityField[]>;
  /** The entities of a name: itself, or the implementers of an interface. */
  readonly targetsOf: (name: string) => readonly string[] | undefined;
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly notes: EntityNotes;
};

/** Requirements of derived fields for the fields they are derived from, by `Entity.field`. */
type Demands = {
  readonly references: ReadonlyMap<string, readonly string[]>;
  readonly pairings: ReadonlyMap<string, Pairing>;
  /** Entities with the ids of another entity. */
  readonly twins: ReadonlyMap<string, string>;
  readonly required: ReadonlySet<string>;
};

type DeclaredEntity = {
  readonly name: string;
  readonly fields: ReadonlyMap<string, readonly Declared[]>;
};

/** No effective limit. */
const ANY_DIGITS: Digits = { whole: 24, decimals: 24 };

/** Builds the plan of the rows that all styles of a protocol share. */
export function buildRowPlan(sources: readonly PlanSource[], rules: RowRules): RowPlan {
  const styles = sources.map(readTables);
  const names = [...new Set(styles.flatMap(({ fields }) => [...fields.keys()]))].sort(compareCodeUnits);
  const declared = new Map(names.map((name) => [name, declaredFields(name, styles)]));
  const demands = readDemands(styles, declared, rules);
  const entities = names.map((name, ordinal): PlannedEntity => {
    const fields = declared.get(name) ?? new Map<string, readonly Declared[]>();
    const notes = styles.map((style) => style.notes);
    const isIdentity = rules.chainIdentity?.entity === name;
    const asked = planId({ name, fields }, rules, demands);
    const unique = uniquePart(asked, { name, fields }, demands);
    const isTellingApart =
      isIdentity || unique !== null || (asked.template?.some((part) => isUnknown(part, fields)) ?? false);
    const id = isTellingApart ? asked : { ...asked, template: null };
    const rollUp = notes.map(({ rollUps }) => rollUps.get(name)).find((one) => one !== undefined) ?? null;
    const planned = [...fields]
      .filter(([key]) => key !== "id")
      .map(([key, all]): readonly [string, PlannedField] => {
        const path = `${name}.${key}`;
        const inId = id.template?.some((part) => "field" in part && part.field === key) ?? false;
        const isChain = key === CHAIN_FIELD || (isIdentity && rules.chainIdentity?.field === key);
        const isSerial = key === own(rules.cursors, name) || key === unique;
        const isCreated =
          key === "timestamp" && notes.some(({ timeseries }) => timeseries.has(name)) && !isSerial;
        const source: ValueSource = isChain
          ? { kind: "chain" }
          : isSerial
            ? { kind: "serial", family: familyOf(all) }
            : isCreated
              ? { kind: "created" }
              : sourceOf(path, all, demands);
        const isFixed = isChain || isSerial || isCreated || inId || demands.required.has(path);
        return [
          key,
          {
            name: key,
            isList: all.every(({ field }) => isList(field.type)),
            isNullable: !isFixed && all.every(({ field }) => !isRequired(field.type)),
            mayChange: !isFixed && changes(source),
            source,
          },
        ];
      });
    return {
      name,
      ordinal,
      isIdentity,
      isImmutable: rollUp !== null || notes.some(({ immutable }) => immutable.has(name)),
      rollUp,
      id,
      fields: new Map([...planned, ...intervalField(rollUp, fields)]),
    };
  });
  return new Map(entities.map((entity) => [entity.name, entity]));
}

/** The field with the chain's id, in any entity. */
const CHAIN_FIELD = "chainId";

function readTables({ model, notes }: PlanSource): Tables {
  const fields = new Map<string, readonly EntityField[]>();
  const targets = new Map<string, string[]>();
  const enums = new Map<string, readonly string[]>();
  for (const definition of model.definitions) {
    if (definition.kind === "enum")
      enums.set(definition.name, definition.values?.map(({ name }) => name) ?? []);
    if (definition.kind === "interface") targets.set(definition.name, targets.get(definition.name) ?? []);
    if (definition.kind !== "entity" && definition.kind !== "aggregation") continue;
    fields.set(definition.name, definition.fields);
    for (const name of [definition.name, ...(definition.kind === "entity" ? definition.interfaces : [])])
      targets.set(name, [...(targets.get(name) ?? []), definition.name]);
  }
  return { fields, targetsOf: (name) => targets.get(name), enums, notes };
}

/** The stored fields of an entity in all styles; `auction_id` has the name of its reference. */
function declaredFields(entity: string, styles: readonly Tables[]): Map<string, readonly Declared[]> {
  const references = new Set(
    styles.flatMap(({ fields, targetsOf }) =>
      (fields.get(entity) ?? [])
        .filter(({ type, derived }) => !derived && targetsOf(baseTypeName(type)) !== undefined)
        .map(({ name }) => name),
    ),
  );
  const found = new Map<string, readonly Declared[]>();
  for (const tables of styles) {
    const all = tables.fields.get(entity) ?? [];
    for (const field of all.filter(({ derived }) => !derived)) {
      const key = keyOf(field.name, references, all);
      const digits = tables.notes.digits.get(`${entity}.${field.name}`) ?? ANY_DIGITS;
      found.set(key, [...(found.get(key) ?? []), { field, tables, digits }]);
    }
  }
  return found;
}

const ID_SUFFIX = "_id";

function keyOf(name: string, references: ReadonlySet<string>, all: readonly EntityField[]): string {
  const base = referenceName(name);
  return base !== null && references.has(base) && findNamed(all, base) === undefined ? base : name;
}

/** `auction` of `auction_id`; null for any other name. */
export function referenceName(name: string): string | null {
  return name.endsWith(ID_SUFFIX) ? name.slice(0, -ID_SUFFIX.length) : null;
}

function readDemands(
  styles: readonly Tables[],
  declared: ReadonlyMap<string, ReadonlyMap<string, readonly Declared[]>>,
  rules: RowRules,
): Demands {
  const references = new Map<string, readonly string[]>();
  const pairings = new Map<string, Pairing>();
  const twins = new Map<string, string>();
  const required = new Set<string>();
  for (const { fields, targetsOf } of styles) {
    for (const [owner, all] of fields) {
      const path = own(rules.chainPath, owner);
      for (const field of all) {
        if (field.name === path && !field.derived) required.add(`${owner}.${field.name}`);
        if (field.derivedFrom === null) continue;
        for (const target of targetsOf(baseTypeName(field.type)) ?? []) {
          const key = keyAmong(declared.get(target), field.derivedFrom);
          if (key === "id" && target !== owner) twins.set(target, owner);
          const place = `${target}.${key}`;
          if (holdsIds(declared.get(target)?.get(key), owner, declared))
            references.set(place, [...new Set([...(references.get(place) ?? []), owner])]);
          if (!isList(field.type)) pairings.set(place, "one-to-one");
          else if (field.name === path && !pairings.has(place)) pairings.set(place, "covering");
          if (field.name === path || (!isList(field.type) && isRequired(field.type))) required.add(place);
        }
      }
    }
  }
  // Without a declared reference, the name of a scalar `auction_id` decides its target.
  const byName = new Map([...declared.keys()].map((name) => [name.toLowerCase(), name]));
  for (const [entity, all] of declared) {
    for (const [key, fields] of all) {
      const target = byName.get(referenceName(key)?.toLowerCase() ?? "");
      const place = `${entity}.${key}`;
      if (target !== undefined && !references.has(place) && holdsIds(fields, target, declared))
        references.set(place, [target]);
    }
  }
  return { references, pairings, twins, required };
}

/** Whether a field's type can hold the ids of an entity. */
function holdsIds(
  fields: readonly Declared[] | undefined,
  target: string,
  declared: ReadonlyMap<string, ReadonlyMap<string, readonly Declared[]>>,
): boolean {
  const [family, ids] = [familyOf(fields ?? []), familyOf(declared.get(target)?.get("id") ?? [])];
  const isReference =
    fields?.some(({ field, tables }) => tables.targetsOf(baseTypeName(field.type))) ?? false;
  return isReference || family === ids || (family === "text" && ids === "bytes");
}

function keyAmong(fields: ReadonlyMap<string, unknown> | undefined, name: string): string {
  const base = referenceName(name);
  return base !== null && fields?.has(base) && !fields.has(name) ? base : name;
}

/** @param place `Entity.field`. */
function sourceOf(
  place: string,
  all: readonly Declared[],
  { references, pairings }: Pick<Demands, "references" | "pairings">,
): ValueSource {
  const typed = all.flatMap(({ field, tables }) => {
    const targets = tables.targetsOf(baseTypeName(field.type));
    return targets === undefined ? [] : [targets];
  });
  // An interface in one style and an entity in the other: the common targets.
  const [first, ...others] = typed;
  const common = first?.filter((name) => others.every((targets) => targets.includes(name))) ?? [];
  const targets = first === undefined ? references.get(place) : common.length > 0 ? common : first;
  if (targets !== undefined) return { kind: "reference", targets, pairing: pairings.get(place) ?? "any" };
  const enums = all.flatMap(({ field, tables }) => {
    const members = tables.enums.get(baseTypeName(field.type));
    return members === undefined ? [] : [members];
  });
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

function planId(
  { name: entity, fields }: DeclaredEntity,
  { ids, cursors, chainIdentity }: RowRules,
  { twins }: Demands,
): IdPlan {
  const template = idTemplate(ids, entity, "subgraph");
  const family = familyOf(fields.get("id") ?? []);
  return {
    family: family === "bytes" || family === "int" ? family : WHOLE.has(family) ? "integer" : "text",
    template: template === null ? null : parseTemplate(template),
    isOrdered: own(cursors, entity) === "id",
    isChain: chainIdentity?.entity === entity && template === null,
    twin: twins.get(entity) ?? null,
  };
}

const WHOLE: ReadonlySet<ScalarFamily> = new Set(["int8", "integer", "decimal", "time"]);

function parseTemplate(template: string): IdPart[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("{") ? { field: part.slice(1, -1) } : { text: part }));
}

/** The field that makes a template's ids unique: the last one that can differ in every row. */
function uniquePart(
  { template }: IdPlan,
  { name: entity, fields }: DeclaredEntity,
  demands: Demands,
): string | null {
  const parts = template?.flatMap((part) => ("field" in part ? [part.field] : [])) ?? [];
  return (
    parts.findLast((name) => {
      const all = fields.get(name);
      const path = `${entity}.${name}`;
      if (all === undefined || name === CHAIN_FIELD || demands.references.has(path)) return false;
      const { kind } = sourceOf(path, all, demands);
      return kind === "scalar" && familyOf(all) !== "boolean" && familyOf(all) !== "json";
    }) ?? null
  );
}

/** A part that is not a field is replaced by the row's number. */
function isUnknown(part: IdPart, fields: ReadonlyMap<string, unknown>): boolean {
  return "field" in part && part.field !== CHAIN_FIELD && !fields.has(part.field);
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
function own(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
