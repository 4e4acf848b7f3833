import { capitalize } from "../../base/identifier.ts";
import type { Config } from "../config.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../vocabulary.ts";
import { BUILT_IN } from "./built-in.ts";
import type { ProtocolDefinition } from "./definition.ts";

/** A field of an entity, as `Auction.reservePrice` names it. */
export type FieldName = { readonly entity: string; readonly field: string };

/** A protocol definition with every default applied. */
export type ResolvedProtocol = {
  readonly key: Protocol;
  readonly title: string;
  /** Paths from the project's root of the entity SDL of each style; without one the emulator cannot serve it. */
  readonly entities: { readonly [S in StyleName]?: string | undefined };
  /** Path of the emulator's rows; null for those made from the entity SDL. */
  readonly rows: string | null;
  readonly styles: readonly StyleName[];
  /** The keys of its chains; null for every chain of the style. */
  readonly chains: readonly string[] | null;
  /** The template of its deployments' names. */
  readonly deployment: string;
  /** By what a deployment is recognised; null where nothing is said. */
  readonly identity: { readonly protocol: FieldName | null; readonly chain: FieldName | null };
  /** By entity. */
  readonly chainPath: Readonly<Record<string, string>>;
  readonly cursors: Readonly<Record<string, string>>;
  readonly ids: Readonly<Record<string, string>>;
};

/** What names of deployments are made of where a definition says nothing. */
export const DEPLOYMENT_NAME = "{brand}-{protocol}-{suffix}";

/** The protocols of a configuration: those that ship with the toolkit in their order, then the others in order of key. */
export function resolveProtocols(config: Pick<Config, "protocols">): ResolvedProtocol[] {
  const asked = config.protocols;
  const own: Readonly<Record<string, true | ProtocolDefinition>> =
    asked === undefined || isList(asked)
      ? Object.fromEntries((asked ?? BUILT_IN.map(({ key }) => key)).map((key) => [key, true]))
      : asked;
  const builtIn = new Map(BUILT_IN.map((one) => [one.key, one]));
  const keys = [
    ...[...builtIn.keys()].filter((key) => Object.hasOwn(own, key)),
    ...Object.keys(own)
      .filter((key) => !builtIn.has(key))
      .sort(),
  ];
  return keys.map((key) => {
    const given = own[key];
    return resolveProtocol(key, { ...builtIn.get(key), ...(given === true ? {} : given) });
  });
}

/** Those of a project and those that ship: whoever has the URL of one it leaves out is told which that is. */
export function withBuiltIn(definitions: readonly ResolvedProtocol[]): ResolvedProtocol[] {
  const others = resolveProtocols({}).filter(({ key }) => !definitions.some((own) => own.key === key));
  return [...definitions, ...others];
}

function isList<T>(value: readonly T[] | object): value is readonly T[] {
  return Array.isArray(value);
}

function resolveProtocol(key: Protocol, definition: ProtocolDefinition): ResolvedProtocol {
  const { title, entities, rows, styles, chains, deployment, identity } = definition;
  return {
    key,
    title: title ?? capitalize(key),
    entities: typeof entities === "string" ? { multichain: entities, subgraph: entities } : (entities ?? {}),
    rows: rows ?? null,
    styles: STYLE_NAMES.filter((style) => styles?.includes(style) ?? true),
    chains: chains ?? null,
    deployment: deployment ?? DEPLOYMENT_NAME,
    identity: { protocol: fieldName(identity?.protocol), chain: fieldName(identity?.chain) },
    chainPath: definition.chainPath ?? {},
    cursors: definition.cursors ?? {},
    ids: definition.ids ?? {},
  };
}

function fieldName(text: string | undefined): FieldName | null {
  const [entity, field] = text?.split(".") ?? [];
  return entity === undefined || field === undefined ? null : { entity, field };
}
