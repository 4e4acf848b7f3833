import { SchemaError } from "../base/errors.ts";
import type { Protocol, StyleName } from "./surface.ts";

/**
 * What Lockflow has to know of a protocol: an indexed contract family with an entity schema of its own. Everything is
 * optional; names of entities and fields are checked against the snapshots.
 */
export type ProtocolDefinition = {
  /** What people call it. @default the key, capitalized */
  readonly title?: string | undefined;
  /**
   * The entity SDL as deployed, for the emulator and for `plan`: a file for both styles, or one for each, from the
   * configuration file.
   */
  readonly entities?: string | { readonly [S in StyleName]?: string | undefined } | undefined;
  /** The emulator's rows, as JSON, from the configuration file. @default made from the entity SDL by the seed */
  readonly rows?: string | undefined;
  /** The styles it is deployed in. @default both */
  readonly styles?: readonly StyleName[] | undefined;
  /** The keys of the chains it is deployed on. @default every chain of the style */
  readonly chains?: readonly string[] | undefined;
  /**
   * The release of the platform that runs it in each style: `{ subgraph: "graph-node-0.44" }`.
   *
   * @default for `plan`, the oldest that its snapshot can be of; else one that is in use
   */
  readonly release?: { readonly [S in StyleName]?: string | undefined } | undefined;
  /**
   * `uint8array` where the multichain indexer has `bytes_type: uint8array`, or indexes a chain of the Solana VM: its API
   * then has `bytea` for `Bytes`.
   *
   * @default for `plan`, that of its snapshot; else "string"
   */
  readonly bytesType?: BytesType | undefined;
  /** How its deployments are called; a multichain deployment has the suffix `multichain`. @default "{brand}-{protocol}-{suffix}" */
  readonly deployment?: string | undefined;
  /** By what a deployment is recognised. @default its entities; which chain it serves is unknown then */
  readonly identity?: Identity | undefined;
  /** The field that leads from an entity without a chain to one that has it: `{ Bid: "auction" }`. */
  readonly chainPath?: Readonly<Record<string, string>> | undefined;
  /** A field by which all rows of an entity can be paged: unique on a chain, ascending, never changing. */
  readonly cursors?: Readonly<Record<string, string>> | undefined;
  /**
   * How ids are made of fields: `{ Auction: "{contract}-{chainId}-{tokenId}" }`, or of each style where they differ:
   * `{ Token: { subgraph: "{address}", multichain: "{chainId}-{address}" } }`.
   */
  readonly ids?: IdTemplates | undefined;
  /**
   * Fields that hold times in seconds since 1970, for decoders: `["Auction.endTime", "*.timestamp"]`, where `*` means
   * every entity.
   */
  readonly times?: readonly string[] | undefined;
};

/** How the multichain platform stores `Bytes`. On chains of the Solana VM it is always `uint8array`. */
export const BYTES_TYPES = ["string", "uint8array"] as const;

/** How the multichain platform stores `Bytes`: as hexadecimal text, or as bytes. */
export type BytesType = (typeof BYTES_TYPES)[number];

/** How ids are made of fields, by entity. */
export type IdTemplates = Readonly<Record<string, IdTemplate>>;

/** How ids of an entity are made of fields: in both styles alike, or in each. */
export type IdTemplate = string | { readonly [S in StyleName]: string };

/** By what a deployment is recognised, each an entity and its field: `Auction.reservePrice`. */
export type Identity = {
  /** Only this protocol's indexers have it. */
  readonly protocol?: string | undefined;
  /** It holds the chain's id, in the one row that the entity has for each chain. */
  readonly chain?: string | undefined;
};

/** A definition that ships with the toolkit, and what is known of its protocol besides. */
export type BuiltInProtocol = ProtocolDefinition & {
  readonly key: string;
  /** Its enums, which multichain indexers show as opaque scalars, for whoever reads no subgraph. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
};

/**
 * Gives a protocol definition its type, and nothing else: it is checked when a command reads the configuration.
 *
 * @param definition what is known of the protocol; docs/protocols.md tells its keys by what they are for.
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

/** The names of the fields that an id is made of, by its template: `{contract}-{tokenId}`. Each stands there once. */
export function fieldsOfId(template: string): string[] {
  return [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))];
}

/** The template of an entity's ids in a style; null where nothing says how they are made. */
export function idTemplate(ids: IdTemplates, entity: string, style: StyleName): string | null {
  const template = Object.hasOwn(ids, entity) ? (ids[entity] ?? null) : null;
  return template === null || typeof template === "string" ? template : template[style];
}

/** Whether a field holds the id of its row's chain: by its name, or because the definition's identity names it. */
export function isChainField(chain: FieldName | null, entity: string, field: string): boolean {
  if (field === "chainId") return true;
  // An id is everybody's, and the chain's in the entity that is named for it alone.
  return field === chain?.field && (field !== "id" || entity === chain.entity);
}

/** Returns whether a field holds times, as the definition says. */
export function isTime(times: readonly FieldName[], entity: string, field: string): boolean {
  return times.some((time) => time.field === field && (time.entity === "*" || time.entity === entity));
}

/** What one platform refuses of a file for both styles the other may need: the error with a hint that says so. */
export function hintAtTwoFiles(error: SchemaError, protocol: Protocol): SchemaError {
  const { code, sentence, context, problems } = error;
  const hint = `correct the file, or give each style its own: protocols.${protocol}.entities: { multichain, subgraph }.`;
  return new SchemaError({ code, sentence, context, hint, problems, cause: error });
}

/** A field of an entity, as `Auction.reservePrice` names it. */
export type FieldName = { readonly entity: string; readonly field: string };

/** A protocol definition with every default applied. */
export type ResolvedProtocol = {
  readonly key: Protocol;
  readonly title: string;
  /** Paths from the project's root of the entity SDL of each style; without one the emulator cannot serve it. */
  readonly entities: {
    readonly [S in StyleName]?: string | undefined;
  };
  /** Path of the emulator's rows; null for those made from the entity SDL. */
  readonly rows: string | null;
  readonly styles: readonly StyleName[];
  /** The platform's release in each style, as written; styles without one are absent. */
  readonly release: { readonly [S in StyleName]?: string | undefined };
  /** How its multichain indexer stores `Bytes`; left out where the definition does not say. */
  readonly bytesType?: BytesType | undefined;
  /** The keys of its chains; null for every chain of the style. */
  readonly chains: readonly string[] | null;
  /** The template of its deployments' names. */
  readonly deployment: string;
  /** By what a deployment is recognised; null where nothing is said. */
  readonly identity: { readonly protocol: FieldName | null; readonly chain: FieldName | null };
  /** By entity. */
  readonly chainPath: Readonly<Record<string, string>>;
  readonly cursors: Readonly<Record<string, string>>;
  readonly ids: IdTemplates;
  /** Fields that hold times in seconds; the entity `*` means every entity. */
  readonly times: readonly FieldName[];
};
