import { type DocumentNode, Kind } from "graphql";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { Style } from "../styles/style.ts";

/**
 * The scalars of the platforms and of snapshots, each with the TypeScript type of what travels; null where nobody knows.
 *
 * @param documents the bases of the snapshots as syntax trees.
 */
export function knownScalars(
  styles: readonly Style[],
  snapshots: readonly Snapshot[],
  documents: readonly DocumentNode[],
): ReadonlyMap<string, string | null> {
  const known = new Map<string, string | null>();
  const definitions = documents.flatMap((document) => document.definitions);
  // An enum that a platform shows as an opaque scalar is folded to lower case there, and its members are texts.
  const enums = new Set(
    definitions.flatMap((node) =>
      node.kind === Kind.ENUM_TYPE_DEFINITION ? [node.name.value.toLowerCase()] : [],
    ),
  );
  const names = [
    ...definitions.flatMap((node) => (node.kind === Kind.SCALAR_TYPE_DEFINITION ? [node.name.value] : [])),
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
