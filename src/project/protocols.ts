import { capitalize } from "../base/text.ts";
import type { EntityEnum } from "../dialects/entity-model.ts";
import type {
  BuiltInProtocol,
  FieldName,
  ProtocolDefinition,
  ResolvedProtocol,
} from "../dialects/protocol.ts";
import { type Protocol, STYLE_NAMES, type SurfaceId } from "../dialects/surface.ts";
import type { Config } from "./config.ts";

/** Lockup: a deposit that vests. */
export const vesting: BuiltInProtocol = {
  key: "lockup",
  identity: { protocol: "Stream.depositAmount", chain: "Watcher.chainId" },
  // A batch exists because a stream does, and a batcher because a batch does.
  chainPath: { Batch: "streams", Batcher: "batches" },
  cursors: { Action: "subgraphId", Stream: "subgraphId" },
  ids: { Stream: "{contract}-{chainId}-{tokenId}" },
  times: [
    "*.timestamp",
    ...[
      "Stream.canceledTime",
      "Stream.cliffTime",
      "Stream.endTime",
      "Stream.renounceTime",
      "Stream.startTime",
    ],
    ...["Segment.endTime", "Segment.startTime", "Tranche.endTime", "Tranche.startTime"],
  ],
  enums: {
    ActionCategory: ["Approval", "ApprovalForAll", "Cancel", "Create", "Renounce", "Transfer", "Withdraw"],
    StreamCategory: ["LockupDynamic", "LockupLinear", "LockupTranched"],
  },
};

/** Flow: payments at a rate, from a balance. */
export const payments: BuiltInProtocol = {
  key: "flow",
  identity: { protocol: "Stream.ratePerSecond", chain: "Watcher.chainId" },
  // A batch exists because a stream does, and a batcher because a batch does.
  chainPath: { Batch: "streams", Batcher: "batches" },
  cursors: { Action: "subgraphId", Stream: "subgraphId" },
  ids: { Stream: "{contract}-{chainId}-{tokenId}" },
  times: [
    "*.timestamp",
    ...["Stream.depletionTime", "Stream.lastAdjustmentTimestamp", "Stream.pausedTime", "Stream.startTime"],
    "Stream.voidedTime",
  ],
  enums: {
    ActionCategory: [
      ...["Adjust", "Approval", "ApprovalForAll", "Create", "Deposit", "Pause", "Refund", "Restart"],
      ...["Transfer", "Void", "Withdraw"],
    ],
    StreamCategory: ["Flow"],
  },
};

/** The protocols that ship with the toolkit, in the order in which everything lists them. */
export const BUILT_IN: readonly BuiltInProtocol[] = [vesting, payments];

/** Returns the enums of a built-in protocol, which multichain indexers show as scalars; none for other protocols. */
export function builtInEnums(protocol: Protocol): EntityEnum[] {
  const { enums = {} } = BUILT_IN.find(({ key }) => key === protocol) ?? {};
  return Object.entries(enums).map(([name, values]) => ({
    kind: "enum",
    name,
    description: null,
    values: values.map((value) => ({ name: value, description: null })),
  }));
}

/** Their keys. */
export const BUILT_IN_PROTOCOLS: readonly Protocol[] = BUILT_IN.map(({ key }) => key);

/** A surface for texts that name one for example. */
export const EXAMPLE_SURFACE: SurfaceId = `${vesting.key}/subgraph`;

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
    release: definition.release ?? {},
    ...(definition.bytesType && { bytesType: definition.bytesType }),
    chains: chains ?? null,
    deployment: deployment ?? DEPLOYMENT_NAME,
    identity: { protocol: fieldName(identity?.protocol), chain: fieldName(identity?.chain) },
    chainPath: definition.chainPath ?? {},
    cursors: definition.cursors ?? {},
    ids: definition.ids ?? {},
    times: (definition.times ?? []).flatMap((time) => fieldName(time) ?? []),
  };
}

function fieldName(text: string | undefined): FieldName | null {
  const [entity, field] = text?.split(".") ?? [];
  return entity === undefined || field === undefined ? null : { entity, field };
}
