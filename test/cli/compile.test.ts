import { describe, expect, it } from "vitest";
import { run } from "../support/run.ts";
import { createProject, MULTICHAIN, SUBGRAPH } from "../tasks/compile/fixtures.ts";

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, "  ");

describe("lockflow compile", () => {
  it("prints both texts, the variables and the rules", async () => {
    const project = createProject();
    const { code, out, err } = await run(project.root, ["compile", "BySender"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`BySender of lockup, in operations/lockup/portable/by-sender.graphql

subgraph
${indent(SUBGRAPH)}

multichain
${indent(MULTICHAIN)}

variables
  $sender    Bytes!   subgraph    $sender: Bytes!         in lower case
                      multichain  $sender: String!        in lower case
  $text      String!  subgraph    $text: String!          as it is
                      multichain  $text_like: String!     %<value>%, or the value if it begins or ends with %
  $chainIds  added    multichain  $chainIds: [numeric!]!  the requested chains
  $block     added    subgraph    $block: Block_height    the height that is asked for

rules
  2:33  variable-copy  the variable has a copy of another type or form
  3:3   chain-scope    only rows of the requested chains are returned
  3:3   default-limit  a list without \`first\` has 100 rows
  3:3   id-order       rows without \`orderBy\` are sorted by id
  3:28  bytes-form     bytes are compared in lower case, with 0x
  3:37  pattern        text is matched by a pattern
`);
  });

  it("prints the text of one style", async () => {
    const project = createProject();
    const { out } = await run(project.root, ["compile", "BySender", "--style", "multichain"]);
    expect(out).toContain(indent(MULTICHAIN));
    expect(out).not.toContain("Block_height");
  });

  it("prints all reasons with their places, and exits with 1", async () => {
    const project = createProject();
    const { code, out, err } = await run(project.root, ["compile", "Started"]);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    const file = "operations/lockup/portable/started.graphql";
    expect(out.split("\n").filter((line) => line.startsWith("operations/"))).toEqual([
      `${file}:2:18  \`first\` must be an integer from 1 to 1000; got 2000.  [portable/first-range]`,
      `${file}:3:5  Stream.started is a Timestamp, which the styles format differently.  [portable/scalar]`,
      `${file}:2:24  \`orderDirection\` is ignored without \`orderBy\`: rows are ordered by id, ascending.  [portable/direction-without-order]`,
    ]);
  });

  it("prints one operation as a JSON object, and several as a list", async () => {
    const project = createProject();
    const one = await run(project.root, ["compile", "BySender", "--json", "--protocol", "lockup"]);
    const report = JSON.parse(one.out);
    expect([one.code, Object.keys(report)]).toEqual([
      0,
      [
        "operation",
        "protocol",
        "subgraph",
        "multichain",
        "variables",
        "rules",
        "refusals",
        "notes",
        "unmerged",
      ],
    ]);
    const file = "operations/lockup/subgraph/old.graphql";
    const two = await run(project.root, ["compile", file, "--json"]);
    expect(JSON.parse(two.out).map(({ operation }: { operation: string }) => operation)).toEqual([
      "Old",
      "Older",
    ]);
    const refused = await run(project.root, ["compile", "Started", "--json", "--style", "subgraph"]);
    expect([refused.code, JSON.parse(refused.out)]).toMatchObject([
      1,
      { subgraph: { text: null }, multichain: null },
    ]);
  });

  it.each([
    ["an unknown name", ["BySendr"], 'Unknown portable operation "BySendr".\nHint: did you mean "BySender"?'],
    ["no name", [], "an operation"],
  ])("error: %s", async (_, args, want) => {
    const { code, out, err } = await run(createProject().root, ["compile", ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(want);
  });
});
