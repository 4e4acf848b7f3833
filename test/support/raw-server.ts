import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "./listen.ts";

/**
 * A server on this machine that speaks no protocol of its own: the test writes every byte of the answer, once the
 * whole request is there, and ends the connection as it likes. Gone when the test is over.
 *
 * @param answer given the connection and the path that was asked for.
 */
export async function rawServer(answer: (socket: Socket, path: string) => void): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    let seen = "";
    let isAnswered = false;
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      seen += chunk.toString("latin1");
      const head = seen.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(seen)?.[1] ?? 0);
      if (isAnswered || head < 0 || seen.length < head + 4 + length) return;
      isAnswered = true;
      answer(socket, /^POST (\S+)/.exec(seen)?.[1] ?? "");
    });
  });
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
  });
  return `http://127.0.0.1:${await listen(server)}`;
}
