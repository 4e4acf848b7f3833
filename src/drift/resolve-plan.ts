import { basename, dirname, join, resolve } from "node:path";
import { cached } from "../base/cached.ts";
import { findFormerPath } from "../base/disk/find-former-path.ts";
import { readAtRef } from "../base/disk/read-at-ref.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import type { Project } from "../project/project.ts";
import type { ResolvedProtocol } from "../project/protocols/resolve-protocols.ts";
import { isOf, type Surface } from "../project/surface.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import { readFleetRecord, readSnapshots, requireSnapshot } from "../snapshots/read-snapshots.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import { chooseProtocol } from "./choose-protocol.ts";
import { findLostNames } from "./find-lost-names.ts";
import { type EntityFile, readEntityFile } from "./read-entity-file.ts";
import { readOperations } from "./read-operations.ts";
import type { SurfacePlan } from "./surface-plan.ts";

/** What is planned, and with what it is compared. */
export type PlanRequest = {
  /** The entity schema's file, from `cwd`; null for what the protocol's definition names. */
  readonly file: string | null;
  readonly cwd: string;
  /** Null for the one that the file is clearly of. */
  readonly protocol: string | null;
  /** Null for all that the protocol is deployed in. */
  readonly style: StyleName | null;
  /** Releases to derive for, by style; for the other styles the snapshots decide. */
  readonly releases: { readonly [S in StyleName]?: string };
  /** A git ref whose entity schema is compared with in place of the snapshots; null for none. */
  readonly against: string | null;
};

/** A request with everything read that it is about. */
export type ResolvedPlan = {
  /** Each once. */
  readonly files: readonly EntityFile[];
  /** Of the surfaces whose entity schema can be read. */
  readonly surfaces: readonly SurfacePlan[];
  /** What the protocol's definition names in vain once all of it is deployed. */
  readonly lost: readonly Finding[];
};

/**
 * Resolves what is planned: whose entity schemas, for which styles, and what they are compared with.
 *
 * @throws UsageError, FileError, SchemaError for snapshots that are missing or cannot be read.
 */
export async function resolvePlan(project: Project, request: PlanRequest): Promise<ResolvedPlan> {
  const { file, cwd, style, against, releases } = request;
  const { root, definitions } = project;
  const given = file === null ? null : await readEntityFile(resolve(cwd, file), file, root);
  // Nothing is known of a file that does not parse, not even which protocol it is of.
  if (given?.model === null) return { files: [given], surfaces: [], lost: [] };

  const outputRoot = join(root, project.output);
  const snapshots = await readSnapshots(outputRoot, project.surfaces);
  const protocol = chooseProtocol(
    request.protocol,
    given?.model ?? null,
    definitions.map((definition) => ({
      protocol: definition.key,
      isOwner: isOwner(definition, given, root),
      models: () => snapshots.filter((snapshot) => snapshot.protocol === definition.key).map(modelOf),
    })),
  );
  const surfaces = chooseSurfaces(project, protocol, style);
  const [first] = surfaces;
  if (against === null && first && !surfaces.some((surface) => snapshots.some(isOf(surface)))) {
    await requireSnapshot(outputRoot, first);
  }
  const definition = definitions.find(({ key }) => key === protocol);
  // Whoever names one of two files wants the other to stay what it is, unless they name the style as well.
  const isForAll = given !== null && (style !== null || !definition || !isOwner(definition, given, root));
  const files = isForAll ? surfaces.map(() => given) : await readOwn(surfaces, definition, given, root);
  const operations = await readOperations(project, surfaces, snapshots);
  const rows = await readFleetRecord(outputRoot);
  const plans = surfaces.map(async (surface, index): Promise<SurfacePlan[]> => {
    const entities = files[index];
    if (entities === undefined || entities.model === null) return [];
    const snapshot = snapshots.find(isOf(surface)) ?? null;
    return [
      {
        protocol,
        style: surface.style,
        entities,
        snapshot,
        variants: (snapshot?.variants ?? []).map((file) => ({
          file,
          deployments: rows.filter((row) => row.snapshot === file.path).map(({ name }) => name),
        })),
        earlier: against === null ? null : await readEarlier(entities, against),
        release: releases[surface.style] ?? null,
        operations: operations.get(surface.id) ?? [],
      },
    ];
  });
  const others = snapshots.filter((one) => one.protocol === protocol && !surfaces.some(isOf(one)));
  return {
    files: [...new Set(files)],
    surfaces: (await Promise.all(plans)).flat(),
    lost: definition ? findLost(definition, files, others) : [],
  };
}

/** Whether a definition names the file; where none is given, whether it names any. */
function isOwner({ entities }: ResolvedProtocol, given: EntityFile | null, root: string): boolean {
  return Object.values(entities).some(
    (own) => own !== undefined && (given === null || resolve(root, own) === given.path),
  );
}

/** Reads the entity schema that a definition names for each surface; where it names none, the given one. */
async function readOwn(
  surfaces: readonly Surface[],
  definition: ResolvedProtocol | undefined,
  given: EntityFile | null,
  root: string,
): Promise<EntityFile[]> {
  const read = new Map<string, Promise<EntityFile>>();
  const files = surfaces.map(({ protocol, style }) => {
    const name = definition?.entities[style];
    const path = name === undefined ? given?.path : resolve(root, name);
    if (path === given?.path && given !== null) return given;
    if (name !== undefined && path !== undefined) {
      return cached(read, path, () => readEntityFile(path, name, root));
    }
    throw new UsageError({
      sentence: `The definition of ${protocol} names no entity schema for its ${style} style.`,
      hint: `name the file: lockflow plan <entities.graphql> --protocol ${protocol}.`,
    });
  });
  return Promise.all(files);
}

/** What a file was at a ref, also where it had another name then. */
async function readEarlier({ path, name }: EntityFile, ref: string): Promise<SurfacePlan["earlier"]> {
  const [folder, file] = [dirname(path), basename(path)];
  const text = await readAtRef(folder, ref, file);
  const former = text === null ? await findFormerPath(folder, ref, file) : null;
  if (former === null) return { name: `${ref}:${name}`, text };
  return { name: `${ref}:${former.path}`, text: await readAtRef(former.top, ref, former.path) };
}

function chooseSurfaces(
  { surfaces }: Project,
  protocol: Protocol,
  style: StyleName | null,
): readonly Surface[] {
  const ofProtocol = surfaces.filter((surface) => surface.protocol === protocol);
  const chosen = ofProtocol.filter((surface) => style === null || surface.style === style);
  if (chosen.length > 0) return chosen;
  throw new UsageError({
    sentence: `${protocol} is not deployed in ${style} style.`,
    hint: `its styles are ${ofProtocol.map((surface) => surface.style).join(", ")}.`,
  });
}

/** What a definition names in vain, as far as all of its entities are known. */
function findLost(
  definition: ResolvedProtocol,
  files: readonly EntityFile[],
  others: readonly Snapshot[],
): readonly Finding[] {
  const models = files.flatMap(({ model }) => model ?? []);
  if (models.length < files.length) return [];
  const place = { file: files[0]?.file ?? "", line: null, column: null };
  return findLostNames(definition, [...models, ...others.map(modelOf)], place);
}

function modelOf({ style, base }: Snapshot): EntityModel {
  return styles[style].read(parseSnapshot(base));
}
