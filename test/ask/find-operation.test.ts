import { describe, expect, it } from "vitest";
import { findOperation, type OperationRequest } from "../../src/ask/find-operation.ts";
import type { LockflowError } from "../../src/base/errors.ts";
import { resolveProject } from "../../src/project/project.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { generatedProject } from "../support/generated-project.ts";

const ENTITIES = `
  type Stream @entity(immutable: false) { id: String! chainId: BigInt! alias: String! sender: Bytes! }
`;

const FILES = {
  "portable/recent.graphql": "query Recent { streams(first: 3) { ...Row } }",
  "portable/row.graphql": "fragment Row on Stream { id alias }",
  "subgraph/meta.graphql": "query Meta { _meta { deployment } }",
  "multichain/raw.graphql": "query Raw { Stream(limit: 1) { ...Row } }",
  "multichain/both.graphql": "query Both { Stream(limit: 1) { id } }",
  "subgraph/both.graphql": "query Both { streams(first: 1) { id } }",
};

const OUTSIDE = {
  "mine.graphql": "query Mine($sender: Bytes!) { streams(where: { sender: $sender }, first: 5) { ...Row } }",
  "sum.graphql": "query Sum { Stream(order_by: {alias: asc}, distinct_on: alias) { alias } }",
  "broken.graphql": "query Broken { streams(first: 5000) { moon } }",
  "syntax.graphql": "query {",
  "none.graphql": "fragment Mine on Stream { id }",
  "code.ts": "export const one = gql`query InCode($first: Int! = 3) { streams(first: $first) { ...Row } }`;",
  "several.ts":
    "const a = [gql`query CodeA { Stream(limit: 1) { id } }`, gql`query CodeB { Stream { id } }`];",
  "other.ts": "export const nothing = 1;",
  "wrong.ts": "\n  const a = gql`query Wrong { streams { moon } }`;",
  "two.graphql": "query A { streams(first: 1) { id } } query B { streams(first: 1) { id } }",
};

async function find(operation: string, more: Partial<OperationRequest> = {}) {
  const project = generatedProject(FILES, ENTITIES);
  for (const [path, text] of Object.entries(OUTSIDE)) project.write(`elsewhere/${path}`, text);
  const request = { operation, cwd: project.root, protocol: null, style: null, ...more };
  const config = { protocols: ["lockup"], documents: ["elsewhere/**/*.ts"] };
  return findOperation(openWorkspace(resolveProject(config, project.root)), request);
}

const refusal = (...asked: Parameters<typeof find>) =>
  find(...asked).then(
    ({ name }) => `${name} was found`,
    (error: LockflowError) => error.message,
  );

describe("an operation to run", () => {
  it.each<[operation: string, more: Partial<OperationRequest>, name: string, style: string | null]>([
    ["Recent", {}, "Recent", null],
    ["Recent", { style: "subgraph" }, "Recent", null],
    ["Meta", {}, "Meta", "subgraph"],
    ["Raw", {}, "Raw", "multichain"],
    ["Both", { style: "multichain" }, "Both", "multichain"],
    ["elsewhere/mine.graphql", {}, "Mine", null],
    ["./elsewhere/mine.graphql", { protocol: "lockup" }, "Mine", null],
    ["elsewhere/sum.graphql", { style: "multichain" }, "Sum", "multichain"],
    ["operations/lockup/portable/recent.graphql", {}, "Recent", null],
    ["operations/lockup/multichain/raw.graphql", {}, "Raw", "multichain"],
    ["InCode", {}, "InCode", "subgraph"],
    ["elsewhere/code.ts", {}, "InCode", "subgraph"],
    ["CodeB", {}, "CodeB", "multichain"],
  ])("is found: %s %j", async (operation, more, name, style) => {
    const found = await find(operation, more);
    expect([found.name, found.style, found.protocol]).toEqual([name, style, "lockup"]);
  });

  it("has both texts if it is portable, and else that of its style", async () => {
    const mine = (await find("elsewhere/mine.graphql")).build({}).operation;
    expect(mine.subgraph).toContain("query Mine($sender: Bytes!, $block: Block_height) {");
    expect(mine.multichain).toContain("streams: Stream(where:");
    expect(mine.multichain).toContain("fragment Row on Stream");
    const raw = (await find("Raw")).build({}).operation;
    expect([raw.subgraph, raw.multichain]).toEqual(["", expect.stringContaining("fragment Row on Stream")]);
  });

  it.each<[operation: string, more: Partial<OperationRequest>, want: string]>([
    ["Both", {}, 'There is an operation "Both" in each of lockup/multichain and lockup/subgraph.'],
    ["Meta", { style: "multichain" }, 'Unknown operation "Meta" in multichain style.'],
    ["moon.graphql", {}, 'The file "moon.graphql" does not exist.'],
    ["elsewhere/none.graphql", {}, "The file has no operation."],
    ["elsewhere/two.graphql", {}, "The file has 2 operations: A, B."],
    ["elsewhere/syntax.graphql", {}, "file cannot be run: it has one error.\n  elsewhere/syntax.graphql:1:8"],
    [
      "elsewhere/broken.graphql",
      {},
      "Broken cannot be run: it has 2 errors.\n  elsewhere/broken.graphql:1:31",
    ],
    ["elsewhere/sum.graphql", {}, "\nHint: it is valid for the multichain style: add --style multichain."],
    ["elsewhere/sum.graphql", { style: "subgraph" }, "Sum cannot be run: "],
    ["InCod", {}, 'Unknown operation "InCod".\nHint: did you mean "InCode"?'],
    ["InCode", { style: "multichain" }, 'Unknown operation "InCode" in multichain style.'],
    ["elsewhere/several.ts", {}, "The file has 2 operations: CodeA, CodeB."],
    ["elsewhere/other.ts", {}, 'finds no operation in the code of "elsewhere/other.ts"'],
    ["Wrong", {}, "Wrong cannot be run: it has one error.\n  elsewhere/wrong.ts:2:41"],
    ["Nothing", {}, "there are Both, CodeA, CodeB, InCode, Meta and 3 more. A file is named by its path."],
    ["Recent", { protocol: "flow" }, 'This project has no protocol "flow".'],
  ])("is rejected: %s %j", async (operation, more, want) => {
    expect(await refusal(operation, more)).toContain(want);
  });
});
