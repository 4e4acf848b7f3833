import { suggestionList } from "graphql/jsutils/suggestionList.js";

/** The name most like `given`, or null when none is near enough to be a likely slip of the hand. */
export function nearestName(given: string, names: Iterable<string>): string | null {
  return suggestionList(given, [...names])[0] ?? null;
}
