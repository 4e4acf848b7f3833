import type { Chain } from "./manifest-types.ts";

/** Returns the key of a chain by its name or id. Short names count only if no other name matches. */
export function findChain<Key extends string>(chains: Readonly<Record<Key, Chain>>, given: unknown): Key {
  const wanted = normalizeChainName(nameText(given) ?? "");
  const namesOf = ([key, { chainId, name, multichain, subgraph, aliases }]: [string, Chain]) =>
    [key, name, multichain ?? key, subgraph ?? key, ...aliases, String(chainId)].map(dashedName);
  const rows = Object.entries<Chain>(chains);
  const [key] =
    rows.find((row) => namesOf(row).map(normalizeChainName).includes(wanted)) ??
    rows.find(([own, { shortName }]) => normalizeChainName(shortName ?? own) === wanted) ??
    [];
  return (key as Key | undefined) ?? refuseName("a chain", given, rows.flatMap(namesOf), Object.keys(chains));
}

/** Returns a name or an id as text; undefined for values of other types. */
function nameText(given: unknown): string | undefined {
  return /string|number|bigint/.test(typeof given) ? String(given) : undefined;
}

/**
 * Normalizes a chain's name for comparison: lower case, without blanks, underscores and dashes between words; before a
 * digit, they become one dash. Ids become decimal numbers, also those in hex or after `eip155:`.
 */
export function normalizeChainName(name: string): string {
  const text = dashedName(name);
  const id = /^(?:eip155:)?(\d{1,15}|0x[\da-f]{1,12})$/.exec(text)?.[1];
  return id === undefined ? text.replace(/-(?=\D)/g, "") : String(Number(id));
}

/** Returns a chain's name in lower case, with dashes between words. */
function dashedName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "-");
}

/**
 * Throws for an unknown name. The error lists the most similar names, or the `usual` ones if none is similar.
 *
 * @param what with its article: `a chain`.
 */
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
    `${JSON.stringify(text) ?? typeof given} is not ${what}. Try ${shown.join(", ") || "another"}.`,
  );
}

/** Returns up to three names that share the most pairs of letters with the given one, best first. */
function nearestNames(given: string, names: readonly string[]): string[] {
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
