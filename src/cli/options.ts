import type { FormatName } from "../ask/formats.ts";
import { BYTES_TYPES } from "../dialects/protocol.ts";
import { ENVIRONMENTS, STYLE_NAMES } from "../dialects/surface.ts";
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

/** Listed here, so that other commands do not load the code of the formats. */
export const FORMAT_NAMES: readonly FormatName[] = ["table", "json", "ndjson", "csv", "parquet"];

const CONFIG = { config: text("file", "configuration file (default: lockflow.config.{ts,js,mjs,json})") };

/** Restricts a run to a part of the project. */
const SELECTION = {
  protocol: texts("key", "only this protocol; can be repeated"),
  style: choices(STYLE_NAMES, "only this style; can be repeated"),
  chain: texts("chain", "only deployments of this chain; can be repeated"),
};

const ASKING = {
  ...CONFIG,
  environment: choice(ENVIRONMENTS, "endpoints to use (default: testing if there is one, else production)"),
  concurrency: number({ least: 1, most: 64 }, "deployments requested at the same time (default: 8)"),
  timeout: number({ least: 1, most: 600, value: "seconds" }, "timeout of a request (default: 15)"),
};

const EMULATOR = { emulator: flag("use the emulator on this machine, even if hosts are configured") };

const REPORTING = {
  report: text(
    "form[=file],…",
    "forms of the report: text, json, html, github, markdown, sarif, junit (default: text)",
  ),
  json: flag("the same as --report json"),
};

const VERBOSE = { verbose: flag("list everything, without cutting long lists") };

const JUDGING = {
  ...REPORTING,
  failOn: choice(
    ["breaking", "risky", "any"],
    "also fail for any finding of at least this severity (default: only if it affects operations)",
  ),
  exhaustiveEnums: flag("treat a new enum member as breaking"),
  ...VERBOSE,
};

const RELEASE = {
  release: text(
    "name",
    "release of the platform (default: the one in the definition, else graph-node-0.40.2 or envio-3.0)",
  ),
};

/** The operator's settings that change an API schema. */
const SCHEMA_SETTINGS = {
  aggregates: names("A,B", "entities with public aggregates (multichain)"),
  perChainEntities: flag("keep each entity per chain, except those with @crossChain (multichain, since 3.6)"),
  bytesType: choice(BYTES_TYPES, "how Bytes are stored (multichain, uint8array since 3.10)"),
  disablePostgresDefault: flag(
    "keep entities without @storage out of Postgres, and so out of the API (multichain, since 3.0)",
  ),
  disableBoolFilters: flag("leave `and` and `or` out of filters (subgraph)"),
  disableChildSorting: flag("leave out ordering by fields of references (subgraph)"),
};

const STYLES = "subgraph|multichain";

