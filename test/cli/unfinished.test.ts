import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { builtProgram } from "../support/built-program.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { exitCode, runCli, startCli } from "../support/run-process.ts";
import { tempProject } from "../support/temp-project.ts";

describe("a process that ends before its run has finished", () => {
  const ENDS = [
    ["nothing is left to wait for", "await new Promise(() => {});\nexport default {};\n"],
    ["the configuration exits with 0", "process.exit(0);\n"],
  ] as const;

  it.each(IS_THOROUGH ? ENDS : ENDS.slice(0, 1))("error: never reports success: %s", async (_, config) => {
    const project = tempProject({ "lockflow.config.mjs": config, "package.json": "{}" });
    const { code, out, err } = await runCli(["check", "--report", "json=report.json"], {
      cwd: project.root,
    });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^lockflow: The run ended before it finished, so it has no result\.$/m);
    expect(project.files()).not.toHaveProperty("report.json");
  });
});

describe("a removed current folder", () => {
  it.runIf(IS_THOROUGH)("error: no command can run in it", async () => {
    const child = spawn(
      "sh",
      ["-c", 'rmdir "$PWD" && exec "$0" "$@"', process.execPath, builtProgram(), "check"],
      {
        cwd: tempProject().root,
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    let err = "";
    child.stderr.on("data", (text) => {
      err += text;
    });
    expect(await exitCode(child)).toBe(2);
    expect(err).toBe("lockflow: The current folder no longer exists.\nHint: change to an existing folder.\n");
  });
});

describe("a process that gets a signal", () => {
  it.each<NodeJS.Signals>(IS_THOROUGH ? ["SIGINT", "SIGTERM"] : ["SIGINT"])(
    "error: ends at once, without a result: %s",
    async (signal) => {
      let hear: () => void = () => {};
      const asked = new Promise<void>((resolve) => {
        hear = resolve;
      });
      // The server never answers.
      const server = createServer(() => hear()).listen(0, "127.0.0.1");
      await once(server, "listening");
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const project = tempProject({ "package.json": "{}" });
      const child = startCli(["diff", url, url, "--report", "json=report.json"], { cwd: project.root });
      let err = "";
      child.stderr?.on("data", (text) => {
        err += text;
      });
      const ended = once(child, "close");
      await asked;
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
      expect(err).toMatch(
        new RegExp(`^lockflow: ${signal} ended the run before it finished, so it has no result\\.$`, "m"),
      );
      expect(project.files()).not.toHaveProperty("report.json");
    },
  );
});
