import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { buildConfigSchema } from "../../docs/config/build-config-schema.ts";
import { ConfigError } from "../../src/base/errors.ts";
import { parseConfig } from "../../src/project/parse-config.ts";
import { catchError } from "../support/catch-error.ts";
import { readRepositoryFile } from "../support/repository.ts";

type Row = readonly [given: unknown, want: string | RegExp];

const chain = (facts: object) => ({ chains: { base: facts } });
const multichain = (more: object) => ({ multichain: { url: "https://a/{id}", ids: {}, ...more } });
const documents = (...entries: readonly object[]) => ({ documents: entries });

const UNKNOWN_KEYS: readonly Row[] = [
  [{ brnd: "x" }, /unknown key "brnd"[\s\S]*"brand"/],
  [{ subgraph: { testng: { url: "x" } } }, /"subgraph.testng"[\s\S]*"testing"/],
  [{ deployments: { a: { testing: { urll: "x", url: "x" } } } }, /"deployments.a.testing.urll"[\s\S]*"url"/],
  [{ zzzzzzzzzz: 1 }, "known keys: brand, protocols"],
  [documents({ file: "*.ts", files: "*.ts" }), /"documents.0.file"[\s\S]*"files"/],
  [multichain({ url: { env: "A", or: "b" } }), '"multichain.url.or"'],
  [chain({ status: "retired", replacedBy: "protocol-lockup-base" }), '"chains.base.replacedBy"'],
];

const INVALID_VALUES: readonly Row[] = [
  ...[5, null, []].map((given): Row => [given, "the configuration must be an object"]),
  [{ brand: 3 }, '"brand" must be text, but is 3'],
  [{ brand: "A b" }, '"brand" must be lower-case'],
  [{ brand: { env: "MY BRAND" } }, '"brand.env" must be the name of an environment variable'],
  [{ documents: "src/*.ts" }, '"documents" must be a list of patterns'],
  [documents({ files: "*.ts", names: ["a.b"] }), '"documents.0.names.0" must be the name of a function'],
  [{ protocols: ["lockupp"] }, '"protocols.0" must be "lockup" or "flow"'],
  [{ protocols: [] }, '"protocols" must not be empty'],
  [{ subgraph: { production: { url: 1 } } }, '"subgraph.production.url" must be text, but is 1'],
  [{ subgraph: { production: { url: null } } }, '"subgraph.production.url" must be text, but is null'],
  [{ multichain: { url: "https://a/{id}" } }, '"multichain.ids" is missing'],
  [multichain({ headers: { "x a": "b" } }), '"multichain.headers.x a" is not the name of a header'],
  [multichain({ headers: { "x-a": "b\r\nc: d" } }), '"multichain.headers.x-a" must be one line'],
  [{ chains: { "Bad Key": {} } }, '"chains.Bad Key" is not a chain key'],
  [chain({ blockExplorer: "javascript:alert(1)" }), '"chains.base.blockExplorer" must be a URL'],
  [chain({ blockExplorer: "" }), '"chains.base.blockExplorer" must not be empty'],
  [chain({ shortName: "base:" }), '"chains.base.shortName" must be at most 64 letters, digits, dashes and'],
  [chain({ secondsPerBlock: 0 }), '"chains.base.secondsPerBlock" must be more than 0'],
  [chain({ secondsPerBlock: -1 }), '"chains.base.secondsPerBlock" must be more than 0'],
  [chain({ secondsPerBlock: Infinity }), '"chains.base.secondsPerBlock" must be finite'],
  [chain({ secondsPerBlock: NaN }), '"chains.base.secondsPerBlock" must be a number'],
  [chain({ name: "\u202eesaB" }), '"chains.base.name" must be one line of text'],
  ...["two\nlines", "\u202eturned", "\0"].map(
    (reason): Row => [chain({ status: "retired", reason }), '"chains.base.reason" must be one line of text'],
  ),
  [{ deployments: { a: { status: "gone" } } }, 'must be "active", "dormant" or "retired"'],
  [{ timeout: 1.5 }, '"timeout" must be a whole number'],
  [{ concurrency: 1000 }, '"concurrency" must be at most 64'],
];

