import { describe, expect, it } from "vitest";
import { compile } from "../../src/index.ts";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";

const ENTITIES = `
  type Stream @entity(immutable: false) {
    id: String! chainId: BigInt! alias: String! sender: Bytes! asset: Asset! started: Timestamp
  }
  type Asset @entity(immutable: false) {
    id: String! chainId: BigInt! symbol: String! streams: [Stream!]! @derivedFrom(field: "asset")
  }
`;

const BY_SENDER = `# The streams of a sender.
query BySender($sender: Bytes!, $text: String!) {
  streams(where: { sender: $sender, alias_contains: $text }) {
    ...Fields
  }
}
`;

const createProject = () =>
  generatedProject(
    {
      "portable/by-sender.graphql": BY_SENDER,
      "portable/started.graphql":
        "query Started {\n  streams(first: 2000, orderDirection: asc) {\n    started\n  }\n}\n",
      "portable/fields.graphql": "fragment Fields on Stream {\n  id\n  asset {\n    symbol\n  }\n}\n",
      "subgraph/old.graphql":
        "query Old { stream(id: 1) { id } }\nquery Older { assets(first: 3) { ...Own } }\n",
      "subgraph/own.graphql": "fragment Own on Asset { id }\n",
    },
    ENTITIES,
  );

const SUBGRAPH = `query BySender($sender: Bytes!, $text: String!, $block: Block_height) {
  streams(where: { sender: $sender, alias_contains: $text }, block: $block) {
    ...Fields
  }
}

fragment Fields on Stream {
  id
  asset {
    symbol
  }
}`;

const MULTICHAIN = `query BySender($sender: String!, $text_like: String!, $chainIds: [numeric!]!) {
  streams: Stream(where: { _and: [{ chainId: { _in: $chainIds } }, { sender: { _eq: $sender }, alias: { _like: $text_like } }] }, order_by: [{ id: asc }], limit: 100) {
    ...Fields
  }
}

fragment Fields on Stream {
  id
  asset {
    symbol
  }
}`;

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, "  ");

