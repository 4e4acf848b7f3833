import { posix } from "node:path";
import { compareCodeUnits } from "../base/collections.ts";
import { quote } from "../base/text.ts";
import { STYLE_NAMES, type Surface } from "../dialects/surface.ts";
import type { Project } from "../project/project.ts";
import { PORTABLE_FOLDER } from "../workspace/operation-files.ts";
import { requirePortableContext } from "../workspace/operations.ts";
import { graphqlSchema } from "../workspace/snapshot-schema.ts";
import { requireSnapshot, type Workspace } from "../workspace/workspace.ts";
import { type Attempt, attemptOperation } from "./attempt.ts";
import { classifySurface, type SurfaceMatch } from "./classify-surface.ts";
import { type FoundOperation, findOperations } from "./find-operations.ts";
import { createKnownRoots } from "./known-roots.ts";
import { type Group, pairOperations } from "./pair-operations.ts";
import { createPlacer, type Placed } from "./place-operations.ts";
import {
  type Origin,
  type PortedOperation,
  type Reason,
  type SurfaceSchema,
  uniqueReasons,
  usedVariables,
} from "./port-types.ts";
import type { ReadDocuments } from "./read-documents.ts";
import { pascalCase, type UnreadDocument } from "./source-document.ts";
import { describeBuilt, describeOtherApi, splitOthers } from "./split-others.ts";

/** An operation with its place in the project, and the facts to prove it. */
export type PlannedOperation = {
  readonly group: Group;
  readonly placed: Placed;
  readonly isPortable: boolean;
  readonly reasons: readonly Reason[];
};

type Unproven = Omit<PortedOperation, "proof">;

/** Returns the schemas of surfaces. Throws a SchemaError for a snapshot that is missing. */
export function readSchemas(workspace: Workspace, surfaces: readonly Surface[]): SurfaceSchema[] {
  return surfaces.map((surface) => ({
    surface,
    schema: graphqlSchema(requireSnapshot(workspace, surface).base),
  }));
}

/**
 * Finds the operations of documents, and decides how each is ported. Writes nothing.
 *
 * @returns the operations that a run would write, the refused ones, queries that are not ported in order of file and line, and
 *   fragments that no operation uses.
 * @throws SchemaError for a snapshot that is missing.
 */
export function planPort(workspace: Workspace, documents: ReadDocuments, surfaces: readonly Surface[]) {
  const schemas = readSchemas(workspace, surfaces);
  const roots = createKnownRoots(schemas);
  const parsed = findOperations(documents, { schemas, roots });
  const protocols = [...new Set(surfaces.map(({ protocol }) => protocol))];
  const contexts = new Map(
    protocols.map((protocol) => [protocol, requirePortableContext(workspace, protocol)]),
  );
  const { operations, others } = splitOthers(parsed.operations, roots);
  const { matched, refused, unknown } = matchSurfaces(operations, schemas);
  const built = documents.built.filter(({ name }) => roots.has(name)).map(describeBuilt);
  const attempts = matched.flatMap(({ operation, match }): Attempt[] => {
    const context = contexts.get(match.surface.protocol);
    return context === undefined ? [] : [attemptOperation(operation, match, context)];
  });
  const groups = pairOperations(attempts);
  const place = createPlacer(workspace, protocols);
  return {
    // Portable ones are placed first.
    planned: [true, false].flatMap((isPortable) =>
      groups.filter(({ kept }) => (kept.portable !== null) === isPortable).map(placeGroup),
    ),
    refused: [...refused, ...parsed.unread.map(ofUnread)],
    others: [...others, ...unknown.map(describeOtherApi), ...built].sort(
      (a, b) => compareCodeUnits(a.file, b.file) || a.line - b.line,
    ),
    unused: parsed.unused,
  };

  function placeGroup(group: Group): PlannedOperation {
    const { kept, others, twin } = group;
    const { source: operation, match, portable } = kept;
    const isPortable = portable !== null;
    const folder = isPortable ? PORTABLE_FOLDER : match.surface.style;
    const placed = place({
      protocol: match.surface.protocol,
      folder,
      name: operation.name,
      fragments: operation.fragments,
      emit: portable?.emit ?? kept.emitOwn,
    });
    const isOnlyStyle = surfaces.filter(({ protocol }) => protocol === match.surface.protocol).length === 1;
    const ownReasons = isOnlyStyle ? describeOnlyStyle(kept) : kept.reasons;
    const reasons = [...ownReasons, ...describeChanges(operation, match, placed)];
    if (others.some(({ attempt }) => attempt.match.surface.style !== match.surface.style)) {
      const message = `The text of the ${match.surface.style} document was kept.`;
      reasons.push({ code: "port/kept", message });
    }
    if (twin !== null) {
      const { file, line } = twin.source;
      const message = `${file}:${line} asks for the same entities in ${twin.match.surface.style} style, and stays apart.`;
      reasons.push({ code: "port/twin", message });
    }
    return { group, placed, isPortable, reasons: uniqueReasons(reasons) };
  }
}

