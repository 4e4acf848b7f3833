import { nameText } from "./chain-name.ts";

/** Throws for an unknown name, with the nearest known ones, or with the `usual` ones if none is near. */
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
  throw new Error(
    `${JSON.stringify(text) ?? typeof given} is no ${what}. Try ${shown.join(", ") || "another"}.`,
  );
}

/** The names in lower case most like the given one, by the pairs of letters they share: at most three, or none. */
export function nearestNames(given: string, names: readonly string[]): string[] {
  const pairs = given
    .toLowerCase()
    .split("")
    .map((letter, index, all) => letter + (all[index + 1] ?? ""));
  const likeness = (name: string) =>
    pairs.filter((pair) => name.includes(pair)).length / (pairs.length + name.length);
  return names
    .filter((name) => likeness(name) > 0.22)
    .sort((a, b) => likeness(b) - likeness(a))
    .slice(0, 3);
}
