import {
  type ApiField,
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  rootTypeNames,
} from "../dialects/api-schema.ts";
import { canonicalize } from "../dialects/canonicalize.ts";
import { type Origin, originKey } from "../dialects/origin.ts";
import type { Style } from "../dialects/style.ts";
import type { ApiNames } from "../operations/rename-document.ts";
import type { Rename } from "./find-api-renames.ts";
import { readSide } from "./indexed-schema.ts";

/** Returns the names in an API that change with renames of its entities, enums, fields and values. */
export function findApiNames(
  schema: ApiSchema,
  renames: readonly Rename[],
  style: Pick<Style, "schemas" | "deriver">,
): ApiNames {
  const [types, members] = [new Map<string, string>(), new Map<string, string>()];
  if (renames.length === 0) return { types, members };
  const { model } = readSide(schema, style);
  const originsOf = style.deriver.traceOrigins([model], schema);
  const newNames: NewNames = new Map(
    renames.map(({ owner, from, to }) => [owner === null ? from : `${owner}.${from}`, to]),
  );
  const entities = renames
    .filter(({ kind }) => kind === "entity")
    .map(({ from, to }) => ({ from, names: style.deriver.renameDerived(from, to) }));
  const authored = new Set(model.definitions.map(({ name }) => name));
  const isOfAnother = (name: string, from: string) => name !== from && authored.has(name);
  const roots = new Set(rootTypeNames(schema));

  for (const type of schema.types) {
    if (roots.has(type.name)) {
      for (const { name } of "fields" in type ? type.fields : []) {
        for (const { from, names } of entities) {
          const to = isOfAnother(name, from) ? null : names.rootField(name);
          if (to !== null && to !== name) members.set(`${type.name}.${name}`, to);
        }
      }
      continue;
    }
    const ofEntity = entities
      .map(({ from, names }) => (isOfAnother(type.name, from) ? null : names.type(type.name)))
      .find((name) => name !== null);
    const name = ofEntity ?? renameEnumType(type.name, originsOf(type.name), newNames);
    if (name !== null && name !== type.name) types.set(type.name, name);
    for (const member of membersOf(type)) {
      const coordinate = `${type.name}.${member}`;
      const to = renameMember(member, originsOf(coordinate), newNames);
      if (to !== member) members.set(coordinate, to);
    }
  }
  return { types, members };
}

/** New names by the keys of origins. */
type NewNames = ReadonlyMap<string, string>;

function membersOf(type: ApiType): readonly string[] {
  if ("fields" in type) return type.fields.map(({ name }) => name);
  return type.kind === "ENUM" ? type.values.map(({ name }) => name) : [];
}

/** Renames an enum and the types for its comparisons, which begin with its name. */
function renameEnumType(type: string, origins: readonly Origin[], names: NewNames): string | null {
  for (const origin of origins) {
    const to = origin.kind === "enum" ? names.get(origin.name) : undefined;
    if (to === undefined || origin.kind !== "enum") continue;
    if (type === origin.name || type.startsWith(`${origin.name}_`))
      return to + type.slice(origin.name.length);
  }
  return null;
}

/** Renames a member: a field with or without an operator (`alias_contains`), two fields (`asset__symbol`), or a value. */
function renameMember(member: string, origins: readonly Origin[], names: NewNames): string {
  const fields = new Map<string, string>();
  for (const origin of origins) {
    const to = names.get(originKey(origin));
    if (origin.kind === "enum-value" && origin.value === member && to !== undefined) return to;
    if (origin.kind === "field" && !fields.has(origin.field)) fields.set(origin.field, to ?? origin.field);
  }
  if ([...fields].every(([from, to]) => from === to)) return member;
  const name = fields.get(member);
  if (name !== undefined) return name;
  for (let at = member.indexOf("__", 1); at >= 0; at = member.indexOf("__", at + 1)) {
    const [reference, child] = [fields.get(member.slice(0, at)), fields.get(member.slice(at + 2))];
    if (reference !== undefined && child !== undefined) return `${reference}__${child}`;
  }
  for (let at = member.lastIndexOf("_"); at > 0; at = member.lastIndexOf("_", at - 1)) {
    const to = fields.get(member.slice(0, at));
    if (to !== undefined) return to + member.slice(at);
  }
  return member;
}

/** Returns a canonical schema with other names. */
export function renameApi(schema: ApiSchema, { types, members }: ApiNames): ApiSchema {
  const nameOf = (name: string) => types.get(name) ?? name;
  const typeOf = (type: string) => type.replace(/\w+/, nameOf);
  /** Renames the names that the platform quotes in generated descriptions, and those that begin with one. */
  const describe = <T extends { readonly description: string | null }>(value: T): T => ({
    ...value,
    description:
      value.description?.replace(/(["`])(\w+)\1/g, (_, quote: string, word: string) => {
        let at = word.length;
        while (at > 0 && !types.has(word.slice(0, at))) at = word.lastIndexOf("_", at - 1);
        return `${quote}${at > 0 ? nameOf(word.slice(0, at)) + word.slice(at) : word}${quote}`;
      }) ?? null,
  });
  const input = (value: ApiInputValue): ApiInputValue => ({ ...value, type: typeOf(value.type) });

  function rename(type: ApiType): ApiType {
    const renamed = types.has(type.name) ? { ...describe(type), name: nameOf(type.name) } : type;
    const member = <T extends { readonly name: string; readonly description: string | null }>(
      value: T,
    ): T => {
      const name = members.get(`${type.name}.${value.name}`);
      return name === undefined ? value : { ...describe(value), name };
    };
    const field = (value: ApiField): ApiField => ({
      ...member(value),
      type: typeOf(value.type),
      args: value.args.map(input),
    });
    switch (renamed.kind) {
      case "OBJECT":
      case "INTERFACE":
        return { ...renamed, interfaces: renamed.interfaces.map(nameOf), fields: renamed.fields.map(field) };
      case "UNION":
        return { ...renamed, possibleTypes: renamed.possibleTypes.map(nameOf) };
      case "INPUT_OBJECT":
        return { ...renamed, fields: renamed.fields.map((value) => input(member(value))) };
      case "ENUM":
        return { ...renamed, values: renamed.values.map(member) };
      default:
        return renamed;
    }
  }

  return canonicalize({ ...schema, types: schema.types.map(rename) });
}
