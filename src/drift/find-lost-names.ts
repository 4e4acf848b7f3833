import { capitalize } from "../base/identifier.ts";
import type { Place } from "../base/place.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { findWrongNames } from "../snapshots/require-known-fields.ts";

/**
 * Finds what the definition of a protocol names and its indexers would not have any more.
 *
 * @param models the entities of the protocol once the plan is deployed, one model for each style.
 * @param place where the entities are written.
 */
export function findLostNames(
  definition: Parameters<typeof findWrongNames>[0],
  models: readonly EntityModel[],
  place: Place,
): Finding[] {
  return findWrongNames(definition, models).map(({ sentence, hint }) =>
    buildFileFinding("plan/definition", [`${sentence} ${capitalize(hint)}`], { place }),
  );
}
