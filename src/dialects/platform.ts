import { UsageError } from "../base/errors.ts";
import type { BytesType } from "./protocol.ts";

/** The software that serves the indexers of a style. */
export type Platform = {
  /** The beginning of its releases' full names: `graph-node` of `graph-node-0.44`. */
  readonly name: "graph-node" | "envio";
  /** The releases that can be derived for, oldest first. */
  readonly releases: readonly string[];
  /** The release that was current when the chain data were taken. */
  readonly defaultRelease: string;
  readonly settings: readonly (keyof SchemaSettings)[];
  /** Names of the features that are columns of the platform's own in the tables of entities. */
  readonly ownColumns: ReadonlySet<string>;
  /** How the text of a block string is read, where not as the GraphQL specification says; else null. */
  readonly readBlockString: ((body: string) => string) | null;
};

/** What an API schema is derived with. */
export type DeriveOptions = SchemaSettings & {
  /** One of the style's `releases`; by default its `defaultRelease`. */
  readonly release?: string | undefined;
  /** Whether the model was read from an API: scalars may be the API's, and nothing is refused. */
  readonly asRead?: boolean | undefined;
  /** The entities whose API is wanted of a slice; what belongs to others only may be left out. */
  readonly sliceFor?: ReadonlySet<string> | undefined;
  /** False where an API shows no streaming subscriptions (multichain). @default true */
  readonly streams?: boolean | undefined;
  /** The most members worth deriving; of more a style may throw, since references multiply them. */
  readonly most?: number | undefined;
};

/** What the operator of a deployment decided and its schema shows; each style has its own of these, and defaults. */
export type SchemaSettings = {
  /** Entities whose aggregates are public (multichain). @default none */
  readonly aggregates?: readonly string[] | undefined;
  /** Whether entities are kept per chain unless they are `@crossChain` (multichain, since 3.6). @default false */
  readonly perChainEntities?: boolean | undefined;
  /** False where entities without `@storage` are not stored in Postgres (multichain, since 3.0). @default true */
  readonly postgresDefault?: boolean | undefined;
  /** `uint8array` where `Bytes` are stored as bytes and not as hexadecimal text (multichain, since 3.13). @default "string" */
  readonly bytesType?: BytesType | undefined;
  /** False where `and` and `or` are switched off (subgraph). @default true */
  readonly boolFilters?: boolean | undefined;
  /** False where ordering by the field of a reference is switched off (subgraph). @default true */
  readonly childSorting?: boolean | undefined;
};

/**
 * The known release of a platform that a name means, `graph-node-0.41.2` or `0.41.2`: the greatest one not above it. Null
 * for a version newer or older than all known ones; a patch of the newest release is that release.
 *
 * @param platform its releases, oldest first.
 */
export function resolveRelease(
  name: string,
  platform: { readonly name: string; readonly releases: readonly string[] },
): string | null {
  const version = name.startsWith(`${platform.name}-`) ? name.slice(platform.name.length + 1) : name;
  if (!/^\d+(?:\.\d+){0,3}$/.test(version)) return null;
  const release = platform.releases.findLast((one) => compareVersions(one, version) <= 0);
  const parts = numbers(version);
  const isPatch = numbers(release ?? "").every((part, index) => part === (parts[index] ?? 0));
  return release !== undefined && (isPatch || release !== platform.releases.at(-1)) ? release : null;
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return version.split(".").map(Number);
}

/**
 * Resolves the release of a platform that a name means.
 *
 * @throws UsageError for one that the platform does not have.
 */
export function requireRelease(name: string, platform: Platform): string {
  const release = resolveRelease(name, platform);
  if (release !== null) return release;
  throw new UsageError({
    sentence: `${platform.name} has no release "${name}".`,
    hint: `the releases are ${platform.releases.join(", ")}.`,
  });
}
