import type { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { FLOW_ENTITIES } from "../../emulator/dataset/entities/flow.ts";
import { LOCKUP_MULTICHAIN_ENTITIES } from "../../emulator/dataset/entities/lockup.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import { PROTOCOL_DEPLOYMENTS } from "../support/chain-counts.ts";
import { fewChains } from "../support/few-chains.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { inFolder, readGenerated, readRepositoryFile, readRepositoryTree } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { exitCode, runCli, startCli } from "../support/run-process.ts";
import { expectSame } from "../support/same-files.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

describe("sync", () => {
  it("writes the committed files, prints rows of both styles, and writes a page", async () => {
    const project = operationsProject();
    const chains = IS_THOROUGH ? undefined : fewChains("base", "ethereum");
    project.write("lockflow.config.json", JSON.stringify({ protocols: BUILT_IN_PROTOCOLS, chains }));
    project.write("node_modules/.keep", "");
    const { code, out, err } = await run(project.root, ["sync"]);
    expect(code).toBe(0);
    const [, page = ""] = / {2}The fleet, parity and coverage as a page: (\S+)\n$/.exec(out) ?? [];
    expect(page).toMatch(/^node_modules\/\.cache\/lockflow\/report-\w{8}\.html$/);
    expect(project.read(page)).toContain("<title>lockflow diff: Clean");
    const deployments = IS_THOROUGH ? 2 * PROTOCOL_DEPLOYMENTS : 6;
    expect(out).toContain(`Introspected ${deployments} of ${deployments} deployments.`);
    expect(out).toContain(`${deployments} of ${deployments} deployments answered; 5 snapshot files changed.`);
    const committed = inFolder("generated", readGenerated());
    const files = Object.keys(committed).filter((path) => !/schemas\/.*(graphql|deployments)/.test(path));
    expect(out).toContain(
      `Generated ${files.length} files in generated/: ${files.length} written, 0 unchanged.`,
    );
    for (const style of ["multichain", "subgraph"]) {
      const shown = out.split(
        `RecentStreams of generated/lockup/${style}.strings.ts, sent to protocol-lockup-`,
      )[1];
      const rows = shown?.split("\n").slice(2, 5) ?? [];
      for (const row of rows)
        expect(row).toMatch(/^ {4}LK\S+ +\d+ +Lockup\w+ +0x\w{4}…\w{4} +0x\w{4}…\w{4} +\w+/);
      expect(rows).toHaveLength(3);
    }
    expect(err).toContain(`${deployments}/${deployments} deployments`);
    expect(`${out}${err}`).not.toMatch(CONTROL);

    // These name the chains.
    const own = Object.entries(project.files("generated")).filter(
      ([path]) => !IS_THOROUGH && /(manifest|routes|deployments|operations)\.(ts|json)$/.test(path),
    );
    expectSame(project, { ...committed, ...Object.fromEntries(own) });
  });

  it("error: invalid operations exit with 1, and no file changes", async () => {
    const project = operationsProject();
    const chains = fewChains("base", "ethereum");
    project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], chains }));
    for (const folder of ["flow", "lockup/portable"]) project.remove(`operations/${folder}`);
    project.write("operations/lockup/subgraph/health.graphql", "query Health { moon }");
    const { code, out, err } = await run(project.root, ["sync"]);
    expect(code).toBe(1);
    expect(`${out}${err}`).toMatch(/health\.graphql:1:16 .*moon/);
    expect(Object.keys(project.files("generated")).filter((path) => path.endsWith(".ts"))).toEqual([]);
  });
});

/** Output that is closed after its beginning; in thorough mode also before. */
const CLOSINGS: readonly (readonly [when: string, flags: readonly string[]])[] = [
  ["after its beginning", ["--json"]],
  ["before it comes", []],
];

describe("output that is not read completely", () => {
  it.each(IS_THOROUGH ? CLOSINGS : CLOSINGS.slice(0, 1))(
    "does not fail if closed %s",
    async (when, flags) => {
      const project = tempProject({ "entities.graphql": LOCKUP_MULTICHAIN_ENTITIES });
      const args = [
        "derive",
        "--style",
        "multichain",
        "--release",
        "envio-3.0",
        ...flags,
        "entities.graphql",
      ];
      const child = startCli(args, { cwd: project.root });
      const output = child.stdout as Readable;
      let read = 0;
      if (when === "before it comes") output.destroy();
      output.once("data", (text: Buffer) => {
        read = text.length;
        output.destroy();
      });
      let err = "";
      child.stderr?.on("data", (text) => {
        err += text;
      });
      expect({ code: await exitCode(child), err }).toEqual({ code: 0, err: "" });
      // A pipe buffers some output without a reader; this was more.
      const whole = await run(project.root, args);
      if (read > 0) expect(whole.out.length - read).toBeGreaterThan(64 * 1024);
      else expect(whole.out.length).toBeGreaterThan(0);
    },
  );
});

describe("output without a terminal", () => {
  const quiet: [name: string, args: string[], want: number][] = [
    ["help", ["--help"], 0],
    ["an error", ["chekc"], 2],
    ["findings", ["check"], 1],
    ["a comparison", ["diff"], 0],
    ["a schema", ["derive", "--style", "subgraph", "entities.graphql"], 0],
  ];

  it.each(quiet)("has no colours and no cursor movement: %s", async (_, args, want) => {
    const { code, out, err } = await run(flowProject().root, args);
    expect({ code, isSilent: `${out}${err}` === "" }).toEqual({ code: want, isSilent: false });
    expect(`${out}${err}`).not.toMatch(CONTROL);
  });

  it.runIf(IS_THOROUGH)("has none in a process either, even if libraries detect a terminal", async () => {
    const { code, out, err } = await runCli(["check"], { cwd: flowProject().root });
    expect({ code, isSilent: out === "", err }).toEqual({ code: 1, isSilent: false, err: "" });
    expect(out).not.toMatch(CONTROL);
  });

  function flowProject(): TempProject {
    return tempProject({
      "lockflow.config.json": '{ "protocols": ["flow"] }',
      "entities.graphql": FLOW_ENTITIES,
      "operations/flow/subgraph/a.graphql": "query A { moon }",
      ...inFolder("generated/schemas/flow", readRepositoryTree("generated/schemas/flow")),
      "generated/schemas/deployments.json": readRepositoryFile("generated/schemas/deployments.json"),
    });
  }
});

/** Everything that only a terminal interprets: escape sequences, and overwritten lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /\u001b|\r|\u0008/;

function operationsProject(): TempProject {
  return tempProject(inFolder("operations", readRepositoryTree("operations")));
}
