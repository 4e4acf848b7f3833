export { type AllOptions, type AllRows, all } from "./client/all.ts";
export type { Chain, ChainList, ChainRef, KeyOf, KeysOf } from "./client/chain-ref.ts";
export { isServed, type ServedOperation } from "./client/chain-ref.ts";
export type { BlockRef, Client, ClientOptions, MaxLag, RequestEvent } from "./client/client-types.ts";
export { createClient, createProxiedClient } from "./client/create-client.ts";
export { readRest } from "./client/cursors.ts";
export {
  createDecoder,
  type Decoded,
  type DecodedColumns,
  type DecodedValue,
  type Decoder,
} from "./client/decode.ts";
export { type EachOptions, each } from "./client/each.ts";
export type { Head } from "./client/heads.ts";
export { type Health, type HealthOptions, health } from "./client/health.ts";
export {
  type ErrorCode,
  type ErrorFacts,
  type Failure,
  IndexerError,
  type PlainError,
} from "./client/indexer-error.ts";
export type { Columns, FilterTable } from "./client/map-filter.ts";
export { mapFilter, mapOrder } from "./client/map-filter.ts";
export {
  type FilterIds,
  type IdFilterTable,
  type IdForms,
  type IdTarget,
  mapIdFilter,
  mapIds,
  readIds,
} from "./client/map-ids.ts";
export { mapVariables } from "./client/map-variables.ts";
export { type Merged, type MergedOptions, merged, type Row } from "./client/merged.ts";
export { type PageEnd, pages } from "./client/pages.ts";
export type {
  ChainPage,
  ChainPageEnd,
  ChainPageOptions,
  ChainPageRead,
  ChainPlaces,
} from "./client/pages-of-chains.ts";
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
export type { PagesQuery } from "./client/query.ts";
export {
  type Query,
  type QueryKey,
  query,
  queryEach,
  queryHealth,
  queryMerged,
  queryPages,
} from "./client/query.ts";
export * from "./client/query-tag.ts";
export { readNumbers } from "./client/read-numbers.ts";
export type { Page, PageOptions, PageRead, Place } from "./client/read-page.ts";
export {
  bigInt,
  block,
  bytes,
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
} from "./client/readers.ts";
export { type Bound, bind, type ChainlessOptions, type RunOptions, run } from "./client/run.ts";
export type { Failed, Settled, Success } from "./client/start-call.ts";
export { type Batch, type WatchOptions, watch } from "./client/watch.ts";
export type { Chains, Project } from "./manifest/manifest-types.ts";