describe("compile", () => {
  it("shows both texts, the variables and the rules", async () => {
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
                      multichain  $text_like: String!     %<value>%, or the value if a % begins or ends it
  $chainIds  added    multichain  $chainIds: [numeric!]!  the chains that are asked
  $block     added    subgraph    $block: Block_height    the height that is asked for

rules
  2:33  variable-copy  the variable has another form, for its type or what is done to it
  3:3   chain-scope    rows are those of the chains that are asked
  3:3   default-limit  a list without \`first\` has 100 rows
  3:3   id-order       rows without \`orderBy\` come by id
  3:28  bytes-form     bytes are compared in lower case, with 0x
  3:37  pattern        text is looked for by a pattern
`);
  });

  it("shows the text of one style", async () => {
    const project = createProject();
    const { out } = await run(project.root, ["compile", "BySender", "--style", "multichain"]);
    expect(out).toContain(indent(MULTICHAIN));
    expect(out).not.toContain("Block_height");
  });

  it("tells all reasons at once, where they are, and ends with 1", async () => {
    const project = createProject();
    const { code, out, err } = await run(project.root, ["compile", "Started"]);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    const file = "operations/lockup/portable/started.graphql";
    expect(out.split("\n").filter((line) => line.startsWith("operations/"))).toEqual([
      `${file}:2:18  \`first\` has to be 1 to 1000, and is 2000.  [portable/first-range]`,
      `${file}:3:5  Stream.started is a Timestamp, which the styles write differently.  [portable/scalar]`,
      `${file}:2:24  \`orderDirection\` is ignored without \`orderBy\`: rows come by id, ascending.  [portable/direction-without-order]`,
    ]);
  });

  it("prints JSON for programs", async () => {
    const project = createProject();
    const { code, out } = await run(project.root, ["compile", "BySender", "--json", "--protocol", "lockup"]);
    const report = JSON.parse(out);
    expect([code, Object.keys(report)]).toEqual([
      0,
      ["operation", "protocol", "subgraph", "multichain", "variables", "rules", "refusals", "notes"],
    ]);
    expect(report).toMatchObject({
      ...{ operation: "BySender", protocol: "lockup", refusals: [], notes: [] },
      subgraph: { text: SUBGRAPH },
      multichain: { text: MULTICHAIN },
    });
    expect(report.variables[1]).toEqual({
      ...{ name: "text", type: "String!" },
      subgraph: [{ name: "text", type: "String!", value: "as it is" }],
      multichain: [
        { name: "text_like", type: "String!", value: "%<value>%, or the value if a % begins or ends it" },
      ],
    });
    expect(report.rules[1]).toEqual({
      ...{ rule: "chain-scope", means: "rows are those of the chains that are asked" },
      ...{ file: "operations/lockup/portable/by-sender.graphql", line: 3, column: 3 },
    });
  });

  it("prints refusals as JSON", async () => {
    const project = createProject();
    const { code, out } = await run(project.root, ["compile", "Started", "--json"]);
    const report = JSON.parse(out);
    expect([code, report.subgraph, report.multichain]).toEqual([1, { text: null }, { text: null }]);
    expect(report.refusals[0]).toEqual({
      code: "portable/first-range",
      message: "`first` has to be 1 to 1000, and is 2000.",
      ...{ file: "operations/lockup/portable/started.graphql", line: 2, column: 18 },
      hint: "page by a cursor, such as `where: { id_gt: $after }`.",
    });
    expect(report.refusals).toHaveLength(2);
    expect(report.notes.map(({ code: note }: { code: string }) => note)).toEqual([
      "portable/direction-without-order",
    ]);
  });

  it("takes a file of the subgraph style, with the fragments beside it", async () => {
    const project = createProject();
    const { code, out } = await run(project.root, [
      "compile",
      "operations/lockup/subgraph/old.graphql",
      "--json",
    ]);
    const reports = JSON.parse(out);
    expect([code, reports.map(({ operation }: { operation: string }) => operation)]).toEqual([
      0,
      ["Old", "Older"],
    ]);
    expect(reports[1].multichain.text).toContain("fragment Own on Asset");
    expect(reports[0].notes).toHaveLength(1);
  });

  it("takes a file from anywhere", async () => {
    const project = createProject();
    project.write("notes/idea.graphql", "query Idea { streams { id nope } }");
    const { code, out } = await run(project.root, ["compile", "notes/idea.graphql"]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^Idea of lockup is not portable, for one reason:\n\nnotes\/idea\.graphql:1:27 {2}Cannot query field "nope"/,
    );
    project.write("notes/broken.graphql", "query Broken { streams {");
    const broken = await run(project.root, ["compile", "notes/broken.graphql", "--json"]);
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.out).refusals).toMatchObject([
      { code: "operation/syntax", file: "notes/broken.graphql" },
    ]);
  });

  it("error: a name like no other, with the first that there are", async () => {
    const queries = [..."GFEDCBA"].map((name) => `query ${name}Ships { streams { id } }`).join("\n");
    const project = generatedProject({ "portable/all.graphql": queries }, ENTITIES);
    const { err } = await run(project.root, ["compile", "Nothing"]);
    expect(err).toContain("there are AShips, BShips, CShips, DShips, EShips and 2 more. A file is named");
  });

  it.each([
    [
      "a name that is none",
      ["BySendr"],
      'There is no portable operation "BySendr".',
      'did you mean "BySender"?',
    ],
    [
      "a name that one style has",
      ["Older"],
      'The operation "Older" is not a portable one: it stands in operations/lockup/subgraph/old.graphql.',
      "name a file of the subgraph style",
    ],
    ["a file that is none", ["no.graphql"], 'There is no file "no.graphql".', "name a file of operations"],
    [
      "fragments alone",
      ["operations/lockup/portable/fields.graphql"],
      "There is no operation in",
      "fragments alone",
    ],
    [
      "a protocol that is none",
      ["BySender", "--protocol", "lokup"],
      'no protocol "lokup"',
      'did you mean "lockup"?',
    ],
    ["nothing", [], "an operation", "compile --help"],
  ])("error: %s", async (_, args, sentence, hint) => {
    const project = createProject();
    const { code, out, err } = await run(project.root, ["compile", ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(sentence);
    expect(err).toContain(hint);
  });

  it("is a function, too", async () => {
    const project = createProject();
    const [compiled, ...others] = await compile({ cwd: project.root, operation: "BySender" });
    expect(others).toEqual([]);
    expect(compiled).toMatchObject({ operation: "BySender", subgraph: { text: SUBGRAPH }, refusals: [] });
  });
});
