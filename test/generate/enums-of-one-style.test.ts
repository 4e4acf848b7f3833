import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import { BUILT_IN } from "../../src/project/protocols.ts";
import { copyFromRepository } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

describe("the enums of a protocol that is read in multichain style alone", () => {
  it.each(BUILT_IN)("are known of $key, which ships", async ({ key, enums }) => {
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

  it("are those of the entity SDL of one's own, and make what was generated stale when they change", async () => {
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
});
