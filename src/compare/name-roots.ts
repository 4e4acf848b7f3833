import type { ApiSchema, ApiType, RootNames } from "../schema/api-schema.ts";

/**
 * Calls the roots of a schema by other names, and leaves out those that have none. What a root's type is besides, such
 * as the type of a field, is not looked at: platforms do not refer to their roots.
 */
export function nameRoots(schema: ApiSchema, names: RootNames): ApiSchema {
  const others = ROOT_TYPES.filter((role) => schema[role] !== names[role]);
  if (others.length === 0) return schema;
  const renamed = new Map(others.map((role) => [schema[role], names[role]]));
  return {
    ...schema,
    ...names,
    types: schema.types.flatMap((type): ApiType[] => {
      const name = renamed.get(type.name);
      if (name === undefined) return [type];
      return name === null ? [] : [{ ...type, name }];
    }),
  };
}

/** What changes between two schemas call the roots: by the names before, and by those after for what came. */
export function sharedRoots(before: RootNames, after: RootNames): RootNames {
  return {
    queryType: before.queryType,
    mutationType: before.mutationType ?? after.mutationType,
    subscriptionType: before.subscriptionType ?? after.subscriptionType,
  };
}

/** The names of those that one of the schemas has. */
export function rootsOf(schema: RootNames, names: RootNames): RootNames {
  return {
    queryType: names.queryType,
    mutationType: schema.mutationType && names.mutationType,
    subscriptionType: schema.subscriptionType && names.subscriptionType,
  };
}

const ROOT_TYPES = ["queryType", "mutationType", "subscriptionType"] as const;
