import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { cached } from "../base/collections.ts";
import type { HttpProxy } from "../project/http-proxy.ts";

/** A POST request. */
export type Outgoing = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  readonly proxy: HttpProxy | null;
};

export type Exchange = {
  /** Settles with the status line and headers; the body is read by `decodeBody`. */
  readonly response: Promise<IncomingMessage>;
  /** Closes the connection, at any time. An abort signal would take 5 % of the time of a hundred requests. */
  readonly stop: () => void;
};

/** Sends a request. Sends it again only if a kept connection was closed, so that the server cannot have received it. */
export function startExchange(outgoing: Outgoing): Exchange {
  let request: ClientRequest | null = null;
  let isStopped = false;
  const send = async () => {
    request = await createRequest(outgoing);
    if (isStopped) request.destroy();
    return responseTo(request.end(outgoing.body));
  };
  return {
    response: send().catch((error: unknown) => {
      if (isStopped || codeOf(error) !== STALE) throw error;
      return send();
    }),
    stop: () => {
      isStopped = true;
      request?.destroy();
      // Node emits nothing as long as the request waits for its tunnel.
      if (request?.socket === null) request.emit("close");
    },
  };
}

// Idle connections are kept for as long as a run may need them again.
const KEPT = { keepAlive: true, timeout: 5000 };
const httpAgent = new HttpAgent(KEPT);
const httpsAgent = new HttpsAgent(KEPT);
const tunnels = new Map<string, Promise<HttpAgent>>();

async function createRequest({ url, headers, body, proxy }: Outgoing): Promise<ClientRequest> {
  const target = new URL(url);
  const options = {
    method: "POST",
    headers: {
      accept: "application/json",
      "accept-encoding": "gzip",
      "user-agent": "lockflow",
      ...headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
  };
  if (target.protocol === "https:") {
    const agent = proxy === null ? httpsAgent : await cached(tunnels, proxy.url, () => openTunnels(proxy));
    return httpsRequest(target, { ...options, agent });
  }
  if (proxy === null) return httpRequest(target, { ...options, agent: httpAgent });
  // Most proxies allow no tunnel to a port for plain HTTP.
  const { protocol, hostname, port, username, password } = new URL(proxy.url);
  const isSecure = protocol === "https:";
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return (isSecure ? httpsRequest : httpRequest)({
    method: options.method,
    agent: isSecure ? httpsAgent : httpAgent,
    host: hostname.replace(/^\[|\]$/g, ""),
    port,
    path: `${target.origin}${target.pathname}${target.search}`,
    headers: {
      ...options.headers,
      host: target.host,
      ...((username || password) && { "proxy-authorization": `Basic ${login.toString("base64")}` }),
    },
  });
}

/** Loads the code of tunnels, which few runs need. */
async function openTunnels({ url }: HttpProxy): Promise<HttpAgent> {
  const { TunnelAgent } = await import("./tunnel-agent.ts");
  return new TunnelAgent(url, KEPT);
}

/** Settles on every possible end of a request; otherwise the process would exit while it waits. */
function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let provisional = 0;
    let bytesBefore = 0;
    request.on("socket", ({ bytesRead }) => {
      bytesBefore = bytesRead;
    });
    const fail = (error: Error) => {
      const isClosed = /^(ECONNRESET|EPIPE)$/.test(codeOf(error));
      const isStale = isClosed && request.reusedSocket && request.socket?.bytesRead === bytesBefore;
      reject(isStale ? errorOf(STALE) : error);
    };
    request.on("response", resolve);
    // HTTP 101: without a listener, the request would end without an event.
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    request.on("information", () => {
      if (++provisional > MOST_PROVISIONAL) request.destroy(errorOf(PROVISIONAL));
    });
    // Not `once`: an unhandled error event ends the process, even after the answer.
    request.on("error", fail);
    request.on("close", () => fail(errorOf("ECONNRESET")));
  });
}

/** A kept connection was closed before the first byte of the answer: servers close idle ones at any time. */
export const STALE = "LOCKFLOW_STALE";

/** The server sent too many responses with a status below 200. A hostile one may send them without end. */
export const PROVISIONAL = "LOCKFLOW_PROVISIONAL";

const MOST_PROVISIONAL = 100;

function errorOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Returns the code of an error of Node, such as `ECONNRESET`; empty for other values. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The size of decompressed chunks: an answer has a few of them instead of sixty. */
const CHUNK_BYTES = 256 * 1024;

/** Returns the decompressed body of a response; null if it has an encoding that was not requested. */
export function decodeBody(response: IncomingMessage): Readable | null {
  const encoding = response.headers["content-encoding"] ?? "";
  if (/^(identity)?$/i.test(encoding)) return response;
  if (!/^(x-)?gzip$/i.test(encoding)) return null;
  // Reading the body throws the errors that the pipeline's callback would report.
  return pipeline(response, createGunzip({ chunkSize: CHUNK_BYTES }), () => {});
}
