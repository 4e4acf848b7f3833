/** Releases of Envio HyperIndex that changed the API. Each includes those up to the next; `2.27` also the older ones. */
export type Release =
  | "2.27"
  | "2.28"
  | "2.29"
  | "2.31"
  | "3.0"
  | "3.1"
  | "3.5"
  | "3.6"
  | "3.8"
  | "3.10"
  | "3.12";

/** The parts of the API that depend on the release. */
export type ReleaseFeatures = {
  /** How the progress of the indexer is exposed: in six bookkeeping tables, or in two views without `_by_pk`. */
  readonly bookkeeping: "tables" | "views";
  readonly writeTimestamps: boolean;
  /** The scalar of the items of `[BigInt!]` without a configured precision. */
  readonly bigNumberItems: "numeric" | "String";
  /** The scalar of counts of events. `Float` is a float4. */
  readonly counter: "Int" | "Float";
  readonly eventId: "numeric" | "bigint";
  readonly serial: "Int" | "bigint";
  /** Whether `id: BigInt!` is accepted. */
  readonly bigIntIds: boolean;
  readonly descriptions: boolean;
  /** Whether `@storage` selects the entities in Postgres. */
  readonly storage: boolean;
  readonly perChainEntities: boolean;
  readonly internalEntities: boolean;
  /** Whether the two views have a column with the kind of the chain. */
  readonly ecosystem: boolean;
  /**
   * Whether `bytes_type: uint8array` stores `Bytes` as `bytea`. Hasura shows that scalar with the operators of every scalar,
   * and without `min` and `max`.
   *
   * @see https://github.com/enviodev/hyperindex/pull/1620
   */
  readonly rawBytes: boolean;
  /**
   * Whether `_meta` has the time of the last processed block.
   *
   * @see https://github.com/enviodev/hyperindex/pull/1644
   */
  readonly progressBlockTime: boolean;
};

/** The default release: that of the newest public deployments. */
export const DEFAULT_RELEASE: Release = "3.0";

const V2_27: ReleaseFeatures = {
  bookkeeping: "tables",
  writeTimestamps: true,
  bigNumberItems: "numeric",
  counter: "Int",
  eventId: "numeric",
  serial: "Int",
  bigIntIds: false,
  descriptions: false,
  storage: false,
  perChainEntities: false,
  internalEntities: false,
  ecosystem: false,
  rawBytes: false,
  progressBlockTime: false,
};
const V2_28: ReleaseFeatures = { ...V2_27, bookkeeping: "views" };
const V2_29: ReleaseFeatures = { ...V2_28, writeTimestamps: false };
const V2_31: ReleaseFeatures = { ...V2_29, bigNumberItems: "String" };
const V3_0: ReleaseFeatures = {
  ...V2_31,
  counter: "Float",
  eventId: "bigint",
  serial: "bigint",
  storage: true,
};
const V3_1: ReleaseFeatures = { ...V3_0, descriptions: true };
const V3_5: ReleaseFeatures = { ...V3_1, bigIntIds: true };
const V3_6: ReleaseFeatures = { ...V3_5, perChainEntities: true };
const V3_8: ReleaseFeatures = { ...V3_6, internalEntities: true, ecosystem: true };
const V3_10: ReleaseFeatures = { ...V3_8, rawBytes: true };
const V3_12: ReleaseFeatures = { ...V3_10, progressBlockTime: true };

/** Every release with its features, oldest first. */
export const RELEASES: Readonly<Record<Release, ReleaseFeatures>> = {
  "2.27": V2_27,
  "2.28": V2_28,
  "2.29": V2_29,
  "2.31": V2_31,
  "3.0": V3_0,
  "3.1": V3_1,
  "3.5": V3_5,
  "3.6": V3_6,
  "3.8": V3_8,
  "3.10": V3_10,
  "3.12": V3_12,
};

/** Returns whether a name is one of the releases. */
export function isKnownRelease(name: string): name is Release {
  return Object.hasOwn(RELEASES, name);
}

/** Returns the features of a release; those of the default release for an unknown name. */
export function releaseFeatures(release: string = DEFAULT_RELEASE): ReleaseFeatures {
  return RELEASES[isKnownRelease(release) ? release : DEFAULT_RELEASE];
}
