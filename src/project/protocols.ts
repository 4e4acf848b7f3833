import { capitalize } from "../base/text.ts";
import type { EntityEnum, EntityModel } from "../dialects/entity-model.ts";
import type {
  BuiltInProtocol,
  FieldName,
  ProtocolDefinition,
  ResolvedProtocol,
} from "../dialects/protocol.ts";
import { type Protocol, STYLE_NAMES, type SurfaceId } from "../dialects/surface.ts";
import type { Config } from "./config.ts";

/** What the indexers of both protocols have in common. */
const COMMON = {
  release: { multichain: "envio-2.27" },
  // Every batch has a stream, and every batcher has a batch.
  chainPath: { Batch: "streams", Batcher: "batches" },
  cursors: { Action: "subgraphId", Stream: "subgraphId" },
  ids: { Stream: "{contract}-{chainId}-{tokenId}" },
  clock: { block: "Action.block", time: "Action.timestamp" },
  updatedBy: "ActionsFeed.stream",
} as const;

/** Lockup: a deposit that vests. */
export const vesting: BuiltInProtocol = {
  ...COMMON,
  key: "lockup",
  identity: { protocol: "Stream.depositAmount", chain: "Watcher.chainId" },
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
  amounts: {
    "asset.decimals": [
      ...["cliffAmount", "depositAmount", "initialAmount", "intactAmount", "withdrawnAmount"].map(
        (field) => `Stream.${field}`,
      ),
      ...["Stream.actions.amountA", "Stream.actions.amountB"],
      ...["segments", "tranches"].flatMap((list) =>
        ["amount", "endAmount", "startAmount"].map((field) => `Stream.${list}.${field}`),
      ),
    ],
    "stream.asset.decimals": [
      ...["Action.amountA", "Action.amountB"],
      ...["Segment", "Tranche"].flatMap((entity) =>
        ["amount", "endAmount", "startAmount"].map((field) => `${entity}.${field}`),
      ),
    ],
  },
  enums: {
    ActionCategory: ["Approval", "ApprovalForAll", "Cancel", "Create", "Renounce", "Transfer", "Withdraw"],
    StreamCategory: ["LockupDynamic", "LockupLinear", "LockupTranched"],
  },
};

/** Flow: payments at a rate, from a balance. */
export const payments: BuiltInProtocol = {
  ...COMMON,
  key: "flow",
  identity: { protocol: "Stream.ratePerSecond", chain: "Watcher.chainId" },
  times: [
    "*.timestamp",
    ...["Stream.depletionTime", "Stream.lastAdjustmentTimestamp", "Stream.pausedTime", "Stream.startTime"],
    "Stream.voidedTime",
  ],
  // The amounts of an action are rates for some categories, which have 18 decimals.
  amounts: {
    "asset.decimals": [
      ...["availableAmount", "depositedAmount", "forgivenDebt", "refundedAmount", "withdrawnAmount"].map(
        (field) => `Stream.${field}`,
      ),
    ],
    "18": ["Stream.ratePerSecond", "Stream.snapshotAmount"],
  },
  enums: {
    ActionCategory: [
      ...["Adjust", "Approval", "ApprovalForAll", "Create", "Deposit", "Pause", "Refund", "Restart"],
      ...["Transfer", "Void", "Withdraw"],
    ],
    StreamCategory: ["Flow"],
  },
};

/** The built-in protocols, in the order of all output. */
export const BUILT_IN: readonly BuiltInProtocol[] = [vesting, payments];

/**
 * Returns the enums of a built-in protocol, which multichain indexers show as scalars; none for other protocols. An indexer
 * of several protocols has the protocol before their names.
 *
 * @param model the entities of a snapshot, which decides about the names.
 */
export function builtInEnums(protocol: Protocol, model?: EntityModel): EntityEnum[] {
  const { enums = {} } = BUILT_IN.find(({ key }) => key === protocol) ?? {};
  const names = new Set(model?.definitions.map(({ name }) => name.toLowerCase()));
  return Object.entries(enums).map(([name, values]) => {
    const longer = capitalize(protocol) + name;
    return {
      kind: "enum",
      name: names.has(longer.toLowerCase()) ? longer : name,
      description: null,
      values: values.map((value) => ({ name: value, description: null })),
    };
  });
}

/** The keys of the built-in protocols. */
export const BUILT_IN_PROTOCOLS: readonly Protocol[] = BUILT_IN.map(({ key }) => key);

/** A surface for examples in messages. */
export const EXAMPLE_SURFACE: SurfaceId = `${vesting.key}/subgraph`;

/** An address with streams, for examples. */
export const EXAMPLE_RECIPIENT = "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac";

/** The default template of deployment names. */
export const DEPLOYMENT_NAME = "{brand}-{protocol}-{suffix}";

/** Resolves the protocols of a configuration: built-in protocols in their order, then the others in order of key. */
export function resolveProtocols(config: Pick<Config, "protocols">): ResolvedProtocol[] {
  const { protocols = BUILT_IN_PROTOCOLS } = config;
  const configured: Readonly<Record<string, true | ProtocolDefinition>> = isList(protocols)
    ? Object.fromEntries(protocols.map((key) => [key, true]))
    : protocols;
  const builtIn = new Map(BUILT_IN.map((protocol) => [protocol.key, protocol]));
  const keys = [
    ...[...builtIn.keys()].filter((key) => Object.hasOwn(configured, key)),
    ...Object.keys(configured)
      .filter((key) => !builtIn.has(key))
      .sort(),
  ];
  return keys.map((key) => {
    const { release, ...shipped }: ProtocolDefinition = builtIn.get(key) ?? {};
    const entry = configured[key];
    const resolved = resolveProtocol(key, { ...shipped, ...(entry === true ? {} : entry) });
    return release === undefined ? resolved : { ...resolved, usualRelease: release };
  });
}

/** Adds the built-in protocols that a project leaves out, so that a URL that serves one of them can be identified. */
export function withBuiltIn(definitions: readonly ResolvedProtocol[]): ResolvedProtocol[] {
  const others = resolveProtocols({}).filter(
    ({ key }) => !definitions.some((definition) => definition.key === key),
  );
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
    amounts: Object.entries(definition.amounts ?? {}).flatMap(([decimals, fields]) =>
      fields.map((field) => ({
        path: field.split("."),
        decimals: /^\d+$/.test(decimals) ? Number(decimals) : decimals.split("."),
      })),
    ),
    clock: clockOf(definition.clock),
    updatedBy: feedOf(definition.updatedBy),
  };
}

function clockOf(clock: ProtocolDefinition["clock"]): ResolvedProtocol["clock"] {
  const [block, time] = [fieldName(clock?.block), fieldName(clock?.time)];
  return block && time && { entity: block.entity, block: block.field, time: time.field };
}

function feedOf(text: string | undefined): ResolvedProtocol["updatedBy"] {
  const name = fieldName(text);
  return name && { operation: name.entity, key: name.field };
}

function fieldName(text: string | undefined): FieldName | null {
  const [entity, field] = text?.split(".") ?? [];
  return entity === undefined || field === undefined ? null : { entity, field };
}
