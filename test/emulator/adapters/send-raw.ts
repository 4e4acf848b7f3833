import { connect } from "node:net";

/** An answer as received. */
export type RawAnswer = {
  readonly status: number;
  /** In the received order, with names in lower case, without the headers of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
};

const OF_THE_CONNECTION = ["date", "connection", "keep-alive", "content-length"];

/** Sends bytes unchanged and reads until the server closes the connection. */
export function sendBytes(origin: string, bytes: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(origin);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(parseAnswer(Buffer.concat(chunks))));
    socket.write(bytes);
  });
}

export type RawRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Sends a request with no default headers except Host, Connection and Content-Length. */
export function send(
  url: string,
  { method = "POST", headers = {}, body = "" }: RawRequest,
): Promise<RawAnswer> {
  const { origin, host, target } = splitUrl(url);
  const length = body === "" ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: host, Connection: "close", ...length, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return sendBytes(origin, `${method} ${target} HTTP/1.1\r\n${head}\r\n${body}`);
}

/** Sends a POST with a JSON content type. */
export function sendJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return send(url, { headers: { "Content-Type": "application/json", ...headers }, body: text });
}

/** Splits a URL without normalizing its path. */
export function splitUrl(url: string): { origin: string; host: string; target: string } {
  const [origin = "", host = ""] = /^http:\/\/([^/]+)/.exec(url) ?? [];
  return { origin, host, target: url.slice(origin.length) };
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf("\r\n\r\n");
  const [line = "", ...fields] = bytes.toString("latin1", 0, end).split("\r\n");
  const body = bytes.subarray(end + 4);
  return {
    status: Number(line.split(" ")[1]),
    headers: Object.fromEntries(
      fields
        .map((field) => field.split(/:\s*(.*)/s))
        .map(([name = "", value = ""]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => !OF_THE_CONNECTION.includes(name)),
    ),
    body,
    text: body.toString(),
  };
}
