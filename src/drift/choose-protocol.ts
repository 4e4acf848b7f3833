import { UsageError } from "../base/errors/usage-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import { LEAST_SHARE, measureLikeness, overlapOf, shareOf } from "../fleet/likeness.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";

/** A protocol that an entity schema may be of. */
export type ProtocolCandidate = {
  readonly protocol: Protocol;
  /** Whether its definition names the very file. */
  readonly isOwner: boolean;
  /** The entity models of its snapshots, read when they are needed; none before there are any. */
  readonly models: () => readonly EntityModel[];
};

/**
 * Chooses the protocol that an entity schema is of: the one that is named, the only one there is, the one whose
 * definition names the file, or the one whose snapshots it is most like.
 *
 * @param model the entity schema; null where only a name tells.
 * @throws UsageError for a name that is none, and where no protocol is clearly the one.
 */
export function chooseProtocol(
  named: string | null,
  model: EntityModel | null,
  candidates: readonly ProtocolCandidate[],
): Protocol {
  const names = candidates.map(({ protocol }) => protocol);
  const listed = `the protocols are ${names.join(", ")}.`;
  if (named !== null) {
    const protocol = names.find((name) => name === named);
    if (protocol !== undefined) return protocol;
    const nearest = nearestName(named, names);
    throw new UsageError({
      sentence: `There is no protocol "${named}" in this project.`,
      hint: nearest === null ? listed : `did you mean "${nearest}"? Otherwise ${listed}`,
    });
  }
  const clear = only(names) ?? only(candidates.filter(({ isOwner }) => isOwner))?.protocol;
  if (clear !== undefined) return clear;
  const nearest = model === null ? undefined : findNearest(model, candidates);
  if (nearest !== undefined) return nearest;
  if (model === null) {
    throw new UsageError({
      sentence:
        "It is not clear which entity schema is meant: no file is named, and no protocol alone has one.",
      hint: `name the file, lockflow plan <entities.graphql>, or a protocol with --protocol; ${listed}`,
    });
  }
  throw new UsageError({
    sentence: "It is not clear which protocol the entity schema is of.",
    context: ["its entities are like those of no snapshot, or of several alike"],
    hint: `name it with --protocol; ${listed}`,
  });
}

/** The protocol with the snapshot that the model has most in common with, if that is enough, and more than of others. */
function findNearest(model: EntityModel, candidates: readonly ProtocolCandidate[]): Protocol | undefined {
  const measured = candidates.flatMap(({ protocol, models }) =>
    models().map((known) => {
      const likeness = measureLikeness(known, model);
      return { protocol, isAlike: shareOf(likeness) >= LEAST_SHARE, overlap: overlapOf(likeness) };
    }),
  );
  const most = Math.max(...measured.map(({ overlap }) => overlap));
  const nearest = measured.filter(({ isAlike, overlap }) => isAlike && overlap === most);
  return only([...new Set(nearest.map(({ protocol }) => protocol))]);
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
