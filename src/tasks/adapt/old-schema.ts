import { type DefinitionNode, visit } from "graphql";
import { cached, memoize, once } from "../../base/collections.ts";
import { FileError, LockflowError } from "../../base/errors.ts";
import { readCommitted, readHistory } from "../../base/git.ts";
import { readSnapshotHeader, type SnapshotFile } from "../../workspace/snapshot.ts";
import { graphqlSchema, writtenSchema } from "../../workspace/snapshot-schema.ts";
import { isValidAlone } from "../../workspace/valid-alone.ts";

/** A version of a snapshot. */
export type SchemaVersion = {
  /** The commit, ref or file that it is of. */
  readonly from: string;
  readonly file: SnapshotFile;
};

/** Versions of a snapshot, the newest first. Each is read and parsed on first use. */
export type Versions = {
  /** Returns a version by its place in the order; null after the last. */
  readonly at: (index: number) => Promise<SchemaVersion | null>;
  /** Versions that could not be read, one sentence each. */
  readonly skipped: readonly string[];
  readonly isShallow: boolean;
};

/** The number of versions that git reads at once. */
const BATCH = 8;

/**
 * Opens the committed versions of a snapshot that differ from the one on disk.
 *
 * @param path of the snapshot, from the root.
 * @throws FileError outside of a repository.
 */
export async function openHistory(root: string, path: string, text: string | null): Promise<Versions> {
  const history = await readHistory(root, path);
  if (history === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `git has no earlier versions of ${path}.`,
      hint: "name the old schema with --from: a file of SDL or introspection JSON, or a git ref.",
    });
  }
  // Git compares contents only, and the snapshot of another surface may be similar.
  const end = path.split("/").slice(-2).join("/");
  const commits = history.commits.filter((commit) => commit.path.endsWith(end));
  const versions: SchemaVersion[] = [];
  const skipped: string[] = [];
  const seen = new Set<string>();
  let next = 0;
  return {
    skipped,
    isShallow: history.isShallow,
    at: async (index) => {
      while (versions.length <= index && next < commits.length) {
        const batch = commits.slice(next, next + BATCH);
        next += batch.length;
        for (const [at, { id, text: old }] of (await readCommitted(root, batch)).entries()) {
          // The commit that deleted it has no text, which is not a fault.
          if (old === null || old === text || seen.has(id)) continue;
          seen.add(id);
          const from = (batch[at]?.commit ?? "").slice(0, 12);
          const hash = readSnapshotHeader(old)?.schema;
          if (hash !== undefined) versions.push({ from, file: { path, text: old, hash } });
          else
            skipped.push(`${path} at ${from} was skipped: it does not start with the header of a snapshot.`);
        }
      }
      return versions[index] ?? null;
    },
  };
}

/** Wraps a single version. */
export function onlyVersion(version: SchemaVersion): Versions {
  return { skipped: [], isShallow: false, at: async (index) => (index === 0 ? version : null) };
}

/** Returns whether a version is a valid schema. */
export function isReadable(version: SchemaVersion): boolean {
  return cached(readable, version, () => {
    try {
      writtenSchema(version.file);
      return true;
    } catch (error) {
      if (error instanceof LockflowError) return false;
      throw error;
    }
  });
}

const readable = new WeakMap<SchemaVersion, boolean>();

/** A part of a group that is written for one snapshot. Definitions that are valid on disk are left out. */
type Wanted = { readonly definitions: readonly DefinitionNode[] };

/** The version that fits a part of a group, and those between it and the disk; null if none fits. */
export type Fit = { readonly version: SchemaVersion; readonly between: readonly SchemaVersion[] } | null;

/** The versions that fit, and the definitions that no version accepts. */
export type Fits<T> = {
  readonly fits: ReadonlyMap<T, Fit>;
  readonly neverValid: ReadonlySet<DefinitionNode>;
};

/** Finds the newest version at which all definitions are valid, for each part. Stops when every part has one. */
export async function findFits<T extends Wanted>(
  parts: readonly T[],
  versions: Versions,
  note: (sentence: string) => void,
): Promise<Fits<T>> {
  const fits = new Map<T, Fit>();
  const passed: { version: SchemaVersion; isValid: (node: DefinitionNode) => boolean }[] = [];
  for (let index = 0; fits.size < parts.length; index++) {
    const version = await versions.at(index);
    if (version === null) break;
    const isValid = createValidity(version);
    for (const part of parts) {
      if (fits.has(part) || !part.definitions.every(isValid)) continue;
      fits.set(part, { version, between: passed.map(({ version: newer }) => newer) });
    }
    passed.push({ version, isValid });
  }
  for (const sentence of versions.skipped) note(sentence);
  for (const { version } of passed) {
    // Versions without the names were not parsed.
    if (readable.get(version) === false) {
      note(`${version.file.path} at ${version.from} was skipped: it is not a valid schema.`);
    }
  }
  const neverValid = new Set<DefinitionNode>();
  for (const part of parts) {
    if (fits.has(part)) continue;
    fits.set(part, null);
    const never = part.definitions.filter((node) => !passed.some(({ isValid }) => isValid(node)));
    // If each is valid somewhere, no version accepts them together.
    for (const node of never.length > 0 ? never : part.definitions) neverValid.add(node);
  }
  return { fits, neverValid };
}

function createValidity(version: SchemaVersion): (node: DefinitionNode) => boolean {
  const names = once(() => new Set(version.file.text.match(/\w+/g)));
  const validity = new Map<DefinitionNode, boolean>();
  return (node) =>
    cached(validity, node, () => {
      // Parsing takes longer than looking for the names.
      for (const name of namesIn(node)) if (!names().has(name)) return false;
      return isReadable(version) && isValidAlone(graphqlSchema(version.file), node);
    });
}

/** Returns the names in a definition that its schema must have. */
const namesIn = memoize((node: DefinitionNode): ReadonlySet<string> => {
  const names = new Set<string>();
  visit(node, {
    NamedType: ({ name }) => void names.add(name.value),
    Field: ({ name }) => {
      if (!name.value.startsWith("__")) names.add(name.value);
    },
    Argument: ({ name }) => void names.add(name.value),
  });
  // Every GraphQL implementation has these.
  for (const name of ["Boolean", "Float", "ID", "Int", "String", "if"]) names.delete(name);
  return names;
});
