import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { describeTlsFault } from "../../src/fleet/post-graphql.ts";
import { certificate, hasOpenssl } from "../support/certificate.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { runCli } from "../support/run-process.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const NOT_TRUSTED = "is not signed by an authority that this machine trusts";
const HOST = "https://localhost:";

it.runIf(IS_THOROUGH)(
  "reports the error of a certificate and a fix, and never suggests to skip verification",
  async ({ skip }) => {
    skip(!hasOpenssl(), "OpenSSL 3 is missing");
    const project: TempProject = tempProject();
    certificate(project.root, "authority", { host: "authority.example" });
    certificate(project.root, "other", { host: "other.example" });
    const [host, by] = ["localhost", "authority"];
    const servers = {
      gnosis: certificate(project.root, "right", { host, by }),
      base: certificate(project.root, "expired", { host, by, days: -1 }),
      berachain: certificate(project.root, "elsewhere", { host: "other.example", by }),
      bsc: certificate(project.root, "self", { host }),
      chiliz: certificate(project.root, "unknown", { host, by: "other" }),
    };
    const ports: Record<string, number> = {};
    for (const [name, pair] of Object.entries(servers)) {
      ports[name] = await listen(createServer(pair, (_, response) => response.writeHead(404).end()));
    }
    ports["form"] = await listen(createHttpServer((_, response) => response.end("{}")));
    const deployments = Object.fromEntries(
      Object.entries(ports).map(([name, port]) => [
        `protocol-flow-${name}`,
        { testing: { url: `${HOST}${port}/graphql` } },
      ]),
    );
    project.write("lockflow.config.json", JSON.stringify({ protocols: ["flow"], deployments }));
    const { code, out, err } = await runCli(["introspect", "--environment", "testing"], {
      cwd: project.root,
      env: { NODE_EXTRA_CA_CERTS: join(project.root, "authority.pem"), CI: undefined },
    });
    expect(code).toBe(2);
    const text = `${out}${err}`;
    for (const [name, want] of [
      ["gnosis", "The endpoint answered HTTP 404."],
      ["base", `the certificate of localhost:${ports["base"]} has expired.`],
      ["berachain", `the certificate of localhost:${ports["berachain"]} is for another host.`],
      ["bsc", `the certificate of localhost:${ports["bsc"]} is self-signed.`],
      ["chiliz", `the certificate of localhost:${ports["chiliz"]} ${NOT_TRUSTED}.`],
      ["form", `localhost:${ports["form"]} does not support TLS, or no version that this machine accepts.`],
    ]) {
      expect(text.replace(/\s+/g, " "), name).toContain(want);
    }
    expect(text).toContain("NODE_EXTRA_CA_CERTS");
    expect(text).not.toMatch(/REJECT_UNAUTHORIZED|rejectUnauthorized|insecure/i);
  },
);

it.each([
  ["CERT_NOT_YET_VALID", "the certificate of a.example is not valid yet"],
  ["CERT_REVOKED", "the certificate of a.example was revoked"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate of a.example is for another host"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", `the certificate of a.example ${NOT_TRUSTED}`],
  ["EPROTO", "a.example does not support TLS, or no version that this machine accepts"],
  [
    "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    "a.example does not support TLS, or no version that this machine accepts",
  ],
])("describes %s", (code, want) => {
  expect(describeTlsFault(Object.assign(new Error(), { code }), "a.example")).toBe(want);
});

it.each(["ECONNREFUSED", undefined])("returns null for %s", (code) => {
  expect(describeTlsFault(Object.assign(new Error(), { code }), "a.example")).toBeNull();
});
