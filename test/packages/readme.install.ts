import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseMarkdown } from "../support/docs/parse-markdown.ts";
import { readRepositoryFile } from "../support/repository.ts";
import { pack } from "./pack.ts";

const README = readRepositoryFile("README.md");

/** Runs the commands of the README as a reader types them: in a terminal, from an empty folder. */
let folder: string;
let registry: Server;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lockflow-readme-"));
  registry = await serveRegistry(Object.values(await pack(folder)));
  const { port } = registry.address() as AddressInfo;
  const home = join(folder, "home");
  mkdirSync(home);
  // Without settings of this machine: `yes` would answer the question of npx.
  const names = Object.keys(process.env).filter((name) => !/^(npm_|CI$|VITEST|NODE_)/i.test(name));
  env = {
    ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
    HOME: home,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_update_notifier: "false",
  };
});

afterAll(() => {
  registry?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === "win32")("the README", () => {
  it("prints its rows with its first commands", async () => {
    const project = join(folder, "rows");
    mkdirSync(project);
    writeFileSync(join(project, "rows.mjs"), blockOf("js", /^\/\/ rows\.mjs/));
    const serving = openTerminal(blockOf("sh", /^npm install lockflow-operations/), project);
    try {
      await serving.shows(/Wrote \d+ variables[\s\S]*Serving \d+ deployments/);
      expect(serving.text()).not.toContain("Ok to proceed");
      const running = openTerminal(blockOf("sh", /^node --env-file/), project);
      expect(await running.end()).toBe(0);
      expect(running.text().trim()).toBe(blockOf("text", /^┌/));
    } finally {
      serving.type("\x03");
      await serving.end();
    }
  });

  it("sets up a repository with its next commands", async () => {
    const project = join(folder, "query");
    mkdirSync(project);
    const terminal = openTerminal(`set -e\n${blockOf("sh", /^npm install lockflow-client/)}`, project);
    // Enter accepts each default of `init`.
    const enter = setInterval(() => terminal.type("\r"), 1000);
    const code = await terminal.end();
    clearInterval(enter);
    expect({ code, text: code === 0 ? "" : terminal.text() }).toEqual({ code: 0, text: "" });
    expect(terminal.text()).not.toContain("Ok to proceed");
    expect(terminal.text()).toMatch(/Generated \d+ files in generated\//);
  });
});

describe.skipIf(process.platform === "win32")("an installation in an empty folder", () => {
  it.each([
    "lockflow",
    "lockflow-client",
    "lockflow-operations",
    "lockflow lockflow-client lockflow-operations",
  ])("of %s prints no warning", async (names) => {
    const project = join(folder, `only-${names.replaceAll(" ", "-")}`);
    mkdirSync(project);
    const terminal = openTerminal(`npm install ${names}`, project);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toMatch(/^added \d+ packages? in/m);
    expect(terminal.text()).not.toMatch(/warn|deprecated/i);
  });
});

function blockOf(language: string, beginning: RegExp): string {
  const { blocks } = parseMarkdown("README.md", README);
  const block = blocks.find((one) => one.language === language && beginning.test(one.code));
  if (block === undefined) throw new Error(`README.md has no such ${language} block: ${beginning}`);
  return block.code;
}

type Terminal = {
  readonly text: () => string;
  readonly type: (keys: string) => void;
  /** Resolves once the screen matches; rejects if the commands end or npx asks before that. */
  readonly shows: (pattern: RegExp) => Promise<void>;
  /** Resolves to the exit code. */
  readonly end: () => Promise<number | null>;
};

/** Runs commands in a pseudo-terminal, which `script` creates. */
function openTerminal(commands: string, cwd: string): Terminal {
  const path = join(folder, `commands-${basename(cwd)}.sh`);
  writeFileSync(path, commands);
  const args =
    process.platform === "darwin" ? ["-q", "/dev/null", "sh", path] : ["-qec", `sh ${path}`, "/dev/null"];
  const child: ChildProcess = spawn("script", args, { cwd, env });
  const ended = once(child, "close").then(([code]) => code as number | null);
  let output = "";
  child.stdout?.on("data", (text) => {
    output += text;
  });
  const text = () => stripVTControlCharacters(output).replaceAll("\r", "");
  return {
    text,
    type: (keys) => void child.stdin?.write(keys),
    end: () => ended,
    shows: async (pattern) => {
      while (!pattern.test(text())) {
        // npx would wait for an answer.
        if (child.exitCode !== null || text().includes("Ok to proceed")) throw new Error(text());
        await Promise.race([once(child.stdout ?? child, "data"), ended]);
      }
    },
  };
}

/** Serves packed packages as a registry does, and sends requests for others to the registry of this machine. */
async function serveRegistry(tarballs: readonly string[]): Promise<Server> {
  const others = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const manifests = new Map(
    tarballs.map((path) => {
      const manifest = execFileSync("tar", ["-xzOf", path, "package/package.json"], { encoding: "utf8" });
      const parsed: { readonly name: string; readonly version: string } = JSON.parse(manifest);
      return [parsed.name, { path, parsed }] as const;
    }),
  );
  const server = createServer((request, response) => {
    const url = request.url ?? "/";
    const file = tarballs.find((path) => url === `/-/${basename(path)}`);
    if (file !== undefined) return response.end(readFileSync(file));
    const known = manifests.get(url.slice(1));
    if (known === undefined)
      return response.writeHead(302, { location: new URL(url.slice(1), others).href }).end();
    const { path, parsed } = known;
    const integrity = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
    const tarball = `http://${request.headers.host}/-/${basename(path)}`;
    const versions = { [parsed.version]: { ...parsed, dist: { integrity, tarball } } };
    const packument = { name: parsed.name, "dist-tags": { latest: parsed.version }, versions };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(packument));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
