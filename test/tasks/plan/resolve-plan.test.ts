import { describe, expect, it } from "vitest";
import { resolveJudging } from "../../../src/compare/judge-run.ts";
import { canonicalize } from "../../../src/dialects/canonicalize.ts";
import { styles } from "../../../src/dialects/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../../src/dialects/render-sdl.ts";
import { loadProject } from "../../../src/project/load-project.ts";
import type { Finding } from "../../../src/report/finding.ts";
import { type PlanOptions, resolvePlan } from "../../../src/tasks/plan/resolve-plan.ts";
import { runPlan } from "../../../src/tasks/plan.ts";
import { renderFleetRecord } from "../../../src/workspace/fleet-record.ts";
import { renderSnapshot } from "../../../src/workspace/snapshot-schema.ts";
import { openWorkspace } from "../../../src/workspace/workspace.ts";
import { commitAll, git } from "../../support/commit-all.ts";
import { fleetRows, generatedProject, snapshotText } from "../../support/generated-project.ts";
import { SMALL_ENTITIES } from "../../support/indexer-answers.ts";
import { addPlatformColumn } from "../../support/platform-column.ts";
import type { TempProject } from "../../support/temp-project.ts";

const FILE = "entities/lockup.graphql";
const WITHOUT_ALIAS = SMALL_ENTITIES.replace("    alias: String!\n", "");
const FROZEN = SMALL_ENTITIES.replace("type Stream @entity", "type Stream @entity(immutable: true)");

/** A project with snapshots of the small entities in both styles, a file of planned entities, and a definition. */
function projectWith(planned: string, definition: object = {}): TempProject {
  const project = generatedProject({});
  project.write("lockflow.config.json", JSON.stringify({ protocols: { lockup: definition } }));
  project.write(FILE, planned);
  return project;
}

async function resolve({ root }: TempProject, request: Partial<PlanOptions> = {}) {
  const workspace = openWorkspace(await loadProject(root));
  return resolvePlan(workspace, { file: FILE, cwd: root, ...request });
}

/** Each surface as `style file`. */
const filesOf = ({ surfaces }: Awaited<ReturnType<typeof resolve>>) =>
  surfaces.map(({ style, entities }) => `${style} ${entities.name}`);

async function findingsOf(...given: Parameters<typeof resolve>): Promise<readonly Finding[]> {
  const rules = { ...resolveJudging({}), startedAt: 0, command: "plan", entries: [], output: "generated" };
  return (await runPlan(await resolve(...given), rules)).report.findings;
}

describe("the file of a plan", () => {
  const OTHER = "other.graphql";
  const [BOTH, SUBGRAPH] = [{ subgraph: FILE, multichain: OTHER }, { subgraph: FILE }];
  const onlySubgraph = { styles: ["subgraph"], entities: SUBGRAPH };
  it.each<[what: string, definition: object, request: Partial<PlanOptions>, want: string[]]>([
    ["each style", {}, {}, [`multichain ${FILE}`, `subgraph ${FILE}`]],
    ["one style", {}, { style: "subgraph" }, [`subgraph ${FILE}`]],
    [
      "each style its own",
      { entities: BOTH },
      { file: undefined },
      [`multichain ${OTHER}`, `subgraph ${FILE}`],
    ],
    ["one style of a definition", { entities: BOTH }, {}, [`multichain ${OTHER}`, `subgraph ${FILE}`]],
    ["a named style", { entities: BOTH }, { style: "multichain" }, [`multichain ${FILE}`]],
    ["the only style of a definition", onlySubgraph, { file: undefined }, [`subgraph ${FILE}`]],
  ])("is for %s", async (_, definition, request, want) => {
    const project = projectWith(SMALL_ENTITIES, definition);
    project.write(OTHER, SMALL_ENTITIES);
    expect(filesOf(await resolve(project, request))).toEqual(want);
  });

  it.each<[what: string, definition: object, request: Partial<PlanOptions>, want: string]>([
    ["a missing file", {}, { file: "nothing.graphql" }, 'The file "nothing.graphql" does not exist.'],
    ["a folder", {}, { file: "entities" }, "Hint: it is a folder; name a file."],
    ["a large file", {}, { file: "huge.graphql" }, "has 8000001 characters, and the limit is"],
    ["no file at all", {}, { file: undefined }, "names no entity schema for its multichain style"],
    [
      "a file for one style only",
      { entities: SUBGRAPH },
      { file: undefined },
      "schema for its multichain style",
    ],
    ["an unknown protocol", {}, { protocol: "flow" }, 'This project has no protocol "flow".'],
    ["another style", onlySubgraph, { style: "multichain" }, "lockup is not deployed in multichain style."],
    ["no repository", {}, { against: "main" }, "git"],
    ["an unknown release", { release: { subgraph: "9.9" } }, {}, 'no release "9.9"'],
  ])("error: %s", async (_, definition, request, want) => {
    const project = projectWith(SMALL_ENTITIES, definition);
    if (request.file === "huge.graphql") project.write("huge.graphql", "a".repeat(8_000_001));
    await expect(resolve(project, request)).rejects.toThrow(want);
  });

  it.each<[what: string, text: string, line: number | null, column: number | null, reason: string]>([
    ["that is truncated", "type A @entity {", 1, 17, "Expected Name"],
    [
      "that is nested without an end",
      `type A @entity { a: ${"[".repeat(9999)}`,
      null,
      null,
      "nested more than",
    ],
  ])("error: has one problem if it has a text %s", async (_, text, line, column, reason) => {
    const { files, surfaces } = await resolve(projectWith(text));
    expect(surfaces).toEqual([]);
    expect(files.flatMap(({ problems }) => problems)).toMatchObject([
      { code: "plan/syntax", message: expect.stringContaining(reason), place: { file: FILE, line, column } },
    ]);
  });
});

