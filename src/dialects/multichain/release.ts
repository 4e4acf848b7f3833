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

const OLDEST: ReleaseFeatures = {
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

/** The releases of Envio HyperIndex that changed the API, oldest first. `2.27` also stands for the older ones. */
const CHANGES = {
  "2.27": {},
  "2.28": { bookkeeping: "views" },
  "2.29": { writeTimestamps: false },
  "2.31": { bigNumberItems: "String" },
  "3.0": { counter: "Float", eventId: "bigint", serial: "bigint", storage: true },
  "3.1": { descriptions: true },
  "3.5": { bigIntIds: true },
  "3.6": { perChainEntities: true },
  "3.8": { internalEntities: true, ecosystem: true },
  "3.10": { rawBytes: true },
  "3.12": { progressBlockTime: true },
} satisfies Record<string, Partial<ReleaseFeatures>>;

/** A release of Envio HyperIndex. It includes those up to the next one. */
export type Release = keyof typeof CHANGES;

/** The default release: that of the newest public deployments. */
export const DEFAULT_RELEASE: Release = "3.0";

/** Every release with its features, oldest first. */
export const RELEASES = Object.fromEntries(
  Object.keys(CHANGES).map((release, index) => {
    const changes = Object.values<Partial<ReleaseFeatures>>(CHANGES).slice(0, index + 1);
    return [release, Object.assign({}, OLDEST, ...changes)];
  }),
) as Readonly<Record<Release, ReleaseFeatures>>;

/** Returns whether a name is one of the releases. */
export function isKnownRelease(name: string): name is Release {
  return Object.hasOwn(RELEASES, name);
}

/** Returns the features of a release; those of the default release for an unknown name. */
export function releaseFeatures(release: string = DEFAULT_RELEASE): ReleaseFeatures {
  return RELEASES[isKnownRelease(release) ? release : DEFAULT_RELEASE];
}
