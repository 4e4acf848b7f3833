export type { AllRows } from "./calls/all.ts";
export type { Health } from "./calls/health.ts";
export type { Merged, Row } from "./calls/merged.ts";
export type { PageEnd } from "./calls/pages.ts";
export type { ChainPage, ChainPageEnd } from "./calls/pages-of-chains.ts";
export type { PagesQuery, Query, QueryKey } from "./calls/query-options.ts";
export type { Page } from "./calls/read-page.ts";
export type { Failed, Settled, Success } from "./calls/start-call.ts";
export type { Batch } from "./calls/watch.ts";
export type { Chain, ChainList, ChainRef, KeyOf, KeysOf } from "./client/chain-ref.ts";
export { isServed, type ServedOperation } from "./client/chain-ref.ts";
export type { BlockRef, MaxLag } from "./client/client-types.ts";
export {
  createDecoder,
  type Decoded,
  type DecodedColumns,
  type DecodedValue,
  type Decoder,
} from "./client/decode.ts";
export {
  type ErrorCode,
  type ErrorFacts,
  type Failure,
  IndexerError,
  type PlainError,
} from "./client/indexer-error.ts";
export type { Given, Kind } from "./client/portable-operation.ts";
export * from "./client/query-tag.ts";
export type { Chains, Project } from "./manifest/manifest-types.ts";
export { type Bound, bind } from "./proxied/bind.ts";
export { createClient, each, health, merged, run } from "./proxied/calls.ts";
export { all, pages } from "./proxied/pages.ts";
export {
  type ChainPageRead,
  type PageRead,
  type Place,
  query,
  queryAll,
  queryEach,
  queryHealth,
  queryMerged,
  queryPages,
} from "./proxied/query.ts";
export type {
  AllOptions,
  CallOptions,
  ChainlessOptions,
  ChainPageOptions,
  Client,
  ClientOptions,
  EachOptions,
  HasChain as ChainInId,
  HealthOptions,
  MergedOptions,
  PageOptions,
  PortableOperation,
  Proxied,
  RunOptions,
  WatchOptions,
} from "./proxied/types.ts";
export { watch } from "./proxied/watch.ts";
export type { Head } from "./requests/heads.ts";
