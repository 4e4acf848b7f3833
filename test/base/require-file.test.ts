import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { builtProgram } from "../support/built-program.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { copyFromRepository } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

/** Creates a project with snapshots and one operation, on the emulator. */
function createProject() {
  const { root } = tempProject({
    "lockflow.config.json": '{ "protocols": ["lockup"] }',
    "operations/lockup/subgraph/streams.graphql": "query Streams { streams(first: 5) { id alias } }\n",
    "entities.graphql": "type A @entity { id: ID! }\n",
  });
  copyFromRepository(root, "generated/schemas/lockup");
  return root;
}

const makePipe = (path: string) => execFileSync("mkfifo", [path]);
const makeSocket = async (path: string) => {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, "listening");
};

const EMULATE = "emulate --style subgraph --entities entities.graphql --rows rows.json";
const ACCEPT = "accept 0123456789ab --reason a --from report.json";

/** Each place where a file is read. */
const READ: readonly (readonly [path: string, args: string])[] = [
  ["drift-accepted.json", "check"],
  ["operations/lockup/subgraph/streams.graphql", "check"],
  ["operations/lockup/subgraph/more.graphql", "generate"],
  ["generated/schemas/lockup/subgraph.graphql", "check"],
  ["generated/schemas/deployments.json", "check"],
  ["generated/manifest.ts", "check"],
  ["lockflow.config.json", "check"],
  ["lockflow.config.ts", "check"],
  ["memory.json", "drift --memory memory.json"],
  ["entities.graphql", "derive --style subgraph entities.graphql"],
  ["rows.json", EMULATE],
  ["report.json", ACCEPT],
  ["package.json", "init --yes"],
];

describe.skipIf(process.platform === "win32")("a path that is not a regular file", () => {
  it.each<readonly [what: string, path: string, args: string, make: (path: string) => unknown]>([
    ...READ.map(([path, args]) => ["a pipe", path, args, makePipe] as const),
    ["a device", "drift-accepted.json", "check", (path) => symlinkSync("/dev/zero", path)],
    ["a device", "drift-accepted.json", "check", (path) => symlinkSync("/dev/tty", path)],
    ["a socket", "drift-accepted.json", "check", makeSocket],
  ])("error: %s in place of %s is reported without reading it: %s", async (what, path, args, make) => {
    const root = createProject();
    rmSync(join(root, path), { force: true });
    mkdirSync(dirname(join(root, path)), { recursive: true });
    await make(join(root, path));
    // A read of a pipe never ends.
    const late = setTimeout(8000, null, { ref: false });
    const result = await Promise.race([run(root, args.split(" ")), late]);
    expect(result?.code).toBeGreaterThan(0);
    expect(`${result?.out}${result?.err}`).toContain(`${path} is ${what}, not a file.`);
  });

  it.runIf(IS_THOROUGH)("reads a pipe from the process substitution of a shell", () => {
    const entities = join(createProject(), "entities.graphql");
    const script = `"${process.execPath}" "${builtProgram()}" derive --style subgraph <(cat "${entities}")`;
    expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toContain("type A");
  });
});
