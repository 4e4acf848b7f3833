import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ReadableStream } from "node:stream/web";
import { onTestFinished } from "vitest";
import { createProxy, type ProxyOptions } from "../../../generated/proxy.ts";

/** What a proxy answered. */
export type Passed = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

export type ServedProxy = {
  readonly url: string;
  /** All that it has answered. */
  readonly passed: Passed[];
};

/** A proxy behind real HTTP, by the adapter that its documentation shows. */
export async function serveProxy(options: ProxyOptions): Promise<ServedProxy> {
  const proxy = createProxy(options);
  const passed: Passed[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const isPost = incoming.method === "POST";
    const request = new Request("http://localhost/", {
      // The others are all refused, and some of them by the request itself.
      method: isPost ? "POST" : "GET",
      headers: { "content-type": incoming.headers["content-type"] ?? "" },
      // What is refused is not read to its end, which must not end the connection.
      ...(isPost && {
        body: ReadableStream.from(incoming.iterator({ destroyOnReturn: false })),
        duplex: "half",
      }),
      signal: gone.signal,
    });
    const answer = await proxy(request);
    const { status } = answer;
    const told = Object.fromEntries(answer.headers);
    const text = await answer.text();
    passed.push({ status, headers: told, text });
    outgoing.writeHead(status, told);
    outgoing.end(text);
    // The rest of it is in the way of the next request.
    incoming.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, passed };
}
