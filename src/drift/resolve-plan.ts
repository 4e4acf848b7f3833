import { basename, dirname, join, resolve } from "node:path";
import { cached } from "../base/cached.ts";
import { readAtRef } from "../base/disk/read-at-ref.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import type { Project } from "../project/project.ts";
import { isOf, type Surface } from "../project/surface.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import { readSnapshots, requireSnapshot } from "../snapshots/read-snapshots.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import { chooseProtocol } from "./choose-protocol.ts";
import { findLostNames } from "./find-lost-names.ts";
import type { SurfacePlan } from "./plan-surface.ts";
import { type EntityFile, readEntityFile } from "./read-entity-file.ts";
import { readOperations } from "./read-operations.ts";

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
  const { cwd, style, against, releases } = request;
  const { root, definitions } = project;
  const outputRoot = join(root, project.output);
  const path = request.file === null ? null : resolve(cwd, request.file);
  const given = path === null ? null : await readEntityFile(path, request.file ?? "", root);
  // Nothing is known of a file that does not parse, not even which protocol it is of.
  if (given?.model === null) return { files: [given], surfaces: [], lost: [] };

  const snapshots = await readSnapshots(outputRoot, project.surfaces);
  if (given === null && definitions.every(({ entities }) => Object.values(entities).length === 0)) {
    throw new UsageError({
      sentence: "No entity schema is named, and no protocol's definition names one.",
      hint: "name the file: lockflow plan <entities.graphql>.",
    });
  }
  const isMeant = (own: string | undefined) =>
    own !== undefined && (path === null || resolve(root, own) === path);
  const protocol = chooseProtocol(
    request.protocol,
    given?.model ?? null,
    definitions.map(({ key, entities }) => ({
      protocol: key,
      isOwner: Object.values(entities).some(isMeant),
      models: () => snapshots.filter((snapshot) => snapshot.protocol === key).map(modelOf),
    })),
  );
  const surfaces = chooseSurfaces(project, protocol, style);
  const [first] = surfaces;
  if (against === null && first && !surfaces.some((surface) => snapshots.some(isOf(surface)))) {
    await requireSnapshot(outputRoot, first);
  }
  const definition = definitions.find(({ key }) => key === protocol);
  const own = definition?.entities ?? {};
  const isOwner = Object.values(own).some(isMeant);
  const read = new Map<string, Promise<EntityFile>>();
  const entitiesOf = async (surface: Surface): Promise<EntityFile> => {
    // Whoever names one of two files wants the other to stay what it is.
    const file = isOwner ? own[surface.style] : undefined;
    if (file !== undefined && resolve(root, file) !== path) {
      return cached(read, file, () => readEntityFile(resolve(root, file), file, root));
    }
    if (given !== null) return given;
    throw new UsageError({
      sentence: `The definition of ${protocol} names no entity schema for its ${surface.style} style.`,
      hint: `name the file: lockflow plan <entities.graphql> --protocol ${protocol}.`,
    });
  };
  const operations = await readOperations(project, surfaces);
  const files = await Promise.all(surfaces.map(entitiesOf));
  const plans = surfaces.map(async (surface, index): Promise<SurfacePlan[]> => {
    const entities = files[index];
    if (entities === undefined || entities.model === null) return [];
    return [
      {
        protocol,
        style: surface.style,
        entities,
        snapshot: snapshots.find(isOf(surface)) ?? null,
        earlier: against === null ? null : await readEarlier(entities, against),
        release: releases[surface.style] ?? null,
        operations: operations.get(surface.id) ?? [],
      },
    ];
  });
  const left = snapshots.filter((one) => one.protocol === protocol && !surfaces.some(isOf(one))).map(modelOf);
  const models = [...files.flatMap(({ model }) => model ?? []), ...left];
  const place = { file: files[0]?.file ?? "", line: null, column: null };
  const isWhole = files.every(({ model }) => model !== null);
  return {
    files: [...new Set(files)],
    surfaces: (await Promise.all(plans)).flat(),
    lost: definition && isWhole ? findLostNames(definition, models, place) : [],
  };
}

function modelOf({ style, base }: Snapshot): EntityModel {
  return styles[style].read(parseSnapshot(base));
}

async function readEarlier({ path, name }: EntityFile, ref: string): Promise<SurfacePlan["earlier"]> {
  return { name: `${ref}:${name}`, text: await readAtRef(dirname(path), ref, basename(path)) };
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
