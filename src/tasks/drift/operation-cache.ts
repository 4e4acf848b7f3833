import * as v from "valibot";
import { orNull } from "../../base/errors.ts";
import type { ValidOperations } from "../../compare/report-operations.ts";
import type { SurfaceId } from "../../dialects/surface.ts";
import { hasCache, readProjectCache, writeProjectCache } from "../../workspace/cache.ts";
import { readGenerationInputs } from "../../workspace/generation-inputs.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The operations that an earlier run found valid, if texts, snapshots and definitions are unchanged since. */
export type OperationCache = {
  readonly surfaces: ValidBySurface;
  /** Adds surfaces to the cache for the next run. */
  readonly keep: (surfaces: ValidBySurface) => Promise<void>;
};

/** The surfaces whose operations are all valid. */
export type ValidBySurface = ReadonlyMap<SurfaceId, ValidOperations>;

/**
 * Reads the cached result for the operations of a project. Without it, each run would parse operations and schemas and
 * compile portable operations, although most nights nothing has changed.
 */
export async function readOperationCache(workspace: Workspace): Promise<OperationCache> {
  const { root } = workspace.project;
  // If an input cannot be read, reading the operations reports why.
  const inputs = hasCache(root) ? await orNull(() => readGenerationInputs(workspace)) : null;
  if (inputs === null) return { surfaces: new Map(), keep: async () => {} };
  const { digest } = inputs;
  const cache = await readProjectCache(root, "operations");
  const parsed = cache?.["digest"] === digest ? v.safeParse(SURFACES, cache["surfaces"]) : null;
  const surfaces = new Map(parsed?.success ? parsed.output : []);
  return {
    surfaces,
    keep: (more) => {
      const all = [...new Map([...surfaces, ...more])];
      return writeProjectCache(root, "operations", { digest, surfaces: all });
    },
  };
}

const SURFACES = v.array(
  v.tuple([
    v.custom<SurfaceId>((id) => typeof id === "string"),
    v.object({
      operations: v.array(
        v.object({
          name: v.string(),
          file: v.string(),
          line: v.number(),
          portable: v.exactOptional(v.literal(true)),
        }),
      ),
      schemas: v.array(v.string()),
    }),
  ]),
);
