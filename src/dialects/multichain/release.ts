/** Releases of Envio HyperIndex that changed the API; each stands for what follows, `2.27` for all before. */
export type Release = "2.27" | "2.28" | "2.29" | "2.31" | "3.0" | "3.1" | "3.5" | "3.6" | "3.8" | "3.13";

/** What of the derived API depends on the release. */
export type ReleaseFeatures = {
  /** How the indexer's own progress is exposed: six bookkeeping tables, or two views and no `_by_pk`. */
  readonly bookkeeping: "tables" | "views";
  readonly writeTimestamps: boolean;
  /** What the items of a `[BigInt!]` are unless a precision was configured. */
  readonly bigNumberItems: "numeric" | "String";
  /** Counts of events; a `Float` here is a float4. */
  readonly counter: "Int" | "Float";
  readonly eventId: "numeric" | "bigint";
  readonly serial: "Int" | "bigint";
  /** An `id: BigInt!` is accepted. */
  readonly bigIntIds: boolean;
  readonly descriptions: boolean;
  /** `@storage` decides which entities are in Postgres. */
  readonly storage: boolean;
  readonly perChainEntities: boolean;
  readonly internalEntities: boolean;
  /** The two views say which kind of chain a row is about. */
  readonly ecosystem: boolean;
  /**
   * `bytes_type: uint8array` stores `Bytes` as `bytea`. Hasura shows the scalar with the operators of every scalar and
   * without `min` and `max`.
   *
   * @see https://github.com/enviodev/hyperindex/pull/1620
   */
  readonly rawBytes: boolean;
};

/** The release that is derived for when none is named: that of the newest public deployments. */
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
const V3_13: ReleaseFeatures = { ...V3_8, rawBytes: true };

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
  "3.13": V3_13,
};

/** Whether a text names one of the releases. */
export function isKnownRelease(name: string): name is Release {
  return Object.hasOwn(RELEASES, name);
}

/** The features of a release; of the default one where none of the known ones is named. */
export function releaseFeatures(release: string = DEFAULT_RELEASE): ReleaseFeatures {
  return RELEASES[isKnownRelease(release) ? release : DEFAULT_RELEASE];
}
