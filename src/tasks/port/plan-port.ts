import { posix } from "node:path";
import { compareCodeUnits, groupBy } from "../../base/collections.ts";
import { STYLE_NAMES, type Surface } from "../../dialects/surface.ts";
import { findVariables } from "../../operations/portable/compile-operation.ts";
import { PORTABLE_FOLDER } from "../../workspace/operation-files.ts";
import { requirePortableContext } from "../../workspace/operations.ts";
import { graphqlSchema } from "../../workspace/snapshot-schema.ts";
import { requireSnapshot, type Workspace } from "../../workspace/workspace.ts";
import { type Attempt, attemptOperation } from "./attempt.ts";
import { chooseByWords, classifySurface, type SurfaceMatch, type SurfaceSchema } from "./classify-surface.ts";
import { type FoundOperation, findOperations } from "./find-operations.ts";
import { type Group, pairOperations } from "./pair-operations.ts";
import { createPlacer, type Placed } from "./place-operations.ts";
import { type Origin, type PortedOperation, type Reason, uniqueReasons } from "./port-types.ts";
import type { ReadDocuments } from "./read-documents.ts";
import { pascalCase, type UnreadDocument } from "./source-document.ts";

/** An operation with its place in the project, and the facts to prove it. */
export type PlannedOperation = {
  readonly group: Group;
  readonly placed: Placed;
  readonly isPortable: boolean;
  readonly reasons: readonly Reason[];
};

/** The operations that a run would write, and the refused ones. */
export type PortPlan = {
  readonly planned: readonly PlannedOperation[];
  readonly refused: readonly Omit<PortedOperation, "proof">[];
  /** The names of fragments that no operation uses, with their files. */
  readonly unused: readonly { readonly name: string; readonly file: string }[];
};

/**
 * Finds the operations of documents, and decides how each is ported. Writes nothing.
 *
 * @throws SchemaError for a snapshot that is missing.
 */
export function planPort(
  workspace: Workspace,
  documents: ReadDocuments,
  surfaces: readonly Surface[],
): PortPlan {
  const found = findOperations(documents);
  const schemas = surfaces.map(
    (surface): SurfaceSchema => ({
      surface,
      schema: graphqlSchema(requireSnapshot(workspace, surface).base),
    }),
  );
  const protocols = [...new Set(surfaces.map(({ protocol }) => protocol))];
  const contexts = new Map(
    protocols.map((protocol) => [protocol, requirePortableContext(workspace, protocol)]),
  );
  const { matched, refused } = matchSurfaces(found.operations, schemas);
  const attempts = matched.flatMap(({ operation, match }): Attempt[] => {
    const context = contexts.get(match.surface.protocol);
    return context === undefined ? [] : [attemptOperation(operation, match, context)];
  });
  const groups = pairOperations(attempts);
  const place = createPlacer(workspace, protocols);
  const portable = groups.filter(({ kept }) => kept.portable !== null);
  const ofStyles = groups.filter(({ kept }) => kept.portable === null);
  const planned = [
    ...portable.map((group) => placeGroup(group, true)),
    ...ofStyles.map((group) => placeGroup(group, false)),
  ];
  return {
    planned,
    refused: [...refused, ...[...documents.unread, ...found.unread].map(ofUnread)],
    unused: found.unused,
  };

  function placeGroup(group: Group, isPortable: boolean): PlannedOperation {
    const { kept, others, twin } = group;
    const { found: operation, match, portable } = kept;
    const folder = isPortable ? PORTABLE_FOLDER : match.surface.style;
    const placed = place({
      ...{ protocol: match.surface.protocol, folder, name: operation.name, fragments: operation.fragments },
      emit: portable?.emit ?? kept.emitOwn,
    });
    const reasons = [...kept.reasons, ...describeChanges(operation, match, placed)];
    if (others.some(({ attempt }) => attempt.match.surface.style !== match.surface.style)) {
      const message = `The text of the ${match.surface.style} document was kept.`;
      reasons.push({ code: "port/kept", message });
    }
    if (twin !== null) {
      const { file, line } = twin.found;
      const message = `${file}:${line} asks for the same entities in ${twin.match.surface.style} style, and stays apart.`;
      reasons.push({ code: "port/twin", message });
    }
    return { group, placed, isPortable, reasons: uniqueReasons(reasons) };
  }
}

type Matched = { readonly operation: FoundOperation; readonly match: SurfaceMatch };

