import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { HttpsProxyAgent } from "https-proxy-agent";
import { ProxyError } from "./proxy-error.ts";

/** Keeps tunnels through a proxy. A proxy that refuses is an error here; the library returns its answer as the server's. */
export class TunnelAgent extends HttpsProxyAgent<string> {
  override async connect(
    request: ClientRequest,
    options: Parameters<HttpsProxyAgent<string>["connect"]>[1],
  ): Promise<Socket> {
    const canceled = new AbortController();
    const cancel = () => canceled.abort();
    // The library keeps the connection of a request that was destroyed meanwhile.
    request.once("close", cancel);
    this.connectOpts = { ...this.connectOpts, signal: canceled.signal };
    let status = 0;
    request.once("proxyConnect", ({ statusCode }: { readonly statusCode: number }) => {
      status = statusCode;
    });
    // The library would accept a certificate for localhost as that of an IP address.
    const verified = {
      ...options,
      checkServerIdentity: (_: string, certificate: PeerCertificate) =>
        checkServerIdentity(options.host ?? "", certificate),
    };
    try {
      const socket = await super.connect(request, verified);
      if (status === 200) return socket;
      socket.destroy();
    } catch (cause) {
      throw new ProxyError(null, { cause });
    } finally {
      request.off("close", cancel);
    }
    // An answer that is not HTTP has no status.
    throw new ProxyError(Number.isInteger(status) ? status : null);
  }
}
