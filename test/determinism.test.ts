import { homedir, tmpdir } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../emulator/index.ts";
import type { Config } from "../src/project/config.ts";
import { type FleetRow, renderFleetRecord } from "../src/workspace/fleet-record.ts";
import { PROTOCOL_DEPLOYMENTS } from "./support/chain-counts.ts";
import { fewChains } from "./support/few-chains.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { inFolder, REPOSITORY, readGenerated, readRepositoryTree } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { runCli } from "./support/run-process.ts";
import { expectSame } from "./support/same-files.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";

const committed = inFolder("generated", readGenerated());
const snapshots = Object.fromEntries(
  Object.entries(committed).filter(
    ([path]) => path.startsWith("generated/schemas/") && path !== "generated/schemas/operations.json",
  ),
);

/** A configuration with every kind of setting whose order might affect the output. */
const RICH: Config = {
  protocols: ["lockup", "flow"],
  brand: "acme",
  chains: {
    ...fewChains("base", "ethereum", "sepolia"),
    zora: { chainId: 7777777, name: "Zora", subgraphSuffix: "zora", testing: true, aliases: ["z"] },
    aurora: { chainId: 1313161554, name: "Aurora", multichainName: "aurora" },
    ethereum: { name: "Mainnet", status: "active" },
  },
  deployments: {
    "acme-lockup-sepolia": { status: "retired" },
    "acme-flow-base": { testing: false, status: "active" },
  },
  scalars: { Bytes: "string", BigInt: "`${bigint}`" },
  concurrency: 4,
  timeout: 20_000,
};

describe("generated files", () => {
  it("do not depend on the order of the configuration, the time zone or the language", async () => {
    const [one, other] = [RICH, reversed(RICH)].map((config) =>
      tempProject({ ...operations(), "lockflow.config.json": JSON.stringify(config) }),
    ) as [TempProject, TempProject];
    expect(one.read("lockflow.config.json")).not.toBe(other.read("lockflow.config.json"));
    for (const command of ["introspect", "generate"]) expect((await run(one.root, [command])).code).toBe(0);
    // Estonian sorts z after s, and Kiritimati is a day ahead of the Americas.
    const env = { TZ: "Pacific/Kiritimati", LANG: "et_EE.UTF-8", LC_ALL: "et_EE.UTF-8" };
    for (const command of ["introspect", "generate"]) {
      const args = [command];
      const { code } = await (IS_THOROUGH ? runCli(args, { cwd: other.root, env }) : run(other.root, args));
      expect(code).toBe(0);
    }
    expect(one.read("generated/manifest.ts")).toMatch(/aurora: .*\n[\s\S]*zora: /);
    expectSame(other, one.files("generated"));
  });

  it("do not depend on the concurrency, and do not contain URLs or keys of endpoints", async () => {
    const key = "k3y-that-must-not-travel";
    const emulator = await startEmulator({ apiKeys: [key], streams: 1 });
    onTestFinished(() => emulator.close());
    const { url } =
      emulator.endpoints.find(({ deployment }) => deployment === "protocol-flow-multichain") ?? {};
    const config = {
      protocols: ["flow"],
      multichain: {
        url: `${emulator.url}/{id}/v1/graphql`,
        ids: { flow: new URL(url ?? "").pathname.split("/")[1] },
      },
      subgraph: {
        production: { url: `${emulator.url}/production/{deployment}`, apiKey: { env: "INDEXER_KEY" } },
      },
    } satisfies Config;
    const record = "generated/schemas/deployments.json";
    const rows: readonly FleetRow[] = JSON.parse(snapshots[record] ?? "").deployments;
    const want = {
      ...Object.fromEntries(Object.entries(snapshots).filter(([path]) => path.includes("/flow/"))),
      [record]: renderFleetRecord(rows.filter(({ protocol }) => protocol === "flow")),
    };
    for (const concurrency of ["1", "16"]) {
      const project = tempProject({ ...operations(), "lockflow.config.json": JSON.stringify(config) });
      const args = ["introspect", "--environment", "production", "--concurrency", concurrency];
      const { code, out, err } = await run(project.root, args, { env: { INDEXER_KEY: key } });
      expect({ code, err: err.includes(key), out: out.includes(key) }).toEqual({
        code: 0,
        err: false,
        out: false,
      });
      expect(emulator.requests().length).toBe(PROTOCOL_DEPLOYMENTS);
      expectSame(project, want);
    }
  });
});

describe("the committed files", () => {
  const traces: [name: string, pattern: RegExp][] = [
    ["a URL", /https?:|www\./i],
    ["a host", /localhost|127\.0\.0\.1|\[::1\]/i],
    ["a port", /[a-z0-9]:\d{2,5}\b/i],
    ["a time", /\d{4}-\d{2}-\d{2}|\d{2}:\d{2}:\d{2}|\b1[67]\d{8}(\d{3})?\b/],
    ["an absolute path", /(^|[\s"'(])(\/[\w.-]+){2,}|[a-z]:\\/im],
    ["a key", /bearer|authorization|api.?key|secret/i],
  ];

  const tracesIn = (text: string) => traces.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);

  it("do not contain traces of a run in snapshots", () => {
    for (const [path, text] of Object.entries(snapshots)) {
      for (const line of text.split("\n")) expect([path, line, tracesIn(line)]).toEqual([path, line, []]);
    }
  });

  it.each([
    ["a URL", '{"url":"http://x"}'],
    ["a host", "# asked localhost"],
    ["a port", "host:8080"],
    ["a time", '"at": "2025-08-01T10:00:00Z"'],
    ["a time", "asked at 1754042400"],
    ["an absolute path", '"/home/user/project"'],
    ["a key", 'Authorization: "…"'],
  ])("would fail the test with %s: %s", (name, line) => {
    expect(tracesIn(line)).toContain(name);
  });

  it("do not contain folders of this machine or Windows line ends", () => {
    for (const [path, text] of Object.entries(committed)) {
      for (const folder of [REPOSITORY, homedir(), tmpdir()]) {
        expect(text.includes(`${folder}/`), `${path} names ${folder}`).toBe(false);
      }
      expect(text.includes("\r"), `${path} has Windows line ends`).toBe(false);
    }
  });
});

function operations(): Record<string, string> {
  return inFolder("operations", readRepositoryTree("operations"));
}

/** Returns the value with the keys of every object and the items of every list in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reversed(item)])
      .reverse(),
  );
}
