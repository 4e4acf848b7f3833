import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { sortByName } from "../base/collections.ts";
import type { Place } from "../dialects/locate.ts";
import type { OfSurface, SurfaceId } from "../dialects/surface.ts";
import type { DocumentsEntry } from "../project/project.ts";
import type { Finding } from "../report/finding.ts";

/** The operations of a surface, parsed. */
export type OperationSet = OfSurface & {
  /** In code-unit order of path. */
  readonly files: readonly OperationFile[];
  /** In order of name. */
  readonly operations: readonly Operation[];
  readonly fragments: ReadonlyMap<string, Fragment>;
};

export type OperationFile = OperationSource & {
  readonly document: DocumentNode;
  /** A hint about its surface for its errors; absent if the surface is certain. */
  readonly hint?: string;
};

export type Operation = {
  readonly name: string;
  readonly file: OperationFile;
  readonly node: OperationDefinitionNode;
  /** Every fragment it uses, directly or not, in order of name. */
  readonly fragments: readonly FragmentDefinitionNode[];
};

export type Fragment = Pick<Operation, "name" | "file"> & { readonly node: FragmentDefinitionNode };

/** The text of an operation file, before it is parsed. */
export type OperationSource = { readonly path: string; readonly text: string };

/** Returns every fragment that a selection uses, directly or not, in order of name. */
export function usedFragments(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, Fragment>,
): FragmentDefinitionNode[] {
  const used = new Set<Fragment>();
  const add = (set: SelectionSetNode) => {
    for (const name of spreadsOf(set)) {
      const fragment = fragments.get(name);
      if (fragment) used.add(fragment);
    }
  };
  add(set);
  // The loop also visits fragments that it adds.
  for (const { node } of used) add(node.selectionSet);
  return sortByName([...used]).map(({ node }) => node);
}

/** Returns the names of the fragments that a selection itself spreads, in order of first use. */
export function spreadsOf({ selections }: SelectionSetNode): string[] {
  const names = selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection.name.value];
    return selection.selectionSet ? spreadsOf(selection.selectionSet) : [];
  });
  return [...new Set(names)];
}

/**
 * Returns the part of a set that does not spread, directly or not, an unknown fragment. It can be checked if a file of
 * the set could not be read.
 */
export function wholePart(
  set: OperationSet,
  isKnown = (name: string) => set.fragments.has(name),
): OperationSet {
  const isWhole = (node: Operation["node"] | Fragment["node"]) => {
    const used = usedFragments(node.selectionSet, set.fragments);
    return [node, ...used].every(({ selectionSet }) => spreadsOf(selectionSet).every(isKnown));
  };
  return {
    ...set,
    operations: set.operations.filter(({ node }) => isWhole(node)),
    fragments: new Map([...set.fragments].filter(([name, { node }]) => isKnown(name) && isWhole(node))),
  };
}

/** Measures how many selections are nested in each fragment, those of the fragments it spreads included. */
export function fragmentHeights(fragments: ReadonlyMap<string, Fragment>): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  const entered = new Set<string>();
  // A chain may be longer than the stack is deep.
  const pending = [...fragments.keys()];
  for (let name = pending.at(-1); name !== undefined; name = pending.at(-1)) {
    const set = fragments.get(name)?.node.selectionSet;
    if (set && !entered.has(name)) {
      entered.add(name);
      for (const spread of spreadsOf(set)) if (!entered.has(spread)) pending.push(spread);
      continue;
    }
    pending.pop();
    if (set && !heights.has(name)) heights.set(name, heightOf(set, heights));
  }
  return heights;
}

/** Measures how many selections are nested in one. A fragment that spreads itself is invalid and counts once. */
export function heightOf({ selections }: SelectionSetNode, heights: ReadonlyMap<string, number>): number {
  let deepest = 0;
  for (const selection of selections) {
    const height =
      selection.kind === Kind.FRAGMENT_SPREAD
        ? (heights.get(selection.name.value) ?? 0)
        : selection.selectionSet
          ? heightOf(selection.selectionSet, heights)
          : 0;
    deepest = Math.max(deepest, height);
  }
  return deepest + 1;
}

/** An operation to assess: one document of its own with all the fragments it uses. */
export type AssessedOperation = {
  readonly name: string;
  readonly document: DocumentNode;
};

/** A file of code that may hold documents, or hand on what another holds. */
export type CodeFile = OperationSource & Pick<DocumentsEntry, "names" | "surfaces">;

/** The code of a project that matters to its documents. */
export type CodeFiles = {
  /** In code-unit order of path; none where none may hold a document. */
  readonly files: readonly CodeFile[];
  readonly findings: readonly Finding[];
};

/** An operation whose impact is assessed, and where it is written. */
export type PlacedOperation = AssessedOperation & {
  readonly place: Place & { readonly line: number };
  /** Whether it is written once for both styles. */
  readonly isPortable: boolean;
};

/** The operations of surfaces, by the ids of those. */
export type OperationsBySurface = ReadonlyMap<SurfaceId, readonly PlacedOperation[]>;
