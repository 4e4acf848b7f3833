import type { Chain } from "./manifest-types.ts";

/** The key of the chain that a name or an id stands for. A short name gives way to another chain's other names. */
export function findChain<Key extends string>(chains: Readonly<Record<Key, Chain>>, given: unknown): Key {
  const wanted = normalizeChainName(nameText(given) ?? "");
  const namesOf = ([key, { chainId, name, multichain, subgraph, aliases }]: [string, Chain]) =>
    [key, name, multichain ?? key, subgraph ?? key, ...aliases, String(chainId)].map(dashedName);
  const rows = Object.entries<Chain>(chains);
  const [key] =
    rows.find((row) => namesOf(row).map(normalizeChainName).includes(wanted)) ??
    rows.find(([own, { shortName }]) => normalizeChainName(shortName ?? own) === wanted) ??
    [];
  return (key as Key | undefined) ?? refuseName("chain", given, rows.flatMap(namesOf), Object.keys(chains));
}

/** A name or an id as text; undefined for what can be neither. */
function nameText(given: unknown): string | undefined {
  return /string|number|bigint/.test(typeof given) ? String(given) : undefined;
}

/**
 * A chain's name as names are compared: without case, and without the blanks, underscores and dashes between its
 * words; those before a digit are alike. An id is a decimal number, whether it is written in hex or after `eip155:`.
 */
export function normalizeChainName(name: string): string {
  const text = dashedName(name);
  const id = /^(?:eip155:)?(\d{1,15}|0x[\da-f]{1,12})$/.exec(text)?.[1];
  return id === undefined ? text.replace(/-(?=\D)/g, "") : String(Number(id));
}

/** A chain's name as it is shown, in lower case and with dashes. */
function dashedName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "-");
}

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