/** In a project with one style, the rules of the other one do not matter. */
function describeOnlyStyle({ match: { surface }, portable, reasons }: Attempt): readonly Reason[] {
  if (portable !== null) return reasons.filter(({ code }) => !code.startsWith("portable/"));
  const message = `It stays in ${surface.style}, the only style of ${surface.protocol}.`;
  return [{ code: "port/only-style", message }];
}

/** Finds the surface of each operation: of several of one protocol the first, because both styles are tried. */
function matchSurfaces(operations: readonly FoundOperation[], schemas: readonly SurfaceSchema[]) {
  const matched: { readonly operation: FoundOperation; readonly match: SurfaceMatch }[] = [];
  const refused: Unproven[] = [];
  /** Operations of another API with equal names of root fields. */
  const unknown: FoundOperation[] = [];
  for (const operation of operations) {
    const { fits, nearest } = classifySurface(operation, schemas);
    const isOfOne = new Set(fits.map(({ surface }) => surface.protocol)).size === 1;
    const chosen = isOfOne ? fits[0] : undefined;
    if (chosen !== undefined && operation.ambiguous.length === 0) {
      matched.push({ operation, match: chosen });
      continue;
    }
    const errors = (nearest?.errors ?? []).filter(({ code }) => code === "operation/invalid");
    if (fits.length === 0 && errors.length > (nearest?.matching ?? 0)) {
      unknown.push(operation);
      continue;
    }
    const reasons = describeRefusal(operation, fits, nearest);
    const surface = (chosen ?? fits[0] ?? nearest)?.surface.id ?? null;
    const from = [{ file: operation.file, line: operation.line, surface }];
    refused.push({ ...REFUSED, name: operation.name, from, reasons });
  }
  return { matched, refused, unknown };
}

const REFUSED = { result: "refused", to: null, holes: [], usage: [], differences: [] } as const;

function describeRefusal(
  { ambiguous, node }: FoundOperation,
  fits: readonly SurfaceMatch[],
  nearest: SurfaceMatch | null,
): Reason[] {
  if (ambiguous.length > 0) {
    const messageOf = (name: string) => `Several files have a fragment "${name}", with different texts.`;
    return ambiguous.map((name) => ({ code: "port/fragment", message: messageOf(name) }));
  }
  if (fits.length > 1) {
    const ids = fits.map(({ surface }) => surface.id).join(" and ");
    const protocols = [...new Set(fits.map(({ surface }) => surface.protocol))].join(" or ");
    return [{ code: "port/ambiguous", message: `${ids} accept it: add --protocol ${protocols}.` }];
  }
  if (nearest === null) {
    const message = `It is a ${node.operation}: lockflow ports queries.`;
    return [{ code: "port/unknown-surface", message }];
  }
  const { errors } = nearest;
  if (errors.every(({ code }) => code === "port/interpolation")) return [...errors];
  const message = `No snapshot accepts it; the nearest is ${nearest.surface.id}.`;
  return [{ code: "port/unknown-surface", message }, ...errors];
}

