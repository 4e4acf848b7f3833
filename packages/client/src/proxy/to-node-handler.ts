import { platform, type Signal } from "../requests/platform.ts";
import { onAbort } from "../requests/wait.ts";
import type { WebRequest, WebResponse } from "./web.ts";

/** The members of `IncomingMessage` of `node:http` that are used. */
export type NodeRequest = {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body, if a parser of Express has read it. */
  readonly body?: unknown;
  iterator(options: { readonly destroyOnReturn: boolean }): unknown;
  resume(): unknown;
};

/** The members of `ServerResponse` of `node:http` that are used. */
export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string | readonly string[]): unknown;
  write(bytes: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: "close" | "drain", listener: () => void): unknown;
};

/** A request listener of `node:http`, and a handler of Express, Connect and Vite's development server. */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Adapts a proxy to `node:http`, Express and Vite's development server. An exception of the handler goes to `next`, or is
 * answered by status 500.
 *
 * @example
 * createServer(toNodeHandler(createProxy())).listen(3000);
 */
export function toNodeHandler(handler: (request: WebRequest) => Promise<WebResponse>): NodeHandler {
  return (request, response, next) => {
    answer(handler, request, response).catch((error: unknown) => {
      if (next) return next(error);
      response.statusCode = 500;
      response.end();
    });
  };
}

async function answer(
  handler: (request: WebRequest) => Promise<WebResponse>,
  incoming: NodeRequest,
  outgoing: NodeResponse,
): Promise<void> {
  const gone = new platform.AbortController();
  outgoing.on("close", () => gone.abort());
  const { method = "GET", headers } = incoming;
  const request = new web.Request("http://localhost/", {
    // `new Request` throws for these methods.
    method: /^(connect|trace|track)$/i.test(method) ? "GET" : method,
    // The pseudo-headers of HTTP/2 are not headers.
    headers: Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith(":") ? [] : [[name, String(value)] as const],
    ),
    ...(method === "POST" && { body: bodyOf(incoming), duplex: "half" }),
    signal: gone.signal,
  });
  const answered = (await handler(request)) as Answered;
  outgoing.statusCode = answered.status;
  for (const [name, value] of answered.headers) {
    outgoing.setHeader(name, name === "set-cookie" ? answered.headers.getSetCookie() : value);
  }
  await sendBody(answered, outgoing, gone.signal);
  // The connection can only be reused once the rest of a refused body is read.
  incoming.resume();
}

/** Sends a body as fast as it is taken. If the stream fails, so does the connection: half an answer must not look whole. */
async function sendBody({ body }: Answered, outgoing: NodeResponse, signal: Signal): Promise<void> {
  const reader = body?.getReader();
  let resume: (() => void) | undefined;
  const wake = () => resume?.();
  outgoing.on("drain", wake);
  // Also wakes the loop if the proxy cuts off a connection that takes no bytes.
  reader?.closed.catch(() => {}).then(wake);
  onAbort(signal, () => {
    reader?.cancel().catch(() => {});
    wake();
  });
  try {
    while (reader) {
      const { value } = await reader.read();
      if (!value || signal.aborted) break;
      if (!outgoing.write(value)) {
        await new Promise<void>((done) => {
          resume = done;
        });
      }
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

/** The body as it was sent, or as JSON if a parser has read it. */
function bodyOf(incoming: NodeRequest): unknown {
  const { body } = incoming;
  if (body !== undefined) return typeof body === "string" ? body : JSON.stringify(body);
  // A refused body is not read to its end, which must not close the connection.
  return web.ReadableStream.from(incoming.iterator({ destroyOnReturn: false }));
}

type Answered = WebResponse & {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]> & { getSetCookie(): readonly string[] };
  readonly body: { getReader(): BodyReader } | null;
};

type BodyReader = {
  readonly closed: Promise<unknown>;
  read(): Promise<{ readonly value?: Uint8Array }>;
  cancel(): Promise<void>;
};

type Web = {
  readonly Request: new (url: string, described: object) => WebRequest;
  readonly ReadableStream: { from(chunks: unknown): unknown };
};

const web: Web = globalThis as unknown as Web;
