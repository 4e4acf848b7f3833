import { describe, expect, it } from "vitest";
import { resolveProject } from "../../../src/project/project.ts";
import { fixVariables } from "../../../src/tasks/check/fix-variables.ts";
import { openWorkspace } from "../../../src/workspace/workspace.ts";
import { generateInMemory } from "../../generate/in-memory.ts";
import { generatedProject } from "../../support/generated-project.ts";
import type { TempProject } from "../../support/temp-project.ts";

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

const PATH = "operations/lockup/subgraph/a.graphql";

const projectWith = (text: string, folder: "subgraph" | "portable" = "subgraph") =>
  generatedProject({ [`${folder}/a.graphql`]: text }, ENTITIES);

const fix = ({ root }: TempProject) =>
  fixVariables(openWorkspace(resolveProject({ protocols: ["lockup"] }, root)));

describe("fixVariables", () => {
  it.each(FIXED)("corrects %s", async (variables, selection, want) => {
    const project = projectWith(`# A pool.\r\nquery Pools(${variables}) { ${selection} }\n`);
    const before = await generateInMemory(project);
    expect(before.fixes).toEqual([`declare ${want.replace(/ = .*/, "").replace(":", " as")}.`]);
    const patch = await fix(project);
    expect(patch).toMatch(new RegExp(`^--- ${PATH}\t?\n\\+\\+\\+ ${PATH}`));
    expect(patch).toContain(`\n-query Pools(${variables}) {`);
    expect(patch).toContain(`\n+query Pools(${want}) {`);
    expect(project.read(PATH)).toBe(`# A pool.\r\nquery Pools(${want}) { ${selection} }\n`);
    expect((await generateInMemory(project)).errors).toEqual([]);
    expect(await fix(project)).toBe("");
  });

  it.each(FIXED)("corrects %s in a portable operation, which compiles even before", async (...given) => {
    const [variables, selection, want] = given;
    const project = projectWith(`query Pools(${variables}) { ${selection} }\n`, "portable");
    expect((await generateInMemory(project)).texts).toHaveProperty(["lockup/portable.ts"]);
    expect(await fix(project)).toContain(`\n+query Pools(${want}) {`);
    const path = PATH.replace("subgraph", "portable");
    expect(project.read(path)).toBe(`query Pools(${want}) { ${selection} }\n`);
  });

  it.each(KEPT)("does not correct %s, which has its error", async (_, variables, selection, message) => {
    const text = `query Pools(${variables}) { ${selection} }\n`;
    const project = projectWith(text);
    expect(await fix(project)).toBe("");
    expect(project.read(PATH)).toBe(text);
    const { errors, fixes } = await generateInMemory(project);
    expect([...errors, ...fixes].join()).toContain(message);
  });
});