/** Rules about the content of a text, which the JSON schema does not have. */
const INVALID_TEXTS: readonly Row[] = [
  ...["/src/*.ts", "../*.ts", "!../a.ts", "src/../../a.ts", "C:\\\\a.ts", "\\\\a.ts"].map(
    (pattern): Row => [
      documents({ files: [pattern] }),
      '"documents.0.files.0" must match files below the folder',
    ],
  ),
  [documents({ files: ["!src/*.ts"] }), '"documents.0.files" must include files, not only exclude some'],
  [
    { subgraph: { testing: { url: { env: `a${"0".repeat(31)}` } } } },
    '"subgraph.testing.url.env" looks like a key',
  ],
  [multichain({ ids: { lockup: "0".repeat(32) } }), '"multichain.ids.lockup" looks like it contains a key'],
  [multichain({ headers: { "x-api-key": "abc" } }), '"multichain.headers" must not contain a secret'],
  [multichain({ headers: { "Content-Length": "1" } }), "is a header that Lockflow sets"],
  ...["2025", "2025-7", "2025-13", "2025-02-30", "July 2025", "2025-07-31T00:00:00Z"].map(
    (since): Row => [
      { deployments: { a: { status: "retired", since } } },
      '"deployments.a.since" must be a month or a day, such as 2025-07 or 2025-07-31',
    ],
  ),
];

const validate = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(readRepositoryFile("docs/config.schema.json")),
);

describe("parseConfig", () => {
  it.each([
    ...UNKNOWN_KEYS.map((row) => [...row, "CONFIG_UNKNOWN_KEY"] as const),
    ...[...INVALID_VALUES, ...INVALID_TEXTS].map((row) => [...row, "CONFIG_INVALID_VALUE"] as const),
  ])("error: %j: %s", (given, want, code) => {
    const error = catchError(() => parseConfig(given, "lockflow.config.ts"));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(want);
    expect(error.message).toContain("lockflow.config.ts");
  });

  it("error: a literal key is rejected without being shown", () => {
    const given = { subgraph: { production: { url: "https://a/{deployment}", apiKey: "0123456789secret" } } };
    const error = catchError(() => parseConfig(given, "lockflow.config.ts"));
    expect(error.message).toMatch(/put keys into environment variables/);
    expect(error.message).not.toContain("secret");
  });

  it("accepts every key of the contract", () => {
    const config = {
      $schema: "./node_modules/lockflow/docs/config.schema.json",
      brand: "protocol",
      protocols: ["lockup", "flow"],
      multichain: {
        url: "https://{host}/{id}/v1/graphql",
        host: "indexer.example",
        ids: { lockup: "abc1234", flow: "def5678" },
        headers: { "x-team": "a team of\ttwo", "x-token": { env: "TOKEN" } },
        playground: "https://play.example/{id}",
        explorer: "https://explore.example/{id}",
      },
      subgraph: {
        production: { url: "https://gateway.example/{deployment}", apiKey: { env: "SUBGRAPH_API_KEY" } },
        testing: { url: "https://testing.example/{deployment}/latest", dailyQueries: 3000 },
        explorer: "https://explorer.example/{deployment}",
      },
      deployments: {
        "protocol-lockup-form": { production: { url: "https://form.example/lockup", apiKey: false } },
        "protocol-flow-form": { status: "retired", testing: false },
      },
      chains: { sonic: { chainId: 146, name: "Sonic", subgraphSuffix: "sonic", multichainName: null } },
      operations: "operations",
      output: "generated",
      scalars: { BigInt: "`${bigint}`" },
      follow: { lockup: "protocol-lockup-mainnet" },
      concurrency: 4,
      timeout: 1000,
    };
    expect(parseConfig(config, "lockflow.config.ts")).toEqual(config);
    expect(validate(config)).toBe(true);
  });
});

describe("the JSON schema of a configuration", () => {
  it("is the committed one, which `npm run docs` writes", () => {
    for (const [path, text] of Object.entries(buildConfigSchema()))
      expect(readRepositoryFile(path)).toBe(text);
  });

  it("refuses what commands refuse, except for rules about the content of a text", () => {
    expect([...UNKNOWN_KEYS, ...INVALID_VALUES].filter(([given]) => validate(given))).toEqual([]);
  });
});
