import type { ApiField, ApiInputValue, ApiSchema, ApiType } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { rootTypeNames } from "../schema/roots.ts";
import type { Style } from "../styles/style.ts";
import type { EntityRename } from "./find-entity-renames.ts";

/** The names that change with those of entities. */
export type Renames = {
  readonly types: ReadonlyMap<string, string>;
  readonly rootFields: ReadonlyMap<string, string>;
  /** Whose names they are: of types by either name, of fields of the roots the same with a dot before. */
  readonly entities: ReadonlyMap<string, EntityRename>;
};

/** Finds which names of a schema change with those of entities; null where a new name is taken already. */
export function findDerivedRenames(
  schema: ApiSchema,
  { definitions }: EntityModel,
  entities: readonly EntityRename[],
  style: Pick<Style, "renameDerived">,
): Renames | null {
  const authored = new Set(definitions.map(({ name }) => name));
  const roots = new Set(rootTypeNames(schema));
  const [types, rootFields] = [new Map<string, string>(), new Map<string, string>()];
  const owners = new Map<string, EntityRename>();
  for (const entity of entities) {
    const { from, to } = entity;
    const names = style.renameDerived(from, to);
    const isOthers = (name: string) => name !== from && authored.has(name);
    for (const type of schema.types) {
      const isRoot = roots.has(type.name);
      const other = isRoot || isOthers(type.name) ? null : names.type(type.name);
      if (other !== null) {
        types.set(type.name, other);
        owners.set(type.name, entity).set(other, entity);
      }
      for (const { name } of isRoot && type.kind === "OBJECT" ? type.fields : []) {
        const field = isOthers(name) ? null : names.rootField(name);
        if (field === null) continue;
        rootFields.set(name, field);
        owners.set(`.${name}`, entity).set(`.${field}`, entity);
      }
    }
  }
  const taken = new Set(schema.types.map(({ name }) => name));
  return [...types.values()].some((name) => taken.has(name)) ? null : { types, rootFields, entities: owners };
}

/** A canonical schema as it would be if its entities had had other names. */
export function renameEntities(
  schema: ApiSchema,
  { types, rootFields }: Renames,
  entities: readonly EntityRename[],
): ApiSchema {
  const roots = new Set(rootTypeNames(schema));
  const nameOf = (name: string) => types.get(name) ?? name;
  const typeOf = (type: string) => type.replace(/\w+/, nameOf);
  const input = (value: ApiInputValue): ApiInputValue => ({ ...value, type: typeOf(value.type) });
  const field = (value: ApiField): ApiField => ({
    ...value,
    type: typeOf(value.type),
    args: value.args.map(input),
  });
  /** The platform quotes the names of what it made. */
  const describe = <T extends { readonly description: string | null }>(value: T): T => ({
    ...value,
    description:
      value.description?.replace(/(["`])(\w+)\1/g, (all, quote: string, word: string) => {
        const found = entities.find(({ from }) => word === from || word.startsWith(`${from}_`));
        return found ? `${quote}${found.to}${word.slice(found.from.length)}${quote}` : all;
      }) ?? null,
  });
  const rootField = (value: ApiField): ApiField => {
    const name = rootFields.get(value.name);
    return name === undefined ? field(value) : { ...describe(field(value)), name };
  };

  function rename(type: ApiType): ApiType {
    const own = types.has(type.name) ? { ...describe(type), name: nameOf(type.name) } : type;
    switch (own.kind) {
      case "OBJECT":
      case "INTERFACE":
        return {
          ...own,
          interfaces: own.interfaces.map(nameOf),
          fields: own.fields.map(roots.has(type.name) ? rootField : field),
        };
      case "UNION":
        return { ...own, possibleTypes: own.possibleTypes.map(nameOf) };
      case "INPUT_OBJECT":
        return { ...own, fields: own.fields.map(input) };
      default:
        return own;
    }
  }

  return canonicalize({ ...schema, types: schema.types.map(rename) });
}
