import { nearestNames } from "./nearest-names.ts";

/** Refuses a name that is none of those there are, and tells the nearest of them, or all. */
export function refuseName(what: string, given: unknown, all: readonly string[]): never {
  const names = all.filter((name, index) => all.indexOf(name) === index);
  const text = typeof given === "string" ? given.slice(0, 50) : undefined;
  const nearest = nearestNames(text ?? "", names);
  const shown = nearest.length > 0 ? nearest : names;
  throw new Error(`${JSON.stringify(text) ?? typeof given} is no ${what}. Try ${shown.join(", ")}.`);
}
