import { compareCodeUnits, groupBy } from "../../base/collections.ts";
import { isObject } from "../../base/parse-json.ts";
import { propertyName, typescriptLiteral } from "../../base/text.ts";
import type { Rename } from "../../compare/find-api-renames.ts";
import { baseTypeName } from "../../dialects/api-schema.ts";
import { type EntityModel, isRowDefinition } from "../../dialects/entity-model.ts";
import type { FieldName, ProtocolDefinition, ResolvedProtocol } from "../../dialects/protocol.ts";
import { entityNames } from "./rewrite.ts";

/** The keys of a definition that name entities and fields. */
const PARTS = ["identity", "chainPath", "cursors", "ids", "times", "amounts", "clock", "updatedBy"] as const;

type NamedParts = Pick<ResolvedProtocol, (typeof PARTS)[number]>;

/**
 * Returns a definition with other names of entities and fields. Names that the target has stay, so that a definition that
 * was written already does not change.
 *
 * @param renames what was renamed, with the names of `source`.
 */
export function renameDefinition<T extends NamedParts>(
  definition: T,
  renames: readonly Rename[],
  { source, target }: { readonly source: readonly EntityModel[]; readonly target: readonly EntityModel[] },
): T {
  const [was, is] = [indexFields(source), indexFields(target)];
  const entities = entityNames(renames);
  const fields = new Map(
    renames.flatMap(({ kind, owner, from, to }) =>
      kind === "field" ? [[`${owner}.${from}`, to] as const] : [],
    ),
  );
  const back = new Map([...entities].map(([from, to]) => [to, from]));
  const entity = (name: string) => (is.has(name) ? name : (entities.get(name) ?? name));
  /** @param owner an entity by either name. */
  const field = (owner: string, name: string) =>
    is.get(entity(owner))?.has(name) ? name : (fields.get(`${back.get(owner) ?? owner}.${name}`) ?? name);
  const fieldName = (name: FieldName): FieldName => ({
    entity: name.entity === "*" ? "*" : entity(name.entity),
    field: field(name.entity, name.field),
  });
  /** Renames the fields of a path from an entity. */
  const path = (owner: string, names: readonly string[]): string[] => {
    const [first, ...rest] = names;
    if (first === undefined) return [];
    const next = was.get(owner)?.get(first) ?? is.get(owner)?.get(first) ?? "";
    return [field(owner, first), ...path(next, rest)];
  };
  const byEntity = <V>(all: Readonly<Record<string, V>>, value: (owner: string, member: V) => V) =>
    Object.fromEntries(Object.entries(all).map(([owner, member]) => [entity(owner), value(owner, member)]));
  const template = (owner: string, text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => `{${field(owner, name)}}`);
  const { identity, clock } = definition;
  return {
    ...definition,
    identity: {
      protocol: identity.protocol && fieldName(identity.protocol),
      chain: identity.chain && fieldName(identity.chain),
    },
    chainPath: byEntity(definition.chainPath, field),
    cursors: byEntity(definition.cursors, field),
    ids: byEntity(definition.ids, (owner, idTemplate) =>
      typeof idTemplate === "string"
        ? template(owner, idTemplate)
        : {
            multichain: template(owner, idTemplate.multichain),
            subgraph: template(owner, idTemplate.subgraph),
          },
    ),
    times: definition.times.flatMap((time) => renameTime(time)),
    amounts: definition.amounts.map(({ path: [owner = "", ...names], decimals }) => ({
      path: [entity(owner), ...path(owner, names)],
      decimals: typeof decimals === "number" ? decimals : path(owner, decimals),
    })),
    clock: clock && {
      entity: entity(clock.entity),
      block: field(clock.entity, clock.block),
      time: field(clock.entity, clock.time),
    },
  };

  /** `*.timestamp` is about every entity, and some of them may have renamed it. */
  function renameTime(time: FieldName): FieldName[] {
    if (time.entity !== "*") return [fieldName(time)];
    const others = [...fields].flatMap(([coordinate, to]): FieldName[] => {
      const [owner = "", name] = coordinate.split(".");
      return name === time.field ? [{ entity: entity(owner), field: to }] : [];
    });
    const isThere = [...is.values()].some((fieldTypes) => fieldTypes.has(time.field));
    return isThere || others.length === 0 ? [time, ...others] : others;
  }
}

