import { nameText } from "./name-text.ts";
import { nearestNames } from "./nearest-names.ts";

/** Refuses a name that is none of those there are, and tells the nearest of them; where none is near, the `usual`. */
export function refuseName(
  what: string,
  given: unknown,
  all: readonly string[],
  usual?: readonly string[],
): never {
  const names = all.filter((name, index) => all.indexOf(name) === index);
  const text = nameText(given)?.slice(0, 50);
  const nearest = nearestNames(text ?? "", names);
  const shown = nearest.length > 0 ? nearest : (usual ?? names);
  throw new Error(`${JSON.stringify(text) ?? typeof given} is no ${what}. Try ${shown.join(", ")}.`);
}
