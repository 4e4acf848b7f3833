import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { buildConfigSchema } from "../../docs/config/build-config-schema.ts";
import { ConfigError } from "../../src/base/errors.ts";
import { parseConfig } from "../../src/project/parse-config.ts";
import { catchError } from "../support/catch-error.ts";
import { readRepositoryFile } from "../support/repository.ts";

const cases: [name: string, given: unknown, code: string, want: RegExp][] = [
  ["unknown key, with the nearest", { brnd: "x" }, "CONFIG_UNKNOWN_KEY", /unknown key "brnd"[\s\S]*"brand"/],
  [
    "unknown key inside",
    { subgraph: { testng: { url: "x" } } },
    "CONFIG_UNKNOWN_KEY",
    /"subgraph.testng"[\s\S]*"testing"/,
  ],
  [
    "unknown key inside a union",
    { deployments: { a: { testing: { urll: "x", url: "x" } } } },
    "CONFIG_UNKNOWN_KEY",
    /"deployments.a.testing.urll"[\s\S]*"url"/,
  ],
  [
    "unknown key without a similar key",
    { zzzzzzzzzz: 1 },
    "CONFIG_UNKNOWN_KEY",
    /known keys: brand, protocols/,
  ],
  ["wrong type", { brand: 3 }, "CONFIG_INVALID_VALUE", /"brand" must be text, but is 3/],
  ["not an object", 5, "CONFIG_INVALID_VALUE", /the configuration must be an object/],
  ["null", null, "CONFIG_INVALID_VALUE", /the configuration must be an object/],
  [
    "documents that are not a list",
    { documents: "src/*.ts" },
    "CONFIG_INVALID_VALUE",
    /"documents" must be a list of patterns/,
  ],
  ...["/src/*.ts", "../*.ts", "!../a.ts", "src/../../a.ts", "C:\\\\a.ts", "\\\\a.ts"].map(
    (pattern): (typeof cases)[number] => [
      `a pattern outside the folder: ${pattern}`,
      { documents: [{ files: [pattern] }] },
      "CONFIG_INVALID_VALUE",
      /"documents.0.files.0" must match files below the folder of the configuration/,
    ],
  ),
  [
    "documents with exclusions only",
    { documents: [{ files: ["!src/*.ts"] }] },
    "CONFIG_INVALID_VALUE",
    /"documents.0.files" must include files, not only exclude some/,
  ],
  [
    "a name of documents that is not a function name",
    { documents: [{ files: "*.ts", names: ["a.b"] }] },
    "CONFIG_INVALID_VALUE",
    /"documents.0.names.0" must be the name of a function/,
  ],
  [
    "an unknown key of documents",
    { documents: [{ file: "*.ts", files: "*.ts" }] },
    "CONFIG_UNKNOWN_KEY",
    /"documents.0.file"[\s\S]*"files"/,
  ],
  [
    "unknown protocol",
    { protocols: ["lockupp"] },
    "CONFIG_INVALID_VALUE",
    /"protocols.0" must be "lockup" or "flow"/,
  ],
  [
    "a key in place of a variable's name",
    { subgraph: { testing: { url: { env: `a${"0".repeat(31)}` } } } },
    "CONFIG_INVALID_VALUE",
    /"subgraph.testing.url.env" looks like a key/,
  ],
  [
    "an invalid variable name",
    { brand: { env: "MY BRAND" } },
    "CONFIG_INVALID_VALUE",
    /"brand.env" must be the name of an environment variable/,
  ],
  [
    "a key in place of an id",
    { multichain: { url: "https://a/{id}", ids: { lockup: "0".repeat(32) } } },
    "CONFIG_INVALID_VALUE",
    /"multichain.ids.lockup" looks like it contains a key/,
  ],
  [
    "a number in place of a URL",
    { subgraph: { production: { url: 1 } } },
    "CONFIG_INVALID_VALUE",
    /"subgraph.production.url" must be text, but is 1/,
  ],
  [
    "null in place of a URL",
    { subgraph: { production: { url: null } } },
    "CONFIG_INVALID_VALUE",
    /"subgraph.production.url" must be text, but is null/,
  ],
  [
    "a variable with another member",
    { multichain: { url: { env: "A", or: "b" }, ids: {} } },
    "CONFIG_UNKNOWN_KEY",
    /"multichain.url.or"/,
  ],
  [
    "a secret in a header",
    { multichain: { url: "https://a/{id}", ids: {}, headers: { "x-api-key": "abc" } } },
    "CONFIG_INVALID_VALUE",
    /"multichain.headers" must not contain a secret/,
  ],
  ["no protocol", { protocols: [] }, "CONFIG_INVALID_VALUE", /"protocols" must not be empty/],
  [
    "missing member",
    { multichain: { url: "https://a/{id}" } },
    "CONFIG_INVALID_VALUE",
    /"multichain.ids" is missing/,
  ],
  ["bad brand", { brand: "A b" }, "CONFIG_INVALID_VALUE", /"brand" must be lower-case/],
  [
    "bad chain key",
    { chains: { "Bad Key": {} } },
    "CONFIG_INVALID_VALUE",
    /"chains.Bad Key" is not a chain key/,
  ],
  [
    "a block explorer that is not a web URL",
    { chains: { base: { blockExplorer: "javascript:alert(1)" } } },
    "CONFIG_INVALID_VALUE",
    /"chains.base.blockExplorer" must be a URL/,
  ],
  [
    "an empty block explorer",
    { chains: { base: { blockExplorer: "" } } },
    "CONFIG_INVALID_VALUE",
    /"chains.base.blockExplorer" must not be empty/,
  ],
  [
    "a short name with a colon",
    { chains: { base: { shortName: "base:" } } },
    "CONFIG_INVALID_VALUE",
    /"chains.base.shortName" must be at most 64 letters, digits, dashes and underscores/,
  ],
  ...[0, -1].map((secondsPerBlock): (typeof cases)[number] => [
    `${secondsPerBlock} seconds per block`,
    { chains: { base: { secondsPerBlock } } },
    "CONFIG_INVALID_VALUE",
    /"chains.base.secondsPerBlock" must be more than 0/,
  ]),
  [
    "infinite seconds per block",
    { chains: { base: { secondsPerBlock: Infinity } } },
    "CONFIG_INVALID_VALUE",
    /"chains.base.secondsPerBlock" must be finite/,
  ],
  [
    "NaN seconds per block",
    { chains: { base: { secondsPerBlock: NaN } } },
    "CONFIG_INVALID_VALUE",
    /"chains.base.secondsPerBlock" must be a number/,
  ],
  [
    "bad status",
    { deployments: { a: { status: "gone" } } },
    "CONFIG_INVALID_VALUE",
    /must be "active", "dormant" or "retired"/,
  ],
  ...["2025", "2025-7", "2025-13", "2025-02-30", "July 2025", "2025-07-31T00:00:00Z"].map(
    (since): (typeof cases)[number] => [
      `since ${since}`,
      { deployments: { a: { status: "retired", since } } },
      "CONFIG_INVALID_VALUE",
      /"deployments.a.since" must be a month or a day, such as 2025-07 or 2025-07-31/,
    ],
  ),
  [
    "a chain's name with a bidirectional control character",
    { chains: { base: { name: "\u202eesaB" } } },
    "CONFIG_INVALID_VALUE",
    /"chains.base.name" must be one line of text/,
  ],
  ...["two\nlines", "\u202eturned", "\0"].map((reason): (typeof cases)[number] => [
    `the reason ${JSON.stringify(reason)}`,
    { chains: { base: { status: "retired", reason } } },
    "CONFIG_INVALID_VALUE",
    /"chains.base.reason" must be one line of text/,
  ]),
  [
    "a replacement of a chain",
    { chains: { base: { status: "retired", replacedBy: "protocol-lockup-base" } } },
    "CONFIG_UNKNOWN_KEY",
    /"chains.base.replacedBy"/,
  ],
  ["fraction", { timeout: 1.5 }, "CONFIG_INVALID_VALUE", /"timeout" must be a whole number/],
  ["a list", [], "CONFIG_INVALID_VALUE", /the configuration must be an object/],
  [
    "a header with a blank in its name",
    { multichain: { url: "https://a/{id}", ids: {}, headers: { "x a": "b" } } },
    "CONFIG_INVALID_VALUE",
    /"multichain.headers.x a" is not the name of a header/,
  ],
  [
    "a header that Lockflow sets",
    { multichain: { url: "https://a/{id}", ids: {}, headers: { "Content-Length": "1" } } },
    "CONFIG_INVALID_VALUE",
    /is a header that Lockflow sets/,
  ],
  [
    "a header of two lines",
    { multichain: { url: "https://a/{id}", ids: {}, headers: { "x-a": "b\r\nc: d" } } },
    "CONFIG_INVALID_VALUE",
    /"multichain.headers.x-a" must be one line/,
  ],
  [
    "too high a concurrency",
    { concurrency: 1000 },
    "CONFIG_INVALID_VALUE",
    /"concurrency" must be at most 64/,
  ],
];

const validate = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(readRepositoryFile("docs/config.schema.json")),
);

describe("parseConfig", () => {
  it.each(cases)("error: %s", (_, given, code, want) => {
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
    const accepted = cases.filter(([, given]) => validate(given)).map(([name]) => name);
    const rules =
      /^(a pattern outside|documents with exclusions only|a key in place of|a secret in a header|since |a header that)/;
    expect(accepted.filter((name) => !rules.test(name))).toEqual([]);
  });
});