/** Adds what the target's definition does not say. */
export function completeDefinition(target: ResolvedProtocol, moved: ResolvedProtocol): ResolvedProtocol {
  const has = (entity: string, field: string) =>
    target.times.some((time) => time.field === field && (time.entity === entity || time.entity === "*"));
  return {
    ...target,
    identity: {
      protocol: target.identity.protocol,
      chain: target.identity.chain ?? moved.identity.chain,
    },
    chainPath: { ...moved.chainPath, ...target.chainPath },
    cursors: { ...moved.cursors, ...target.cursors },
    ids: { ...moved.ids, ...target.ids },
    times: [...target.times, ...moved.times.filter(({ entity, field }) => !has(entity, field))],
    amounts: [
      ...target.amounts,
      ...moved.amounts.filter(({ path }) =>
        target.amounts.every((amount) => amount.path.join(".") !== path.join(".")),
      ),
    ],
    clock: target.clock ?? moved.clock,
    updatedBy: target.updatedBy ?? moved.updatedBy,
  };
}

/** The bare types of fields by entity and name. */
function indexFields(models: readonly EntityModel[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const index = new Map<string, Map<string, string>>();
  for (const { definitions } of models) {
    for (const { name, fields } of definitions.filter(isRowDefinition)) {
      const fieldTypes = index.get(name) ?? new Map<string, string>();
      index.set(name, fieldTypes);
      for (const field of fields) fieldTypes.set(field.name, baseTypeName(field.type));
    }
  }
  return index;
}

/** Returns the keys of a definition that differ, as they are written in a configuration. */
export function changedParts(before: NamedParts, after: NamedParts): Partial<ProtocolDefinition> {
  const [was, is] = [writeParts(before), writeParts(after)];
  return Object.fromEntries(
    PARTS.filter((part) => unordered(was[part]) !== unordered(is[part])).map((part) => [part, is[part]]),
  );
}

/** Serializes a part of a definition without the order of its keys and lists, which means nothing. */
function unordered(part: unknown): string {
  return JSON.stringify(part, (_, value: unknown) => {
    if (Array.isArray(value)) return [...value].sort(compareCodeUnits);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareCodeUnits(a, b)));
  });
}

/** Returns the keys of a definition as they are written in a configuration, without empty ones. */
export function writeParts(definition: NamedParts): Partial<ProtocolDefinition> {
  const { identity, chainPath, cursors, ids, times, amounts, clock, updatedBy } = definition;
  const write = (name: FieldName | null) => name && `${name.entity}.${name.field}`;
  const parts = {
    identity: dropEmpty({ protocol: write(identity.protocol), chain: write(identity.chain) }),
    chainPath,
    cursors,
    ids,
    times: times.map(write),
    amounts: Object.fromEntries(
      [
        ...groupBy(amounts, ({ decimals }) =>
          typeof decimals === "number" ? `${decimals}` : decimals.join("."),
        ),
      ].map(([decimals, same]) => [decimals, same.map(({ path }) => path.join("."))]),
    ),
    clock: clock && { block: `${clock.entity}.${clock.block}`, time: `${clock.entity}.${clock.time}` },
    updatedBy: updatedBy && `${updatedBy.operation}.${updatedBy.key}`,
  };
  return dropEmpty(parts);
}

function dropEmpty(parts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parts).filter(
      ([, value]) => value !== null && (typeof value !== "object" || Object.keys(value as object).length > 0),
    ),
  );
}

/** Renders the members of a definition as TypeScript, one key per line. */
export function renderParts(parts: Readonly<Record<string, unknown>>): string {
  return Object.entries(parts)
    .map(([key, value]) => `${propertyName(key)}: ${typescriptLiteral(value)}`)
    .join(", ");
}
