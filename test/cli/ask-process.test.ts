import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { builtProgram } from "../support/built-program.ts";
import { copyFromRepository, readRepositoryFile } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { exitCode, startCli } from "../support/run-process.ts";
import { tempProject } from "../support/temp-project.ts";

let emulator: Emulator;

beforeAll(async () => {
  const faults = [{ kind: "latency", milliseconds: 30 }] as const;
  emulator = await startEmulator({ streams: 60, dailyQueries: 1_000_000, faults });
});
afterAll(() => emulator.close());

/** A project with only the operation and its dependencies, because each process compiles everything. */
function library() {
  const project = tempProject({ "lockflow.config.json": '{ "protocols": ["lockup"] }' });
  const portable = "operations/lockup/portable";
  for (const path of ["all-streams", "fragments/stream-fields", "fragments/asset-fields"]) {
    project.write(`${portable}/${path}.graphql`, readRepositoryFile(`${portable}/${path}.graphql`));
  }
  copyFromRepository(project.root, "generated/schemas");
  return project;
}

const EXPORT = ["ask", "AllStreams", "--chain", "base,optimism", "--pages", "--var", "first=5"];

/** The places at which an export is killed, as parts of its size. */
const CUTS = [0, 0.2, 0.5, 0.8];

/** Runs a command in this process to its end. */
const ask = (cwd: string, args: readonly string[]) =>
  run(cwd, args, { env: emulator.env(), stopped: new Promise<void>(() => {}) });

const start = (cwd: string, args: readonly string[]) => {
  const child = startCli(args, { cwd, env: emulator.env() });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
};

/** Waits until an export has a number of bytes, and ends its process. */
async function endAt(child: ChildProcess, path: string, bytes: number, signal: NodeJS.Signals) {
  const ended = exitCode(child);
  while (child.exitCode === null && !(existsSync(path) && statSync(path).size > bytes)) await pause(2);
  child.kill(signal);
  return ended;
}

describe("an export", () => {
  it.each<[format: string, style: string]>([
    ["csv", "subgraph"],
    ["json", "multichain"],
  ])(
    "that is killed at any place and resumed equals an uninterrupted one: %s of %s",
    async (format, style) => {
      const project = library();
      const args = [...EXPORT, "--style", style, "--format", format];
      expect((await ask(project.root, [...args, "--out", "whole"])).code).toBe(0);
      const size = statSync(join(project.root, "whole")).size;
      const spool = join(project.root, "cut.lockflow-rows");
      for (const part of CUTS) {
        const more = part === 0 ? [] : ["--resume"];
        await endAt(start(project.root, [...args, "--out", "cut", ...more]), spool, part * size, "SIGKILL");
        expect(existsSync(spool)).toBe(true);
      }
      expect((await ask(project.root, [...args, "--out", "cut", "--resume"])).code).toBe(0);
      expect(project.read("cut")).toBe(project.read("whole"));
      expect(existsSync(spool)).toBe(false);
    },
  );

  it("that Ctrl-C interrupts prints how to resume, and exits with 130", async () => {
    const project = library();
    const child = start(project.root, [...EXPORT, "--out", "rows.csv"]);
    let err = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    expect(await endAt(child, join(project.root, "rows.csv.lockflow-rows"), 5000, "SIGINT")).toBe(130);
    expect(err).toMatch(/^Interrupted after \d+ rows\. They are kept: continue with --resume\.\n$/);
  });
});

it("closing standard output early ends the requests without an error message", async () => {
  const child = start(library().root, [...EXPORT, "--format", "csv"]);
  const ended = exitCode(child);
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child.stdout?.once("data", () => child.stdout?.destroy());
  expect([await ended, err]).toEqual([1, ""]);
});

it.runIf(existsSync("/dev/full"))("a full disk behind standard output is an error", async () => {
  const args = ["-c", '"$0" "$@" > /dev/full', process.execPath, builtProgram(), ...EXPORT];
  const child = spawn("sh", args, { cwd: library().root, env: { ...process.env, ...emulator.env() } });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  expect(await exitCode(child)).toBe(2);
  expect(err).toBe("lockflow: Cannot write to standard output (ENOSPC).\n");
});