function describeChanges(source: FoundOperation, match: SurfaceMatch, placed: Placed): Reason[] {
  const { name, isAnonymous, node, filled } = source;
  const used = usedVariables(source);
  const { names = [] } = filled ?? {};
  const reasons: Reason[] = [];
  const note = (code: string, message: string) => reasons.push({ code, message });
  if (isAnonymous) note("port/named", `It had no name and is ${placed.name} now.`);
  else if (name !== placed.name) {
    note("port/renamed", `Another operation is named ${name}, so it is ${placed.name} now.`);
  }
  for (const [index, { hole }] of (filled?.slots ?? []).entries()) {
    const variable = names[index] ?? "";
    if (used.has(variable)) note("port/hole", `\`\${${hole.shown}}\` is the variable \`$${variable}\` now.`);
  }
  for (const [variable, type] of match.types) {
    if (!names.includes(variable)) note("port/variable-type", `\`$${variable}\` is declared as ${type} now.`);
  }
  for (const { variable } of node.variableDefinitions ?? []) {
    const { value } = variable.name;
    if (used.has(value) || names.includes(value)) continue;
    note("port/unused-variable", `\`$${value}\` is not used and was dropped.`);
  }
  return reasons;
}

function ofUnread({ file, line, name, reason }: UnreadDocument): Unproven {
  const from = [{ file, line, surface: null }];
  return { ...REFUSED, name: pascalCase(name), from, reasons: [reason] };
}

/** Describes a planned operation for the report. */
export function describePlanned(
  { group, placed, isPortable, reasons }: PlannedOperation,
  project: Project,
): Unproven {
  const { kept, others, differences } = group;
  const { filled, document, file } = kept.source;
  const from = [kept, ...others.map(({ attempt }) => attempt)]
    .map(({ source, match }): Origin => ({ file: source.file, line: source.line, surface: match.surface.id }))
    .sort(compareOrigins);
  const used = usedVariables(kept.source);
  const codes = new Map(filled?.names.map((name, index) => [name, filled.slots[index]?.code ?? ""]));
  return {
    name: placed.name,
    from,
    result: isPortable ? "portable" : "style",
    to: placed.path,
    holes: [...codes]
      .filter(([variable]) => used.has(variable))
      .map(([variable, code]) => ({ variable, code })),
    usage: document.isInCode ? renderUsage(file) : [],
    reasons,
    differences,
  };

  function renderUsage(source: string): string[] {
    const { protocol, style } = kept.match.surface;
    const module = `${project.output}/${protocol}/${isPortable ? PORTABLE_FOLDER : style}${project.importExtension}`;
    const path = posix.relative(posix.dirname(source), module);
    const specifier = path.startsWith(".") ? path : `./${path}`;
    const name = isPortable ? placed.name : `${placed.name}Document`;
    const args = (kept.portable?.compiled.variables ?? []).map(({ name: variable }) => {
      const code = codes.get(variable) ?? variable;
      return code === variable ? variable : `${variable}: ${code}`;
    });
    const variables = args.length === 0 ? "{}" : `{ ${args.join(", ")} }`;
    return [
      `import { ${name} } from ${quote(specifier)};`,
      ...(isPortable ? [`run(indexers, ${name}, ${variables}, { chain });`] : []),
    ];
  }
}

export function compareOrigins(a: Origin, b: Origin): number {
  const order = STYLE_NAMES.map(String);
  return (
    compareCodeUnits(a.file, b.file) ||
    a.line - b.line ||
    order.indexOf(a.surface ?? "") - order.indexOf(b.surface ?? "")
  );
}
