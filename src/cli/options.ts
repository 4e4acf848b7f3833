import { BYTES_TYPES } from "../dialects/protocol.ts";
import { ENVIRONMENTS, STYLE_NAMES } from "../dialects/surface.ts";
import type { FormatName } from "../tasks/ask/formats.ts";
import {
  choice,
  choices,
  flag,
  names,
  number,
  numberOrNone,
  type OptionTable,
  type OptionValues,
  text,
  texts,
} from "./option.ts";

/** Written here, so that no other command loads the code of the formats. */
export const FORMAT_NAMES: readonly FormatName[] = ["table", "json", "ndjson", "csv"];

const CONFIG = { config: text("file", "configuration file (default: lockflow.config.{ts,js,mjs,json})") };

/** What one run is about. */
const SELECTION = {
  protocol: texts("key", "only this protocol; may be given more than once"),
  style: choices(STYLE_NAMES, "only this style; may be given more than once"),
  chain: texts("chain", "only what serves this chain; may be given more than once"),
};

const ASKING = {
  ...CONFIG,
  environment: choice(ENVIRONMENTS, "which endpoints to ask (default: testing where there is one)"),
  concurrency: number({ least: 1, most: 64 }, "deployments asked at the same time (default: 8)"),
  timeout: number({ least: 1, most: 600, value: "seconds" }, "time a request may take (default: 15)"),
};

const EMULATOR = { emulator: flag("ask the emulator on this machine, whatever is configured") };

const REPORTING = {
  report: text("form[=file],…", "text, json, html, github, markdown, sarif, junit (default: text)"),
  json: flag("the same as --report json"),
};

const VERBOSE = { verbose: flag("show everything, even what takes more than a screen") };

const JUDGING = {
  ...REPORTING,
  failOn: choice(
    ["breaking", "risky", "any"],
    "severity that fails the run by itself (default: only what affects operations)",
  ),
  exhaustiveEnums: flag("treat a new enum member as breaking"),
  ...VERBOSE,
};

const RELEASE = {
  release: text(
    "name",
    "release of the platform (default: that of the definition, or graph-node-0.40.2, envio-3.0)",
  ),
};

/** The operator's settings that show in an API schema. */
const SCHEMA_SETTINGS = {
  aggregates: names("A,B", "entities with public aggregates (multichain)"),
  perChainEntities: flag("keep entities per chain unless they are @crossChain (multichain, since 3.6)"),
  bytesType: choice(BYTES_TYPES, "how Bytes are stored (multichain; uint8array since 3.13)"),
  disablePostgresDefault: flag(
    "no entities without @storage in Postgres, and so in the API (multichain, since 3.0)",
  ),
  disableBoolFilters: flag("no `and` and `or` in filters (subgraph)"),
  disableChildSorting: flag("no ordering by fields of references (subgraph)"),
};

const STYLES = "subgraph|multichain";

