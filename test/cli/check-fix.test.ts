import { describe, expect, it } from "vitest";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";

const ENTITIES = `
type Pool @entity { id: ID! chainId: BigInt! owner: Bytes! fee: BigInt! serial: Int! tokens: [Bytes!]! }
`;

/** Variables of a subgraph operation, and their corrections. */
const FIXED: readonly (readonly [variables: string, selection: string, want: string])[] = [
  ["$pool: String!", "pool(id: $pool) { id }", "$pool: ID!"],
  ["$owner: String", "pools(where: { owner: $owner }) { id }", "$owner: Bytes"],
  ['$owner: ID = "0x00"', "pools(where: { owner: $owner }) { id }", '$owner: Bytes = "0x00"'],
  ["$fee: Int!", "pools(where: { fee_gt: $fee }) { id }", "$fee: BigInt!"],
  ["$ids: [String!]!", "pools(where: { id_in: $ids }) { id }", "$ids: [ID!]!"],
];

const KEPT: readonly (readonly [name: string, variables: string, selection: string, message: string])[] = [
  ["a text for a number", "$first: String!", "pools(first: $first) { id }", "declare $first as Int!."],
  ["a required variable", "$pool: String", "pool(id: $pool) { id }", "declare $pool as ID!."],
  [
    "a variable of two types",
    "$x: String!",
    "pool(id: $x) { id } pools(where: { owner: $x }) { id }",
    "used in position",
  ],
  ["a nullable item", "$ids: [String]!", "pools(where: { id_in: $ids }) { id }", "used in position"],
];

const projectWith = (text: string, folder: "subgraph" | "portable" = "subgraph") =>
  generatedProject({ [`${folder}/a.graphql`]: text }, ENTITIES);

describe("lockflow check --fix", () => {
  it.each(FIXED)("corrects %s", async (variables, selection, want) => {
    const project = projectWith(`# A pool.\r\nquery Pools(${variables}) { ${selection} }\n`);
    const path = "operations/lockup/subgraph/a.graphql";
    const before = await run(project.root, ["generate"]);
    expect(before.err + before.out).toContain(`declare ${want.replace(/ = .*/, "").replace(":", " as")}.`);
    const { out } = await run(project.root, ["check", "--fix"]);
    expect(out).toMatch(new RegExp(`^--- ${path}\t?\n\\+\\+\\+ ${path}`));
    expect(out).toContain(`\n-query Pools(${variables}) {`);
    expect(out).toContain(`\n+query Pools(${want}) {`);
    expect(project.read(path)).toBe(`# A pool.\r\nquery Pools(${want}) { ${selection} }\n`);
    expect(out).not.toContain("operation/invalid");
    expect((await run(project.root, ["check", "--fix"])).out).not.toContain("---");
  });

  it.each(FIXED)("corrects %s in a portable operation, which compiles even before", async (...given) => {
    const [variables, selection, want] = given;
    const project = projectWith(`query Pools(${variables}) { ${selection} }\n`, "portable");
    expect((await run(project.root, ["generate"])).code).toBe(0);
    const { out } = await run(project.root, ["check", "--fix"]);
    expect(out).toContain(`\n+query Pools(${want}) {`);
    expect(project.read("operations/lockup/portable/a.graphql")).toBe(
      `query Pools(${want}) { ${selection} }\n`,
    );
  });

  it.each(KEPT)(
    "does not correct %s, and prints the right declaration",
    async (_, variables, selection, message) => {
      const text = `query Pools(${variables}) { ${selection} }\n`;
      const project = projectWith(text);
      const { code, out } = await run(project.root, ["check", "--fix"]);
      expect(code).toBe(1);
      expect(out).not.toContain("+++");
      expect(out).toContain(message);
      expect(project.read("operations/lockup/subgraph/a.graphql")).toBe(text);
    },
  );

  it("corrects a variable of a fragment, and prints the diff beside other forms of a report", async () => {
    const project = projectWith(
      "query A($id: String!) { ...F } fragment F on Query { pool(id: $id) { id } }",
    );
    const { out, err } = await run(project.root, ["check", "--fix", "--json"]);
    expect(err).toContain("+query A($id: ID!)");
    expect(JSON.parse(out).findings).not.toContainEqual(
      expect.objectContaining({ code: "operation/invalid" }),
    );
  });
});
