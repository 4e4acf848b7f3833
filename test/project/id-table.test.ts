import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/base/errors.ts";
import type { Environment } from "../../src/dialects/surface.ts";
import { CHAINS } from "../../src/project/chains.ts";
import { parseIdTable } from "../../src/project/id-table.ts";
import { loadProject, loadProjectNow } from "../../src/project/load-project.ts";
import { type Project, resolveProject } from "../../src/project/project.ts";
import { catchError } from "../support/catch-error.ts";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const PROJECT = resolveProject({}, "/project");
const LOCKUP = resolveProject({ protocols: ["lockup"] }, "/project");

function parse(text: string, project = PROJECT) {
  return parseIdTable(text, "ids.csv", project);
}

describe("parseIdTable", () => {
  const EXPECTED = { lockup: { ethereum: "AbC", base: "Qm.2" }, flow: { arbitrum: "x-1" } };

  it.each([
    ["CSV", "protocol,chain,id\nlockup,ethereum,AbC\nlockup,base,Qm.2\nflow,arbitrum,x-1\n"],
    [
      "CSV of a spreadsheet",
      '\uFEFFID;Chain;Network id;Protocol\r\n"AbC";1;;lockup\r\nQm.2;8453;;lockup\r\n\r\n"x-1";"arb1";a;flow',
    ],
    [
      "CSV by deployment",
      "deployment\tid\nprotocol-lockup-mainnet\tAbC\nprotocol-lockup-base\tQm.2\nprotocol-flow-arbitrum-one\tx-1",
    ],
    ["JSON by protocol and chain", '{"lockup":{"eth":"AbC","base":"Qm.2"},"flow":{"42161":"x-1"}}'],
    [
      "JSON of rows",
      '[{"protocol":"lockup","chain":1,"id":"AbC"},{"deployment":"protocol-lockup-base","id":"Qm.2"},{"protocol":"flow","chain":"Arbitrum One","id":"x-1"}]',
    ],
    [
      "CSV of a dashboard",
      '\uFEFF"Protocol","Network","Subgraph ID"\r\n"Lockup","ethereum","AbC"\r\n"Lockup","base","Qm.2"\r\n"Flow","arb1","x-1"\r\n',
    ],
    [
      "an answer of a dashboard's API",
      '{"data":{"subgraphs":[{"id":"0x1","subgraphId":"AbC","displayName":"Lockup, Ethereum","network":"mainnet"},{"id":"0x2","subgraphId":"Qm.2","displayName":"Lockup Base","network":"base"},{"id":"0x3","subgraphId":"x-1","displayName":"Flow Arbitrum","network":"arbitrum-one"}]}}',
    ],
    [
      "deployment names with another brand",
      "Name,ID\nacme-lockup-mainnet,AbC\nacme-lockup-base,Qm.2\nacme-flow-arbitrum-one,x-1",
    ],
  ])("parses %s", (_, text) => {
    expect(parse(text)).toEqual(EXPECTED);
  });

  it.each([
    ["protocol,chain,id\nlokup,base,A", 'did you mean "lockup"?'],
    ["protocol,chain,id\nlockup,bsae,A", 'did you mean "base"?'],
    ["deployment,id\nprotocol-lockup-bas,A", 'did you mean "protocol-lockup-base"?'],
    ["protocol,chain,id\nqqq,base,A", "use one of: lockup, flow."],
  ])("error: suggests a name for %j", (text, hint) => {
    expect(catchError(() => parse(text))).toMatchObject({ hint });
  });

  it.each<[text: string, want: object]>([
    ["chain,id\nbase,A\nbase,A", { lockup: { base: "A" } }],
    ['{"base":"A","arbitrum-sepolia":"B"}', { lockup: { base: "A", "arbitrum-sepolia": "B" } }],
    ['[{"chain":"base","id":48211}]', { lockup: { base: "48211" } }],
  ])("does not need a protocol if only one is configured: %j", (text, want) => {
    expect(parse(text, LOCKUP)).toEqual(want);
  });

  it("error: a chain that is not in the protocol's definition, with a hint to add it there", () => {
    const project = resolveProject({ protocols: { auctions: { chains: ["base"] } } }, "/project");
    expect(catchError(() => parse("chain,id\nlinea,A", project))).toMatchObject({
      sentence: "ids.csv:2: auctions has no subgraph on linea.",
      hint: expect.stringContaining('to the definition of auctions in "protocols"'),
    });
  });

  it.each<[text: string, want: string]>([
    ["lockup,base,A", ":1: the first line does not name the columns."],
    ["id\nA", ":1: the first line does not name the columns."],
    ["", ":1: the first line does not name the columns."],
    ["protocol,chain,id\n", ": the file has no ids."],
    ["protocol,chain,id\n\nlokup,base,A", ':3: unknown protocol "lokup".'],
    ["chain,id\nbase,A", ":2: the protocol is missing."],
    ["deployment,id\nprotocol-lockup-bas,A", ':2: unknown deployment "protocol-lockup-bas".'],
    ["name,network,id\nlockup and flow,base,A", ":2: the protocol is missing."],
    ...[
      ["lockup,bsae,A", ':2: unknown chain "bsae".'],
      ["lockup,,A", ":2: the chain is missing."],
      ["lockup,::add-mask::\u001b[31m,A", ':2: unknown chain ": :add-mask: : [31m".'],
      ["lockup,morph,A", ":2: lockup has no subgraph on morph."],
      ["lockup,base,../x", ":2: the id must be an id: letters"],
      ["lockup,base,@evil.example", ":2: the id must be an id: letters"],
      [`lockup,base,${"0123456789abcdef".repeat(2)}`, ":2: the id looks like a key"],
      ["lockup,base,", ":2: the id is missing."],
      ["lockup,base,A\nlockup,8453,B", ":3: lockup on base has a second id."],
      ["lockup,base,A\nflow,base,A", ":3: flow on base has the id of lockup on base."],
    ].map(([rows, want = ""]): [string, string] => [`protocol,chain,id\n${rows}`, want]),
    ['{"lockup":{"base":{"env":"X"}}}', ': "lockup.base": the id must be text'],
    ["{", ": the file is not valid JSON."],
    ['{"a":'.repeat(100_000), ": the file is not valid JSON."],
    [`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`, ': "a.a": '],
    [`${'{"a":'.repeat(5000)}[1]${"}".repeat(5000)}`, ": entry 1: it is not an object."],
    ['["A"]', ": entry 1: it is not an object."],
    ["[]", ": the file has no ids."],
    ['{"__proto__":{"base":"A"}}', 'unknown protocol "__proto__"'],
  ])("error: %.80j: %s", (text, want) => {
    const error = catchError(() => parse(text));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ sentence: expect.stringContaining(want), hint: expect.any(String) });
    expect(error.message).toMatch(/^ids\.csv/);
  });
});

