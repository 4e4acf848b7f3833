import { describe, expect, it } from "vitest";
import { checkKeys, checkVariables, isPlaceholder } from "../../../src/tasks/doctor/variables.ts";
import { KEY, KEYED, keyed, lines, projectContextOf } from "./context-of.ts";

describe("checkKeys", () => {
  it.each<[name: string, value: string | undefined, status: string, sentence: RegExp]>([
    ["set", KEY, "ok", /^GRAPH_KEY is set\.$/],
    ["not set", undefined, "problem", /^GRAPH_KEY is not set, but \d+ endpoints need it\.$/],
    ["empty", "  ", "problem", /not set/],
    ["a placeholder", "<your-key>", "warning", /looks like a placeholder/],
    ["another placeholder", "YOUR_API_KEY", "warning", /looks like a placeholder/],
    ["with a line end", `${KEY}\n`, "warning", /spaces or a line end around/],
    ["of two lines", `${KEY}\nX: y`, "problem", /several lines/],
    ["with a space", `${KEY} ${KEY}`, "problem", /contains a space/],
    ["in quotes", `"${KEY}"`, "warning", /quotes/],
    ["with its scheme", `Bearer ${KEY}`, "problem", /starts with "Bearer"/],
    ["beyond ASCII", `${KEY}ä`, "problem", /non-ASCII characters/],
  ])("a key that is %s", async (_, value, status, sentence) => {
    const env = value === undefined ? {} : { GRAPH_KEY: value };
    const found = checkKeys(await projectContextOf(keyed(), { env, environment: "production" }));
    expect(found).toMatchObject([{ status, sentence: expect.stringMatching(sentence) }]);
    expect(JSON.stringify(found)).not.toContain(KEY);
  });

  it("names the file that sets a missing key, and how to load it", async () => {
    const project = keyed({ ".env": `GRAPH_KEY=${KEY}\n`, ".env.example": "GRAPH_KEY=…" });
    expect(checkKeys(await projectContextOf(project, { environment: "production" }))).toEqual([
      {
        status: "problem",
        sentence: expect.stringMatching(
          /^GRAPH_KEY is not set \(it is in \.env, which commands do not load\)/,
        ),
        fix: "set -a; . ./.env; set +a",
      },
    ]);
  });

  it("warns about a key that only endpoints outside of this run need", async () => {
    expect(lines(checkKeys(await projectContextOf(keyed(), { environment: "testing" })))).toEqual([
      expect.stringMatching(
        /^warning GRAPH_KEY is not set; \d+ endpoints need it, in an environment that this run does not use\.$/,
      ),
    ]);
  });

  it("warns about endpoints that require a key and have none configured", async () => {
    const deployments = { "protocol-lockup-linea": { production: { url: "https://other.example/q" } } };
    expect(lines(checkKeys(await projectContextOf(keyed({}, { ...KEYED, deployments }))))).toEqual([
      expect.stringMatching(/^problem GRAPH_KEY is not set, but \w+ endpoints? needs? it\.$/),
      "warning One endpoint needs a key, but none is configured.",
    ]);
  });

  it("is clean if no endpoint needs a variable", async () => {
    expect(lines(checkKeys(await projectContextOf(keyed({}, { protocols: ["flow"] }))))).toEqual([
      "ok No configured endpoint needs a key or another variable.",
    ]);
  });
});

describe("checkVariables", () => {
  const check = async (config: object, env: Record<string, string>, files: Record<string, string> = {}) =>
    lines(checkVariables(await projectContextOf(keyed(files, config), { env })));

  it("reports a URL that is not valid, once, and no missing variable", async () => {
    const config = { protocols: ["lockup"], subgraph: { testing: { url: { env: "HOST" } } } };
    expect(await check(config, {})).toEqual([]);
    const found = await check(config, { HOST: "not a url" });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^problem .*HOST/);
  });

  it("reports two deployments with one URL", async () => {
    const config = { protocols: ["lockup"], subgraph: { testing: { url: { env: "HOST" } } } };
    const [found = ""] = await check(config, { HOST: "https://one.example/for-all" });
    expect(found).toMatch(/^problem /);
  });

  it.each<[env: Record<string, string>, sentence: string]>([
    [
      { LOCKFLOW_SUBGRAPH_TESTING_URL: "testing {deployment}" },
      '"LOCKFLOW_SUBGRAPH_TESTING_URL" is not a URL.',
    ],
    [
      { LOCKFLOW_SUBGRAPH_TESTING_URL: "https://testing.example/graphql" },
      'The template in "LOCKFLOW_SUBGRAPH_TESTING_URL" does not contain {deployment}, so every deployment would have the same URL.',
    ],
    [
      {
        LOCKFLOW_LOCKUP_ID: "abc1234",
        LOCKFLOW_SUBGRAPH_TESTING_URL: "http://testing.example/{deployment}",
      },
      '"LOCKFLOW_SUBGRAPH_TESTING_URL" must use https.',
    ],
  ])("reports one problem of %j", async (env, sentence) => {
    expect(await check({ protocols: ["lockup"] }, env)).toEqual([`problem ${sentence}`]);
  });

  it("reports unread variables, and suggests the intended names", async () => {
    const project = keyed(
      { ".env": "LOCKFLOW_MULTICHAIN_URL=https://indexer.example/{id}\n" },
      { protocols: ["lockup"] },
    );
    const env = {
      LOCKFLOW_SUBGRAPH_TEST_URL: "https://testing.example/{deployment}",
      LOCKFLOW_BRAND: "acme",
    };
    expect(checkVariables(await projectContextOf(project, { env }))).toMatchObject([
      {
        status: "warning",
        sentence:
          "LOCKFLOW_BRAND is set, but not read: the configuration has its own value, or no endpoint needs it.",
      },
      {
        status: "warning",
        sentence: "LOCKFLOW_SUBGRAPH_TEST_URL is set, but no command reads it.",
        fix: "rename it to LOCKFLOW_SUBGRAPH_TESTING_URL",
      },
      {
        status: "warning",
        sentence: "LOCKFLOW_MULTICHAIN_URL: set in .env, which commands do not load.",
        fix: "set -a; . ./.env; set +a",
      },
    ]);
  });

  it("reports a host that is only in a file, which commands do not load", async () => {
    const env = "LOCKFLOW_SUBGRAPH_TESTING_URL=https://h.example/{deployment}\n";
    expect(await check({ protocols: ["lockup"] }, {}, { ".env.local": env, ".env.example": env })).toEqual([
      "warning LOCKFLOW_SUBGRAPH_TESTING_URL: set in .env.local, which commands do not load.",
    ]);
  });
});

it.each<[value: string, want: boolean]>([
  [KEY, false],
  ["<your-key>", true],
  ["YOUR_API_KEY", true],
  ["xxxxxxxx", true],
  ["abc", true],
  ["${GRAPH_KEY}", true],
  ["key-…", true],
  ["changeme", true],
  ["0f3e5a7c9b1d", false],
])("isPlaceholder: %s → %s", (value, want) => {
  expect(isPlaceholder(value)).toBe(want);
});
