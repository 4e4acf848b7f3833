import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createProxy, type ProxyOptions, toNodeHandler } from "../../../generated/proxy.ts";

/** A response of a proxy. */
export type Passed = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

export type ServedProxy = {
  readonly url: string;
  /** All its responses. */
  readonly passed: Passed[];
};

/** Serves a proxy over HTTP with its adapter for `node:http`. */
export async function serveProxy(options: ProxyOptions): Promise<ServedProxy> {
  const proxy = createProxy(options);
  const passed: Passed[] = [];
  const handler = toNodeHandler(async (request) => {
    const answer = await proxy(request);
    const { status } = answer;
    passed.push({ status, headers: Object.fromEntries(answer.headers), text: await answer.clone().text() });
    return answer;
  });
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, passed };
}
