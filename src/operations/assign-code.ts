import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  KnownFragmentNamesRule,
  type ValidationRule,
  validate,
} from "graphql";
import { memoize, once } from "../base/collections.ts";
import { isOf, type OfSurface, type SurfaceId, surfaceId } from "../dialects/surface.ts";
import { OPERATION_RULES } from "../dialects/validate-documents.ts";
import type { Finding } from "../report/finding.ts";
import { type CodeDocument, parseCodeDocument } from "./code-document.ts";
import { pluckDocuments } from "./find-in-code.ts";
import {
  type CodeFile,
  type OperationFile,
  type OperationSet,
  type OperationSource,
  spreadsOf,
} from "./operation-set.ts";
import { parseOperations } from "./parse-operations.ts";
import { countKnown } from "./validate-operations.ts";

/** A surface that documents in code may be of. */
export type Candidate = OfSurface & {
  readonly sources: readonly OperationSource[];
  /** The schema of its snapshot, built on the first call. */
  readonly schema: () => GraphQLSchema;
  /** The protocol's portable operations in the form of the surface's style; null for none. */
  readonly shared: OperationSet | null;
};

/** The documents in code by surface, and the findings for those that belong to none. */
export type AssignedCode = {
  readonly bySurface: ReadonlyMap<SurfaceId, readonly OperationFile[]>;
  readonly findings: readonly Finding[];
};

type Parsed = {
  readonly file: OperationFile;
  readonly candidates: readonly Candidate[];
  readonly hasOperation: boolean;
  /** The names of its fragments. */
  readonly fragments: readonly string[];
  /** The names of the fragments it spreads. */
  readonly spreads: readonly string[];
};

/**
 * Decides to which surfaces each document in code belongs: those of the configuration or of the import of its function; else
 * all whose schema accepts it; else the one whose schema has most of its fields.
 */
export function assignCode(files: readonly CodeFile[], candidates: readonly Candidate[]): AssignedCode {
  if (files.length === 0) return { bySurface: new Map(), findings: [] };
  const plucked = pluckDocuments(files);
  const findings = [...plucked.findings];
  const parsed = plucked.documents.flatMap((code): Parsed[] => {
    const file = parseCodeDocument(code, findings);
    const chosen = candidates.filter((candidate) => code.surfaces.some(isOf(candidate)));
    if (file === null || chosen.length === 0) return [];
    const { definitions } = file.document;
    return [
      {
        file,
        candidates: narrow(chosen, code),
        hasOperation: definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION),
        fragments: definitions.flatMap((node) =>
          node.kind === Kind.FRAGMENT_DEFINITION ? [node.name.value] : [],
        ),
        spreads: definitions.flatMap(spreadsIn),
      },
    ];
  });
  const surfaces = candidates.map((candidate) => createSurface(candidate, parsed));
  const assigned = new Map<Parsed, readonly Surface[]>();
  for (const code of parsed) if (code.hasOperation) assigned.set(code, surfacesOf(code));
  const used = surfaces.map((surface) =>
    surface.reach(parsed.filter((code) => assigned.get(code)?.includes(surface))),
  );
  for (const code of parsed) {
    if (code.hasOperation) continue;
    const users = surfaces.filter((_, index) => used[index]?.has(code));
    assigned.set(code, users.length > 0 ? users : surfacesOf(code));
  }
  const bySurface = new Map(
    candidates.map((candidate): [SurfaceId, OperationFile[]] => [surfaceId(candidate), []]),
  );
  for (const code of parsed) {
    const { file, candidates } = code;
    for (const surface of assigned.get(code) ?? []) {
      const isGuess = candidates.length > 1 && !surface.accepts(code);
      const id = surfaceId(surface.candidate);
      const hint = `none of ${candidates.map(surfaceId).join(", ")} accepts it; ${id} is the nearest. Set its surface in \`documents\` of the configuration, or exclude its file there.`;
      bySurface.get(id)?.push(isGuess ? { ...file, hint } : file);
    }
  }
  return { bySurface, findings };

  function surfacesOf(code: Parsed): readonly Surface[] {
    const possible = surfaces.filter(({ candidate }) => code.candidates.includes(candidate));
    if (possible.length <= 1) return possible;
    const accepting = possible.filter((surface) => surface.accepts(code));
    if (accepting.length > 0) {
      // A surface that has an operation file of that name is probably not meant.
      const free = accepting.filter((surface) => !surface.hasFileOf(code));
      const meant = free.length > 0 ? free : accepting;
      return code.hasOperation ? meant : meant.slice(0, 1);
    }
    const counts = possible.map((surface) => surface.countKnown(code));
    const nearest = counts.indexOf(Math.max(...counts));
    return possible.slice(nearest, nearest + 1);
  }
}

