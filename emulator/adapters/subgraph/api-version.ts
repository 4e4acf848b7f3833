/** The one version of the query API there is. */
const VERSION = [1, 0, 0] as const;

/**
 * Whether the query string asks for a version of the API that there is (C.1). As on the node, the requirement
 * ends at an equals sign and nothing is decoded.
 */
export function isKnownApiVersion(search: string): boolean {
  const asked = search.split("&").find((pair) => pair.startsWith("api-version="));
  const requirement = asked?.split("=")[1];
  return requirement === undefined || requirement.split(",").every(allows);
}

/** One comparison of a requirement, `^1.0`, against the version. */
function allows(text: string): boolean {
  const parts = /^\s*([\^~<>]?)\s*(\d+|[*xX])(?:\.(\d+|[*xX]))?(?:\.(\d+|[*xX]))?\s*$/.exec(text);
  if (parts === null) return false;
  const [, operator = "", ...written] = parts;
  const numbers = written.map((part) => (part === undefined || /^[*xX]$/.test(part) ? null : Number(part)));
  const given = numbers.slice(0, numbers.includes(null) ? numbers.indexOf(null) : 3) as number[];
  const order = compare(given);
  if (operator === ">") return order > 0;
  if (operator === "<") return order < 0;
  // What is given must not be newer, and what may not differ must be equal.
  if (given.length === 0) return true;
  const [major = 0] = given;
  if (operator === "~" || written.some((part) => part !== undefined && /^[*xX]$/.test(part))) {
    return given.slice(0, 2).every((number, index) => number === VERSION[index]) && order >= 0;
  }
  return major === VERSION[0] && order >= 0;
}

/** How the version compares with the numbers that are given: above, equal or below zero. */
function compare(given: readonly number[]): number {
  for (const [index, number] of given.entries()) {
    const difference = (VERSION[index] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
}
