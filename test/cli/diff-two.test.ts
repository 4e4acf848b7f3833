import { describe, expect, it } from "vitest";
import { commitAll } from "../support/commit-all.ts";
import { fleetRows, generatedProject, snapshotText } from "../support/generated-project.ts";
import { introspectionAnswer, SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { runCli } from "../support/run-process.ts";
import type { TempProject } from "../support/temp-project.ts";
import { testServer } from "../support/test-server.ts";

const OPERATIONS = { "subgraph/a.graphql": "query Aliases { streams { id alias } }" };
const WITHOUT_ALIAS = SMALL_ENTITIES.replace("alias: String!", "");
const SNAPSHOT = "generated/schemas/lockup/subgraph.graphql";

async function reportOf(project: TempProject, ...args: string[]) {
  const { code, out, err } = await run(project.root, ["diff", ...args, "--report", "json"]);
  return { code, err, ...(out === "" ? {} : JSON.parse(out)) };
}

/** A project in a repository with one commit, which contains all its files. */
function committedProject(): TempProject {
  const project = generatedProject(OPERATIONS);
  commitAll(project, "main");
  return project;
}

const BROKEN = {
  code: "drift/field-removed",
  coordinate: "Stream.alias",
  where: { protocol: "lockup", style: "subgraph", deployments: [] },
  operations: [{ name: "Aliases", impact: "broken" }],
};

describe("diff of two schemas", () => {
  it("reports the changes of a snapshot in a file, with the operations", async () => {
    const project = generatedProject(OPERATIONS);
    project.write("new.graphql", snapshotText("subgraph", WITHOUT_ALIAS));
    const { code, findings, operations } = await reportOf(project, "lockup/subgraph", "new.graphql");
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ ...BROKEN, place: { file: SNAPSHOT } }]);
    expect(operations).toMatchObject([{ name: "Aliases", impact: "broken" }]);
  });

  it("is clean for one schema as SDL and as introspection (7.1)", async () => {
    const project = generatedProject(OPERATIONS);
    project.write("same.json", introspectionAnswer("subgraph"));
    const { code, findings } = await reportOf(project, SNAPSHOT, "same.json");
    expect({ code, findings }).toEqual({ code: 0, findings: [] });
  });

  it("introspects a URL", async () => {
    const { url } = await testServer((_, response) => {
      response.end(introspectionAnswer("subgraph", WITHOUT_ALIAS));
    });
    const { code, findings } = await reportOf(generatedProject(OPERATIONS), "lockup/subgraph", url);
    expect(code).toBe(1);
    expect(findings).toMatchObject([BROKEN]);
  });

  it("sends the key of an endpoint to that endpoint, and to no other URL", async () => {
    const { url, received } = await testServer((_, response) => {
      response.end(introspectionAnswer("subgraph"));
    });
    const project = generatedProject({});
    const deployments = {
      "protocol-lockup-linea": { production: { url: `${url}/own`, apiKey: { env: "KEY" } } },
    };
    project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], deployments }));
    const { code, out } = await run(project.root, ["diff", `${url}/own`, `${url}/other`], {
      env: { KEY: "secret-key" },
    });
    expect({ code, isShown: out.includes("secret-key") }).toEqual({ code: 0, isShown: false });
    expect(received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/own", "Bearer secret-key"],
      ["/other", undefined],
    ]);
  });

  it("reads a git ref of a surface and of a file", async () => {
    const project = committedProject();
    project.write(SNAPSHOT, snapshotText("subgraph", WITHOUT_ALIAS));
    const before = "main:lockup/subgraph";
    const { code, findings } = await reportOf(project, before, "lockup/subgraph");
    expect(code).toBe(1);
    expect(findings).toMatchObject([BROKEN]);
    expect((await reportOf(project, before, `HEAD:${SNAPSHOT}`)).code).toBe(0);
  });

  it("compares two styles as parity", async () => {
    const project = generatedProject(OPERATIONS);
    project.write("b.graphql", snapshotText("subgraph", WITHOUT_ALIAS));
    const { code, findings, protocols } = await reportOf(project, "lockup/multichain", "b.graphql");
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ code: "parity/only-multichain", coordinate: "Stream.alias" }]);
    expect(protocols).toMatchObject([{ protocol: "lockup" }]);
  });

  it("reports no operations if the two schemas are of different protocols", async () => {
    const project = generatedProject(OPERATIONS);
    project.write("old/flow/subgraph.graphql", snapshotText("subgraph"));
    project.write("old/lockup/subgraph.graphql", snapshotText("subgraph", WITHOUT_ALIAS));
    const { code, findings, operations } = await reportOf(
      project,
      "old/flow/subgraph.graphql",
      "old/lockup/subgraph.graphql",
    );
    expect({ code, operations }).toEqual({ code: 0, operations: [] });
    expect(findings).toMatchObject([{ coordinate: "Stream.alias", where: null, operations: [] }]);
  });

  it("compares schemas of other platforms, too", async () => {
    const project = generatedProject({});
    project.write("a.graphql", "type Query { a: Int b(c: Int = 1): Int }");
    project.write("b.graphql", "type Query { a: Int! b(c: Int = 2): Int d: T } type T { e: Int }");
    const { code, findings } = await reportOf(project, "a.graphql", "b.graphql", "--fail-on", "breaking");
    expect(code).toBe(0);
    expect(findings.map((one: { coordinate: string }) => one.coordinate)).toEqual([
      "Query.a",
      "Query.b(c:)",
      "Query.d",
      "T",
    ]);
    expect((await reportOf(project, "b.graphql", "a.graphql", "--fail-on", "breaking")).code).toBe(1);
  });

  it("prints one screen, and everything with --verbose", async () => {
    const project = generatedProject({});
    const fields = Array.from({ length: 60 }, (_, index) => `f${index}: Int`);
    project.write("a.graphql", "type Query { a: Int }");
    project.write("b.graphql", `type Query { a: Int ${fields.join(" ")} }`);
    const args = ["diff", "a.graphql", "b.graphql"];
    expect((await run(project.root, args)).out).toMatch(
      /and \d+ more: use --verbose or --report json=<file>/,
    );
    const { out } = await run(project.root, [...args, "--verbose"]);
    expect(out.match(/ Query\.f\d+ /g)).toHaveLength(60);
    expect(out).not.toContain("--verbose");
  });

  it.each([
    ["only one schema", ["lockup/subgraph"], /needs two schemas/],
    ["three schemas", ["a", "b", "c"], /does not take "c"/],
    ["a missing file", ["lockup/subgraph", "moon.graphql"], /file moon\.graphql does not exist/],
    ["a missing snapshot", ["lockup/subgraph", "flow/subgraph"], /snapshot flow\/subgraph does not exist/],
    ["an unknown ref", ["moon:lockup/subgraph", "lockup/subgraph"], /git has no "moon"/],
    [
      "a file that is not in the commit",
      ["main:moon.graphql", "lockup/subgraph"],
      /file moon\.graphql does not exist at main/,
    ],
    [
      "a snapshot that is not in the commit",
      ["main:flow/subgraph", "lockup/subgraph"],
      /snapshot flow\/subgraph does not exist at main.*\n.*\n?.*git log --all -- generated\/schemas\/flow\/subgraph\.graphql/,
    ],
    ["a flag as a ref", ["lockup/subgraph", ":lockup/subgraph"], /file :lockup\/subgraph does not exist/],
  ])("error: %s", async (_, args, want) => {
    const { code, err } = await run(committedProject().root, ["diff", ...args]);
    expect(code).toBe(2);
    expect(err).toMatch(want);
  });

  it("error: no repository", async () => {
    const { code, err } = await run(generatedProject({}).root, [
      "diff",
      "main:lockup/subgraph",
      "lockup/subgraph",
    ]);
    expect(code).toBe(2);
    expect(err).toMatch(/not a git repository/);
  });
});

it.runIf(IS_THOROUGH)("diff as a process ends with the reason in its last line", async () => {
  const project = committedProject();
  project.write(SNAPSHOT, snapshotText("subgraph", WITHOUT_ALIAS));
  const args = ["diff", "main:lockup/subgraph", "lockup/subgraph"];
  const { code, out, err } = await runCli(args, { cwd: project.root });
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(out).toMatch(
    /^main:lockup\/subgraph → lockup\/subgraph\n\nNot clean: 1 breaking; of 1 operation 1 broken\./,
  );
  expect(out).toContain("breaks 1 operation");
  // Findings of two named schemas cannot be accepted.
  expect(out).toContain("\nNext\n  lockflow explain drift/field-removed\n\n");
  expect(out.trimEnd().split("\n").at(-1)).toBe("exit 1: 1 finding to act on: 1 breaks operations");
  expect(fleetRows("subgraph")).toHaveLength(26);
});
