import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { EmulatorError } from "../../src/base/errors.ts";

type Listening = {
  readonly port: number;
  /** Stops listening and drops every connection. Closing twice is fine. */
  readonly close: () => Promise<void>;
};

/**
 * Listens for HTTP requests.
 *
 * @param port 0 for a free one.
 * @throws EmulatorError `EMULATOR_PORT_IN_USE`, or `EMULATOR_CANNOT_LISTEN` for any other reason.
 */
export async function listen(handler: RequestListener, port: number, host: string): Promise<Listening> {
  const server = createServer(handler);
  // With the default of 5 s, a client on a slow machine is reset between two requests.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        // Only fails if the server is already closed.
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): EmulatorError {
  if (error.code === "EADDRINUSE") {
    return new EmulatorError({
      code: "EMULATOR_PORT_IN_USE",
      sentence: `Port ${port} of ${host} is in use, so the emulator cannot listen there.`,
      hint: "Choose another port, or 0 for any free one.",
      cause: error,
    });
  }
  return new EmulatorError({
    code: "EMULATOR_CANNOT_LISTEN",
    sentence: `The emulator cannot listen on port ${port} of ${host}.`,
    context: [error.message],
    cause: error,
  });
}

/** A port that refuses every connection. */
type ClosedPort = { readonly port: number; readonly release: () => void };

/**
 * Occupies a port without accepting connections. The port is the near end of a connection of this process with itself,
 * so that no other process can listen on it.
 */
export async function holdClosedPort(host: string): Promise<ClosedPort> {
  const server = createTcpServer();
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const near = connect((server.address() as AddressInfo).port, host);
  await new Promise<void>((resolve, reject) => {
    near.once("error", reject);
    near.once("connect", resolve);
  });
  const far = await accepted;
  server.close();
  return {
    port: near.localPort ?? 0,
    release: () => {
      near.destroy();
      far.destroy();
    },
  };
}
