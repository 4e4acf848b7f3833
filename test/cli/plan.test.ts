import { describe, expect, it } from "vitest";
import { canonicalize, hashSchema } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import { renderFleetRecord } from "../../src/workspace/fleet-record.ts";
import { variantPath } from "../../src/workspace/snapshot.ts";
import { renderSnapshot } from "../../src/workspace/snapshot-schema.ts";
import { checkReport } from "../support/check-report.ts";
import { commitAll, git } from "../support/commit-all.ts";
import { fleetRows, generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { addPlatformColumn } from "../support/platform-column.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

const OPERATIONS = {
  "subgraph/a.graphql": "query Aliases { streams { id alias } }",
  "multichain/a.graphql": "query Aliases { Stream { id alias } }",
};
const WITHOUT_ALIAS = SMALL_ENTITIES.replace("    alias: String!\n", "");

/** A project with snapshots of the small entities in both styles, and a file of planned entities. */
function projectWith(planned: string): TempProject {
  const project = generatedProject(OPERATIONS);
  project.write("entities/lockup.graphql", planned);
  return project;
}

const plan = (project: TempProject, ...args: string[]) =>
  run(project.root, ["plan", "entities/lockup.graphql", ...args]);

describe("plan", () => {
  it("is clean for the deployed entities, and prints what it compared", async () => {
    const { code, out } = await plan(projectWith(SMALL_ENTITIES));
    expect({ code, lines: out.split("\n") }).toEqual({
      code: 0,
      lines: [
        "lockup/multichain  from entities/lockup.graphql  as envio-3.0 (from the snapshot)        against lockup/multichain",
        "lockup/subgraph    from entities/lockup.graphql  as graph-node-0.38 (from the snapshot)  against lockup/subgraph",
        "",
        "Clean: no findings; of 2 operations none affected.",
        "",
        "exit 0: nothing to act on",
        "",
      ],
    });
  });

  it("reports once what breaks operations of both styles, and how to accept it", async () => {
    const project = projectWith(WITHOUT_ALIAS);
    const { code, out } = await plan(project);
    expect(code).toBe(1);
    expect(out).toContain("breaks 2 operations");
    expect(out).toContain("operations/lockup/multichain/a.graphql:1:29  Aliases");
    expect(out).toContain("operations/lockup/subgraph/a.graphql:1:30  Aliases");
    expect(out).toMatch(/lockflow accept [0-9a-f]{12} --reason "…" --from report.json/);

    await plan(project, "--report", "json=plan.json");
    const fingerprint = /accept ([0-9a-f]{12})/.exec(out)?.[1] ?? "";
    await run(project.root, ["accept", fingerprint, "--reason", "meant", "--from", "plan.json"]);
    expect(await plan(project)).toMatchObject({ code: 0, out: expect.stringContaining("1 accepted") });
  });

  it.runIf(IS_THOROUGH)(
    "has findings that, once accepted, pass `check --against` after an update, too",
    async () => {
      const changed = SMALL_ENTITIES.replace("alias: String!", "alias: String");
      const project = projectWith(changed);
      await run(project.root, ["generate"]);
      commitAll(project, "main");
      const { out } = await plan(project, "--report", "text,json=plan.json");
      const fingerprint = /accept ([0-9a-f]{12})/.exec(out)?.[1] ?? "";
      for (const style of ["multichain", "subgraph"] as const) {
        project.write(`generated/schemas/lockup/${style}.graphql`, snapshotText(style, changed));
      }
      const rows = [...fleetRows("multichain", changed), ...fleetRows("subgraph", changed)];
      project.write("generated/schemas/deployments.json", renderFleetRecord(rows));
      await run(project.root, ["generate"]);
      const check = () => run(project.root, ["check", "--against", "main"]);
      expect(await check()).toMatchObject({ code: 1 });
      await run(project.root, ["accept", fingerprint, "--reason", "meant", "--from", "plan.json"]);
      expect(await check()).toMatchObject({ code: 0, out: expect.stringContaining("2 accepted") });
    },
  );

  it("reports added and removed indexes of the multichain platform since a ref", async () => {
    const indexed = SMALL_ENTITIES.replace("alias: String!", "alias: String! @index").replace(
      "type Stream @entity",
      'type Stream @index(fields: ["alias", "chainId"]) @entity',
    );
    expect(indexed.match(/@index/g)).toHaveLength(2);
    const project = projectWith(SMALL_ENTITIES);
    commitAll(project, "main");
    project.write("entities/lockup.graphql", indexed);
    const args = ["--style", "multichain", "--against", "main", "--report", "text,json=plan.json"];
    const { code, out } = await plan(project, ...args);
    expect(code).toBe(0);
    expect(out).toContain("[plan/index-added");
    const reported = () =>
      JSON.parse(project.read("plan.json")).findings.map(
        (finding: { code: string; message: string; place: { file: string } }) =>
          `${finding.code} ${finding.message.split(/ gets | loses /)[0]} ${finding.place.file}`,
      );
    expect(reported()).toEqual([
      "plan/index-added Stream(alias, chainId) entities/lockup.graphql",
      "plan/index-added Stream.alias entities/lockup.graphql",
    ]);
    commitAll(project, "main");
    project.write("entities/lockup.graphql", SMALL_ENTITIES);
    await plan(project, ...args);
    expect(reported().map((line: string) => line.split(" ")[0])).toEqual([
      "plan/index-removed",
      "plan/index-removed",
    ]);
  });

  it.runIf(IS_THOROUGH)("writes every form of a report, and JSON that matches its schema", async () => {
    const project = projectWith(`${WITHOUT_ALIAS} type end @entity { id: Nothing! }`);
    const forms = ["text", "json", "html", "github", "markdown", "sarif", "junit"];
    const { code } = await plan(project, "--report", forms.map((form) => `${form}=report.${form}`).join());
    const report = JSON.parse(project.read("report.json"));
    expect({ code, exit: report.outcome.exit, apis: report.apis }).toMatchObject({
      code: 1,
      exit: 1,
      apis: [
        { style: "multichain", status: "refused" },
        { style: "subgraph", status: "refused" },
      ],
    });
    expect(checkReport(report)).toEqual([]);
    for (const form of forms) expect(project.read(`report.${form}`)).toContain("plan/refused");
    expect(project.read("report.github")).toContain("::error file=entities/lockup.graphql,line=10,");
  });

  it("uses the release of the protocol's definition, unless --release sets one", async () => {
    const project = projectWith(SMALL_ENTITIES);
    const define = (release: string) =>
      project.write(
        "lockflow.config.json",
        JSON.stringify({ protocols: { lockup: { release: { subgraph: release } } } }),
      );
    define("graph-node-0.44");
    expect((await plan(project)).out).toContain("as graph-node-0.44 (from the definition)");
    const { out } = await plan(project, "--style", "subgraph", "--release", "0.42");
    expect(out).toContain("as graph-node-0.42 (from --release)");
    define("9.9");
    expect(await plan(project)).toMatchObject({ code: 2, err: expect.stringContaining('no release "9.9"') });
  });

  it.each<[what: string, release: string, args: string[], want: string, edit: (sdl: string) => string]>([
    ["a known release", "3.12", [], "Clean", (sdl) => sdl],
    ["a newer column", "3.12", [], "Clean", (sdl) => addPlatformColumn(sdl, "_meta", "hash: String")],
    [
      "large chain ids",
      "3.8",
      [],
      "Clean",
      (sdl) => sdl.replaceAll(/(chainId|chain_id): Int/g, "$1: bigint"),
    ],
    [
      "a named release with the same platform",
      "3.10",
      ["--release", "envio-3.10"],
      "Clean",
      (sdl) => addPlatformColumn(sdl, "_meta", "hash: String"),
    ],
    ["a named release without it", "3.12", ["--release", "3.8"], "progressBlockTime → gone", (sdl) => sdl],
  ])("takes the platform's tables from the snapshot: %s", async (_, release, args, want, edit) => {
    const project = projectWith(SMALL_ENTITIES);
    const derived = styles.multichain.deriver.derive(parseEntities(SMALL_ENTITIES, "a"), { release });
    const schema = canonicalize(parseSdl(edit(renderSdl(canonicalize(derived))), "snapshot"));
    const snapshot = renderSnapshot(
      { schema, hashes: hashSchema(schema) },
      { protocol: "lockup", style: "multichain" },
    );
    project.write("generated/schemas/lockup/multichain.graphql", snapshot);
    expect((await plan(project, ...args)).out).toContain(want);
  });

  it("accepts one --release per platform", async () => {
    const project = projectWith(SMALL_ENTITIES);
    const { code, out } = await plan(project, "--release", "graph-node-0.44", "--release", "3.8");
    expect(code).toBe(0);
    expect(out).toContain("as envio-3.8 (from --release)");
    expect(out).toContain("as graph-node-0.44 (from --release)");
    expect(await plan(project, "--release", "0.44", "--release", "0.42")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--release is given twice for graph-node."),
    });
    expect(await plan(project, "--style", "subgraph", "--release", "3.8")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--release"),
    });
  });

  it("plans one style, or each style from its own file", async () => {
    const project = projectWith(WITHOUT_ALIAS);
    const { out } = await plan(project, "--style", "subgraph", "--report", "json");
    expect(JSON.parse(out)).toMatchObject({ apis: [{ style: "subgraph" }], findings: [{ elsewhere: [] }] });

    project.write("entities/multichain.graphql", SMALL_ENTITIES);
    const entities = { subgraph: "entities/lockup.graphql", multichain: "entities/multichain.graphql" };
    project.write("lockflow.config.json", JSON.stringify({ protocols: { lockup: { entities } } }));
    for (const args of [["plan", "entities/lockup.graphql"], ["plan"]]) {
      const both = await run(project.root, [...args, "--report", "json"]);
      expect(JSON.parse(both.out)).toMatchObject({
        apis: [
          { style: "multichain", entities: "entities/multichain.graphql" },
          { style: "subgraph", entities: "entities/lockup.graphql" },
        ],
        findings: [{ coordinate: "Stream.alias", where: { style: "subgraph" }, elsewhere: [] }],
      });
    }
    const other = await plan(project, "--style", "multichain", "--report", "json");
    expect(JSON.parse(other.out)).toMatchObject({
      apis: [{ style: "multichain", entities: "entities/lockup.graphql" }],
      findings: [{ coordinate: "Stream.alias" }],
    });
  });

  it("derives only the styles of the protocol", async () => {
    const project = projectWith(SMALL_ENTITIES);
    const entities = { subgraph: "entities/lockup.graphql" };
    project.write(
      "lockflow.config.json",
      JSON.stringify({ protocols: { lockup: { styles: ["subgraph"], entities } } }),
    );
    const { out } = await run(project.root, ["plan", "--report", "json"]);
    expect(JSON.parse(out).apis).toMatchObject([{ style: "subgraph", status: "compared" }]);
    expect(await plan(project, "--style", "multichain")).toMatchObject({
      code: 2,
      err: expect.stringContaining("lockup is not deployed in multichain style."),
    });
    project.write("lockflow.config.json", JSON.stringify({ protocols: { lockup: { entities } } }));
    expect(await run(project.root, ["plan"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("names no entity schema for its multichain style"),
    });
  });

  it("reports fields of a definition that the deployment will not have", async () => {
    const project = projectWith(WITHOUT_ALIAS);
    const cursors = { Stream: "alias", Watcher: "streamCounter" };
    project.write("lockflow.config.json", JSON.stringify({ protocols: { lockup: { cursors } } }));
    const { findings } = JSON.parse((await plan(project, "--report", "json")).out);
    expect(findings.filter(({ code }: { code: string }) => code === "plan/definition")).toMatchObject([
      {
        severity: "risky",
        fails: false,
        message: expect.stringMatching(
          /^Once this entity schema is deployed: .*protocols\.lockup\.cursors\.Stream.*no field alias/,
        ),
        place: { file: "entities/lockup.graphql" },
      },
    ]);
    // The other style still has it.
    const { out } = await plan(project, "--style", "subgraph", "--report", "json");
    expect(JSON.parse(out).findings.map(({ code }: { code: string }) => code)).toEqual([
      "drift/field-removed",
    ]);
  });

  it("compares with the file at a git ref, from any folder", async () => {
    const project = projectWith(WITHOUT_ALIAS);
    commitAll(project, "main");
    expect(await plan(project, "--against", "main")).toMatchObject({ code: 0 });
    project.write("entities/lockup.graphql", SMALL_ENTITIES);
    const { code, out } = await run(`${project.root}/entities`, [
      "plan",
      "lockup.graphql",
      "--against",
      "HEAD",
    ]);
    expect(code).toBe(0);
    expect(out).toContain("against HEAD:lockup.graphql");
    expect(out).toContain("additive  Stream.alias  new: String!");
  });

  it("does not report what the git ref changed after the branch left it", async () => {
    const project = projectWith(WITHOUT_ALIAS);
    commitAll(project, "main");
    git(project, "checkout", "-q", "-b", "branch");
    git(project, "checkout", "-q", "main");
    project.write("entities/lockup.graphql", SMALL_ENTITIES);
    git(project, "commit", "-q", "-a", "-m", "later");
    git(project, "checkout", "-q", "branch");
    const { code, out } = await plan(project, "--against", "main");
    expect(out).toContain("Clean: no findings");
    expect(code).toBe(0);
  });

  describe("compares what no API shows", () => {
    const frozen = SMALL_ENTITIES.replace("type Stream @entity", "type Stream @entity(immutable: true)");
    const step = (from: string, to: string) => `Stream  ${from} → ${to}`;
    const [plain, immutable] = ["@entity", "@entity(immutable: true)"];

    it("with the file at HEAD, or at the ref of --against", async () => {
      const project = projectWith(SMALL_ENTITIES);
      commitAll(project, "main");
      project.write("entities/lockup.graphql", frozen);
      expect((await plan(project)).out).toContain(step(plain, immutable));
      commitAll(project, "next");
      expect((await plan(project)).out).toContain("Clean: no findings");
      expect((await plan(project, "--against", "HEAD~1")).out).toContain(step(plain, immutable));
    });

    it("with the file of the definition if another one is planned", async () => {
      const project = projectWith(SMALL_ENTITIES);
      const config = { protocols: { lockup: { entities: "deployed.graphql" } } };
      project.write("lockflow.config.json", JSON.stringify(config));
      project.write("deployed.graphql", frozen);
      expect((await plan(project)).out).toContain(step(immutable, plain));
    });

    it.each([
      ["without a repository", () => {}],
      ["without an earlier version", (project: TempProject) => git(project, "init")],
      [
        "with an earlier version that is not an entity schema",
        (project: TempProject) => {
          project.write("entities/lockup.graphql", "type {");
          commitAll(project, "main");
        },
      ],
    ])("with nothing %s, and says so", async (_, prepare) => {
      const project = projectWith(frozen);
      prepare(project);
      project.write("entities/lockup.graphql", frozen);
      const { code, out } = await plan(project);
      expect(code).toBe(0);
      expect(out).toContain("changes that no API shows were not compared.");
      expect(out.match(/plan\/hidden-not-compared [0-9a-f]/g)).toHaveLength(1);
    });
  });

  it.runIf(IS_THOROUGH)("compares with the old name of a renamed file at a git ref", async () => {
    const project = projectWith(WITHOUT_ALIAS);
    commitAll(project, "main");
    project.remove("entities/lockup.graphql");
    project.write("schemas/vesting.graphql", SMALL_ENTITIES);
    const planned = ["plan", "vesting.graphql", "--protocol", "lockup", "--against", "main"];
    const unknown = await run(`${project.root}/schemas`, planned);
    expect(unknown.out).toContain("There is no main:vesting.graphql to compare with.");
    git(project, "add", "-A");
    const { code, out } = await run(`${project.root}/schemas`, planned);
    expect(code).toBe(0);
    expect(out).toContain("against main:entities/lockup.graphql");
    expect(out).toContain("additive  Stream.alias  new: String!");
  });

  it("reports the deployments of an older release that reject it", async () => {
    const project = projectWith(SMALL_ENTITIES.replace("alias: String!", "alias: String! ends: Timestamp"));
    const schema = canonicalize(
      styles.subgraph.deriver.derive(parseEntities(SMALL_ENTITIES, "a"), { release: "0.34" }),
    );
    const hashes = hashSchema(schema);
    const surface = { protocol: "lockup", style: "subgraph" } as const;
    const snapshot = variantPath(surface, hashes.schema);
    project.write(`generated/${snapshot}`, renderSnapshot({ schema, hashes }, surface));
    const rows = fleetRows("subgraph").map((row) =>
      row.name === "protocol-lockup-linea" ? { ...row, ...hashes, snapshot } : row,
    );
    project.write(
      "generated/schemas/deployments.json",
      renderFleetRecord([...rows, ...fleetRows("multichain")]),
    );
    const { findings } = JSON.parse((await plan(project, "--json")).out);
    expect(findings.filter(({ code }: { code: string }) => code === "plan/refused")).toMatchObject([
      {
        message: expect.stringContaining("graph-node-0.34 refuses the entity schema"),
        where: { style: "subgraph", deployments: ["protocol-lockup-linea"] },
      },
    ]);
  });

  it("needs a snapshot of at least one style", async () => {
    const project = projectWith(SMALL_ENTITIES);
    project.remove("generated/schemas/lockup/multichain.graphql");
    const { code, out } = await plan(project);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("[plan/new-api") });
    expect(out).toContain("as envio-2.27 (from the definition)");
    project.remove("generated/schemas/lockup/subgraph.graphql");
    expect(await plan(project)).toMatchObject({
      code: 2,
      err: expect.stringContaining("lockflow introspect"),
    });
  });

  it.each<[what: string, args: string[], said: string]>([
    ["error: a missing file", ["plan", "nothing.graphql"], 'The file "nothing.graphql" does not exist.'],
    ["error: a folder", ["plan", "entities"], "Hint: it is a folder; name a file."],
    [
      "error: a file that is not a schema",
      ["plan", "huge.graphql"],
      "has 8000001 characters, and the limit is",
    ],
    ["error: no file at all", ["plan"], "names no entity schema for its multichain style"],
    [
      "error: an unknown protocol",
      ["plan", "entities/lockup.graphql", "--protocol", "flow"],
      'There is no protocol "flow"',
    ],
    ["error: no repository", ["plan", "entities/lockup.graphql", "--against", "main"], "git"],
  ])("%s", async (_, args, said) => {
    const project = projectWith(SMALL_ENTITIES);
    project.write("huge.graphql", "a".repeat(8_000_001));
    const { code, out, err } = await run(project.root, args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(said);
  });

  it.each<[what: string, text: string, place: string, said: string]>([
    ["that is truncated", "type A @entity {", ":1:17", "Expected Name"],
    ["with a NUL", "type A @entity { id: ID!\0 }", ":1:25", "U+0000"],
    ["with operations", "query A { b }", ":1:1", "This is a query"],
    [
      "with a reserved name",
      "enum A { B }\ntype __proto__ @entity { id: ID! }",
      ":2:1",
      "a name that GraphQL reserves",
    ],
    ["that is nested without an end", `type A @entity { a: ${"[".repeat(9999)}`, "", "nested more than"],
  ])("error: reports once a text that is not an entity schema %s", async (_, text, place, said) => {
    const project = projectWith(text);
    const { code, out } = await plan(project);
    expect(code).toBe(1);
    expect(out.match(/plan\/syntax [0-9a-f]/g)).toHaveLength(1);
    expect(out).toContain(`breaking  entities/lockup.graphql${place}  `);
    expect(out).toContain(said);
  });
});
