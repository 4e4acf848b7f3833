import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A port at which every connection is refused. */
export type ClosedPort = { readonly port: number; readonly release: () => void };

/**
 * Takes a port and lets nobody in. The port is the near end of a connection this process has with itself: as long as
 * the connection lives, nobody else can come to listen there.
 */
export async function holdClosedPort(host: string): Promise<ClosedPort> {
  const server = createServer();
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
