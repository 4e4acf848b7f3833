import { expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { findUnreadVariables } from "../../src/project/variables.ts";

const TESTING = { LOCKFLOW_SUBGRAPH_TESTING_URL: "https://testing.example/{deployment}" };

const own = (url: string | { env: string }): Config => ({ subgraph: { testing: { url } } });
it.each<[name: string, config: Config, env: Record<string, string>, ...want: [string, string | null][]]>([
  ["no variable is set", {}, { PATH: "/bin", LOCKFLOW_BRAND: " " }],
  ["a variable that is read", {}, TESTING],
  ["a brand that a URL uses", {}, { ...TESTING, LOCKFLOW_BRAND: "acme" }],
  ["a brand that no URL uses", {}, { LOCKFLOW_BRAND: "acme" }, ["LOCKFLOW_BRAND", null]],
  [
    "misspelled names",
    {},
    { LOCKFLOW_SUBGRAPH_TEST_URL: "a", LOCKFLOW_SUBGRAPH_KEY: "b", LOCKFLOW_XYZZY_PLUGH: "c" },
    ["LOCKFLOW_SUBGRAPH_KEY", "LOCKFLOW_SUBGRAPH_API_KEY"],
    ["LOCKFLOW_SUBGRAPH_TEST_URL", "LOCKFLOW_SUBGRAPH_TESTING_URL"],
    ["LOCKFLOW_XYZZY_PLUGH", null],
  ],
  [
    "a URL that the configuration overrides",
    own("https://own.example/{deployment}"),
    TESTING,
    ["LOCKFLOW_SUBGRAPH_TESTING_URL", null],
  ],
  ["a variable that the configuration names", own({ env: "LOCKFLOW_SUBGRAPH_TESTING_URL" }), TESTING],
  [
    "an id of a protocol that is not configured",
    { protocols: ["lockup"] },
    { ...TESTING, LOCKFLOW_FLOW_ID: "a" },
    ["LOCKFLOW_FLOW_ID", null],
  ],
  [
    "a key without a URL",
    {},
    { ...TESTING, LOCKFLOW_SUBGRAPH_API_KEY: "k" },
    ["LOCKFLOW_SUBGRAPH_API_KEY", null],
  ],
])("findUnreadVariables: %s", (_, config, env, ...want) => {
  const found = findUnreadVariables(resolveProject(config, "/project"), env);
  expect(found.map(({ name, nearest }) => [name, nearest])).toEqual(want);
});
