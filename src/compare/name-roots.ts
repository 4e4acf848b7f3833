import type { ApiSchema, ApiType, RootNames } from "../schema/api-schema.ts";
import { ROOTS } from "../schema/roots.ts";

/** Gives the roots of a schema other names, and leaves out those without one. Platforms do not refer to their roots. */
export function nameRoots(schema: ApiSchema, names: RootNames): ApiSchema {
  const types = ROOTS.map((root) => `${root}Type` as const).filter((type) => schema[type] !== names[type]);
  if (types.length === 0) return schema;
  const renamed = new Map(types.map((type) => [schema[type], names[type]]));
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

/** The names of the roots in changes between two schemas: those before, and those after for what came. */
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
