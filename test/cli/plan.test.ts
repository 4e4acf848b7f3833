import { describe, expect, it } from "vitest";
import { renderFleetRecord } from "../../src/workspace/fleet-record.ts";
import { checkReport } from "../support/check-report.ts";
import { commitAll } from "../support/commit-all.ts";
import { fleetRows, generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

// The compared schemas are tested in test/tasks/plan, and the findings in test/tasks/run-plan.test.ts.

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

  it("plans the file from any folder, for one style, against a git ref", async () => {
    const project = projectWith(WITHOUT_ALIAS);
    commitAll(project, "main");
    project.write("entities/lockup.graphql", SMALL_ENTITIES);
    const args = [
      "plan",
      "lockup.graphql",
      "--protocol",
      "lockup",
      "--style",
      "subgraph",
      "--against",
      "HEAD",
    ];
    const { code, out } = await run(`${project.root}/entities`, args);
    expect(code).toBe(0);
    expect(out).toContain("against HEAD:lockup.graphql");
    expect(out).toContain("additive  Stream.alias  new: String!");
    expect(out).not.toContain("lockup/multichain  from");
  });

  it("reports a text that is not an entity schema, and exits with 1", async () => {
    const { code, out } = await plan(projectWith("type A @entity {"));
    expect(code).toBe(1);
    expect(out).toMatch(
      /^ *breaking {2}entities\/lockup\.graphql:1:17 {2}.*Expected Name.*\[plan\/syntax \w+\]$/m,
    );
  });

  it("error: a missing file exits with 2", async () => {
    const { code, out, err } = await run(projectWith(SMALL_ENTITIES).root, ["plan", "nothing.graphql"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain('The file "nothing.graphql" does not exist.');
  });
});
