import { describe, expect, it } from "vitest";
import {
  AIRDROPS,
  AIRDROPS_MULTICHAIN,
  introspectionAnswer,
  subgraphProbeAnswer,
} from "../support/indexer-answers.ts";
import { drift, liveFleet, lockup, shareEmulator } from "../support/live-fleet.ts";
import { beyondOneScreen, ONE_SCREEN } from "../support/one-screen.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";
import { testServer } from "../support/test-server.ts";

shareEmulator();

const FEW = { suffixes: ["base", "linea", "multichain"] };

/** Replaces deployments with servers of another project. */
function replacing(servers: Readonly<Record<string, (body: string) => string>>) {
  return async (urls: Record<string, string>) => {
    for (const [suffix, answer] of Object.entries(servers)) {
      const { url } = await testServer(({ body }, response) => {
        response.setHeader("content-type", "application/json");
        response.end(answer(body));
      });
      const name = `protocol-lockup-${suffix}`;
      urls[name] = `${url}${new URL(urls[name] ?? url).pathname}`;
    }
  };
}

const isProbe = (body: string) => body.includes("_meta {");

/** An indexer of the right chain and of another project. */
const airdrops = (chainId: number) => (body: string) =>
  isProbe(body) ? subgraphProbeAnswer(chainId) : introspectionAnswer("subgraph", AIRDROPS);

const multichainAirdrops = () => introspectionAnswer("multichain", AIRDROPS_MULTICHAIN);

/** The snapshots of lockup, and the records of its deployments. */
function schemasOf(project: TempProject): Readonly<Record<string, string>> {
  const record = project.read("generated/schemas/deployments.json").split("\n");
  return {
    ...project.files("generated/schemas/lockup"),
    record: record
      .filter((line) => line.includes("protocol-lockup-"))
      .map((line) => line.replace(/,$/, ""))
      .join("\n"),
  };
}

describe("an indexer of another project at a URL", () => {
  it.each([
    ["subgraph", "base", airdrops(8453)],
    ["multichain", "multichain", multichainAirdrops],
  ] as const)("is one finding in the %s style, and no drift", async (style, suffix, answer) => {
    const project = await liveFleet([], replacing({ [suffix]: answer }), FEW);
    const before = schemasOf(project);
    const { code, out, report } = await drift(project, "--update");
    expect(report.findings.map(({ code, severity, subject }) => `${code} ${severity} ${subject}`)).toEqual([
      `identity/wrong-protocol breaking protocol-lockup-${suffix}`,
    ]);
    expect(report.findings[0]?.message).toMatch(
      /^It does not serve lockup: of the snapshot's (8|12) entities/,
    );
    const endpoint = report.endpoints.find(({ deployment }) => deployment.endsWith(`-${suffix}`));
    expect(endpoint).toMatchObject({ status: "wrong-protocol", group: null });
    expect(report.groups.filter((group) => group.style === style).length).toBe(style === "subgraph" ? 1 : 0);
    expect(code).toBe(1);
    const lines = out.split("\n");
    expect(lines[0]).toMatch(new RegExp(`^Not clean: wrong protocol \\(protocol-lockup-${suffix}\\); `));
    expect(lines.at(-2)).toBe(`exit 1: 1 finding to act on: wrong protocol (protocol-lockup-${suffix})`);
    expect(beyondOneScreen(out)).toEqual(ONE_SCREEN);
    expect(schemasOf(project)).toEqual(before);
  });

  it("is one finding for several deployments, beside other findings", async () => {
    const project = await liveFleet(
      [
        { kind: "wrong-protocol", ...lockup("gnosis") },
        { kind: "drop-field", field: "Stream.sender", ...lockup("linea") },
      ],
      replacing({ base: airdrops(8453), sepolia: airdrops(11155111) }),
      { suffixes: ["base", "gnosis", "linea", "sepolia"] },
    );
    const { report } = await drift(project);
    expect(report.findings.map(({ code, where }) => `${code} ${where?.deployments.join()}`)).toEqual([
      "identity/wrong-protocol protocol-lockup-base,protocol-lockup-gnosis,protocol-lockup-sepolia",
      "drift/field-removed protocol-lockup-linea",
    ]);
    expect(report.findings[0]?.message).toMatch(/protocol-lockup-gnosis: It serves flow instead of lockup\./);
  });

  it("is not written by introspect or sync", async () => {
    const project = await liveFleet(
      [],
      replacing({ base: airdrops(8453), multichain: multichainAirdrops }),
      FEW,
    );
    // sync also generates, so there are only a few operations.
    project.remove("operations");
    project.write("operations/lockup/subgraph/ids.graphql", "query Ids { streams(first: 1) { id } }\n");
    const before = schemasOf(project);
    const env = { env: { KEY: "emulator" } };
    const introspected = await run(project.root, ["introspect"], env);
    expect(introspected).toMatchObject({ code: 1 });
    expect(introspected.out).toMatch(/protocol-lockup-base: It does not serve lockup: of the snapshot's 8/);
    expect(introspected.out).toMatch(/protocol-lockup-multichain: It does not serve lockup/);
    expect(schemasOf(project)).toEqual(before);
    const synced = await run(project.root, ["sync"], env);
    expect(synced).toMatchObject({ code: 1 });
    expect(synced.out).toContain(
      "  Not what the manifest says: protocol-lockup-base, protocol-lockup-multichain. Correct the URL",
    );
    expect(schemasOf(project)).toEqual(before);
  });

  it("does not create a first snapshot", async () => {
    const project = await liveFleet([], replacing({ multichain: multichainAirdrops }), FEW);
    project.remove("generated");
    const { code, out } = await run(project.root, ["introspect"], { env: { KEY: "emulator" } });
    expect(code).toBe(1);
    expect(out).toContain(
      "protocol-lockup-multichain: It does not serve lockup: it has neither depositAmount nor an entity named Stream.",
    );
    expect(Object.keys(project.files("generated/schemas/lockup"))).toEqual([
      "generated/schemas/lockup/subgraph.graphql",
    ]);
  });
});

it("reports a release that renamed its identifying field as drift", async () => {
  const renamed = { kind: "rename-field", field: "Stream.depositAmount", to: "deposited" } as const;
  const project = await liveFleet([{ ...renamed, ...lockup("base") }], undefined, {
    suffixes: ["base", "linea"],
  });
  const { report } = await drift(project);
  expect(report.findings.map(({ code }) => code.split("/")[0])).not.toContain("identity");
  expect(report.endpoints.filter(({ status }) => status === "drifted")).toHaveLength(1);
});
