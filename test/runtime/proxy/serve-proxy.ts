import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createProxy, type ProxyOptions, toNodeHandler } from "../../../generated/proxy.ts";

export type ServedProxy = {
  readonly url: string;
  /** The bodies of its requests. */
  readonly asked: Readonly<Record<string, unknown>>[];
  /** The statuses of its responses; 499 if the page had left. */
  readonly statuses: number[];
};

/** Serves a proxy over HTTP with its adapter for `node:http`. */
export async function serveProxy(options: ProxyOptions): Promise<ServedProxy> {
  const proxy = createProxy(options);
  const asked: Readonly<Record<string, unknown>>[] = [];
  const statuses: number[] = [];
  const handler = toNodeHandler(async (request) => {
    if (request.method === "POST") {
      const text = await request.clone().text();
      if (text.startsWith("{")) asked.push(JSON.parse(text));
    }
    const answer = await proxy(request);
    statuses.push(answer.status);
    return answer;
  });
  return { url: await serveHandler(handler), asked, statuses };
}

/** Serves a handler over HTTP until the test ends; returns its URL. */
export async function serveHandler(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

/** Sends a call to a proxy as a page does. */
export function post(
  proxy: (request: Request) => Promise<Response>,
  call: object,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(call);
  return proxy(new Request("http://localhost/", { method: "POST", headers, body, ...init }));
}

/** Returns a call that runs an operation on Base. */
export function runOnBase(operation: {
  readonly name: string;
  readonly protocol: string;
  readonly digest?: string;
}) {
  const { name, protocol, digest } = operation;
  return { call: "run", protocol, operation: name, digest, options: { chain: "base" } };
}
