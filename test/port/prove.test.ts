import { expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../emulator/server/start-emulator.ts";
import { openClient } from "../../src/fleet/open-client.ts";
import { planPort } from "../../src/port/plan-port.ts";
import { port } from "../../src/port/port.ts";
import { proveGroup } from "../../src/port/prove.ts";
import { readDocuments } from "../../src/port/read-documents.ts";
import { openProject } from "../../src/project/load-project.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { fastTime } from "../support/fast-time.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { createProject } from "./fixtures.ts";

const FILES = {
  "src/pair.graphql": `query BySender($me: Bytes!, $first: Int! = 3) {
  streams(where: { sender: $me }, orderBy: timestamp, orderDirection: desc, first: $first) { id alias asset { symbol } }
}`,
  "src/pair-envio.graphql": `query BySenderEnvio($owner: String!, $chain: numeric!, $limit: Int! = 3) {
  Stream(where: { sender: { _eq: $owner }, chainId: { _eq: $chain } }, order_by: { timestamp: desc }, limit: $limit) { id alias asset { symbol } }
}`,
  "src/whole.graphql":
    "query Whole($where: Stream_filter!, $by: Stream_orderBy) { streams(where: $where, orderBy: $by, first: 9) { id } }",
  "src/literal.graphql":
    'query Literal { Stream(where: { _or: [{ sender: { _eq: "0x1234567890abcdef1234567890abcdef12345678" } }] }) { id } }',
  "src/named.graphql":
    "query Named { Stream(where: { chainId: { _in: [1, 10] } }, order_by: { subgraphId: desc }, limit: 4) { id } }",
  "src/nothing.graphql": 'query Nothing { streams(where: { alias: "none" }, first: 2) { id } }',
  "src/ascending.graphql":
    "query Ascending { streams(orderBy: timestamp, orderDirection: asc, first: 9) { id timestamp } }",
  "src/descending.graphql":
    "query Descending { streams(orderBy: timestamp, orderDirection: desc, first: 9) { id timestamp } }",
};

/** A configuration whose emulator has few rows. */
const FEW = '{ "protocols": ["lockup"], "only": { "chains": ["base", "ethereum", "optimism"] } }';

/** Documents in code with values, and a required variable without a use. */
const CODE = `
export const bySender = (sender, list, canceled) => request(URL, \`{
  streams(where: { sender: "\${sender}", canceled: \${canceled}, alias_in: [\${list.map((one) => JSON.stringify(one)).join()}] }, first: 5) { id alias }
}\`);
export const ofChain = (chainId, asset) => gql\`query OfChain { Stream(where: { chainId: { _eq: \${chainId} }, asset_id: { _eq: "\${asset}" } }, limit: 3) { id } }\`;
export const unused = gql\`query Unused($moon: String!, $n: Int!) { streams(first: $n) { id } }\`;
export const written = (alias) => \`query Written { streams(where: { alias: "no-\${alias}" }) { id } }\`;
export const given = gql\`query Given($block: Int!) { streams(first: 1, block: { number: $block }) { id } }\`;
export const none = \`query None { streams(where: { alias: "none" }) { id } }\`;
`;

it("proves documents with values by their text with the values, and reports why others are not proven", async () => {
  const project = createProject({ "src/a.ts": CODE, "lockflow.config.json": FEW });
  const { operations } = await port({ cwd: project.root, patterns: ["src"] });
  const shown = operations.map(({ name, proof, reasons }) => [
    ...[name, (proof?.sets ?? 0) > 0 && proof?.sets === proof?.same],
    reasons.find(({ code }) => code === "port/unproven")?.message,
  ]);
  expect(shown).toEqual([
    ["BySender", true, undefined],
    ["OfChain", true, undefined],
    ["Unused", true, undefined],
    ["Written", false, expect.stringMatching(/values that the code writes in this form\.$/)],
    ["Given", false, expect.stringMatching(/nothing is proven: no row has a value for `\$block`\.$/)],
    ["None", false, "No answer had rows, so nothing is proven."],
  ]);
});

it("proves operations of a project with a multichain indexer alone", async () => {
  const project = createProject({ "src/a.ts": CODE });
  project.write("lockflow.config.json", '{ "protocols": { "lockup": { "styles": ["multichain"] } } }');
  const { operations, others } = await port({ cwd: project.root, patterns: ["src"] });
  expect(new Set(others.map(({ code }) => code))).toEqual(new Set(["port/other-api"]));
  expect(operations).toMatchObject([{ name: "OfChain", result: "portable", proof: { sets: 12, same: 12 } }]);
});

it.runIf(IS_THOROUGH)("proves originals against compiled texts with values of existing rows", async () => {
  const { operations } = await port({ cwd: createProject(FILES).root, patterns: ["src"] });
  const proofs = Object.fromEntries(operations.map(({ name, proof }) => [name, proof]));
  expect(proofs).toEqual({
    Ascending: { sets: 3, same: 3 },
    BySender: { sets: 12, same: 12 },
    Nothing: { sets: 0, same: 0 },
    Descending: { sets: 3, same: 3 },
    Literal: { sets: 12, same: 12 },
    Named: { sets: 2, same: 2 },
    Whole: { sets: 12, same: 12 },
  });
  const nothing = operations.find(({ name }) => name === "Nothing");
  expect(nothing).toMatchObject({ result: "portable", reasons: [{ code: "port/unproven" }] });
});

it("proves operations against the production hosts, and shows no key", async () => {
  const emulator = await startEmulator({ streams: 8 });
  onTestFinished(() => emulator.close());
  const project = createProject({
    "src/pair.graphql": FILES["src/pair.graphql"],
    "lockflow.config.json": FEW,
  });
  const { root } = project;
  const key = "canary-0123456789abcdef";
  const options = { cwd: root, patterns: ["src"], against: "production" } as const;
  const env = { ...emulator.env(), LOCKFLOW_SUBGRAPH_API_KEY: key };
  const [proven] = (await port({ ...options, env })).operations;
  expect(proven?.proof).toEqual({ sets: 12, same: 12 });
  const target = "operations/lockup/portable/by-sender.graphql";
  const edited = Object.defineProperty({ ...env }, "LOCKFLOW_SUBGRAPH_API_KEY", {
    get: () => {
      project.write(target, "mine");
      return key;
    },
  });
  await expect(port({ ...options, env: edited, write: true })).rejects.toThrow("was changed during the run");
  expect(project.read(target)).toBe("mine");
  project.remove(target);
  // An unreachable host proves nothing. Its requests are retried.
  fastTime();
  await emulator.close();
  const ported = await port({ ...options, env });
  expect(ported.operations[0]).toMatchObject({ result: "portable", proof: { sets: 0, same: 0 } });
  expect(ported.operations[0]?.reasons[0]?.message).toMatch(/nothing is proven: \S+: network: /);
  expect(JSON.stringify(ported)).not.toContain(key);
  await expect(port({ ...options, env: {} })).rejects.toThrow("--against production needs hosts");
});

it("reports that an operation with another order differs", async () => {
  const files = createProject(FILES);
  const project = await openProject({ cwd: files.root });
  const workspace = openWorkspace(project);
  const documents = readDocuments(project, {
    cwd: files.root,
    patterns: ["src/*cending.graphql"],
    isQueried: () => true,
  });
  const [ascending, descending] = planPort(workspace, documents, project.surfaces).planned;
  if (!ascending || !descending) throw new TypeError("The operations were not planned.");
  const opened = await openClient(project, ["lockup"], {
    env: {},
    environment: "production",
    useEmulator: true,
    styles: ["multichain", "subgraph"],
    maxLag: undefined,
    freshness: false,
  });
  onTestFinished(opened.close);
  const { portable } = descending.group.kept;
  const group = { ...ascending.group, kept: { ...ascending.group.kept, portable } };
  const proof = await proveGroup(group, { client: opened.client, project });
  expect(proof).toMatchObject({ sets: 3, same: 0 });
  expect(proof.problem).toContain("`streams` differs in subgraph style on ");
});
