import { describe, expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { findUnreadVariables } from "../../src/project/variables.ts";

const TESTING = { LOCKFLOW_SUBGRAPH_TESTING_URL: "https://testing.example/{deployment}" };

describe("findUnreadVariables", () => {
  it.each<[name: string, config: Config, env: Record<string, string>, want: [string, string | null][]]>([
    ["none is set", {}, { PATH: "/bin", LOCKFLOW_BRAND: " " }, []],
    ["one is read", {}, TESTING, []],
    ["a brand is read where it stands in a URL", {}, { ...TESTING, LOCKFLOW_BRAND: "acme" }, []],
    ["a brand alone", {}, { LOCKFLOW_BRAND: "acme" }, [["LOCKFLOW_BRAND", null]]],
    [
      "a slip of the hand",
      {},
      { LOCKFLOW_SUBGRAPH_TEST_URL: "a", LOCKFLOW_SUBGRAPH_KEY: "b", LOCKFLOW_XYZZY_PLUGH: "c" },
      [
        ["LOCKFLOW_SUBGRAPH_KEY", "LOCKFLOW_SUBGRAPH_API_KEY"],
        ["LOCKFLOW_SUBGRAPH_TEST_URL", "LOCKFLOW_SUBGRAPH_TESTING_URL"],
        ["LOCKFLOW_XYZZY_PLUGH", null],
      ],
    ],
    [
      "the configuration says it itself",
      { subgraph: { testing: { url: "https://own.example/{deployment}" } } },
      TESTING,
      [["LOCKFLOW_SUBGRAPH_TESTING_URL", null]],
    ],
    [
      "the configuration names it",
      { subgraph: { testing: { url: { env: "LOCKFLOW_SUBGRAPH_TESTING_URL" } } } },
      TESTING,
      [],
    ],
    [
      "another protocol's",
      { protocols: ["lockup"] },
      { ...TESTING, LOCKFLOW_FLOW_ID: "a" },
      [["LOCKFLOW_FLOW_ID", null]],
    ],
    [
      "a key for no host",
      {},
      { ...TESTING, LOCKFLOW_SUBGRAPH_API_KEY: "k3y" },
      [["LOCKFLOW_SUBGRAPH_API_KEY", null]],
    ],
  ])("%s", (_, config, env, want) => {
    const found = findUnreadVariables(resolveProject(config, "/project"), env);
    expect(found.map(({ name, nearest }) => [name, nearest])).toEqual(want);
  });
});
