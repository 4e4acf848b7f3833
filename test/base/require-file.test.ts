import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtProgram } from "../support/built-program.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { REPOSITORY } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const OPERATION = "query Streams { streams(first: 5) { id alias } }\n";

/** Creates a project with snapshots and one operation, on the emulator. */
function project() {
  const made = tempProject({
    "lockflow.config.json": '{ "protocols": ["lockup"] }',
    "operations/lockup/subgraph/streams.graphql": OPERATION,
    "entities.graphql": "type A @entity { id: ID! }\n",
  });
  cpSync(join(REPOSITORY, "generated/schemas/lockup"), join(made.root, "generated/schemas/lockup"), {
    recursive: true,
  });
  return made;
}

function pipe(root: string, path: string): void {
  rmSync(join(root, path), { force: true });
  mkdirSync(dirname(join(root, path)), { recursive: true });
  execFileSync("mkfifo", [join(root, path)]);
}

/** Limits the time: a read of a pipe never ends. */
const within = async <T>(work: Promise<T>): Promise<T | "it waits"> =>
  Promise.race([
    work,
    new Promise<"it waits">((resolve) => setTimeout(() => resolve("it waits"), 8000).unref()),
  ]);

describe.skipIf(process.platform === "win32")("a path that is not a regular file", () => {
  it.each<readonly [path: string, args: readonly string[]]>([
    ["drift-accepted.json", ["check"]],
    ["operations/lockup/subgraph/streams.graphql", ["check"]],
    ["operations/lockup/subgraph/more.graphql", ["generate"]],
    ["generated/schemas/lockup/subgraph.graphql", ["check"]],
    ["generated/schemas/deployments.json", ["check"]],
    ["generated/manifest.ts", ["check"]],
    ["lockflow.config.json", ["check"]],
    ["lockflow.config.ts", ["check"]],
    ["memory.json", ["drift", "--memory", "memory.json"]],
    ["entities.graphql", ["derive", "--style", "subgraph", "entities.graphql"]],
    [
      "rows.json",
      ["emulate", "--style", "subgraph", "--entities", "entities.graphql", "--rows", "rows.json"],
    ],
    ["report.json", ["accept", "0123456789ab", "--reason", "a", "--from", "report.json"]],
    ["package.json", ["init", "--yes"]],
  ])("error: a pipe in place of %s is reported without reading it (%j)", async (path, args) => {
    const { root } = project();
    pipe(root, path);
    const result = await within(run(root, args));
    expect(result).toMatchObject({ code: expect.any(Number) });
    if (result === "it waits") return;
    expect(result.code).not.toBe(0);
    expect(result.out + result.err).toContain(`${path} is a pipe, not a file.`);
  });

  it.runIf(IS_THOROUGH)("reads a pipe from the process substitution of a shell", () => {
    const { root } = project();
    const script = `"${process.execPath}" "${builtProgram()}" derive --style subgraph <(cat "${join(root, "entities.graphql")}")`;
    const out = execFileSync("bash", ["-c", script], { encoding: "utf8" });
    expect(out).toContain("type A");
  });

  it.each([
    ["a device", "/dev/zero"],
    ["a terminal device", "/dev/tty"],
  ])("error: a link to %s is not a file", async (_, device) => {
    const { root } = project();
    symlinkSync(device, join(root, "drift-accepted.json"));
    const result = await within(run(root, ["check"]));
    expect(result).toMatchObject({
      code: 2,
      err: expect.stringContaining("drift-accepted.json is a device, not a file."),
    });
  });

  it("error: a socket is not a file", async () => {
    const { root } = project();
    const server = createServer().listen(join(root, "drift-accepted.json"));
    await new Promise((resolve) => server.once("listening", resolve));
    const result = await within(run(root, ["check"]));
    server.close();
    expect(result).toMatchObject({
      code: 2,
      err: expect.stringContaining("drift-accepted.json is a socket, not a file."),
    });
  });
});
