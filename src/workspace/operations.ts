import { Kind } from "graphql";
import { memoize, sortByName } from "../base/collections.ts";
import {
  isOf,
  type OfSurface,
  type Protocol,
  type StyleName,
  type SurfaceId,
  surfaceId,
} from "../dialects/surface.ts";
import type { AssignedCode, Candidate } from "../operations/assign-code.ts";
import { findUnlikeIds } from "../operations/find-unlike-ids.ts";
import type { Operation, OperationsBySurface, PlacedOperation } from "../operations/operation-set.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import { type PreparedPortable, preparePortable } from "../operations/portable/prepare-portable.ts";
import type { PortableContext } from "../operations/portable/read-entities.ts";
import type { ServedVariant } from "../operations/validate-operations.ts";
import type { FleetRow } from "./fleet-record.ts";
import { deriveMissingSnapshot } from "./missing-style.ts";
import {
  type PortableFiles,
  type PortableSource,
  portableFiles,
  readCode,
  requirePortableSource,
  surfacesInCode,
} from "./operation-files.ts";
import type { Snapshot } from "./snapshot.ts";
import { graphqlSchema, portableContext } from "./snapshot-schema.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Reads the operations of surfaces, in order of name; portable ones in the form of each style. Operations that do not
 * parse or are refused are left out: `check` reports them.
 *
 * @param precompiled the portable operations of all protocols if they are compiled already; null to compile them.
 * @throws SchemaError for a protocol with portable operations and without the snapshots of both styles.
 */
export async function readOperations(
  workspace: Workspace,
  surfaces: readonly OfSurface[],
  precompiled: CompiledProtocols | null = null,
): Promise<OperationsBySurface> {
  const candidates = await snapshotsInCode(workspace);
  const compiled = precompiled ?? compileProtocols(workspace, [...surfaces, ...candidates]);
  const { bySurface: inCode } = await readCodeOperations(workspace, compiled);
  const operations = new Map<SurfaceId, readonly PlacedOperation[]>();
  for (const surface of surfaces) {
    const { protocol, style } = surface;
    const id = surfaceId(surface);
    const shared = compiledSet(compiled, surface);
    const portable = new Set(shared?.operations.map(({ name }) => name));
    const { set, code } = parseOperations(
      workspace.operations(id),
      { protocol, style },
      { inCode: inCode.get(id) ?? [], portable: shared },
    );
    const all = sortByName([...set.operations, ...code.operations]);
    operations.set(
      id,
      all.map((operation) => placeOperation(operation, portable.has(operation.name))),
    );
  }
  return operations;
}

function placeOperation({ name, file, node, fragments }: Operation, isPortable: boolean): PlacedOperation {
  const { line = 1, column = 1 } = node.loc?.startToken ?? {};
  return {
    name,
    document: { kind: Kind.DOCUMENT, definitions: [node, ...fragments] },
    place: { file: file.path, line, column },
    isPortable,
  };
}

/** Reads the documents in code by their surfaces. */
export async function readCodeOperations(
  workspace: Workspace,
  compiled: CompiledProtocols,
): Promise<AssignedCode> {
  const { files } = await readCode(workspace);
  const snapshots = await snapshotsInCode(workspace);
  if (snapshots.length === 0) return { bySurface: new Map(), findings: [] };
  const { assignCode } = await import("../operations/assign-code.ts");
  const candidates = snapshots.map((snapshot): Candidate => {
    const { protocol, style, base } = snapshot;
    return {
      protocol,
      style,
      sources: workspace.operations(surfaceId(snapshot)),
      schema: () => graphqlSchema(base),
      shared: compiledSet(compiled, snapshot),
    };
  });
  return assignCode(files, candidates);
}

/** Returns the snapshots of the surfaces that the documents in code may belong to. */
export async function snapshotsInCode(workspace: Workspace): Promise<readonly Snapshot[]> {
  const { files } = await readCode(workspace);
  const ids = surfacesInCode(files);
  return workspace.project.surfaces
    .filter(({ id }) => ids.has(id))
    .map(workspace.snapshot)
    .filter((snapshot) => snapshot !== null);
}

/** The portable operations of each protocol that has some, compiled for both styles. */
export type CompiledProtocols = ReadonlyMap<Protocol, PreparedPortable>;

/**
 * Compiles the portable operations of the protocols of surfaces. This is slow: compile once and pass the result down.
 *
 * @throws SchemaError for a protocol with portable operations and without the snapshots of both styles.
 */
export function compileProtocols(
  workspace: Workspace,
  surfaces: readonly Pick<OfSurface, "protocol">[],
): CompiledProtocols {
  const protocols = [...new Set(surfaces.map(({ protocol }) => protocol))];
  return compilePortable(protocols.map((protocol) => portableFiles(workspace, protocol)));
}

/** Compiles the portable operations of protocols for both styles, those of a protocol once. */
export function compilePortable(files: readonly (PortableFiles | null)[]): CompiledProtocols {
  const compiled = new Map<Protocol, PreparedPortable>();
  for (const portable of new Set(files)) {
    if (portable === null) continue;
    const { protocol, sources, definition, entityFiles } = portable;
    const prepared = preparePortable(sources, buildContext(portable));
    const unlike = entityFiles === null ? [] : findUnlikeIds(definition, entityFiles);
    compiled.set(protocol, { ...prepared, findings: [...prepared.findings, ...unlike] });
  }
  return compiled;
}

/** Returns the portable operations of a surface's protocol in the form of its style; null if it has none. */
export function compiledSet(compiled: CompiledProtocols, { protocol, style }: OfSurface) {
  return compiled.get(protocol)?.sets[style] ?? null;
}

/**
 * Returns the context in which the portable operations of a protocol are compiled.
 *
 * @throws SchemaError when the snapshot of a style with deployments is missing.
 */
export function requirePortableContext(workspace: Workspace, protocol: Protocol): PortableContext {
  const definition = workspace.project.definitions.find(({ key }) => key === protocol);
  if (definition === undefined) throw new TypeError(`${protocol} has no definition.`);
  return buildContext(requirePortableSource(workspace, definition));
}

function buildContext(source: PortableSource): PortableContext {
  const snapshots = completeSnapshots(source);
  return portableContext(source.definition, {
    multichain: snapshots.multichain.base,
    subgraph: snapshots.subgraph.base,
  });
}

/** Returns the snapshots of both styles of a protocol. A missing one is derived, once. */
export const completeSnapshots = memoize(
  ({ definition, snapshots, entities }: PortableSource): { readonly [S in StyleName]: Snapshot } => {
    const [snapshot] = Object.values(snapshots);
    if (snapshot === undefined) throw new TypeError(`${definition.key} has no style.`);
    const derive = (style: StyleName) => deriveMissingSnapshot(definition, style, { snapshot, entities });
    return {
      multichain: snapshots.multichain ?? derive("multichain"),
      subgraph: snapshots.subgraph ?? derive("subgraph"),
    };
  },
);

/** Returns the variants of a snapshot that chains serve, as the fleet record has it. */
export function servedVariants(
  { variants, ...surface }: Snapshot,
  rows: readonly FleetRow[],
): readonly ServedVariant[] {
  return variants
    .map((file) => {
      const chains = rows
        .filter((row) => isOf(surface)(row) && row.snapshot === file.path)
        .flatMap((row) => row.chains);
      return { chains, schema: () => graphqlSchema(file) };
    })
    .filter(({ chains }) => chains.length > 0);
}
