import { describe, expect, it } from "vitest";
import { canonicalize, hashSchema } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import { renderFleetRecord } from "../../src/workspace/fleet-record.ts";
import { hashEntities, variantPath } from "../../src/workspace/snapshot.ts";
import { renderSnapshot } from "../../src/workspace/snapshot-schema.ts";
import { CHAIN_COUNTS } from "../support/chain-counts.ts";
import { checkReport } from "../support/check-report.ts";
import { fleetRows, generatedProject } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

const OPERATIONS = {
  "subgraph/a.graphql": "query Aliases { streams { id alias } }",
  "subgraph/b.graphql": "query Ids { streams { id } }",
  "multichain/a.graphql": "query Aliases { Stream { id alias } }",
};

const WITHOUT_ALIAS = SMALL_ENTITIES.replace("alias: String!", "");
const { subgraph } = CHAIN_COUNTS;
const LINEA = "protocol-lockup-linea";
const ZKSYNC = "protocol-lockup-zksync";

/** A fleet in which some deployments serve another schema. */
function fleet(
  others: Readonly<Record<string, { readonly entities?: string; readonly options?: DeriveOptions }>>,
): TempProject {
  const project = generatedProject(OPERATIONS);
  const rows = [...fleetRows("multichain"), ...fleetRows("subgraph")].map((row) => {
    const other = others[row.name];
    if (other === undefined) return row;
    const model = parseEntities(other.entities ?? SMALL_ENTITIES, "entities.graphql");
    const schema = canonicalize(styles.subgraph.deriver.derive(model, other.options ?? {}));
    const hashes = hashSchema(schema);
    const snapshot = variantPath({ protocol: "lockup", style: "subgraph" }, hashes.schema);
    project.write(`generated/${snapshot}`, renderSnapshot(schema, { protocol: "lockup", style: "subgraph" }));
    return { ...row, ...hashes, entities: hashEntities(styles.subgraph.schemas.read(schema)), snapshot };
  });
  project.write("generated/schemas/deployments.json", renderFleetRecord(rows));
  return project;
}

async function reportOf(project: TempProject, ...args: string[]) {
  const { code, out } = await run(project.root, ["diff", "--report", "json", ...args]);
  return { code, ...JSON.parse(out) };
}

describe("the fleet", () => {
  it("prints JSON that matches its published schema, and text beside a file", async () => {
    const project = fleet({ [LINEA]: { entities: WITHOUT_ALIAS } });
    const { code: _, ...report } = await reportOf(project);
    expect(checkReport(report)).toEqual([]);
    const { code, out } = await run(project.root, [
      "diff",
      "--report",
      "text,json=diff.json,github=notes.txt",
    ]);
    expect(code).toBe(1);
    expect(out).toContain("both styles have 2 entities");
    expect(out).toContain("serve 2 schemas\n  not valid on linea: Aliases\n");
    expect(out).toMatch(/ {2}lockup\/subgraph {2}linea: other entities, graph-node-0\.38 \(schema \w{8}\)\n/);
    expect(out).toContain("operations/lockup/subgraph/a.graphql:1:");
    expect(out.trimEnd().split("\n").at(-1)).toBe("exit 1: 1 finding to act on: 1 breaks operations");
    expect(project.read("notes.txt")).toContain("file=operations/lockup/subgraph/a.graphql");
  });

  it("reports the outlier, one root cause, the operation's line and its chains (3.4, 3.5)", async () => {
    const project = fleet({ [LINEA]: { entities: WITHOUT_ALIAS } });
    const { code, findings, groups, operations } = await reportOf(project);
    expect(code).toBe(1);
    const where = { protocol: "lockup", style: "subgraph", deployments: [LINEA] };
    expect(findings).toMatchObject([
      {
        code: "drift/field-removed",
        coordinate: "Stream.alias",
        severity: "breaking",
        layer: "entity",
        where,
        fails: true,
        place: { file: "generated/schemas/lockup/subgraph.graphql" },
        operations: [
          { name: "Aliases", impact: "broken", file: "operations/lockup/subgraph/a.graphql", line: 1 },
        ],
      },
    ]);
    expect(findings[0].derived).toBeGreaterThan(20);
    const lines = project.read("generated/schemas/lockup/subgraph.graphql").split("\n");
    const line = lines.indexOf("  alias: String!", lines.indexOf("type Stream {"));
    expect(findings[0].place.line).toBe(line + 1);
    expect(groups.map(({ kind }: { kind: string }) => kind)).toEqual(["reference", "reference", "entities"]);
    expect(operations).toMatchObject([
      { style: "multichain", name: "Aliases", impact: "unaffected", missing: [] },
      { style: "subgraph", name: "Aliases", impact: "broken", missing: ["linea"] },
      { style: "subgraph", name: "Ids", impact: "unaffected", missing: [] },
    ]);
  });

  it("reports another release of the platform without failing (2)", async () => {
    const options = { release: styles.subgraph.platform.releases.at(-1) };
    const project = fleet({ [LINEA]: { options }, [ZKSYNC]: { options } });
    const { code, findings } = await reportOf(project);
    expect(code).toBe(0);
    expect(findings).toMatchObject([
      { code: "fleet/platform-variant", layer: "platform", where: { deployments: [LINEA, ZKSYNC] } },
    ]);
    const { out } = await run(project.root, ["diff"]);
    expect(out).toContain(`lockup: ${subgraph} subgraph deployments serve 2 schemas\n`);
    expect(out).toContain(`Schemas\n  lockup/subgraph  ${subgraph - 2} of ${subgraph}: the`);
    expect(out).toMatch(
      /: the reference, graph-node-0\.38 \(schema \w{8}\)\n {2}lockup\/subgraph {2}linea, zksync: the same entities, graph-node-0\.44, with _logs and current \(schema \w{8}\)\n/,
    );
  });

  it("fails by --fail-on and --exhaustive-enums", async () => {
    const entities = SMALL_ENTITIES.replace(/enum (\w+) \{/, "enum $1 { Brand_new");
    expect(entities).not.toBe(SMALL_ENTITIES);
    const project = fleet({ [LINEA]: { entities } });
    const codes = [
      ["--fail-on", "breaking"],
      ["--fail-on", "breaking", "--exhaustive-enums"],
      ["--fail-on", "risky"],
    ];
    const exits = await Promise.all(codes.map(async (args) => (await reportOf(project, ...args)).code));
    expect(exits).toEqual([0, 1, 1]);
  });
});

describe("parity", () => {
  it("has a finding for an entity of one style", async () => {
    const project = generatedProject({});
    const text = generatedProject({}, `${SMALL_ENTITIES} type Extra @entity { id: String! a: Int! }`);
    const path = "generated/schemas/lockup/multichain.graphql";
    project.write(path, text.read(path));
    const { code, findings } = await reportOf(project);
    expect(code).toBe(0);
    expect(findings).toMatchObject([
      {
        code: "parity/only-multichain",
        severity: "additive",
        coordinate: "Extra",
        derived: 2,
        where: { protocol: "lockup", style: "multichain", deployments: [] },
        fails: false,
      },
    ]);
    const { out } = await run(project.root, ["diff"]);
    expect(out).toContain(
      "additive  Extra  only in multichain style: an entity with 2 fields  lockup/multichain",
    );
  });
});
