import type { ApiSchema } from "../schema/api-schema.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { Style } from "../styles/style.ts";

/**
 * The scalars of the platforms and of snapshots, each with the TypeScript type of what travels; null where nobody knows.
 *
 * @param schemas the bases of the snapshots.
 */
export function knownScalars(
  styles: readonly Style[],
  snapshots: readonly Snapshot[],
  schemas: readonly ApiSchema[],
): ReadonlyMap<string, string | null> {
  const known = new Map<string, string | null>();
  const types = schemas.flatMap((schema) => schema.types);
  // An enum that a platform shows as an opaque scalar is folded to lower case there, and its members are texts.
  const enums = new Set(types.flatMap(({ kind, name }) => (kind === "ENUM" ? [name.toLowerCase()] : [])));
  const names = [
    ...types.flatMap(({ kind, name }) => (kind === "SCALAR" ? [name] : [])),
    // Snapshots are printed by us, so a scalar stands on a line of its own.
    ...snapshots.flatMap(({ variants }) =>
      variants.flatMap(({ text }) => [...text.matchAll(/^scalar (\w+)/gm)].map(([, name = ""]) => name)),
    ),
  ];
  for (const name of names) known.set(name, enums.has(name) ? "string" : null);
  for (const { scalars } of styles) {
    for (const [name, { typescript }] of scalars) known.set(name, typescript);
  }
  return known;
}
