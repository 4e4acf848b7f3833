import type { Command } from "./command.ts";
import { ASKING_OPTIONS, CONFIG_OPTION, RELEASE_OPTION } from "./command.ts";
import { SCHEMA_SETTINGS, SERVING_SETTINGS } from "./settings.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  {
    name: "sync",
    summary: "introspect, diff and generate: the whole job",
    description:
      "Introspects every deployment into the snapshots, compares the two styles, generates the typed operations and\nthe manifest, and runs one generated operation against both styles.",
    options: ASKING_OPTIONS,
    run: async (context) => (await import("./sync.ts")).runSync(context),
  },
  {
    name: "introspect",
    summary: "ask every deployment for its schema and update the snapshots",
    description:
      "At most two requests a deployment. One that fails stops no other and changes no snapshot; it is listed, and\nthe exit code is 2.",
    options: ASKING_OPTIONS,
    run: async (context) => (await import("./introspect.ts")).runIntrospect(context),
  },
  {
    name: "diff",
    summary: "compare the styles of each protocol, from the snapshots",
    options: {
      config: CONFIG_OPTION,
      report: { value: "text|json|json=file", description: "form of the result (default: text)" },
    },
    run: async (context) => (await import("./diff.ts")).runDiff(context),
  },
  {
    name: "generate",
    summary: "turn the operations into typed documents and a manifest",
    options: { config: CONFIG_OPTION },
    run: async (context) => (await import("./generate.ts")).runGenerate(context),
  },
  {
    name: "check",
    summary: "tell whether everything generated is current; writes nothing, asks nobody",
    description:
      "Exit code 0: current and valid. 1: something is stale, missing, orphaned or invalid. 2: could not look.",
    options: { config: CONFIG_OPTION },
    run: async (context) => (await import("./check.ts")).runCheck(context),
  },
  {
    name: "emulate",
    summary: "serve all deployments on this machine until interrupted",
    description:
      "With --style and --entities it serves an indexer of your own instead: no configuration is read then. Rows are\nan object from entity to a list of rows in JSON, or a list of blocks that write and delete rows.",
    options: {
      config: CONFIG_OPTION,
      port: { value: "n", description: "port to listen on (default: 4350; 0 takes a free one)" },
      seed: { value: "text", description: "seed of the rows (default: lockflow)" },
      streams: { value: "n", description: "streams per protocol and chain (default: the seed decides)" },
      release: RELEASE_OPTION,
      fleet: {
        value: "who=release,…",
        description: "releases of single chains or deployments, e.g. linea=graph-node-0.44",
      },
      ...SCHEMA_SETTINGS,
      ...SERVING_SETTINGS,
      style: { value: "subgraph|multichain", description: "platform of your own indexer" },
      entities: { value: "file", description: "entity schema of your own indexer" },
      rows: { value: "file", description: "rows of your own indexer, in JSON (default: none)" },
      name: { value: "text", description: "name of your own indexer (default: of the file)" },
      "chain-id": { value: "n", description: "chain of your own indexer (default: 1)" },
      live: { description: "let the chains have new blocks by the clock" },
      fault: {
        value: "[who=]kind[:value][ xN| N%]",
        multiple: true,
        description: "let something go wrong, e.g. 'linea=429:30 x3'; may be given again",
      },
      json: { description: "print the endpoints as one line of JSON when ready" },
    },
    run: async (context) => (await import("./emulate.ts")).runEmulate(context),
  },
  {
    name: "derive",
    summary: "print the API schema a platform makes of an entity schema",
    positional: { name: "entities.graphql", description: "the entity schema" },
    options: {
      style: { value: "subgraph|multichain", description: "the platform" },
      release: RELEASE_OPTION,
      ...SCHEMA_SETTINGS,
      json: { description: "print the introspection result instead of SDL" },
    },
    run: async (context) => (await import("./derive.ts")).runDerive(context),
  },
];
