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
