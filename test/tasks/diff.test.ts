import { describe, expect, it } from "vitest";
import { type DiffOptions, diff } from "../../src/tasks/diff.ts";
import { commitAll } from "../support/commit-all.ts";
import { generatedProject, snapshotText } from "../support/generated-project.ts";
import { introspectionAnswer, SMALL_ENTITIES } from "../support/indexer-answers.ts";
import type { TempProject } from "../support/temp-project.ts";
import { testServer } from "../support/test-server.ts";

const WITHOUT_ALIAS = SMALL_ENTITIES.replace("alias: String!", "");
const SNAPSHOT = "generated/schemas/lockup/subgraph.graphql";

/** A project whose committed snapshots have a field that its snapshot of subgraphs lacks now, and schemas beside it. */
function createProject(): TempProject {
  const project = generatedProject({ "subgraph/a.graphql": "query Aliases { streams { id alias } }" });
  commitAll(project, "main");
  for (const [path, text] of Object.entries({
    [SNAPSHOT]: snapshotText("subgraph", WITHOUT_ALIAS),
    "full.graphql": snapshotText("subgraph"),
    "less.graphql": snapshotText("subgraph", WITHOUT_ALIAS.replace("sender: Bytes!", "")),
    "full.json": introspectionAnswer("subgraph"),
    "old/flow/subgraph.graphql": snapshotText("subgraph"),
    "old/lockup/subgraph.graphql": snapshotText("subgraph", WITHOUT_ALIAS),
    "a.graphql": "type Query { a: Int b(c: Int = 1): Int }",
    "b.graphql": "type Query { a: Int! b(c: Int = 2): Int d: T } type T { e: Int }",
  })) {
    project.write(path, text);
  }
  return project;
}

/** Compares two schemas: each finding as `code coordinate: operation`. */
async function compare(
  { root }: TempProject,
  before: string,
  after: string,
  more: Partial<DiffOptions> = {},
) {
  const { report } = await diff({ cwd: root, schemas: [before, after], ...more });
  const found = report.findings.map(({ code, coordinate, operations }) =>
    [`${code} ${coordinate}`, ...operations.map(({ name, impact }) => `${impact} ${name}`)].join(": "),
  );
  return { report, found };
}

const GONE = "drift/field-removed Stream.alias: broken Aliases";

describe("diff of two schemas", () => {
  it.each<[what: string, before: string, after: string, want: string[]]>([
    ["a file and a snapshot", "full.graphql", "lockup/subgraph", [GONE]],
    ["one schema as SDL and as introspection", "full.graphql", "full.json", []],
    ["a snapshot at a git ref and now", "main:lockup/subgraph", "lockup/subgraph", [GONE]],
    ["a snapshot and a file at a git ref", "main:lockup/subgraph", `HEAD:${SNAPSHOT}`, []],
    ["two styles", "lockup/multichain", "lockup/subgraph", ["parity/only-multichain Stream.alias"]],
    [
      "two protocols, without operations",
      "old/flow/subgraph.graphql",
      "old/lockup/subgraph.graphql",
      ["drift/field-removed Stream.alias"],
    ],
    [
      "schemas of other platforms",
      "a.graphql",
      "b.graphql",
      [
        "drift/argument-default-changed Query.b(c:)",
        "drift/field-type-changed Query.a",
        "drift/field-added Query.d",
        "drift/type-added T",
      ],
    ],
  ])("compares %s", async (_, before, after, want) => {
    expect((await compare(createProject(), before, after)).found.sort()).toEqual([...want].sort());
  });

  it("has the places of findings, the operations, and the parity of styles", async () => {
    const project = createProject();
    const { report } = await compare(project, "lockup/subgraph", "less.graphql");
    expect(report).toMatchObject({
      findings: [
        {
          coordinate: "Stream.sender",
          place: { file: SNAPSHOT },
          where: { protocol: "lockup", style: "subgraph", deployments: [] },
        },
      ],
      operations: [{ name: "Aliases" }],
    });
    const { report: ofStyles } = await compare(project, "lockup/multichain", "lockup/subgraph");
    expect(ofStyles).toMatchObject({ outcome: { exit: 1 }, protocols: [{ protocol: "lockup" }] });
    const rules = { failOn: "breaking" } as const;
    const exits = [
      (await compare(project, "a.graphql", "b.graphql", rules)).report.outcome.exit,
      (await compare(project, "b.graphql", "a.graphql", rules)).report.outcome.exit,
    ];
    expect(exits).toEqual([0, 1]);
  });

  it("sends the key of an endpoint to that endpoint, and to no other URL", async () => {
    const { url, received } = await testServer(({ path }, response) => {
      response.end(introspectionAnswer("subgraph", path === "/own" ? SMALL_ENTITIES : WITHOUT_ALIAS));
    });
    const project = createProject();
    const deployments = {
      "protocol-lockup-linea": { production: { url: `${url}/own`, apiKey: { env: "KEY" } } },
    };
    project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], deployments }));
    const env = { KEY: "secret-key" };
    const { report, found } = await compare(project, `${url}/own`, `${url}/other`, { env });
    expect(found).toEqual([GONE]);
    expect(JSON.stringify(report)).not.toContain("secret-key");
    expect(received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/own", "Bearer secret-key"],
      ["/other", undefined],
    ]);
  });

  it.each<[what: string, before: string, after: string, want: RegExp]>([
    ["a missing file", "lockup/subgraph", "moon.graphql", /file moon\.graphql does not exist/],
    ["a missing snapshot", "lockup/subgraph", "flow/subgraph", /snapshot flow\/subgraph does not exist/],
    ["an unknown ref", "moon:lockup/subgraph", "lockup/subgraph", /git has no "moon"/],
    [
      "a file that is not in the commit",
      "main:moon.graphql",
      "lockup/subgraph",
      /file moon\.graphql does not exist at main/,
    ],
    [
      "a snapshot that is not in the commit",
      "main:flow/subgraph",
      "lockup/subgraph",
      /snapshot flow\/subgraph does not exist at main.*\n.*\n?.*git log --all -- generated\/schemas\/flow\/subgraph\.graphql/,
    ],
    ["a flag as a ref", "lockup/subgraph", ":lockup/subgraph", /file :lockup\/subgraph does not exist/],
  ])("error: %s", async (_, before, after, want) => {
    await expect(compare(createProject(), before, after)).rejects.toThrow(want);
  });

  it("error: no repository", async () => {
    await expect(compare(generatedProject({}), "main:lockup/subgraph", "lockup/subgraph")).rejects.toThrow(
      /not a git repository/,
    );
  });
});
