import { ConfigError } from "../base/errors/config-error.ts";
import type { Place } from "../base/place.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { requireKnownFields } from "../snapshots/require-known-fields.ts";

/**
 * Finds what the definition of a protocol names and its indexers would not have any more.
 *
 * @param models the entities of the protocol once the plan is deployed, one model for each style.
 * @param place where the entities are written.
 */
export function findLostNames(
  definition: Parameters<typeof requireKnownFields>[0],
  models: readonly EntityModel[],
  place: Place,
): Finding[] {
  try {
    requireKnownFields(definition, models);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { sentence, hint, context } = error;
    return [[sentence, hint].join(" "), ...context].map((said) =>
      buildFileFinding("plan/definition", [said], { place }),
    );
  }
}
