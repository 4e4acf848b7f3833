import { type AddressInfo, connect } from "node:net";
import { createServer } from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { certificate, hasOpenssl } from "../support/certificate.ts";
import { type ConnectProxy, connectProxy } from "../support/connect-proxy.ts";
import { liveFleet, shareEmulator } from "../support/live-fleet.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

shareEmulator();

/** Runs a command that is not interrupted. */
const runToEnd = ({ root }: TempProject, args: readonly string[], env: Record<string, string>) =>
  run(root, args, { env, stopped: new Promise(() => {}) });

const HOST = "https://indexer.test";

/** A project with one deployment on a host that only a proxy can reach. */
async function setUp(): Promise<{ readonly project: TempProject; readonly proxy: ConnectProxy }> {
  let emulator = 0;
  const project = await liveFleet(
    [],
    (urls) => {
      for (const [name, url] of Object.entries(urls)) {
        emulator = Number(new URL(url).port);
        urls[name] = url.replace(new URL(url).origin, HOST);
      }
    },
    { suffixes: ["base"] },
  );
  const server = createServer(
    certificate(tempProject().root, "indexer", { host: "indexer.test" }),
    (socket) => {
      const upstream = connect(emulator, "127.0.0.1").on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy()).pipe(upstream);
      upstream.pipe(socket);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port } = server.address() as AddressInfo;
  return { project, proxy: await connectProxy({ "indexer.test:443": port }) };
}

describe.runIf(hasOpenssl())("commands send their requests through https_proxy", () => {
  it.each<[name: string, args: readonly string[], shown: RegExp]>([
    ["introspect", ["introspect"], /^Introspected 1 of 1 deployments/m],
    ["drift", ["drift"], /1 of 1 endpoint answered/],
    ["diff with a URL", ["diff", "lockup/subgraph", `${HOST}/testing/protocol-lockup-base`], /^Clean/m],
    ["sync", ["sync"], /^ +1 of 1 deployments answered/m],
    ["ask", ["ask", "RecentStreams", "--chain", "base"], /LK/],
    [
      "doctor",
      ["doctor"],
      /Requests to indexer\.test go through the proxy\s+http.* 1 of 1 endpoints answer/s,
    ],
  ])("%s", async (_, args, shown) => {
    const { project, proxy } = await setUp();
    const env = { https_proxy: `user:s3cret@${proxy.address}` };
    const { out, err } = await runToEnd(project, args, env);
    expect(proxy.received).toEqual(["CONNECT indexer.test:443 as user:s3cret"]);
    expect(out).toMatch(shown);
    expect(out + err).not.toContain("s3cret");
    if (args[0] !== "introspect") return;
    // Without the proxy, the host does not exist.
    const direct = await runToEnd(project, args, { ...env, no_proxy: ".test" });
    expect(direct.out).not.toMatch(shown);
    expect(direct.out + direct.err).toMatch(/host\s+does not exist|network/);
    expect(proxy.received).toHaveLength(1);
  });

  it.each([
    ["introspect", ["introspect"]],
    ["ask", ["ask", "RecentStreams", "--chain", "base"]],
  ])("%s stops at an invalid proxy", async (_, args) => {
    const { project } = await setUp();
    const result = await runToEnd(project, args, { HTTPS_PROXY: "socks5://user:s3cret@p:1080" });
    expect(result).toMatchObject({
      code: 2,
      err: expect.stringContaining("HTTPS_PROXY is not the URL of an HTTP proxy"),
    });
    expect(result.err).not.toContain("s3cret");
  });
});
