import { SchemaError } from "../base/errors/schema-error.ts";
import { compareSchemas } from "../compare/compare-schemas.ts";
import { readSide } from "../compare/schema-side.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import type { DeriveOptions, Style } from "../styles/style.ts";

/**
 * Chooses the release of a platform that a snapshot is of: the oldest that it can be, or a later one that would show
 * the snapshot's entities alike and by which less of it changes. What only such a release tells apart is then not
 * reported as a change of the entity schema.
 *
 * @param options the oldest release it can be of, and the operator's settings.
 * @param derive derives what is planned; what it throws for a refused text leaves the oldest release.
 */
export async function chooseRelease(
  style: Style,
  shown: ApiSchema,
  options: DeriveOptions,
  derive: (options: DeriveOptions) => Promise<ApiSchema>,
): Promise<string | undefined> {
  const { model } = readSide(shown, style);
  const { releases } = style.platform;
  const changesAs = async (release: string | undefined) =>
    compareSchemas(shown, await derive({ ...options, release })).length;
  const showsAs = (release: string | undefined) =>
    canonicalize(style.derive(model, { ...options, release, asRead: true }));
  let best = options.release;
  try {
    let fewest = await changesAs(best);
    if (fewest === 0) return best;
    const shownAsOldest = showsAs(best);
    for (const later of releases.slice(releases.indexOf(best ?? "") + 1)) {
      // A release that shows them otherwise would have been recognised, and so would all after it.
      if (compareSchemas(shownAsOldest, showsAs(later)).length > 0) break;
      const changes = await changesAs(later);
      if (changes < fewest) [best, fewest] = [later, changes];
    }
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
  }
  return best;
}
