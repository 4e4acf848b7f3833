import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EmulatorEndpoint } from "../../src/emulator.ts";
import { exitCode, startCli } from "../support/run-process.ts";
import { tempProject } from "../support/temp-project.ts";

describe("emulate", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("serves until %s", async (signal) => {
    const child = startCli(["emulate", "--port", "0", "--json"], { cwd: tempProject().root });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = exitCode(child);
    const lines: string[] = [];
    const output = createInterface({ input: child.stdout as Readable });
    output.on("line", (line) => lines.push(line));
    let errors = "";
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    await once(output, "line");

    const endpoints = JSON.parse(lines[0] ?? "") as EmulatorEndpoint[];
    expect(new Set(endpoints.map(({ deployment }) => deployment)).size).toBe(54);
    const asked = endpoints.find(
      ({ deployment, environment }) => deployment === "protocol-flow-mainnet" && environment === "testing",
    );
    const url = asked?.url ?? "";
    expect(await ask(url)).toMatchObject({ data: { _meta: { block: { number: expect.any(Number) } } } });

    child.kill(signal);
    expect({ code: await ended, lines: lines.length, errors }).toEqual({ code: 0, lines: 1, errors: "" });
    await expect(ask(url)).rejects.toThrow("fetch failed");
  });

  it("says where it serves, for people", async () => {
    const child = startCli(["emulate", "--port", "0"], { cwd: tempProject().root });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = exitCode(child);
    let out = "";
    for await (const text of child.stdout as Readable) {
      out += text;
      // A second one would end it in its own way.
      if (out.includes("Authorization") && !child.killed) child.kill("SIGINT");
    }
    expect(await ended).toBe(0);
    expect(out).toMatch(/^protocol-lockup-sepolia +testing +http:\/\/127\.0\.0\.1:\d+\/\S+$/m);
    expect(out).toMatch(/^Serving 54 deployments on http:\/\/127\.0\.0\.1:\d+\./m);
    expect(out).not.toContain("\u001b[");
  });
});

async function ask(url: string): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ _meta { block { number } } }" }),
  });
  return response.json();
}
