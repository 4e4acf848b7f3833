import type { DefinitionNode } from "graphql";
import { cached } from "../../base/collections.ts";
import type { ConfirmedRename } from "../../compare/find-api-renames.ts";
import { type OfSurface, surfaceId } from "../../dialects/surface.ts";
import type { Snapshot } from "../../workspace/snapshot.ts";
import { graphqlSchema } from "../../workspace/snapshot-schema.ts";
import { isValidAlone } from "../../workspace/valid-alone.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AdaptOptions } from "./adapt-types.ts";
import { applyingRenames, type StatedRename } from "./confirm-renames.ts";
import type { Fit, Versions } from "./old-schema.ts";
import { currentSnapshot, openVersions } from "./read-versions.ts";
import { createRewriting, type Rewriting } from "./rewrite.ts";

/** The old and new schemas of a run. Each is read on first use. */
export type AdaptSchemas = {
  /** Returns the new snapshot of a surface: that of the target protocol, if operations move. */
  readonly next: (surface: OfSurface) => Snapshot;
  readonly versions: (surface: OfSurface) => Promise<Versions>;
  /** Returns whether a definition is valid for the new schema as it is. */
  readonly isValid: (node: DefinitionNode, surface: OfSurface) => boolean;
  /** Returns what was renamed since a version; null if it is the new snapshot. */
  readonly rewriting: (surface: OfSurface, fit: NonNullable<Fit>) => Rewriting | null;
  /** The rewritings that were made, each with what the other style proves. */
  readonly all: () => readonly Rewriting[];
};

/** Opens the schemas of a run. */
export function openSchemas(
  workspace: Workspace,
  { cwd, from, to }: Pick<AdaptOptions, "cwd" | "from" | "to">,
  stated: readonly StatedRename[],
): AdaptSchemas {
  const snapshots = new Map<string, Snapshot>();
  const histories = new Map<string, Promise<Versions>>();
  const validity = new Map<string, Map<DefinitionNode, boolean>>();
  const rewritings = new Map<string, Rewriting>();
  const next = (surface: OfSurface) =>
    cached(snapshots, surfaceId(surface), () =>
      currentSnapshot(workspace, { ...surface, protocol: to ?? surface.protocol }),
    );
  return {
    next,
    versions: (surface) =>
      cached(histories, surfaceId(surface), async (): Promise<Versions> => {
        if (to === undefined || from !== undefined) return openVersions(workspace, surface, { from, cwd });
        const { base } = currentSnapshot(workspace, surface);
        const path = `${workspace.project.output}/${base.path}`;
        // Operations that move are usually valid for the snapshot on disk, so git may not be needed.
        let older: Versions | null = null;
        return {
          get skipped() {
            return older?.skipped ?? [];
          },
          get isShallow() {
            return older?.isShallow ?? false;
          },
          at: async (index) => {
            if (index === 0) return { from: path, file: base };
            older ??= await openVersions(workspace, surface, { from, cwd });
            return older.at(index - 1);
          },
        };
      }),
    isValid: (node, surface) => {
      const ofSurface = cached(validity, surfaceId(surface), () => new Map<DefinitionNode, boolean>());
      return cached(ofSurface, node, () => isValidAlone(graphqlSchema(next(surface).base), node));
    },
    rewriting: (surface, { version, between }) => {
      const { base } = next(surface);
      if (version.file.text === base.text) return null;
      return cached(rewritings, `${surfaceId(surface)} ${version.from}`, () =>
        createRewriting({
          surface,
          version,
          next: base,
          between,
          confirm: (models) => applyingRenames(stated, models),
        }),
      );
    },
    all: () => [...rewritings.values()],
  };
}

/** Adds the renames that are certain in another style of the protocol to those of each rewriting. */
export function shareCertain(rewriting: Rewriting, others: readonly Rewriting[]): Rewriting {
  const keys = new Set(rewriting.certain.map(keyOf));
  const more = others
    .filter(({ surface: { protocol, style } }) => {
      return protocol === rewriting.surface.protocol && style !== rewriting.surface.style;
    })
    .flatMap(({ certain }) => certain)
    .filter((rename) => (rename.kind === "entity" || rename.kind === "field") && !keys.has(keyOf(rename)));
  if (more.length === 0) return rewriting;
  return createRewriting({ ...rewriting, confirm: () => [...rewriting.options.confirmed, ...more] });
}

function keyOf({ kind, owner, from, to }: ConfirmedRename): string {
  return [kind, owner, from, to].join(" ");
}
