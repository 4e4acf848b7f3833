import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
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

/** The milliseconds after the first row until a process is ended. */
const CUT = 100;

/** Runs a command in this process to its end. */
const ask = (cwd: string, args: readonly string[]) =>
  run(cwd, args, { env: emulator.env(), stopped: new Promise<void>(() => {}) });

const start = (cwd: string, args: readonly string[]) => {
  const child = startCli(args, { cwd, env: emulator.env() });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
};

/** Waits until a folder has a part or the beginning of one, and ends the process that writes it. */
async function endAt(child: ChildProcess, folder: string, signal: NodeJS.Signals) {
  const ended = exitCode(child);
  const hasPart = () => existsSync(folder) && readdirSync(folder).some((name) => name.includes("part-"));
  while (child.exitCode === null && !hasPart()) await pause(2);
  await pause(CUT);
  child.kill(signal);
  return ended;
}

describe("an export", () => {
  it("that is killed and continued has the rows of an uninterrupted one", async () => {
    const project = library();
    const args = [...EXPORT, "--style", "subgraph", "--format", "ndjson", "--since-last"];
    expect((await ask(project.root, [...args, "--out", "whole/"])).code).toBe(0);
    for (let count = 0; count < 3; count++) {
      await endAt(
        start(project.root, [...args, "--out", "cut/"]),
        join(project.root, "cut/AllStreams"),
        "SIGKILL",
      );
    }
    expect((await ask(project.root, [...args, "--out", "cut/"])).code).toBe(0);
    const rows = (folder: string) =>
      Object.entries(project.files(folder))
        .filter(([path]) => path.includes("/part-"))
        .flatMap(([, text]) =>
          text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line).id),
        )
        .sort();
    expect(rows("cut")).toEqual(rows("whole"));
  });

  it("that Ctrl-C interrupts prints how to continue, and exits with 130", async () => {
    const project = library();
    const child = start(project.root, [...EXPORT, "--out", "lake/", "--style", "subgraph"]);
    let err = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    expect(await endAt(child, join(project.root, "lake/AllStreams"), "SIGINT")).toBe(130);
    expect(err).toMatch(/^Interrupted after \d+ rows\. They are kept: continue with --since-last\.\n$/);
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