describe("the release of a plan", () => {
  const release = { subgraph: "graph-node-0.44" };
  it.each<[what: string, definition: object, request: Partial<PlanOptions>, want: object | null]>([
    ["nothing", {}, {}, null],
    ["the definition", { release }, {}, { name: "0.44", from: "definition" }],
    ["the caller", { release }, { releases: { subgraph: "0.42" } }, { name: "0.42", from: "caller" }],
  ])("is from %s", async (_, definition, request, want) => {
    const { surfaces } = await resolve(projectWith(SMALL_ENTITIES, definition), request);
    expect(surfaces.map((surface) => surface.release)).toEqual([null, want]);
  });

  it.each<
    [what: string, release: string, named: string | null, want: string[], edit: (sdl: string) => string]
  >([
    ["a known release", "3.12", null, [], (sdl) => sdl],
    ["a newer column", "3.12", null, [], (sdl) => addPlatformColumn(sdl, "_meta", "hash: String")],
    ["large chain ids", "3.8", null, [], (sdl) => sdl.replaceAll(/(chainId|chain_id): Int/g, "$1: bigint")],
    [
      "a named release with the same platform",
      "3.10",
      "3.10",
      [],
      (sdl) => addPlatformColumn(sdl, "_meta", "hash: String"),
    ],
    ["a named release without it", "3.12", "3.8", ["progressBlockTime"], (sdl) => sdl],
  ])("has the platform's tables of the snapshot: %s", async (_, release, named, want, edit) => {
    const project = projectWith(SMALL_ENTITIES);
    const derived = styles.multichain.deriver.derive(parseEntities(SMALL_ENTITIES, "a"), { release });
    const schema = canonicalize(parseSdl(edit(renderSdl(canonicalize(derived))), "snapshot"));
    const surface = { protocol: "lockup", style: "multichain" } as const;
    const text = renderSnapshot(schema, surface);
    project.write("generated/schemas/lockup/multichain.graphql", text);
    const findings = await findingsOf(project, named === null ? {} : { releases: { multichain: named } });
    const coordinates = findings.map(({ coordinate }) => coordinate);
    expect(coordinates.filter((name) => name === "progressBlockTime" || want.length === 0)).toEqual(want);
  });
});

describe("the snapshots of a plan", () => {
  it("have the deployments of each variant", async () => {
    const project = projectWith(SMALL_ENTITIES);
    const variant = "schemas/lockup/subgraph.0a0a0a0a.graphql";
    project.write(`generated/${variant}`, snapshotText("subgraph", WITHOUT_ALIAS));
    const rows = fleetRows("subgraph").map((row) =>
      row.name === "protocol-lockup-linea" ? { ...row, snapshot: variant } : row,
    );
    project.write(
      "generated/schemas/deployments.json",
      renderFleetRecord([...fleetRows("multichain"), ...rows]),
    );
    const { surfaces } = await resolve(project);
    expect(surfaces.map(({ variants }) => variants.map(({ deployments }) => deployments))).toEqual([
      [],
      [["protocol-lockup-linea"]],
    ]);
  });

  it("may be missing in one style, but not in both", async () => {
    const project = projectWith(SMALL_ENTITIES);
    project.remove("generated/schemas/lockup/multichain.graphql");
    const { surfaces } = await resolve(project);
    expect(surfaces.map(({ snapshot }) => snapshot !== null)).toEqual([false, true]);
    project.remove("generated/schemas/lockup/subgraph.graphql");
    await expect(resolve(project)).rejects.toThrow("lockflow introspect");
  });

  it("have the names of a definition that the planned entities lack", async () => {
    const cursors = { Stream: "alias", Watcher: "streamCounter" };
    const project = projectWith(WITHOUT_ALIAS, { cursors });
    expect((await resolve(project)).unknownNames).toMatchObject([
      {
        code: "plan/definition",
        severity: "risky",
        message: expect.stringMatching(
          /^Once this entity schema is deployed: .*protocols\.lockup\.cursors\.Stream.*no field alias/,
        ),
        place: { file: FILE },
      },
    ]);
    // The other style still has it.
    expect((await resolve(project, { style: "subgraph" })).unknownNames).toEqual([]);
  });
});

