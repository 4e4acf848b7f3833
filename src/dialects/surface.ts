import { groupBy } from "../base/collections.ts";

/** One protocol in one style: what has one schema, one snapshot and one set of operations. */
export type Surface = {
  readonly id: SurfaceId;
  readonly protocol: Protocol;
  readonly style: StyleName;
};

/** A surface as paths and reports name it: `lockup/subgraph`. */
export type SurfaceId = `${Protocol}/${StyleName}`;

/** Whatever says of which surface it is: a deployment, a snapshot, a row, a surface itself. */
export type OfSurface = { readonly protocol: Protocol; readonly style: StyleName };

/** Every surface of the protocols, in their order. */
export function surfacesOf(
  protocols: readonly { readonly key: Protocol; readonly styles: readonly StyleName[] }[],
): Surface[] {
  return protocols.flatMap(({ key: protocol, styles }) =>
    styles.map((style) => ({ id: surfaceId({ protocol, style }), protocol, style })),
  );
}

/** Surfaces of a project of which a run is about a deployment at least. */
export function selectedSurfaces({
  surfaces,
  selected,
}: {
  readonly surfaces: readonly Surface[];
  readonly selected: readonly OfSurface[];
}): Surface[] {
  return surfaces.filter((surface) => selected.some(isOf(surface)));
}

/** The id of the surface that something is of. */
export function surfaceId({ protocol, style }: OfSurface): SurfaceId {
  return `${protocol}/${style}`;
}

/** Creates a predicate of what is of one surface: `rows.filter(isOf(surface))`. */
export function isOf({ protocol, style }: OfSurface): (one: OfSurface) => boolean {
  return (one) => one.protocol === protocol && one.style === style;
}

/** Items by surface, in the order in which surfaces first come. */
export function groupBySurface<T>(items: readonly T[], surfaceOf: (item: T) => OfSurface): T[][] {
  return [...groupBy(items, (item) => surfaceId(surfaceOf(item))).values()];
}

/** The key of a protocol: of one that ships with the toolkit, or of a configured one. */
export type Protocol = string;

/** How an indexer is deployed, and with it the GraphQL dialect it speaks. */
export type StyleName = "multichain" | "subgraph";

/** Which URL of a deployment is meant. A multichain deployment has `production` only. */
export type Environment = "production" | "testing";

export const STYLE_NAMES: readonly StyleName[] = ["multichain", "subgraph"];

/** Whether a style has one deployment per chain, a fleet, or one that serves all chains. */
export const IS_PER_CHAIN: Readonly<Record<StyleName, boolean>> = { multichain: false, subgraph: true };

export const ENVIRONMENTS: readonly Environment[] = ["production", "testing"];

/** What is generated: TypeScript, or JavaScript beside its declarations. */
export type Format = "ts" | "js";

/** How generated modules name each other: as bundlers and Jest, as Node, or as TypeScript files. */
export type ImportExtension = "" | ".js" | ".ts";

/** Which documents are generated: parsed, as strings, or both. */
export type DocumentMode = "documentNode" | "string" | "both";

/** What generated modules import at run time: the published package, or copies of its modules. */
export type Runtime = "package" | "emit";
