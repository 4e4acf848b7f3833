import { describe, expect, it } from "vitest";
import type { LockflowError } from "../../../src/base/errors.ts";
import { parseIdTable } from "../../../src/project/id-table.ts";
import { resolveProject } from "../../../src/project/project.ts";
import { addIds } from "../../../src/tasks/init/add-ids.ts";
import { addIdsToJson } from "../../../src/tasks/init/add-ids-to-json.ts";
import { catchError } from "../../support/catch-error.ts";

const PROJECT = resolveProject({}, "/project");
const LOCKUP = resolveProject({ protocols: ["lockup"] }, "/project");

function parse(text: string, project = PROJECT) {
  const table = parseIdTable(text, "ids.csv", project);
  return Object.fromEntries([...table].map(([protocol, ids]) => [protocol, Object.fromEntries(ids)]));
}

describe("a table of ids", () => {
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
  ])("is %s", (_, text) => {
    expect(parse(text)).toEqual(EXPECTED);
  });

  it.each([
    [
      "CSV of a dashboard",
      '\uFEFF"Protocol","Network","Subgraph ID"\r\n"Lockup","ethereum","AbC"\r\n"Lockup","base","Qm.2"\r\n"Flow","arb1","x-1"\r\n',
    ],
    [
      "an answer of its API",
      '{"data":{"subgraphs":[{"id":"0x1","subgraphId":"AbC","displayName":"Lockup, Ethereum","network":"mainnet"},{"id":"0x2","subgraphId":"Qm.2","displayName":"Lockup Base","network":"base"},{"id":"0x3","subgraphId":"x-1","displayName":"Flow Arbitrum","network":"arbitrum-one"}]}}',
    ],
    [
      "a list of names with their own brand",
      "Name,ID\nacme-lockup-mainnet,AbC\nacme-lockup-base,Qm.2\nacme-flow-arbitrum-one,x-1",
    ],
  ])("is %s, as it is", (_, text) => {
    expect(parse(text)).toEqual(EXPECTED);
  });

  it("takes ids that are numbers", () => {
    expect(parse('[{"chain":"base","id":48211}]', LOCKUP)).toEqual({ lockup: { base: "48211" } });
  });

  it("needs no protocol where there is one only", () => {
    expect(parse("chain,id\nbase,A", LOCKUP)).toEqual({ lockup: { base: "A" } });
    expect(parse('{"base":"A","arbitrum-sepolia":"B"}', LOCKUP)).toEqual({
      lockup: { base: "A", "arbitrum-sepolia": "B" },
    });
  });

  it("error: a chain that its definition leaves out, which is where to add it", () => {
    const project = resolveProject({ protocols: { auctions: { chains: ["base"] } } }, "/project");
    expect(catchError(() => parse("chain,id\nlinea,A", project))).toMatchObject({
      sentence: "ids.csv:2 names linea, where auctions has no subgraph.",
      hint: expect.stringContaining('to the definition of auctions in "protocols"'),
    });
  });

  it.each([
    ["no head", "lockup,base,A", "ids.csv has no first line with protocol,chain,id"],
    ["nothing", "protocol,chain,id\n", "ids.csv holds no ids."],
    [
      "a protocol of nobody",
      "protocol,chain,id\n\nlokup,base,A",
      'ids.csv:3 names no protocol of the project: did you mean "lockup"?',
    ],
    [
      "a protocol that is left out, of two",
      "chain,id\nbase,A",
      "ids.csv:2 names no protocol of the project.",
    ],
    [
      "a chain of nobody",
      "protocol,chain,id\nlockup,bsae,A",
      'ids.csv:2 names no chain: did you mean "base"?',
    ],
    [
      "a chain without a subgraph",
      "protocol,chain,id\nlockup,morph,A",
      "ids.csv:2 names morph, where lockup has no subgraph.",
    ],
    [
      "a deployment of nobody",
      "deployment,id\nprotocol-lockup-bas,A",
      'names no deployment: did you mean "protocol-lockup-base"?',
    ],
    ["an id that is a path", "protocol,chain,id\nlockup,base,../x", "ids.csv:2 has no id of letters"],
    [
      "an id that is a host",
      "protocol,chain,id\nlockup,base,@evil.example",
      "ids.csv:2 has no id of letters",
    ],
    ["no id", "protocol,chain,id\nlockup,base,", "ids.csv:2 has no id of letters"],
    [
      "two ids",
      "protocol,chain,id\nlockup,base,A\nlockup,8453,B",
      "ids.csv:3 gives lockup on base a second id.",
    ],
    [
      "a name that two protocols have",
      "name,network,id\nlockup and flow,base,A",
      "ids.csv:2 names no protocol of the project.",
    ],
    ["broken JSON", "{", "ids.csv begins as JSON and is not."],
    ["a list of texts", '["A"]', "ids.csv: entry 1 is no object."],
    ["a prototype", '{"__proto__":{"base":"A"}}', "names no protocol of the project"],
  ])("error: %s", (_, text, sentence) => {
    expect((catchError(() => parse(text)) as LockflowError).sentence).toContain(sentence);
  });
});

describe("ids in a configuration", () => {
  const TABLE = new Map([
    [
      "lockup",
      new Map([
        ["base", "B"],
        ["arbitrum-sepolia", "S"],
      ]),
    ],
  ]);

  it("go beside what is there, and in the place of those of the same chains", () => {
    const text = `import { defineConfig } from "lockflow";

// By hand.
const production = {
  url: "https://gateway.example/{id}", // the gateway
  ids: { lockup: { base: "old", ethereum: "E" }, flow: { base: "F" } },
};
export default defineConfig({ subgraph: { production }, output: "out" });
`;
    for (const own of [text, text.replace("{ production }", "{ production: production }")]) {
      expect(addIds("lockflow.config.ts", own, TABLE)).toBe(
        own.replace(
          '{ base: "old", ethereum: "E" }',
          '{ base: "B", ethereum: "E",\n    "arbitrum-sepolia": "S",\n  }',
        ),
      );
    }
  });

  it("bring a gateway with them that a variable names, where there is none", () => {
    expect(addIds("lockflow.config.mjs", "export default {};\n", TABLE)).toBe(`export default {
  subgraph: {
    production: {
      url: { env: "LOCKFLOW_SUBGRAPH_PRODUCTION_URL" },
      apiKey: { env: "LOCKFLOW_SUBGRAPH_API_KEY" },
      ids: {
        lockup: {
          base: "B",
          "arbitrum-sepolia": "S",
        },
      },
    },
  },
};
`);
  });

  it.each([
    [
      "what is taken out of another object",
      "const { subgraph } = { subgraph: { production: {} } }; export default { subgraph };",
    ],
    ["what is worked out", "export default { subgraph: load() };"],
    ["what is spread", "const all = {}; export default all2;"],
    ["a URL in the place of an object", 'export default { subgraph: { production: "https://x" } };'],
  ])("find no place in %s", (_, text) => {
    expect(addIds("lockflow.config.ts", text, TABLE)).toBeNull();
  });

  it("go into JSON as well", () => {
    const before = {
      output: "out",
      subgraph: { production: { url: "u", ids: { lockup: { base: "o", bsc: "C" } } } },
    };
    expect(JSON.parse(addIdsToJson(JSON.stringify(before), TABLE) ?? "")).toEqual({
      output: "out",
      subgraph: {
        production: { url: "u", ids: { lockup: { base: "B", bsc: "C", "arbitrum-sepolia": "S" } } },
      },
    });
    expect(addIdsToJson("[]", TABLE)).toBeNull();
  });
});
