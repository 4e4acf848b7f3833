import {
  BRAND,
  idVariable,
  MULTICHAIN_URL,
  SUBGRAPH_API_KEY,
  SUBGRAPH_PRODUCTION_URL,
  SUBGRAPH_TESTING_URL,
  variablesOf,
} from "../../../project/default-variables.ts";
import type { Protocol } from "../../../project/vocabulary.ts";

/**
 * The variables of hosts and keys, without their values.
 *
 * @param variables those that the configuration leaves to be read, of our own naming or not.
 */
export function renderEnvExample(
  protocols: readonly Protocol[],
  configName: string,
  variables: readonly string[],
): string {
  const ours = variablesOf(protocols);
  const sections: readonly (readonly [comment: string, names: readonly string[], prefix?: string])[] = [
    [
      "# Multichain: https://indexer.example/{id}/v1/graphql, and the id of each protocol in it.",
      [MULTICHAIN_URL, ...protocols.map(idVariable)],
    ],
    [
      "# Subgraphs in production: https://gateway.example/{deployment}, and the key that is sent to that host.",
      [SUBGRAPH_PRODUCTION_URL, SUBGRAPH_API_KEY],
    ],
    ["# Subgraphs for testing: https://testing.example/{deployment}/latest", [SUBGRAPH_TESTING_URL]],
    ["# The first word of the deployments' names, where it is another than protocol.", [BRAND], "# "],
    [`# Named by ${configName}.`, variables.filter((name) => !ours.includes(name))],
  ];
  return [
    `# What Lockflow's commands and the generated manifest read while ${configName} says nothing of hosts. Copy this`,
    "# to .env, which must not be committed, and fill in what you read from. Commands read no file: load it in the shell",
    "# (set -a; . ./.env; set +a). A variable that begins with NEXT_PUBLIC_, VITE_ or the like is sent to every browser:",
    "# never keep a key in one.",
    "",
    ...sections.flatMap(([comment, names, prefix = ""]) => {
      const read = names.filter((name) => variables.includes(name));
      return read.length === 0 ? [] : [comment, ...read.map((name) => `${prefix}${name}=`), ""];
    }),
  ].join("\n");
}

/** The variables that an example which is there already does not name. */
export function findMissingVariables(text: string, variables: readonly string[]): string[] {
  return variables.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
}