/**
 * Narrows to the one surface that the module of a document's function is named after, as a client preset's folder for
 * each surface is: `./gql/lockup-subgraph`. Words that all surfaces share may be absent.
 */
function narrow(candidates: readonly Candidate[], { importedFrom }: CodeDocument): readonly Candidate[] {
  if (importedFrom === null || candidates.length < 2) return candidates;
  const words = `-${importedFrom.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-`;
  const has = (name: string) => words.includes(`-${name.toLowerCase()}-`);
  const [{ protocol, style }] = candidates as readonly [Candidate, ...Candidate[]];
  const meant = candidates.filter(
    (candidate) =>
      (has(candidate.protocol) || candidates.every((other) => other.protocol === protocol)) &&
      (has(candidate.style) || candidates.every((other) => other.style === style)),
  );
  return meant.length === 1 ? meant : candidates;
}

/** What one surface makes of documents that may be of it. */
type Surface = {
  readonly candidate: Candidate;
  readonly accepts: (code: Parsed) => boolean;
  /** Counts the fields of a document that its schema has. */
  readonly countKnown: (code: Parsed) => number;
  /** Some documents, and all whose fragments they use, directly or not. */
  readonly reach: (some: readonly Parsed[]) => ReadonlySet<Parsed>;
  /** Whether an operation of a file has the name of one of the document. */
  readonly hasFileOf: (code: Parsed) => boolean;
};

function createSurface(candidate: Candidate, parsed: readonly Parsed[]): Surface {
  const codes = parsed.filter(({ candidates }) => candidates.includes(candidate));
  const { schema } = candidate;
  const files = once(() => {
    const { sources, protocol, style, shared } = candidate;
    const { set } = parseOperations(sources, { protocol, style });
    // All of it, also the fragments that no file of this style uses.
    return {
      operations: [...set.operations, ...(shared?.operations ?? [])],
      fragments: new Map([...(shared?.fragments ?? []), ...set.fragments]),
    };
  });
  /** Documents by the names of their fragments; those that need no others come first. */
  const fragments = once(() => {
    const byName = new Map<string, Parsed[]>();
    for (const code of codes) {
      for (const name of code.fragments) byName.set(name, [...(byName.get(name) ?? []), code]);
    }
    for (const [name, some] of byName) {
      if (some.length < 2) continue;
      const fitting = some.filter((code) => code.candidates.length === 1 || standsAlone(code));
      byName.set(name, fitting.length > 0 ? fitting : some.slice(0, 1));
    }
    return byName;
  });
  const standsAlone = (code: Parsed) =>
    validate(schema(), code.file.document, ALONE, { maxErrors: 1 }).length === 0;
  const isRooted = ({ file }: Parsed) =>
    file.document.definitions.every(
      (node) => node.kind !== Kind.OPERATION_DEFINITION || schema().getRootType(node.operation),
    );
  return {
    candidate,
    accepts: memoize(
      (code) =>
        isRooted(code) && validate(schema(), whole(code), OPERATION_RULES, { maxErrors: 1 }).length === 0,
    ),
    countKnown: (code) => countKnown(schema(), whole(code)),
    reach,
    hasFileOf: ({ file }) =>
      file.document.definitions.some(
        (node) =>
          node.kind === Kind.OPERATION_DEFINITION &&
          files().operations.some(({ name }) => name === node.name?.value),
      ),
  };

  function reach(some: readonly Parsed[]): ReadonlySet<Parsed> {
    const reached = new Set(some);
    // The loop also visits documents that it adds.
    for (const { spreads } of reached) {
      for (const name of spreads) for (const other of fragments().get(name) ?? []) reached.add(other);
    }
    return reached;
  }

  /** A document with the fragments it uses, of each name one, of code or else of the surface's files. */
  function whole(code: Parsed): DocumentNode {
    const definitions = new Map<string, DefinitionNode>();
    for (const { file } of reach([code])) {
      for (const node of file.document.definitions) {
        const isFragment = node.kind === Kind.FRAGMENT_DEFINITION;
        const key = isFragment ? node.name.value : `${definitions.size}`;
        if ((isFragment || file === code.file) && !definitions.has(key)) definitions.set(key, node);
      }
    }
    const pending = [...definitions.values()];
    for (const node of pending) {
      for (const name of spreadsIn(node)) {
        const fragment = definitions.has(name) ? undefined : files().fragments.get(name)?.node;
        if (!fragment) continue;
        definitions.set(name, fragment);
        pending.push(fragment);
      }
    }
    return { kind: Kind.DOCUMENT, definitions: [...definitions.values()] };
  }
}

/** The rules for a fragment that is validated alone. */
const ALONE: readonly ValidationRule[] = OPERATION_RULES.filter((rule) => rule !== KnownFragmentNamesRule);

function spreadsIn(node: DefinitionNode): string[] {
  return "selectionSet" in node ? spreadsOf(node.selectionSet) : [];
}