describe("the earlier entity schema of a plan", () => {
  it("is that of the git ref where the branch left it, from any folder", async () => {
    const project = projectWith(WITHOUT_ALIAS);
    commitAll(project, "main");
    git(project, "checkout", "-q", "-b", "branch");
    git(project, "checkout", "-q", "main");
    project.write(FILE, FROZEN);
    git(project, "commit", "-q", "-a", "-m", "later");
    git(project, "checkout", "-q", "branch");
    project.write(FILE, SMALL_ENTITIES);
    const request = { file: "lockup.graphql", cwd: `${project.root}/entities`, against: "main" };
    const earlier = { name: "main:lockup.graphql", text: WITHOUT_ALIAS };
    const { surfaces } = await resolve(project, request);
    expect(surfaces).toMatchObject([
      { earlier, authored: earlier },
      { earlier, authored: earlier },
    ]);
  });

  it("is that of the old name of a renamed file, once git knows the new one", async () => {
    const project = projectWith(WITHOUT_ALIAS);
    commitAll(project, "main");
    project.remove(FILE);
    project.write("schemas/vesting.graphql", SMALL_ENTITIES);
    const request = { file: "vesting.graphql", cwd: `${project.root}/schemas`, against: "main" };
    const earlier = async () => (await resolve(project, request)).surfaces[0]?.earlier;
    expect(await earlier()).toEqual({ name: "main:vesting.graphql", text: null });
    git(project, "add", "-A");
    expect(await earlier()).toEqual({ name: `main:${FILE}`, text: WITHOUT_ALIAS });
  });

  const authoredFor = async (project: TempProject, request: Partial<PlanOptions> = {}) =>
    (await resolve(project, { style: "subgraph", ...request })).surfaces[0]?.authored?.text ?? null;

  it("is that of HEAD for what no API shows, or that of the ref", async () => {
    const project = projectWith(SMALL_ENTITIES);
    commitAll(project, "main");
    project.write(FILE, FROZEN);
    expect(await authoredFor(project)).toBe(SMALL_ENTITIES);
    expect(await findingsOf(project)).toMatchObject([{ code: "plan/hidden-changed", coordinate: "Stream" }]);
    git(project, "commit", "-q", "-a", "-m", "next");
    expect(await authoredFor(project)).toBe(FROZEN);
    expect(await authoredFor(project, { against: "HEAD~1" })).toBe(SMALL_ENTITIES);
  });

  it("is the file of the definition for what no API shows, if another one is planned", async () => {
    const project = projectWith(SMALL_ENTITIES, { entities: "deployed.graphql" });
    project.write("deployed.graphql", FROZEN);
    expect(await authoredFor(project)).toBe(FROZEN);
  });

  it.each<[what: string, prepare: (project: TempProject) => void]>([
    ["without a repository", () => {}],
    ["without an earlier version", (project) => void git(project, "init")],
    [
      "with an earlier version that is not an entity schema",
      (project) => {
        project.write(FILE, "type {");
        commitAll(project, "main");
      },
    ],
  ])("is unknown %s", async (_, prepare) => {
    const project = projectWith(FROZEN);
    prepare(project);
    project.write(FILE, FROZEN);
    expect(await authoredFor(project)).toBeNull();
  });

  it("has the indexes of the multichain platform", async () => {
    const project = projectWith(SMALL_ENTITIES);
    const indexed = SMALL_ENTITIES.replace("alias: String!", "alias: String! @index").replace(
      "type Stream @entity",
      'type Stream @index(fields: ["alias", "chainId"]) @entity',
    );
    commitAll(project, "main");
    project.write(FILE, indexed);
    const indexesOf = async () => {
      const findings = await findingsOf(project, { style: "multichain", against: "main" });
      return findings.map(
        ({ code, message, place }) => `${code} ${message.split(/ gets | loses /)[0]} ${place?.file}`,
      );
    };
    const members = [`Stream(alias, chainId) ${FILE}`, `Stream.alias ${FILE}`];
    expect(await indexesOf()).toEqual(members.map((member) => `plan/index-added ${member}`));
    git(project, "commit", "-q", "-a", "-m", "index");
    project.write(FILE, SMALL_ENTITIES);
    expect(await indexesOf()).toEqual(members.map((member) => `plan/index-removed ${member}`));
  });
});