/** A spreadsheet with the ids of 46 deployments. */
const CHAIN_KEYS = CHAINS.flatMap(({ key, subgraphSuffix }) => (subgraphSuffix === null ? [] : [key]));
const ROWS = [
  ...["lockup", "flow"].flatMap((protocol) => CHAIN_KEYS.slice(0, 22).map((chain) => [protocol, chain])),
  ["coffee", "base"],
  ["coffee", "ethereum"],
].map(([protocol, chain]) => ({ protocol, chain, id: `Qm-${protocol}-${chain}` }));
const CSV = ["protocol,chain,id", ...ROWS.map((row) => Object.values(row).join(","))].join("\n");

describe("a configuration with an id file", () => {
  const PROTOCOLS = { lockup: true, flow: true, coffee: {} };
  const production = { url: "https://gateway.example/{id}", ids: "data/ids.csv" };
  const projectWith = (config: object, files: Readonly<Record<string, string>> = {}) =>
    tempProject({ "package.json": "{}", "lockflow.config.json": JSON.stringify(config), ...files });
  const configured = (text: string, ids = "data/ids.csv") =>
    projectWith(
      { protocols: PROTOCOLS, subgraph: { production: { ...production, ids } } },
      { "data/ids.csv": text },
    );

  const idsOf = ({ deployments }: Project, environment: Environment) =>
    deployments.flatMap(({ name, style, endpoints }) =>
      endpoints
        .filter((endpoint) => style === "subgraph" && endpoint.environment === environment)
        .map(({ url }) => [name, url.values["id"]]),
    );

  it("has all ids of the file, loaded asynchronously or synchronously", async () => {
    const project = configured(CSV);
    for (const loaded of [await loadProject(project.root), loadProjectNow(project.root)]) {
      const ids = idsOf(loaded, "production").map(([, id]) => id);
      expect(ids.sort()).toEqual(ROWS.map(({ id }) => id).sort());
    }
  });

  it("equals a configuration with the same ids inline", async () => {
    const read = await loadProject(configured('{"lockup":{"base":"A","1":"B"},"coffee":{"base":"C"}}').root);
    const ids = { lockup: { base: "A", ethereum: "B" }, coffee: { base: "C" } };
    const inline = projectWith({ protocols: PROTOCOLS, subgraph: { production: { ...production, ids } } });
    expect({ ...read, root: "" }).toEqual({ ...(await loadProject(inline.root)), root: "" });
  });

  it("accepts ids of chains that `only` excludes, and a file for testing", async () => {
    const project = projectWith(
      {
        only: { chains: ["base"] },
        subgraph: { testing: { url: "https://testing.example/{id}", ids: "../ids.json" } },
      },
      { "ids.json": "[]" },
    );
    project.write("package/lockflow.config.json", project.read("lockflow.config.json"));
    project.write("ids.json", '{"lockup":{"base":"A","linea":"B"}}');
    const testing = idsOf(await loadProject(join(project.root, "package")), "testing");
    expect(testing).toEqual([["protocol-lockup-base", "A"]]);
  });

  const TABLE = "data/ids.csv";
  it.each([
    ["", "nowhere.csv", 'names "nowhere.csv", which does not exist.'],
    ["", "data", 'names "data", which cannot be read.'],
    ["", "https://ids.example/x.csv", 'names "https://ids.example/x.csv", which does not exist.'],
    ["", "/dev/zero", 'names "/dev/zero", which cannot be read.'],
    ["x".repeat(1024 * 1024 + 1), TABLE, `names "${TABLE}", which is larger than 1 MB.`],
    ["", "", '"subgraph.production.ids" must not be empty.'],
    ["protocol,chain,id\nlokup,base,A", TABLE, `${TABLE}:2: unknown protocol "lokup".`],
  ])("error: %.40j in the file %s: %s", async (text, ids, want) => {
    const { root } = configured(text, ids);
    for (const load of [() => loadProject(root), async () => loadProjectNow(root)]) {
      const error = await load().catch((error: unknown) => error);
      expect(error).toBeInstanceOf(ConfigError);
      expect(error).toMatchObject({ sentence: expect.stringContaining(want), hint: expect.any(String) });
    }
  });

  it("error: a file for a gateway whose URL has no {id}", async () => {
    const project = projectWith(
      { subgraph: { production: { url: "https://gateway.example/{deployment}", ids: "ids.csv" } } },
      { "ids.csv": "protocol,chain,id\nlockup,base,A" },
    );
    await expect(loadProject(project.root)).rejects.toThrow(/put \{id\} into/);
  });

  it("is read again by generate and check if it changes", async () => {
    const project = generatedProject({ "subgraph/a.graphql": "query A { streams(first: 5) { id } }" });
    const config = { protocols: ["lockup"], subgraph: { production: { ...production, ids: "ids.csv" } } };
    project.write("lockflow.config.json", JSON.stringify(config));
    project.write("node_modules/keep/package.json", "{}");
    const cli = async (command: string) => (await run(project.root, [command])).code;
    for (const id of ["AbC", "Xyz"]) {
      project.write("ids.csv", `chain,id\nbase,${id}`);
      expect([await cli("check"), await cli("generate")]).toEqual([1, 0]);
      expect(project.read("generated/routes.ts")).toContain(id);
    }
    expect(await cli("check")).toBe(0);
  });
});