/** The options of every command, in the order of its help. */
export const OPTIONS = {
  init: {
    yes: flag("write without asking"),
    library: flag("write all operations that ship, for the protocols that do, and not a first one"),
    protocol: text("key", "the same for a single protocol"),
    protocols: names(
      "key,…",
      "set up these protocols only: of the configuration, or that ship (default: all)",
    ),
  },
  sync: { ...ASKING, ...EMULATOR },
  introspect: { ...ASKING, ...SELECTION, ...EMULATOR },
  diff: { ...CONFIG, ...SELECTION, ...JUDGING },
  drift: {
    ...ASKING,
    ...SELECTION,
    ...EMULATOR,
    ...JUDGING,
    require: text(
      "quorum:80%|quorum:n|all|any|none",
      "how many of each protocol and style have to answer (default: quorum:80%)",
    ),
    failOnHealth: flag("fail the run for dead and stuck deployments; most are found only with --memory"),
    update: flag("update the snapshots to what the deployments serve"),
    memory: text(
      "file",
      "what one run keeps for the next: since when deployments do not answer, or have no new blocks",
    ),
  },
  plan: {
    ...CONFIG,
    protocol: text("key", "the protocol it is of (default: the one that it is clearly of)"),
    style: choice(STYLE_NAMES, "plan one style only (default: all the protocol is deployed in)", STYLES),
    release: texts(
      "name",
      "release of a platform (default: what the snapshot shows); may be given once for each platform",
    ),
    against: text("git ref", "compare with what the file was at that ref, in place of the snapshots"),
    ...JUDGING,
  },
  generate: {
    ...CONFIG,
    ...SELECTION,
    watch: flag("generate again whenever something changes, until interrupted"),
  },
  check: {
    ...CONFIG,
    against: text(
      "git ref",
      "also report what the change of the snapshots since that ref does to the operations",
    ),
    fix: flag("first correct the declared types of variables in operation files, and print a diff"),
    ...JUDGING,
  },
  compile: {
    ...CONFIG,
    protocol: text("key", "the protocol it is of (default: the only one it can be of)"),
    style: choice(STYLE_NAMES, "show the text of one style only", STYLES),
    json: flag("print everything as JSON"),
  },
  ask: {
    ...CONFIG,
    chain: texts("key|id|all|mainnets", "a chain to ask; may be given more than once, or with commas"),
    protocol: text("key", "the protocol it is of (default: the only one it can be of)"),
    style: choice(STYLE_NAMES, "ask this style only (default: multichain, then subgraph)", STYLES),
    var: texts("name=value", "a variable, read by its type; may be given more than once"),
    variables: text("file", "more variables, as a JSON object"),
    pages: flag("ask for all rows, page after page"),
    format: choice(
      FORMAT_NAMES,
      "form of the rows (default: table on a terminal, json elsewhere, or as the name of --out ends)",
    ),
    out: text("file", "write the rows to a file"),
    resume: flag("go on with the pages of an export that was interrupted"),
    block: text("number|hash", "ask for the state at a block, which subgraphs know (default: the last one)"),
    maxLag: number(
      { least: 0, most: 31_536_000, value: "seconds" },
      "how late an answer may be (default: as late as it is)",
    ),
    environment: choice(
      ENVIRONMENTS,
      "which URLs of subgraphs to ask (default: production, if it is configured)",
    ),
    concurrency: number({ least: 1, most: 64 }, "requests sent at the same time (default: 8)"),
    timeout: number({ least: 1, most: 600, value: "seconds" }, "time a request may take (default: 15)"),
    ...EMULATOR,
  },
  accept: {
    ...CONFIG,
    reason: text("text", "why it is tolerated"),
    until: text("YYYY-MM-DD", "the last day it is tolerated on (default: no end)"),
    scope: names("a,b", "deployments it is tolerated for (default: all that show it)"),
    from: text("file", "report of `--report json=<file>` to take the findings from"),
    prune: flag("remove what has ended or matches nothing any more"),
  },
  explain: {},
  report: { ...REPORTING, ...VERBOSE },
  doctor: {
    ...ASKING,
    ...SELECTION,
    offline: flag("ask no endpoint"),
    json: flag("print everything as JSON"),
  },
  emulate: {
    ...CONFIG,
    protocol: texts("key", "serve only this protocol; may be given more than once"),
    port: number({ least: 0, most: 65_535 }, "port to listen on (default: 4350; 0 takes a free one)"),
    seed: text("text", "seed of the rows (default: lockflow)"),
    streams: number(
      { least: 0, most: 1_000_000 },
      "streams, or rows of a large entity, per protocol and chain (default: the seed decides)",
    ),
    asOf: text(
      "time",
      'time of each chain\'s head: "now", or e.g. 2026-01-31T12:00:00Z (default: in August 2025)',
    ),
    ...RELEASE,
    fleet: names("who=release,…", "releases of single chains or deployments, e.g. linea=graph-node-0.44"),
    ...SCHEMA_SETTINGS,
    strictValidation: flag("validate queries as the specification says (subgraph)"),
    rowCap: numberOrNone(
      { least: 0, most: 1_000_000_000 },
      "most rows of a list (multichain; default: 1000)",
    ),
    style: choice(STYLE_NAMES, "platform of a custom indexer", STYLES),
    entities: text("file", "entity schema of a custom indexer"),
    rows: text("file", "rows of a custom indexer, in JSON (default: none)"),
    name: text("text", "name of a custom indexer (default: of the file)"),
    chainId: number({ least: 1, most: 2 ** 31 - 1 }, "chain of a custom indexer (default: 1)"),
    live: flag("add new blocks to the chains as time passes"),
    engine: choice(
      ["emulator", "graph-node"],
      "what serves the subgraphs; graph-node is a real one, of the package lockflow-graph-node (default: emulator)",
    ),
    fault: texts(
      "[who=]kind[:value][ xN| N%]",
      "inject a fault, e.g. 'linea=429:30 x3'; may be given more than once",
    ),
    json: flag("print the endpoints as one line of JSON when ready"),
    env: flag("print the variables that point the manifest and the commands to it, as KEY=value"),
  },
  derive: {
    style: choice(STYLE_NAMES, "the platform", STYLES),
    ...RELEASE,
    ...SCHEMA_SETTINGS,
    json: flag("print the introspection result instead of SDL"),
  },
} satisfies Record<string, OptionTable>;

export type CommandName = keyof typeof OPTIONS;

/** What a command line gave for the options of a command. */
export type Options<Name extends CommandName> = OptionValues<(typeof OPTIONS)[Name]>;

/** What a command line says of what the run is about. */
export type SelectionOptions = Partial<OptionValues<typeof SELECTION>>;

/** The options of every command that judges. */
export type JudgingOptions = OptionValues<typeof JUDGING>;
