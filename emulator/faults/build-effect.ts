import type { StyleName } from "../../src/dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import type { Reply } from "../adapters/adapter.ts";
import type { ChainDataset } from "../dataset/dataset.ts";
import type { Heads } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import { releasesHint, resolveReleases } from "../indexers/releases.ts";
import { createDatasetEditor } from "./edit-rows.ts";
import type { Effect } from "./effect.ts";
import { type Fault, invalidFault } from "./fault.ts";
import { type Places, requireChainId } from "./find-endpoints.ts";
import { withErrorBesideData, withoutIntrospection } from "./wrap-indexer.ts";

type Setting = Places & {
  /** The number of faults set before. */
  readonly ordinal: number;
  /** The growth of chains in blocks when the fault is set. */
  readonly newBlocks: ReadonlyMap<number, number>;
};

/** A fault's effect, and the endpoints in its scope that can have it. */
type BuiltFault = { readonly effect: Effect; readonly suits: (endpoint: EmulatedEndpoint) => boolean };

/**
 * Builds the effect of a fault.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT` when it names a chain or release that does not exist.
 */
export function buildEffect(fault: Fault, setting: Setting): BuiltFault {
  const { ordinal, newBlocks } = setting;
  const headThen = ({ chainId, firstHead }: ChainDataset) => firstHead + (newBlocks.get(chainId) ?? 0);
  const chainIdOf = ({ chain }: { readonly chain?: string | undefined }) =>
    chain === undefined ? null : requireChainId(chain, setting);
  switch (fault.kind) {
    case "latency":
      return everywhere({ slot: "delay", milliseconds: fault.milliseconds });
    case "refused":
      return everywhere({ slot: "reset" });
    case "reset":
      return everywhere(
        fault.at === "body" ? { slot: "damage", damage: { end: "reset" } } : { slot: "reset" },
      );
    case "401":
    case "402":
    case "403":
    case "404":
    case "500":
      return everywhere({ slot: "reply", reply: refusal(fault.kind) });
    case "429": {
      const headers = { "retry-after": String(fault.retryAfter ?? DEFAULT_RETRY_AFTER) };
      return everywhere({ slot: "reply", reply: refusal(fault.kind, headers) });
    }
    case "502":
      return everywhere({ slot: "reply", reply: badGateway() });
    case "truncated-json":
      return everywhere({ slot: "damage", damage: { end: fault.length === "whole" ? "short" : "cut" } });
    case "huge-body":
      return everywhere({ slot: "damage", damage: { megabytes: fault.megabytes } });
    case "deep-body":
      return everywhere({ slot: "damage", damage: { levels: fault.levels } });
    case "errors-beside-data": {
      const { message = "a fault set on purpose" } = fault;
      return everywhere({
        slot: "wrap",
        wrap: (indexer, style) => withErrorBesideData(indexer, style, message),
      });
    }
    case "introspection-off":
      return everywhere({ slot: "wrap", wrap: withoutIntrospection });
    case "release":
      return flapping(fault.release, fault.release);
    case "flapping":
      return flapping(fault.first, fault.second);
    case "wrong-protocol":
      return otherProtocol(setting);
    case "wrong-chain":
      return otherChain(requireChainId(fault.chain, setting), setting);
    case "missing-chain":
      return withoutChain(requireChainId(fault.chain, setting));
    case "stuck-head":
      return changedHeads(`stuck ${ordinal}`, chainIdOf(fault), (heads, chain) =>
        atMost(heads, headThen(chain), chain),
      );
    case "lagging-head":
      return changedHeads(`lag ${fault.blocks}`, chainIdOf(fault), (heads, chain) =>
        atMost(heads, heads.chainHead - fault.blocks, chain),
      );
    case "indexing-error":
      return changedHeads(`error ${fault.block ?? `of ${ordinal}`}`, null, (heads, chain) => {
        const block = Math.max(fault.block ?? headThen(chain), chain.startBlock);
        return heads.head < block ? heads : { ...atMost(heads, block, chain), errorBlock: block };
      });
    case "drop-field":
    case "rename-field":
    case "retype-field":
    case "add-field":
    case "add-enum-member": {
      const change = { key: JSON.stringify(fault), dataset: createDatasetEditor(fault) };
      return everywhere({ slot: "change", change: () => change });
    }
  }
}

function everywhere(effect: Effect): BuiltFault {
  return { effect, suits: () => true };
}

/** The first release answers the first request and every second one after it. */
function flapping(first: string, second: string): BuiltFault {
  const releases = [releasesOf(first), releasesOf(second)] as const;
  return {
    suits: ({ deployment: { style } }) => releases.every((release) => release.has(style)),
    effect: {
      slot: "change",
      change: ({ style }, number) => {
        const release = releases[number % 2 === 1 ? 0 : 1].get(style);
        if (release === undefined) return null;
        return { key: `release ${release}`, deployment: (deployment) => ({ ...deployment, release }) };
      },
    },
  };
}

