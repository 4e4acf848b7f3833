import type { Protocol, StyleName } from "./surface.ts";

/**
 * A protocol: an indexed contract family with its own entity schema. Everything is optional. Names of entities and fields
 * are checked against the snapshots.
 */
export type ProtocolDefinition = {
  /** Its name for people. @default the key, capitalized */
  readonly title?: string | undefined;
  /**
   * The deployed entity SDL, for the emulator and `plan`: one file for both styles, or one for each, relative to the
   * configuration file.
   */
  readonly entities?: string | { readonly [S in StyleName]?: string | undefined } | undefined;
  /** A JSON file with rows for the emulator, relative to the configuration file. @default generated from the entity SDL */
  readonly rows?: string | undefined;
  /** The styles in which it is deployed. @default both */
  readonly styles?: readonly StyleName[] | undefined;
  /** The keys of the chains on which it is deployed. @default every chain of the style */
  readonly chains?: readonly string[] | undefined;
  /**
   * The release of the platform in each style: `{ subgraph: "graph-node-0.44" }`.
   *
   * @default for `plan`, the oldest release that fits the snapshot; else a release that is in use
   */
  readonly release?: { readonly [S in StyleName]?: string | undefined } | undefined;
  /**
   * `uint8array` if the multichain indexer has `bytes_type: uint8array`, or indexes a chain of the Solana VM. Its API then
   * has `bytea` for `Bytes`.
   *
   * @default for `plan`, as in the snapshot; else "string"
   */
  readonly bytesType?: BytesType | undefined;
  /** The template of deployment names. The suffix of a multichain deployment is `multichain`. @default "{brand}-{protocol}-{suffix}" */
  readonly deployment?: string | undefined;
  /** The fields that identify a deployment. @default none: it is identified by its entities, and its chain is unknown */
  readonly identity?: Identity | undefined;
  /** For each entity without a chain, the field that leads to an entity with one: `{ Bid: "auction" }`. */
  readonly chainPath?: Readonly<Record<string, string>> | undefined;
  /** For each entity, a field that can page all rows: unique on a chain, ascending and immutable. */
  readonly cursors?: Readonly<Record<string, string>> | undefined;
  /**
   * Templates of ids: `{ Auction: "{contract}-{chainId}-{tokenId}" }`, or one for each style if they differ:
   * `{ Token: { subgraph: "{address}", multichain: "{chainId}-{address}" } }`.
   */
  readonly ids?: IdTemplates | undefined;
  /**
   * Fields that hold times in seconds since 1970, for decoders: `["Auction.endTime", "*.timestamp"]`, where `*` means
   * every entity.
   */
  readonly times?: readonly string[] | undefined;
  /**
   * Fields that hold amounts of a token, by their decimals: a number, or the path to a field of the same row. `lockflow ask
   * --units` shows them in whole tokens: `{ "asset.decimals": ["Stream.depositAmount"], "18": ["Stream.ratePerSecond"] }`.
   * `Stream.segments.amount` is a field of the rows in a list; the path then begins at the stream.
   */
  readonly amounts?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * The fields of one entity that hold the block and the time of every change: `{ block: "Action.block", time:
   * "Action.timestamp" }`. `--at` of `lockflow ask` finds the block of a time with them.
   */
  readonly clock?: Clock | undefined;
  /**
   * The operation whose rows refer to changed rows, and the key of that reference: `ActionsFeed.stream`. Its list has
   * a cursor. `lockflow ask --since-last` fetches the rows again.
   */
  readonly updatedBy?: string | undefined;
};

/** How the multichain platform stores `Bytes`. On chains of the Solana VM, always `uint8array`. */
export const BYTES_TYPES = ["string", "uint8array"] as const;

/** How the multichain platform stores `Bytes`: as hexadecimal text, or as bytes. */
export type BytesType = (typeof BYTES_TYPES)[number];

/** Templates of ids, by entity. */
export type IdTemplates = Readonly<Record<string, IdTemplate>>;

/** The template of the ids of an entity: one for both styles, or one for each. */
export type IdTemplate = string | { readonly [S in StyleName]: string };

/** The fields that hold the block and the time of every change, both of one entity. */
export type Clock = {
  /** The field with the number of a block: `Action.block`. */
  readonly block: string;
  /** The field with its time in seconds: `Action.timestamp`. */
  readonly time: string;
};

