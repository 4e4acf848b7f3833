import { compareCodeUnits } from "../base/compare-code-units.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { listSome } from "../base/list-some.ts";
import { nearestName } from "../base/nearest-name.ts";

/**
 * Refuses a name that no operation has, and tells those that there are.
 *
 * @param sentence what there is not.
 * @param names those of the operations that could have been meant.
 * @param none what to say where there are none at all.
 */
export function refuseOperationName(
  sentence: string,
  name: string,
  names: readonly string[],
  none: string,
): never {
  const nearest = nearestName(name, names);
  const known = [...new Set(names)].sort(compareCodeUnits);
  const there = known.length === 0 ? none : `there are ${listSome(known, MOST_NAMES)}.`;
  throw new UsageError({
    sentence,
    hint: nearest === null ? `${there} A file is named by its path.` : `did you mean "${nearest}"?`,
  });
}

/** As many as are read: whoever wants all of them looks into the folder. */
const MOST_NAMES = 5;
