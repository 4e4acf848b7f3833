/** The part of an address behind the `#`: any view can be linked. */
export type Address = {
  readonly view: ViewName;
  readonly filter: ReadonlyMap<FilterName, string>;
};

export type ViewName = (typeof VIEWS)[number];

export type FilterName = (typeof FILTERS)[number];

export const VIEWS = ["fleet", "parity", "coverage", "findings"] as const;

export const FILTERS = ["severity", "protocol", "style", "chain", "operation", "finding"] as const;

/** Parses the hash of an address; null if it names no view. Unknown filters are ignored. */
export function parseAddress(hash: string): Address | null {
  const [name = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const view = VIEWS.find((candidate) => candidate === name);
  if (view === undefined) return null;
  const given = new URLSearchParams(query);
  const filter = new Map<FilterName, string>();
  for (const key of FILTERS) {
    const value = given.get(key);
    if (value) filter.set(key, value);
  }
  return { view, filter };
}

/** Formats the hash of a view. */
export function formatAddress(view: ViewName, filter: Iterable<readonly [FilterName, string]> = []): string {
  const given = new Map(filter);
  const query = new URLSearchParams();
  // One order: the same view has one address.
  for (const key of FILTERS) {
    const value = given.get(key);
    if (value) query.set(key, value);
  }
  const text = query.toString();
  return text === "" ? `#${view}` : `#${view}?${text}`;
}