/** Finds the surface of each operation. Of several, its names decide, or the other operations of its file. */
function matchSurfaces(
  operations: readonly FoundOperation[],
  schemas: readonly SurfaceSchema[],
): { readonly matched: readonly Matched[]; readonly refused: readonly Omit<PortedOperation, "proof">[] } {
  const classified = operations.map((operation) => ({ operation, ...classifySurface(operation, schemas) }));
  const certain = classified.flatMap(({ operation: { file, ...operation }, fits }) => {
    const match = fits.length === 1 ? fits[0] : chooseByWords({ ...operation, file }, fits);
    return match ? [{ file, protocol: match.surface.protocol }] : [];
  });
  const byFile = groupBy(certain, ({ file }) => file);
  const byFolder = groupBy(certain, ({ file }) => posix.dirname(file));
  const matched: Matched[] = [];
  const refused: Omit<PortedOperation, "proof">[] = [];
  for (const { operation, fits, nearest } of classified) {
    const chosen =
      (fits.length === 1 ? fits[0] : null) ??
      chooseByWords(operation, fits) ??
      ofOneProtocol(fits) ??
      beside(byFile.get(operation.file), fits) ??
      beside(byFolder.get(posix.dirname(operation.file)), fits);
    if (chosen !== undefined && operation.ambiguous.length === 0) {
      matched.push({ operation, match: chosen });
      continue;
    }
    const reasons = describeRefusal(operation, fits, nearest);
    const surface = (chosen ?? fits[0] ?? nearest)?.surface.id ?? null;
    const from = [{ file: operation.file, line: operation.line, surface }];
    refused.push({ name: operation.name, from, result: "refused", to: null, reasons, differences: [] });
  }
  return { matched, refused };
}

/** Of several surfaces, the first one of the protocol of the operations beside it. */
function beside(
  others: readonly { readonly protocol: string }[] = [],
  fits: readonly SurfaceMatch[],
): SurfaceMatch | undefined {
  const [protocol, ...more] = new Set(others.map((one) => one.protocol));
  return more.length > 0 ? undefined : fits.find(({ surface }) => surface.protocol === protocol);
}

/** Of several surfaces of one protocol, the first. */
function ofOneProtocol(fits: readonly SurfaceMatch[]): SurfaceMatch | undefined {
  return new Set(fits.map(({ surface }) => surface.protocol)).size === 1 ? fits[0] : undefined;
}

function describeRefusal(
  { ambiguous, node }: FoundOperation,
  fits: readonly SurfaceMatch[],
  nearest: SurfaceMatch | null,
): Reason[] {
  const several = ambiguous.map((name) => ({
    code: "port/fragment",
    message: `Several files have a fragment "${name}", with different texts.`,
  }));
  if (several.length > 0) return several;
  if (fits.length > 1) {
    const ids = fits.map(({ surface }) => surface.id).join(" and ");
    return [{ code: "port/ambiguous", message: `${ids} accept it: choose with --protocol.` }];
  }
  if (nearest === null) {
    const message =
      node.operation === "query"
        ? "No snapshot has its root fields: it is of another API."
        : `No snapshot has this ${node.operation}: lockflow ports queries.`;
    return [{ code: "port/unknown-surface", message }];
  }
  const message = `No snapshot accepts it; the nearest is ${nearest.surface.id}.`;
  return [{ code: "port/unknown-surface", message }, ...nearest.errors];
}

function describeChanges(
  { name, isAnonymous, node, fragments }: FoundOperation,
  match: SurfaceMatch,
  placed: Placed,
): Reason[] {
  const used = new Set([node, ...fragments].flatMap(findVariables));
  const unused = (node.variableDefinitions ?? []).filter(({ variable }) => !used.has(variable.name.value));
  return [
    ...(isAnonymous ? [{ code: "port/named", message: `It had no name and is ${placed.name} now.` }] : []),
    ...(!isAnonymous && name !== placed.name
      ? [
          {
            code: "port/renamed",
            message: `Another operation is named ${name}, so it is ${placed.name} now.`,
          },
        ]
      : []),
    ...[...match.types].map(([variable, type]) => ({
      code: "port/variable-type",
      message: `\`$${variable}\` is declared as ${type} now.`,
    })),
    ...unused.map(({ variable }) => ({
      code: "port/unused-variable",
      message: `\`$${variable.name.value}\` is not used and was dropped.`,
    })),
  ];
}

function ofUnread({ file, line, name, reason }: UnreadDocument): Omit<PortedOperation, "proof"> {
  const from = [{ file, line, surface: null }];
  return {
    ...{ name: pascalCase(name), from, result: "refused", to: null },
    ...{ reasons: [reason], differences: [] },
  };
}

/** Describes a planned operation for the report. */
export function describePlanned({
  group,
  placed,
  isPortable,
  reasons,
}: PlannedOperation): Omit<PortedOperation, "proof"> {
  const attempts = [group.kept, ...group.others.map(({ attempt }) => attempt)];
  const from = attempts
    .map(({ found, match }): Origin => ({ file: found.file, line: found.line, surface: match.surface.id }))
    .sort(compareOrigins);
  const result = isPortable ? "portable" : "style";
  return { name: placed.name, from, result, to: placed.path, reasons, differences: group.differences };
}

/** Compares places by file and line. */
export function compareOrigins(a: Origin, b: Origin): number {
  const order = STYLE_NAMES.map(String);
  return (
    compareCodeUnits(a.file, b.file) ||
    a.line - b.line ||
    order.indexOf(a.surface ?? "") - order.indexOf(b.surface ?? "")
  );
}
