import { refuseValue } from "../client/indexer-error.ts";
import { replaceAt } from "../client/values.ts";
import { type FilterTable, mapFilter } from "./map-filter.ts";

/**
 * The forms of an entity's ids, or of bytes, that differ between the styles. Applications use the form of the subgraphs.
 */
export type IdForms = {
  /** The entity; `Bytes` for bytes. */
  readonly entity: string;
  /** The form of ids of subgraphs, for messages. */
  readonly template: string;
  /** Converts ids of subgraphs to those of the multichain indexers. */
  readonly multichain: IdRule;
  /** Converts ids of the multichain indexers to those of subgraphs. */
  readonly subgraph: IdRule;
};

/** The pattern of an id, and its replacement, in which `{chain}` is the id of the chain. */
export type IdRule = readonly [pattern: string, replacement: string];

/** The style and the chain to which ids are converted. */
export type IdTarget = {
  readonly isSubgraph: boolean;
  /** The requested chain; undefined for several. */
  readonly chain: ChainNumber | undefined;
};

type ChainNumber = number | string | bigint;

/** A table of filters with the ids of entities among their columns, by the names of the multichain indexers. */
export type IdFilterTable<Where = never, Mapped = unknown> = Omit<FilterTable<Where, Mapped>, "ids"> & {
  readonly ids: FilterIds;
};

/** The columns with ids, and those of related entities. */
export type FilterIds = { readonly [column: string]: IdForms | FilterIds };

/**
 * Converts an id by a rule.
 *
 * @param chain only needed for rules with `{chain}`.
 * @returns undefined for an id that does not match.
 */
export function writeId([pattern, replacement]: IdRule, id: string, chain: unknown): string | undefined {
  const whole = new RegExp(`^${pattern}$`);
  return whole.test(id) ? id.replace(whole, replacement.replaceAll("{chain}", String(chain))) : undefined;
}

/**
 * Maps an id, or a list of ids, to the form of a style. A missing value stays missing.
 *
 * @throws IndexerError `invalid-variables` if a value is not such an id, in either style.
 */
export function mapIds(forms: IdForms, given: unknown, target: IdTarget, path: string): unknown {
  if (Array.isArray(given)) return given.map((item) => mapIds(forms, item, target, path));
  if (typeof given !== "string") return given;
  const { isSubgraph, chain } = target;
  const [, replacement] = forms.multichain;
  const written = writeId(forms.multichain, given, chain);
  if (written === undefined) refuseValue(path, `${nameOf(forms)} (${forms.template})`, given);
  if (isSubgraph) return given;
  if (chain === undefined && replacement.includes("{chain}"))
    refuseValue("chainIds", "a list of one chain id");
  return written;
}

/** Maps a portable filter to that of a style, with the ids in it: see `mapFilter`. */
export function mapIdFilter<Where, Mapped>(
  table: IdFilterTable<Where, Mapped>,
  where: Where,
  target: IdTarget,
): Mapped;
export function mapIdFilter(table: IdFilterTable, where: unknown, target: IdTarget, path?: string): unknown;
export function mapIdFilter(
  { ids, ...table }: IdFilterTable,
  where: unknown,
  target: IdTarget,
  path = "where",
): unknown {
  // Both styles refuse the same filters.
  const mapped = mapConditions(ids, mapFilter(table, where, false, path), target, path);
  return target.isSubgraph ? mapFilter(table, where, true, path) : mapped;
}

/** Maps the ids in a filter of the multichain indexers. */
function mapConditions(ids: FilterIds, where: unknown, target: IdTarget, path: string): unknown {
  if (Array.isArray(where)) return where.map((item) => mapConditions(ids, item, target, path));
  const conditions = Object.entries(where as object).map(([key, value]: [string, unknown]) => {
    const forms = /^_(and|or|not)$/.test(key) ? ids : Object.hasOwn(ids, key) ? ids[key] : null;
    if (!forms) return [key, value];
    return [
      key,
      isForms(forms)
        ? mapTests(forms, value as object, target, path)
        : mapConditions(forms, value, target, path),
    ];
  });
  return Object.fromEntries(conditions);
}

function mapTests(forms: IdForms, tests: object, target: IdTarget, path: string): object {
  const mapped = Object.entries(tests).map(([operator, value]: [string, unknown]) => {
    if (!takesTest(forms, operator))
      refuseValue(path, `a filter that both styles support: ${nameOf(forms, "ids")} differ`);
    return [operator, mapIds(forms, value, target, path)];
  });
  return Object.fromEntries(mapped);
}

/** Parts of ids differ between the styles. Their order is the same if one form only adds a prefix to the other. */
function takesTest({ multichain: [pattern] }: IdForms, operator: string): boolean {
  return (
    /^_(n?eq|n?in|is_null|contains)$/.test(operator) ||
    (pattern.endsWith("([^]*)") && /^_[gl]te?$/.test(operator))
  );
}

/** Names ids of an entity, or bytes: no entity has the name of the scalar. */
function nameOf({ entity }: IdForms, word = "an id"): string {
  return entity === "Bytes" ? "bytes" : `${word} of ${entity}`;
}

function isForms(ids: IdForms | FilterIds): ids is IdForms {
  return Array.isArray(ids["multichain" as keyof typeof ids]);
}

/**
 * Converts the ids in an answer of the multichain indexers to those of subgraphs.
 *
 * @param places the paths of their response keys.
 * @returns the problem of an id that does not match; null without one.
 */
export function readIds(
  data: object,
  places: readonly (readonly [path: string, forms: IdForms])[],
  chain: ChainNumber | undefined,
): string | null {
  for (const [path, forms] of places) {
    let odd: string | null = null;
    replaceAt(data, path, (id) => {
      if (typeof id !== "string") return id;
      const written = writeId(forms.subgraph, id, chain);
      if (written === undefined) odd ??= id;
      return written;
    });
    if (odd !== null) return `returned ${nameOf(forms)} that the configuration does not describe: ${odd}`;
  }
  return null;
}