/** The options of every command, in the order of its help. */
export const OPTIONS = {
  init: {
    yes: flag("write without confirmation"),
    library: flag("write every operation of the library instead of only a first one"),
    protocol: text("key", "set up this protocol only, like --protocols with one key"),
    protocols: names(
      "key,…",
      "set up these protocols only, built in or from the configuration (default: all)",
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
      "how many deployments of each protocol and style have to answer (default: quorum:80%)",
    ),
    failOnHealth: flag("fail for dead and stuck deployments; most are only detected with --memory"),
    update: flag("update the snapshots to the schemas that the deployments serve"),
    memory: text(
      "file",
      "file that each run updates for the next: since when deployments have not answered or have no new blocks",
    ),
  },
  plan: {
    ...CONFIG,
    protocol: text("key", "protocol of the entity schema (default: recognized from the schema)"),
    style: choice(STYLE_NAMES, "plan this style only (default: every style of the protocol)", STYLES),
    release: texts(
      "name",
      "release of a platform (default: recognized from the snapshot); once per platform",
    ),
    against: text(
      "git ref",
      "compare with the file at the merge base with this ref instead of the snapshots",
    ),
    ...JUDGING,
  },
  generate: {
    ...CONFIG,
    ...SELECTION,
    watch: flag("generate again after each change, until interrupted"),
  },
  check: {
    ...CONFIG,
    against: text(
      "git ref",
      "also report how changes of the snapshots since the merge base with this ref affect the operations",
    ),
    fix: flag("correct the declared types of variables in operation files first, and print a diff"),
    ...JUDGING,
  },
  compile: {
    ...CONFIG,
    protocol: text("key", "protocol of the operation (default: the only one it is valid for)"),
    style: choice(STYLE_NAMES, "print the text of this style only", STYLES),
    json: flag("print everything as JSON"),
  },
  port: {
    ...CONFIG,
    protocol: SELECTION.protocol,
    noProof: flag("do not compare the answers of the originals with those of the ported operations"),
    against: choice(["emulator", "production"], "the indexers that prove the answers (default: emulator)"),
    write: flag("write the files (default: print the changes as a diff)"),
    json: flag(
      "print { operations, others } as JSON; each operation has name, from, result, to, holes, usage, reasons, differences and proof",
    ),
  },
  adapt: {
    ...CONFIG,
    protocol: SELECTION.protocol,
    style: SELECTION.style,
    from: text("ref|file", "old schema (default: the newest committed snapshot that accepts the operations)"),
    to: text("protocol", "move the operations to this protocol, after indexers were merged"),
    prefix: text("Word", "word before the names of moved operations, fragments and files"),
    rename: texts(
      "Entity.field=newField",
      "rename that is certain; also Entity=NewEntity and Enum.value=newValue; can be repeated",
    ),
    write: flag("write the files (default: print the changes as a diff)"),
    json: flag("print { operations, renames, files, written } as JSON"),
  },
  ask: {
    ...CONFIG,
    chain: texts("key|id|all|mainnets", "chain to query; can be repeated, or a list with commas"),
    protocol: text("key", "protocol of the operation (default: the only one it is valid for)"),
    style: choice(
      STYLE_NAMES,
      "use this style only (default: multichain, then subgraph as the fallback)",
      STYLES,
    ),
    var: texts(
      "name=value",
      "variable, parsed by its type, times also as 2025-04-01 or -7d; can be repeated",
    ),
    variables: text("file", "file with more variables, as a JSON object"),
    units: flag("add amounts in whole units of their asset, such as depositAmount.units, to the last digit"),
    pages: flag("fetch all rows, page by page"),
    follow: flag("print all rows and then new ones as they appear, as NDJSON, until it is stopped"),
    confirmations: number(
      { least: 0, most: 100_000, value: "blocks" },
      "blocks that a row must have above it, with --follow or --pages (default: 0, and 10 minutes of blocks for a folder)",
    ),
    format: choice(
      FORMAT_NAMES,
      "format of the rows (default: the extension of --out, parquet for a folder, else table on a terminal and json elsewhere)",
    ),
    out: text("file|folder/", "write the rows to a file, or to the folder of each operation in a folder"),
    flat: flag("in Parquet, write asset.symbol as a column instead of structs, and lists as JSON"),
    schema: text(
      "duckdb",
      "print the SQL of a view of the folder of --out, or that loads its CSV or NDJSON file, without sending a request",
    ),
    bom: flag("begin CSV files with a byte order mark, for Excel"),
    sinceLast: flag("add the rows that are new or changed since the last run to the folder of --out"),
    reread: texts(
      "chain|all",
      "with --since-last, read all rows of a chain again, which replace the earlier ones; chain=20 accepts that it has only 20 rows now",
    ),
    block: text("number|hash", "block to query the state at; subgraphs only (default: the latest)"),
    at: text("time", "state of each chain at a past time; subgraphs only, e.g. 2025-06-30T00:00Z"),
    blocks: text(
      "file",
      "CSV file with chain,block or chain,block,timestamp for --at, instead of asking indexers",
    ),
    maxLag: number(
      { least: 0, most: 31_536_000, value: "seconds" },
      "maximum lag of an answer (default: no limit)",
    ),
    environment: choice(ENVIRONMENTS, "URLs of subgraphs to use (default: production if configured)"),
    concurrency: number({ least: 1, most: 64 }, "requests sent at the same time (default: 8)"),
    timeout: ASKING.timeout,
    ...EMULATOR,
  },
  describe: {
    ...CONFIG,
    protocol: SELECTION.protocol,
    json: flag("print { match, entities, enums, nearest } as JSON: every entity with its fields"),
  },
  accept: {
    ...CONFIG,
    reason: text("text", "why the findings are accepted"),
    until: text("YYYY-MM-DD", "last day of the acceptance (default: no end)"),
    scope: names("a,b", "deployments to accept it for (default: all that show it)"),
    from: text("file", "report to take the findings from, written by `--report json=<file>`"),
    prune: flag("remove entries that have ended or match no finding"),
  },
  explain: {},
  completion: {},
  report: { ...REPORTING, ...VERBOSE },
  doctor: {
    ...ASKING,
    ...SELECTION,
    offline: flag("send no request"),
    json: flag("print everything as JSON"),
  },
  emulate: {
    ...CONFIG,
    protocol: texts("key", "serve this protocol only; can be repeated"),
    port: number({ least: 0, most: 65_535 }, "port to listen on; 0 for a free one (default: 4350)"),
    seed: text("text", "seed of the rows (default: lockflow)"),
    streams: number(
      { least: 0, most: 1_000_000 },
      "rows of streams, or of a large entity, per protocol and chain (default: from the seed)",
    ),
    asOf: text(
      "time",
      'time of each chain\'s head: "now", or e.g. 2026-01-31T12:00:00Z (default: in August 2025)',
    ),
    ...RELEASE,
    fleet: names("who=release,…", "releases of single chains or deployments, e.g. linea=graph-node-0.44"),
    ...SCHEMA_SETTINGS,
    strictValidation: flag("validate queries strictly, as the GraphQL specification requires (subgraph)"),
    rowCap: numberOrNone(
      { least: 0, most: 1_000_000_000 },
      "maximum number of rows of a list (multichain; default: 1000)",
    ),
    style: choice(STYLE_NAMES, "platform of a custom indexer", STYLES),
    entities: text("file", "entity schema of a custom indexer"),
    rows: text("file", "rows of a custom indexer, in JSON (default: none)"),
    name: text("text", "name of a custom indexer (default: the name of the file)"),
    chainId: number({ least: 1, most: 2 ** 31 - 1 }, "chain of a custom indexer (default: 1)"),
    live: flag("add new blocks to the chains as time passes"),
    engine: choice(
      ["emulator", "graph-node"],
      "server of the subgraphs; graph-node is a real one and needs the package lockflow-graph-node (default: emulator)",
    ),
    fault: texts("[who=]kind[:value][ xN| N%]", "fault to inject, e.g. 'linea=429:30 x3'; can be repeated"),
    json: flag("print the endpoints as one line of JSON once it is ready"),
    env: flag("print environment variables that direct the manifest and the commands to it, as KEY=value"),
    // Node.js reads `--env-file` of any program itself, and stops if the file is missing.
    writeEnv: text(
      "path",
      "write these variables into a file, such as .env, and keep its other lines; never replaces the values of other hosts",
    ),
    envFile: text(
      "path",
      "the same; Node.js reads this option itself, and does not start if the file is missing",
    ),
  },
  derive: {
    style: choice(STYLE_NAMES, "style whose platform derives the API (required)", STYLES),
    ...RELEASE,
    ...SCHEMA_SETTINGS,
    json: flag("print the introspection result instead of SDL"),
  },
} satisfies Record<string, OptionTable>;

export type CommandName = keyof typeof OPTIONS;

/** The parsed values of the options of a command. */
export type Options<Name extends CommandName> = OptionValues<(typeof OPTIONS)[Name]>;

/** The parts of the project that a command line selects. */
export type SelectionOptions = Partial<OptionValues<typeof SELECTION>>;

/** The options of every command that judges findings. */
export type JudgingOptions = OptionValues<typeof JUDGING>;
