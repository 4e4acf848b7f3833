import type { SurfaceSchema } from "./port-types.ts";

/** The root fields of the indexers. */
export type KnownRoots = ReturnType<typeof createKnownRoots>;

export function createKnownRoots(schemas: readonly SurfaceSchema[]) {
  const names = new Set(
    schemas.flatMap(({ schema }) => Object.keys(schema.getQueryType()?.getFields() ?? {})),
  );
  const has = (name: string) => names.has(name);
  /** Returns the root field that ends a longer name: `streams` for `lockupStreams` and `lockup_streams`; null for none. */
  const nearest = (name: string) => {
    for (const { index } of name.matchAll(/(?<=[a-z\d])[A-Z]|(?<=_)[A-Za-z]/g)) {
      const end = name.slice(index);
      const root = [end, end.charAt(0).toLowerCase() + end.slice(1)].find(has);
      if (root !== undefined) return root;
    }
    return null;
  };
  /** Whether a text seems to query one: its name is before a bracket. */
  const isQueried = (text: string) =>
    [...text.matchAll(/(\w+)\s*[({]/g)].some(([, name = ""]) => has(name) || nearest(name) !== null);
  return { has, nearest, isQueried };
}