/** A field that holds amounts of a token. */
export type AmountName = {
  /** The entity, and the fields from there: `["Stream", "segments", "amount"]`. */
  readonly path: readonly string[];
  /** The decimals, or the fields from the same entity to them: `["asset", "decimals"]`. */
  readonly decimals: number | readonly string[];
};

/** The fields that identify a deployment, as `Auction.reservePrice`. */
export type Identity = {
  /** A field that only indexers of this protocol have. */
  readonly protocol?: string | undefined;
  /** The field with the chain id, in an entity with one row per chain. */
  readonly chain?: string | undefined;
};

/** The definition of a built-in protocol, with additional facts. */
export type BuiltInProtocol = ProtocolDefinition & {
  readonly key: string;
  /** Its enums. Multichain indexers show them as opaque scalars, so a project without subgraphs cannot read them. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
};

/**
 * Types a protocol definition. It does not check values: a command does that when it reads the configuration.
 *
 * @param definition the definition; docs/protocols.md describes its keys.
 * @returns the same object.
 * @example
 * ```ts
 * import { defineConfig, defineProtocol } from "lockflow";
 *
 * const auctions = defineProtocol({
 *   entities: "entities/auctions.graphql",
 *   chains: ["ethereum", "base"],
 *   identity: { protocol: "Auction.reservePrice", chain: "Counter.chainId" },
 * });
 *
 * export default defineConfig({ protocols: { lockup: true, auctions } });
 * ```
 */
export function defineProtocol(definition: ProtocolDefinition): ProtocolDefinition {
  return definition;
}

/** Returns the names of the fields in a template of ids, `{contract}-{tokenId}`, each once. */
export function fieldsOfId(template: string): string[] {
  return [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))];
}

/** Returns the template of the ids of an entity in a style; null if it is not configured. */
export function idTemplate(ids: IdTemplates, entity: string, style: StyleName): string | null {
  const template = Object.hasOwn(ids, entity) ? (ids[entity] ?? null) : null;
  return template === null || typeof template === "string" ? template : template[style];
}

/** Returns whether a field contains the chain id of its row: by its name, or because `identity` names it. */
export function isChainField(chain: FieldName | null, entity: string, field: string): boolean {
  if (field === "chainId") return true;
  // Every entity has an `id`. It is the chain id only in the entity that `identity` names.
  return field === chain?.field && (field !== "id" || entity === chain.entity);
}

/** Returns whether a field holds times, as the definition says. */
export function isTime(times: readonly FieldName[], entity: string, field: string): boolean {
  return times.some((time) => time.field === field && (time.entity === "*" || time.entity === entity));
}

/** A field of an entity, parsed from `Auction.reservePrice`. */
export type FieldName = {
  /** The name of the entity. */
  readonly entity: string;
  /** The name of the field. */
  readonly field: string;
};

/** The release of the platform in each style. */
export type ProtocolRelease = { readonly [S in StyleName]?: string | undefined };

/** A protocol definition with every default applied. */
export type ResolvedProtocol = {
  readonly key: Protocol;
  readonly title: string;
  /** Paths of the entity SDL of each style, from the project's root. The emulator serves only styles with one. */
  readonly entities: { readonly [S in StyleName]?: string | undefined };
  /** The path of the emulator's rows; null to generate them from the entity SDL. */
  readonly rows: string | null;
  readonly styles: readonly StyleName[];
  readonly release: ProtocolRelease;
  /** The release that the public deployments of a built-in protocol run in each style. A snapshot is better evidence. */
  readonly usualRelease?: ProtocolRelease | undefined;
  /** How its multichain indexer stores `Bytes`; left out if it is not configured. */
  readonly bytesType?: BytesType | undefined;
  /** The keys of its chains; null for every chain of the style. */
  readonly chains: readonly string[] | null;
  readonly deployment: string;
  /** The fields that identify a deployment; null if they are not configured. */
  readonly identity: { readonly protocol: FieldName | null; readonly chain: FieldName | null };
  readonly chainPath: Readonly<Record<string, string>>;
  readonly cursors: Readonly<Record<string, string>>;
  readonly ids: IdTemplates;
  /** Fields that hold times in seconds; the entity `*` means every entity. */
  readonly times: readonly FieldName[];
  readonly amounts: readonly AmountName[];
  /** The entity with a row for every change, and its fields; null if it is not configured. */
  readonly clock: { readonly entity: string; readonly block: string; readonly time: string } | null;
  /** An operation, and the key of the reference to changed rows in its rows; null if it is not configured. */
  readonly updatedBy: { readonly operation: string; readonly key: string } | null;
};
