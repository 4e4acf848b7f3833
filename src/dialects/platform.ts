import { UsageError } from "../base/errors.ts";
import type { BytesType, ProtocolRelease, ResolvedProtocol } from "./protocol.ts";
import type { StyleName } from "./surface.ts";

/** The software that serves the indexers of a style. */
export type Platform = {
  /** The prefix of the names of its releases: `graph-node` in `graph-node-0.44`. */
  readonly name: "graph-node" | "envio";
  /** The releases that APIs can be derived for, oldest first. */
  readonly releases: readonly string[];
  /** The release that is used if none is configured. */
  readonly defaultRelease: string;
  readonly settings: readonly (keyof SchemaSettings)[];
  /** The names of features that add columns to the tables of entities. */
  readonly ownColumns: ReadonlySet<string>;
  /** The arguments of directives in entity schemas that no API shows, though answers depend on them. */
  readonly hiddenArguments: ReadonlyMap<string, readonly string[]>;
};

/** Options for deriving an API schema. */
export type DeriveOptions = SchemaSettings & {
  /** One of the platform's `releases`. @default its `defaultRelease` */
  readonly release?: string | undefined;
  /** Whether the model was read from an API. Then it may have scalars of the API, and its entities are not checked. */
  readonly asRead?: boolean | undefined;
  /** The entities whose API is wanted. Types of other entities may be left out. @default all */
  readonly sliceFor?: ReadonlySet<string> | undefined;
  /** Whether the API has streaming subscriptions (multichain). @default true */
  readonly streams?: boolean | undefined;
  /** The maximum number of members. A style may throw for more, because references multiply them. */
  readonly most?: number | undefined;
};

/** Settings of a deployment's operator that change its schema. Each style uses some of them. */
export type SchemaSettings = {
  /** Entities whose aggregates are public (multichain). @default none */
  readonly aggregates?: readonly string[] | undefined;
  /** Whether entities without `@crossChain` are stored per chain (multichain, since 3.6). @default false */
  readonly perChainEntities?: boolean | undefined;
  /** Whether entities without `@storage` are stored in Postgres (multichain, since 3.0). @default true */
  readonly postgresDefault?: boolean | undefined;
  /** `uint8array` if `Bytes` are stored as bytes, not as hexadecimal text (multichain, since 3.10). @default "string" */
  readonly bytesType?: BytesType | undefined;
  /** Whether filters have `and` and `or` (subgraph). @default true */
  readonly boolFilters?: boolean | undefined;
  /** Whether rows can be ordered by the field of a reference (subgraph). @default true */
  readonly childSorting?: boolean | undefined;
};

/**
 * Resolves the name of a release, `graph-node-0.41.2` or `0.41.2`, to the newest known release that is not newer. Null for a
 * version older or newer than all known releases. A patch of the newest release is that release.
 *
 * @param platform its releases, oldest first.
 */
export function resolveRelease(
  name: string,
  platform: { readonly name: string; readonly releases: readonly string[] },
): string | null {
  const version = name.startsWith(`${platform.name}-`) ? name.slice(platform.name.length + 1) : name;
  if (!/^\d+(?:\.\d+){0,3}$/.test(version)) return null;
  const release = platform.releases.findLast((candidate) => compareVersions(candidate, version) <= 0);
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
 * Resolves the name of a release.
 *
 * @throws UsageError for a release that the platform does not have.
 */
export function requireRelease(name: string, platform: Platform): string {
  const release = resolveRelease(name, platform);
  if (release !== null) return release;
  throw new UsageError({
    sentence: `${platform.name} has no release "${name}".`,
    hint: `the releases are ${platform.releases.join(", ")}.`,
  });
}

/** The style whose platform is configured. */
type NamedPlatform = { readonly name: StyleName; readonly platform: Platform };

/**
 * Resolves the options that a protocol's definition sets for a style: the release, and how bytes are stored. Options that
 * it does not set are left out.
 *
 * @throws UsageError for a release that the platform does not have.
 */
export function resolveOwnOptions(
  definition: Pick<ResolvedProtocol, "release" | "usualRelease" | "bytesType"> | undefined,
  style: NamedPlatform,
): Pick<DeriveOptions, "release" | "bytesType"> {
  const release =
    resolveOwnRelease(definition?.release, style) ?? resolveOwnRelease(definition?.usualRelease, style);
  const bytesType = style.platform.settings.includes("bytesType") ? definition?.bytesType : undefined;
  return { ...(release !== undefined && { release }), ...(bytesType && { bytesType }) };
}

/**
 * Resolves the release that a protocol's definition sets for a style; undefined if it sets none.
 *
 * @throws UsageError for a release that the platform does not have.
 */
export function resolveOwnRelease(
  release: ProtocolRelease | undefined,
  { name, platform }: NamedPlatform,
): string | undefined {
  const configured = release?.[name];
  return configured === undefined ? undefined : requireRelease(configured, platform);
}
