import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "./listen.ts";

export type Received = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export type TestServer = { readonly url: string; readonly received: Received[] };

/** A real HTTP server on this machine whose every answer the test decides; gone when the test is over. */
export async function testServer(
  answer: (request: Received, response: ServerResponse) => void,
): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const seen = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      received.push(seen);
      answer(seen, response);
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, received };
}

/** A URL on this machine where nothing listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer();
  const url = `http://127.0.0.1:${await listen(server)}`;
  await new Promise((resolve) => server.close(resolve));
  return url;
}
