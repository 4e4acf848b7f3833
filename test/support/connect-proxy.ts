import { createServer, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "./listen.ts";

/** An HTTP proxy on this machine. */
export type ConnectProxy = {
  /** Without a scheme: `127.0.0.1:3128`. */
  readonly address: string;
  /** The first line of each request, and its login: `CONNECT indexer.test:443 as user:password`. */
  readonly received: string[];
  /** The number of open connections to it. */
  readonly connections: () => number;
  /** Closes all connections. */
  readonly closeAll: () => void;
};

/**
 * Starts a real proxy: it opens tunnels, and forwards requests with absolute URLs. It is gone when the test is over.
 *
 * @param hosts the ports of this machine that stand for a host and port: `{ "indexer.test:443": 4350 }`.
 * @param refuse returns a status instead of 200; 0 for no answer at all.
 */
export async function connectProxy(
  hosts: Readonly<Record<string, number>>,
  refuse: (target: string) => number | null = () => null,
): Promise<ConnectProxy> {
  const received: string[] = [];
  const open = new Set<Socket>();
  const server = createServer();
  const admit = ({ method, url = "", headers }: IncomingMessage, target: string): number => {
    const login = /^Basic (.*)$/.exec(headers["proxy-authorization"] ?? "")?.[1];
    received.push(`${method} ${url}${login ? ` as ${Buffer.from(login, "base64").toString()}` : ""}`);
    return refuse(target) ?? (hosts[target] === undefined ? 502 : 200);
  };
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  });
  server.on("connect", (message: IncomingMessage, socket: Socket) => {
    const target = message.url ?? "";
    const status = admit(message, target);
    // Sockets of an HTTP server stay half open, and one that is not read does not notice its end.
    if (status === 0) return void socket.resume().on("end", () => socket.end());
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`);
    const upstream = connect(hosts[target] ?? 0, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
  });
  server.on("request", (message, response) => {
    const { host, port, pathname } = new URL(message.url ?? "", "http://no.absolute.url");
    const target = port === "" ? `${host}:80` : host;
    const status = admit(message, target);
    if (status !== 200) return void response.writeHead(status).end();
    const { "proxy-authorization": _, ...headers } = message.headers;
    const { method } = message;
    const options = { host: "127.0.0.1", port: hosts[target], method, path: pathname, headers };
    const forwarded = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    message.pipe(forwarded);
  });
  const closeAll = () => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(closeAll);
  return { address: `127.0.0.1:${await listen(server)}`, received, connections: () => open.size, closeAll };
}
