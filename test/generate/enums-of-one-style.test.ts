import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { BUILT_IN } from "../../src/project/protocols.ts";
import { renderSnapshot } from "../../src/workspace/snapshot-schema.ts";
import { commitAll } from "../support/commit-all.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { copyFromRepository } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";
import { generateIn } from "./generate-in.ts";

/** Returns the generated types of a protocol, or the messages of the findings that prevent them. */
async function typesIn(project: TempProject, protocol: string) {
  const config = JSON.parse(project.read("lockflow.config.json"));
  const { files, findings } = await generateIn(project, config);
  const types = files.find(({ path }) => path === `${protocol}/multichain.ts`)?.content;
  return types ?? findings.map(({ message }) => message);
}

describe("the enums of a protocol with only the multichain style", () => {
  it.each(BUILT_IN)("are built in for $key", async ({ key, enums }) => {
    const written = entitiesOf(key, "multichain").definitions.flatMap((definition) =>
      definition.kind === "enum"
        ? [[definition.name, definition.values?.map(({ name }) => name).sort()] as const]
        : [],
    );
    expect(enums).toEqual(Object.fromEntries(written));
    const project = builtInProject(key, "query A { Stream(limit: 1) { category } }", ["multichain"]);
    const members = enums["StreamCategory"]?.map((name) => `\n {2}\\| ${JSON.stringify(name)}`).join("");
    expect(await typesIn(project, key)).toMatch(
      new RegExp(
        `export type StreamCategory =${members}|export type StreamCategory = "${enums["StreamCategory"]}"`,
      ),
    );
  });

  it("come from the entity SDL of a custom protocol, and a change makes generated files stale", async () => {
    const project = ownProject("query Phases { Lot { phase } }");
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const types = project.read("generated/lots/multichain.ts");
    expect(types).toMatch(/export type LotPhase =\s+(\| )?"OPEN"\s+\| "CLOSED"/);
    expect(types).toContain("phase: LotPhase;");
    project.write("lots.graphql", entitiesWith("OPEN CLOSED GONE"));
    expect((await run(project.root, ["check"])).out).toContain("generated/lots/multichain.ts");
    expect(await typesIn(project, "lots")).toContain('"GONE"');
  });

  it.each([
    ["a filter", "", "_eq: OPNE", '"OPNE" does not exist in "LotPhase" enum. Did you mean "OPEN"?'],
    ["text in a list", "", '_in: ["OPEN", "x"]', '"x" does not exist in "LotPhase" enum.'],
    ["a number", "", "_neq: 1", '"1" does not exist in "LotPhase" enum.'],
    ["a default", "($phase: lotphase = SHUT)", "_eq: $phase", '"SHUT" does not exist in "LotPhase" enum.'],
  ])("reject unknown values: %s", async (_, variables, filter, message) => {
    const project = ownProject(`query A${variables} { Lot(where: { phase: { ${filter} } }) { id } }`);
    expect(await typesIn(project, "lots")).toEqual([`Value ${message}`]);
  });

  it.each([
    ["reject unknown values", "_eq: LockupLiner", /Did you mean "LockupLinear"\?/],
    [
      "accept names and texts",
      '_in: [LockupLinear, "LockupDynamic"], _is_null: false',
      /export type AQuery /,
    ],
  ])("of a built-in protocol %s", async (_, filter, want) => {
    const operation = `query A { Stream(where: { category: { ${filter} } }) { id } }`;
    const project = builtInProject("lockup", operation, ["multichain", "subgraph"]);
    expect(String(await typesIn(project, "lockup"))).toMatch(want);
  });

  it.runIf(IS_THOROUGH)("are compared by `plan` with those of the entity SDL at a git ref", async () => {
    const project = ownProject("query Closed { Lot(where: { phase: { _eq: CLOSED } }) { id } }");
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0 });
    commitAll(project, "main");
    expect(await run(project.root, ["plan", "--against", "HEAD"])).toMatchObject({ code: 0 });
    project.write("lots.graphql", entitiesWith("OPEN GONE"));
    // Without a ref, the earlier file is that of `HEAD`.
    const withoutRef = await run(project.root, ["plan"]);
    expect(withoutRef).toMatchObject({ code: 1, out: expect.stringContaining("LotPhase.CLOSED") });
    expect(withoutRef.out).toContain("LotPhase.GONE");
    const { code, out } = await run(project.root, [
      "plan",
      "--against",
      "HEAD",
      "--report",
      "text,json=plan.json",
    ]);
    expect(code).toBe(1);
    expect(out).toContain("operations/lots/multichain/a.graphql:1:43  Closed");
    const { findings } = JSON.parse(project.read("plan.json"));
    expect(findings).toMatchObject([
      {
        code: "drift/enum-value-removed",
        severity: "breaking",
        coordinate: "LotPhase.CLOSED",
        place: { file: "lots.graphql", line: 1 },
        operations: [{ name: "Closed", impact: "broken" }],
      },
      { code: "drift/enum-value-added", severity: "risky", coordinate: "LotPhase.GONE", operations: [] },
    ]);
  });
});

const entitiesWith = (members: string) =>
  `enum LotPhase { ${members} }\ntype Lot @entity { id: ID! serial: BigInt! phase: LotPhase! }\n`;

/** A custom protocol with only the multichain style, its snapshot and an operation. */
function ownProject(operation: string): TempProject {
  const entities = entitiesWith("OPEN CLOSED");
  const derived = styles.multichain.deriver.derive(parseEntities(entities, "lots.graphql"));
  const schema = canonicalize(derived);
  return tempProject({
    "package.json": "{}",
    "lockflow.config.json": JSON.stringify({
      protocols: { lots: { entities: "lots.graphql", styles: ["multichain"] } },
    }),
    "lots.graphql": entities,
    "operations/lots/multichain/a.graphql": operation,
    "generated/schemas/lots/multichain.graphql": renderSnapshot(schema, {
      protocol: "lots",
      style: "multichain",
    }),
  });
}

/** A built-in protocol with its committed snapshots of some styles, and an operation. */
function builtInProject(key: string, operation: string, styles: readonly StyleName[]): TempProject {
  const project = tempProject({
    "lockflow.config.json": JSON.stringify({ protocols: [key], only: { styles } }),
    [`operations/${key}/multichain/a.graphql`]: operation,
  });
  for (const style of styles) copyFromRepository(project.root, `generated/schemas/${key}/${style}.graphql`);
  return project;
}
