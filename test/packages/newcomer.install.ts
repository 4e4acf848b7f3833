import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runNode } from "../support/run-process.ts";
import { execute, npm, pack, type Tarballs } from "./pack.ts";

let folder: string;
let tarballs: Tarballs;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lockflow install "));
  tarballs = await pack(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function emptyFolder(name: string): Promise<string> {
  const project = join(folder, name);
  mkdirSync(project);
  await npm(["init", "-y"], project);
  return project;
}

describe("an installation of the toolkit", () => {
  it("is small, supports the oldest Node, and loads", async () => {
    const project = await emptyFolder("small");
    await npm(["install", "--engine-strict", tarballs.toolkit], project);
    const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
    expect(Object.keys(lock.packages).length - 1).toBeLessThanOrEqual(15);
    expect(sizeOf(join(project, "node_modules")) / 1e6).toBeLessThan(25);
    const script = 'process.stdout.write(Object.keys(require("lockflow")).join())';
    const { out, err } = await runNode(["-e", script], { cwd: project });
    expect({ out, err }).toEqual({
      out: "LockflowError,accept,adapt,ask,check,compile,defineConfig,defineProtocol,derive,describe,diff,drift,generate,introspect,plan,port,startEmulator",
      err: "",
    });
  });

  it("is rejected beside graphql 15", async () => {
    const project = await emptyFolder("graphql 15");
    await npm(["install", "graphql@15"], project);
    await expect(npm(["install", tarballs.toolkit], project)).rejects.toThrow(/ERESOLVE[\s\S]*graphql@15/);
  });

  it.each([
    ["16", "graphql-request"],
    ["17", "@urql/core"],
  ])("works with graphql %s and %s", async (major, client) => {
    const project = await emptyFolder(`graphql ${major}`);
    const names = [`graphql@${major}`, client, ...Object.values(tarballs)];
    // graphql 17 names newer versions of Node, but runs on this one.
    await npm(["install", "--no-engine-strict", ...names], project);
    const { version } = JSON.parse(readFileSync(join(project, "node_modules/graphql/package.json"), "utf8"));
    expect(version).toMatch(new RegExp(`^${major}\\.`));
  });
});

describe("a new user", () => {
  let project: string;

  beforeAll(async () => {
    project = await emptyFolder("new user");
    await npm(["install", "--save-dev", tarballs.toolkit], project);
    await npm(["install", tarballs.client], project);
    await npm(["install", "graphql", "graphql-request"], project);
  });

  it("gets rows with the commands that init prints", async () => {
    const out = await npx(["lockflow", "init", "--yes"], project);
    const steps = out.replaceAll(/ \\\n +/g, " ").matchAll(/^ {2}\d\. (.*)$/gm);
    const commands = [...steps].map(([, command = ""]) => command);
    expect(commands).toHaveLength(3);
    const printed: string[] = [];
    for (const command of commands) {
      const [program = "", ...args] = command.split(" ");
      printed.push(program === "npx" ? await npx(args, project) : await npm(args, project));
    }
    expect(printed.join("\n")).toMatch(/^\[\s*\{/m);
  });

  it("has a check that fails if a snapshot was edited", async () => {
    const path = join(project, "generated/schemas/lockup/subgraph.graphql");
    const schema = readFileSync(path, "utf8");
    writeFileSync(path, schema.replaceAll(/(^ {2}""".*"""\n)?^ {2}sender: .*\n/gm, ""));
    await expect(npx(["lockflow", "check"], project)).rejects.toThrow(/snapshot\/edited/);
    writeFileSync(path, schema);
    await npx(["lockflow", "check"], project);
  });
});

const npx = (args: readonly string[], cwd: string) => execute("npx", args, cwd, process.env);

function sizeOf(root: string): number {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