function releasesOf(name: string): ReadonlyMap<StyleName, string> {
  const releases = resolveReleases(name);
  if (releases.size === 0) throw invalidFault(`Unknown release "${name}".`, releasesHint());
  return releases;
}

function otherProtocol(places: Places): BuiltFault {
  /** Another protocol of the style, or else a built-in one, which always has rows. */
  const otherOf = (deployment: EmulatedDeployment) =>
    [
      ...places.endpoints.flatMap(({ deployment: { protocol, style } }) =>
        style === deployment.style ? protocol : [],
      ),
      ...BUILT_IN_PROTOCOLS,
    ].find((protocol) => protocol !== null && protocol !== deployment.protocol);
  return {
    suits: ({ deployment: { protocol } }) => protocol !== null,
    effect: replaced("other protocol", places, (deployment) => ({
      ...deployment,
      protocol: otherOf(deployment) ?? deployment.protocol,
    })),
  };
}

function otherChain(chainId: number, places: Places): BuiltFault {
  return {
    // A custom indexer cannot serve another chain.
    suits: ({ deployment: { protocol, chainIds } }) =>
      protocol !== null && chainIds.length === 1 && chainIds[0] !== chainId,
    effect: replaced(`chain ${chainId}`, places, (deployment) => ({ ...deployment, chainIds: [chainId] })),
  };
}

/** Serves another deployment in place of the own one: one that is served already, if there is an equal one. */
function replaced(
  key: string,
  { endpoints }: Places,
  replace: (deployment: EmulatedDeployment) => EmulatedDeployment,
): Effect {
  const deployment = (original: EmulatedDeployment) => {
    const replacement = replace(original);
    const { protocol, style, chainIds } = replacement;
    const equal = endpoints.find(
      ({ deployment: served }) =>
        served.protocol === protocol &&
        served.style === style &&
        served.chainIds.length === chainIds.length &&
        served.chainIds.every((id) => chainIds.includes(id)),
    );
    return equal?.deployment ?? replacement;
  };
  return { slot: "change", change: () => ({ key, deployment }) };
}

function withoutChain(chainId: number): BuiltFault {
  return {
    suits: ({ deployment: { chainIds } }) => chainIds.length > 1 && chainIds.includes(chainId),
    effect: {
      slot: "change",
      change: () => ({
        key: `no chain ${chainId}`,
        deployment: (deployment) => ({
          ...deployment,
          chainIds: deployment.chainIds.filter((id) => id !== chainId),
        }),
      }),
    },
  };
}

/** Moves the heads of a chain, or of all chains. */
function changedHeads(
  key: string,
  chainId: number | null,
  move: (heads: Heads, chain: ChainDataset) => Heads,
): BuiltFault {
  return {
    suits: ({ deployment: { chainIds } }) => chainId === null || chainIds.includes(chainId),
    effect: {
      slot: "change",
      change: () => ({
        key: `${key} ${chainId ?? ""}`,
        heads: (heads, chain) => (chainId === null || chainId === chain.chainId ? move(heads, chain) : heads),
      }),
    },
  };
}

/** An indexer is never before its first block. */
function atMost(heads: Heads, block: number, { startBlock }: ChainDataset): Heads {
  return { ...heads, head: Math.max(startBlock, Math.min(heads.head, block)) };
}

/** Seconds. */
const DEFAULT_RETRY_AFTER = 60;

/** HTTP 502 with a web page, as a proxy sends it. */
function badGateway(): Reply {
  const page = [
    "<!DOCTYPE html>",
    "<html>",
    "<head><title>502 Bad Gateway</title></head>",
    "<body><center><h1>502 Bad Gateway</h1></center></body>",
    "</html>",
    "",
  ].join("\r\n");
  return { status: 502, headers: { ...ANY_ORIGIN, "content-type": "text/html" }, body: page };
}

const REASONS = {
  "401": "Unauthorized",
  "402": "Payment Required",
  "403": "Forbidden",
  "404": "Not Found",
  "429": "Too Many Requests",
  "500": "Internal Server Error",
} as const;

/** A status with its name. No platform documents these bodies. */
function refusal(status: keyof typeof REASONS, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status: Number(status),
    headers: { ...ANY_ORIGIN, "content-type": "application/json", ...headers },
    body: JSON.stringify({ error: REASONS[status] }),
  };
}

/** Otherwise a script in a browser cannot tell one status from another. */
const ANY_ORIGIN = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" };
