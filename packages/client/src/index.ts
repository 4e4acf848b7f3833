export { type AllOptions, type AllRows, all } from "./calls/all.ts";
export { readRest } from "./calls/cursors.ts";
export { type EachOptions, each } from "./calls/each.ts";
export { type Health, type HealthOptions, health } from "./calls/health.ts";
export { type Merged, type MergedOptions, merged, type Row } from "./calls/merged.ts";
export { type PageEnd, pages } from "./calls/pages.ts";
export type {
  ChainPage,
  ChainPageEnd,
  ChainPageOptions,
  ChainPageRead,
  ChainPlaces,
} from "./calls/pages-of-chains.ts";
export {
  query,
  queryAll,
  queryEach,
  queryHealth,
  queryMerged,
  queryPages,
} from "./calls/query.ts";
export type { PagesQuery, Query, QueryKey } from "./calls/query-options.ts";
export type { Page, PageOptions, PageRead, Place } from "./calls/read-page.ts";
export { type Bound, bind, type ChainlessOptions, type RunOptions, run } from "./calls/run.ts";
export type { Failed, Settled, Success } from "./calls/start-call.ts";
export { type Batch, type WatchOptions, watch } from "./calls/watch.ts";
export type { Chain, ChainList, ChainRef, KeyOf, KeysOf } from "./client/chain-ref.ts";
export { isServed, type ServedOperation } from "./client/chain-ref.ts";
export type {
  BlockRef,
  Client,
  ClientOptions,
  MaxLag,
  OwnEndpoint,
  RequestEvent,
} from "./client/client-types.ts";
export { createClient } from "./client/create-client.ts";
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
export type {
  ChainInId,
  Given,
  Kind,
  ListPlan,
  OrderKey,
  PagePlan,
  PortableOperation,
  Reader,
} from "./client/portable-operation.ts";
export * from "./client/query-tag.ts";
export type { Chains, Project } from "./manifest/manifest-types.ts";
export type { Head } from "./requests/heads.ts";
export type { Columns, FilterTable } from "./variables/map-filter.ts";
export { mapFilter, mapOrder } from "./variables/map-filter.ts";
export {
  type FilterIds,
  type IdFilterTable,
  type IdForms,
  type IdTarget,
  mapIdFilter,
  mapIds,
  readIds,
} from "./variables/map-ids.ts";
export { mapVariables } from "./variables/map-variables.ts";
export { readNumbers } from "./variables/read-numbers.ts";
export {
  bigInt,
  block,
  blockNumber,
  bytes,
  chainId,
  chainNumber,
  decimal,
  direction,
  filter,
  flag,
  id,
  idWithBytes,
  int,
  offset,
  pattern,
  size,
  text,
  textWithBytes,
} from "./variables/readers.ts";
