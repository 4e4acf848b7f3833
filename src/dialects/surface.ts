import { groupBy } from "../base/collections.ts";

/** One protocol in one style. It has one schema, one snapshot and one set of operations. */
export type Surface = {
  readonly id: SurfaceId;
  readonly protocol: Protocol;
  readonly style: StyleName;
};

/** The id of a surface in paths and reports: `lockup/subgraph`. */
export type SurfaceId = `${Protocol}/${StyleName}`;

/** An object of a surface: a deployment, a snapshot, a row, or the surface itself. */
export type OfSurface = { readonly protocol: Protocol; readonly style: StyleName };

/** Returns every surface of the protocols, in their order. */
export function surfacesOf(
  protocols: readonly { readonly key: Protocol; readonly styles: readonly StyleName[] }[],
): Surface[] {
  return protocols.flatMap(({ key: protocol, styles }) =>
    styles.map((style) => ({ id: surfaceId({ protocol, style }), protocol, style })),
  );
}

/** Returns the surfaces of a project with at least one selected deployment. */
export function selectedSurfaces({
  surfaces,
  selected,
}: {
  readonly surfaces: readonly Surface[];
  readonly selected: readonly OfSurface[];
}): Surface[] {
  return surfaces.filter((surface) => selected.some(isOf(surface)));
}

/** Returns the id of the surface of an object. */
export function surfaceId({ protocol, style }: OfSurface): SurfaceId {
  return `${protocol}/${style}`;
}

/** Creates a predicate for objects of one surface: `rows.filter(isOf(surface))`. */
export function isOf({ protocol, style }: OfSurface): (surface: OfSurface) => boolean {
  return (surface) => surface.protocol === protocol && surface.style === style;
}

/** Groups items by surface, in the order of their first items. */
export function groupBySurface<T>(items: readonly T[], surfaceOf: (item: T) => OfSurface): T[][] {
  return [...groupBy(items, (item) => surfaceId(surfaceOf(item))).values()];
}

/** The key of a built-in or configured protocol. */
export type Protocol = string;

/** How an indexer is deployed, and so its GraphQL dialect. */
export type StyleName = "multichain" | "subgraph";

/** The environment of a URL. A multichain deployment has `production` only. */
export type Environment = "production" | "testing";

export const STYLE_NAMES: readonly StyleName[] = ["multichain", "subgraph"];

/** Whether a style has one deployment per chain, or one for all chains. */
export const IS_PER_CHAIN: Readonly<Record<StyleName, boolean>> = { multichain: false, subgraph: true };

export const ENVIRONMENTS: readonly Environment[] = ["production", "testing"];

/** The generated language: TypeScript, or JavaScript with declarations. */
export type Format = "ts" | "js";

/** The extension in imports of generated modules: for bundlers and Jest, for Node, or of TypeScript files. */
export type ImportExtension = "" | ".js" | ".ts";

/** The form of generated documents: parsed, strings, or both. */
export type DocumentMode = "documentNode" | "string" | "both";

/** What generated modules import at run time: the package, or copies of its modules. */
export type Runtime = "package" | "emit";
