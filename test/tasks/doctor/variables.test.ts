import { describe, expect, it } from "vitest";
import { checkKeys, checkVariables, isPlaceholder } from "../../../src/tasks/doctor/variables.ts";
import { KEY, KEYED, keyed, lines, linesWithFix, matching, projectContextOf } from "./context-of.ts";

describe("checkKeys", () => {
  it.each<[name: string, value: string | undefined, want: RegExp]>([
    ["set", KEY, /^ok GRAPH_KEY is set\.$/],
    ["not set", undefined, /^problem GRAPH_KEY is not set, but \d+ endpoints need it\.$/],
    ["empty", "  ", /^problem .*not set/],
    ["a placeholder", "<your-key>", /^warning .*looks like a placeholder/],
    ["another placeholder", "YOUR_API_KEY", /^warning .*looks like a placeholder/],
    ["with a line end", `${KEY}\n`, /^warning .*spaces or a line end around/],
    ["of two lines", `${KEY}\nX: y`, /^problem .*several lines/],
    ["with a space", `${KEY} ${KEY}`, /^problem .*contains a space/],
    ["in quotes", `"${KEY}"`, /^warning .*quotes/],
    ["with its scheme", `Bearer ${KEY}`, /^problem .*starts with "Bearer"/],
    ["beyond ASCII", `${KEY}ä`, /^problem .*non-ASCII characters/],
  ])("a key that is %s", async (_, value, want) => {
    const env: Record<string, string> = value === undefined ? {} : { GRAPH_KEY: value };
    const found = checkKeys(await projectContextOf(keyed(), { env, environment: "production" }));
    expect(lines(found)).toEqual(matching(want));
    expect(JSON.stringify(found)).not.toContain(KEY);
  });

  const OTHER_HOST = { "protocol-lockup-linea": { production: { url: "https://other.example/q" } } };
  it.each<
    [name: string, files: Record<string, string>, config: object, environment: string, ...want: RegExp[]]
  >([
    [
      "names the file that sets a missing key, and how to load it",
      { ".env": `GRAPH_KEY=${KEY}\n`, ".env.example": "GRAPH_KEY=…" },
      KEYED,
      "production",
      /^problem GRAPH_KEY is not set \(it is in \.env, which commands do not load\).* → set -a; \. \.\/\.env; set \+a$/,
    ],
    [
      "warns about a key that only endpoints outside of this run need",
      {},
      KEYED,
      "testing",
      /^warning GRAPH_KEY is not set; \d+ endpoints need it, in an environment that this run does not use\./,
    ],
    [
      "warns about endpoints that require a key and have none configured",
      {},
      { ...KEYED, deployments: OTHER_HOST },
      "",
      /^problem GRAPH_KEY is not set, but \w+ endpoints? needs? it\./,
      /^warning One endpoint needs a key, but none is configured\./,
    ],
    [
      "is clean if no endpoint needs a variable",
      {},
      { protocols: ["flow"] },
      "",
      /^ok No configured endpoint needs a key or another variable\.$/,
    ],
  ])("%s", async (_, files, config, environment, ...want) => {
    const options = environment === "" ? {} : { environment: environment as "testing" };
    const found = checkKeys(await projectContextOf(keyed(files, config), options));
    expect(linesWithFix(found)).toEqual(matching(...want));
  });
});

describe("checkVariables", () => {
  const check = async (env: Record<string, string>, files: Record<string, string> = {}, config = {}) => {
    const context = await projectContextOf(keyed(files, { protocols: ["lockup"], ...config }), { env });
    return linesWithFix(checkVariables(context));
  };
  const HOST = { subgraph: { testing: { url: { env: "HOST" } } } };

  it.each<[env: Record<string, string>, config: object, ...want: (string | RegExp)[]]>([
    [{}, HOST],
    [{ HOST: "not a url" }, HOST, /^problem .*HOST/],
    // Two deployments would have one URL.
    [{ HOST: "https://one.example/for-all" }, HOST, /^problem /],
    [
      { LOCKFLOW_SUBGRAPH_TESTING_URL: "testing {deployment}" },
      {},
      /^problem "LOCKFLOW_SUBGRAPH_TESTING_URL" is not a URL\./,
    ],
    [
      { LOCKFLOW_SUBGRAPH_TESTING_URL: "https://testing.example/graphql" },
      {},
      /^problem The template in "LOCKFLOW_SUBGRAPH_TESTING_URL" does not contain \{deployment\}, so every deployment would have the same URL\./,
    ],
    [
      { LOCKFLOW_LOCKUP_ID: "abc1234", LOCKFLOW_SUBGRAPH_TESTING_URL: "http://testing.example/{deployment}" },
      {},
      /^problem "LOCKFLOW_SUBGRAPH_TESTING_URL" must use https\./,
    ],
  ])("reports one problem of %j with %j", async (env, config, ...want) => {
    expect(await check(env, {}, config)).toEqual(matching(...want));
  });

  it("reports unread variables, and suggests the intended names", async () => {
    const env = {
      LOCKFLOW_SUBGRAPH_TEST_URL: "https://testing.example/{deployment}",
      LOCKFLOW_BRAND: "acme",
    };
    expect(await check(env, { ".env": "LOCKFLOW_MULTICHAIN_URL=https://indexer.example/{id}\n" })).toEqual(
      matching(
        /^warning LOCKFLOW_BRAND is set, but not read: the configuration has its own value, or no endpoint needs it\./,
        "warning LOCKFLOW_SUBGRAPH_TEST_URL is set, but no command reads it. → rename it to LOCKFLOW_SUBGRAPH_TESTING_URL",
        "warning LOCKFLOW_MULTICHAIN_URL: set in .env, which commands do not load. → set -a; . ./.env; set +a",
      ),
    );
  });

  it("reports a host that is only in a file, which commands do not load", async () => {
    const env = "LOCKFLOW_SUBGRAPH_TESTING_URL=https://h.example/{deployment}\n";
    expect(await check({}, { ".env.local": env, ".env.example": env })).toEqual(
      matching(/^warning LOCKFLOW_SUBGRAPH_TESTING_URL: set in \.env\.local, which commands do not load\./),
    );
  });
});

it.each<[want: boolean, ...values: string[]]>([
  [false, KEY, "0f3e5a7c9b1d"],
  [true, "<your-key>", "YOUR_API_KEY", "xxxxxxxx", "abc", "${GRAPH_KEY}", "key-…", "changeme"],
])("isPlaceholder is %s for %s", (want, ...values) => {
  expect(values.filter((value) => isPlaceholder(value) !== want)).toEqual([]);
});
