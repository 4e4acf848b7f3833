import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import { canonicalize, hashSchema } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { BUILT_IN } from "../../src/project/protocols.ts";
import { renderSnapshot } from "../../src/workspace/snapshot-schema.ts";
import { commitAll } from "../support/commit-all.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { copyFromRepository } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

describe("the enums of a protocol with only the multichain style", () => {
  it.each(BUILT_IN)("are built in for $key", async ({ key, enums }) => {
    const written = entitiesOf(key, "multichain").definitions.flatMap((one) =>
      one.kind === "enum" ? [[one.name, one.values?.map(({ name }) => name).sort()] as const] : [],
    );
    expect(enums).toEqual(Object.fromEntries(written));

    const project = tempProject({
      "lockflow.config.json": JSON.stringify({ protocols: [key], only: { styles: ["multichain"] } }),
      [`operations/${key}/multichain/a.graphql`]: "query A { Stream(limit: 1) { category } }",
    });
    const snapshot = `generated/schemas/${key}/multichain.graphql`;
    copyFromRepository(project.root, snapshot);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const members = enums["StreamCategory"]?.map((name) => `\n {2}\\| ${JSON.stringify(name)}`).join("");
    expect(project.read(`generated/${key}/multichain.ts`)).toMatch(
      new RegExp(
        `export type StreamCategory =${members}|export type StreamCategory = "${enums["StreamCategory"]}"`,
      ),
    );
  });

  it("come from the entity SDL of a custom protocol, and a change makes generated files stale", async () => {
    const entities = (members: string) =>
      `enum LotPhase { ${members} }\ntype Lot @entity { id: ID! serial: BigInt! phase: LotPhase! }\n`;
    const project = tempProject({
      "package.json": "{}",
      "lockflow.config.json": JSON.stringify({
        protocols: { lots: { entities: "lots.graphql", styles: ["multichain"] } },
      }),
      "lots.graphql": entities("OPEN CLOSED"),
    });
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0, err: "" });
    project.write("operations/lots/multichain/phases.graphql", "query Phases { Lot { phase } }");
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const path = "generated/lots/multichain.ts";
    expect(project.read(path)).toMatch(/export type LotPhase =\s+(\| )?"OPEN"\s+\| "CLOSED"/);
    expect(project.read(path)).toContain("phase: LotPhase;");
    project.write("lots.graphql", entities("OPEN CLOSED GONE"));
    expect((await run(project.root, ["check"])).out).toContain("generated/lots/multichain.ts");
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0 });
    expect(project.read(path)).toContain('"GONE"');
  });

  it.each([
    [
      "a filter",
      "Lot(where: { phase: { _eq: OPNE } }) { id }",
      'Value "OPNE" does not exist in "LotPhase" enum. Did you mean "OPEN"?',
    ],
    [
      "text in a list",
      'Lot(where: { phase: { _in: ["OPEN", "x"] } }) { id }',
      'Value "x" does not exist in "LotPhase" enum.',
    ],
    ["a number", "Lot(where: { phase: { _neq: 1 } }) { id }", 'Value "1" does not exist in "LotPhase" enum.'],
    [
      "a default",
      "Lot(where: { phase: { _eq: $phase } }) { id }",
      'Value "SHUT" does not exist in "LotPhase" enum.',
    ],
  ])("reject unknown values: %s", async (_, selection, message) => {
    const project = ownProject("OPEN CLOSED");
    const header = selection.includes("$phase") ? "($phase: lotphase = SHUT)" : "";
    project.write("operations/lots/multichain/a.graphql", `query A${header} { ${selection} }`);
    for (const command of ["generate", "check"]) {
      const { code, out, err } = await run(project.root, [command]);
      expect(code).toBe(1);
      expect(out + err).toContain(message);
    }
  });

  it("of a built-in protocol reject unknown values, and accept known ones as names and as text", async () => {
    const project = tempProject({
      "lockflow.config.json": JSON.stringify({ protocols: ["lockup"] }),
      "operations/lockup/multichain/a.graphql":
        'query A { Stream(where: { category: { _in: [LockupLinear, "LockupDynamic"], _is_null: false } }) { id } }',
    });
    for (const style of ["multichain", "subgraph"])
      copyFromRepository(project.root, `generated/schemas/lockup/${style}.graphql`);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    project.write(
      "operations/lockup/multichain/a.graphql",
      "query A { Stream(where: { category: { _eq: LockupLiner } }) { id } }",
    );
    const { code, err, out } = await run(project.root, ["generate"]);
    expect({ code, text: out + err }).toEqual({
      code: 1,
      text: expect.stringContaining('Did you mean "LockupLinear"?'),
    });
  });

  it.runIf(IS_THOROUGH)("are compared by `plan` with those of the entity SDL at a git ref", async () => {
    const project = ownProject("OPEN CLOSED");
    project.write(
      "operations/lots/multichain/a.graphql",
      "query Closed { Lot(where: { phase: { _eq: CLOSED } }) { id } }",
    );
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

/** A custom protocol with only the multichain style, and its snapshot. */
function ownProject(members: string): TempProject {
  const project = tempProject({
    "package.json": "{}",
    "lockflow.config.json": JSON.stringify({
      protocols: { lots: { entities: "lots.graphql", styles: ["multichain"] } },
    }),
    "lots.graphql": entitiesWith(members),
  });
  const schema = styles.multichain.deriver.derive(parseEntities(entitiesWith(members), "lots.graphql"));
  const hashed = { schema: canonicalize(schema), hashes: hashSchema(canonicalize(schema)) };
  project.write(
    "generated/schemas/lots/multichain.graphql",
    renderSnapshot(hashed, { protocol: "lots", style: "multichain" }),
  );
  return project;
}
