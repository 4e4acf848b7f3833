import { EXAMPLE_SURFACE } from "../project/protocols.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { OptionTable } from "./option.ts";
import { type CommandName, OPTIONS, type Options } from "./options.ts";

/** A command as data: its options, its help and its task. The task is imported when it runs, not before. */
export type Command = {
  readonly name: string;
  readonly group: CommandGroup;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** More lines, for the command's own help. */
  readonly description?: string;
  readonly positional?: Positional;
  readonly options: OptionTable;
  /** What to do instead of options that were removed, by flag. */
  readonly removed?: Readonly<Record<string, string>>;
  /** @param options the parsed values of the command's table. */
  readonly run: (context: CommandContext, options: Readonly<Record<string, unknown>>) => Promise<ExitCode>;
};

/** The job that a command is for; the help lists the commands by it. */
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** Every group, in the order of the help. A newcomer needs the commands of the first. */
export const COMMAND_GROUPS = ["Start", "Code", "Schema", "Data", "Tools"] as const;

/** The arguments of a command that are not options. */
export type Positional = {
  /** The name in the help. */
  readonly name: string;
  /** The noun in the error about a missing argument, e.g. `a code`. @default "a file" */
  readonly noun?: string;
  /** @default 1 */
  readonly least?: number;
  /** @default 1 */
  readonly most?: number;
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  command("init", "Start", {
    summary: "set up a repository: configuration, first operation, scripts, editor and CI",
    description:
      "Inspects the repository, lists the files to write and asks once for confirmation. Existing files are never overwritten. Writes everything or nothing. If the configuration lacks a protocol, prints the definition to paste and exits with 2.",
    run: async (context, options) => (await import("./commands/init.ts")).runInit(context, options),
  }),
  command("generate", "Start", {
    summary: "write typed code for the operations, and the manifest of endpoints",
    description:
      "Reads operations and snapshots and sends no request. With --watch it keeps running and generates again after each change of operations, snapshots or configuration; errors are reported and do not stop it.",
    run: async (context, options) => (await import("./commands/generate.ts")).runGenerate(context, options),
  }),
  command("check", "Start", {
    summary: "check generated files and operations, offline; run it in CI",
    description:
      "The gate of a pull request: checks generated files, snapshots, operations and the parity of the styles. Accepted findings do not count. Writes nothing, except with --fix. Exit code 0: nothing to act on. 1: findings to act on. 2: could not run.",
    run: async (context, options) => (await import("./commands/check.ts")).runCheck(context, options),
  }),
  command("emulate", "Start", {
    summary: "serve every deployment on this machine, with sample rows",
    description:
      "Runs until it is interrupted. With --style and --entities it serves a custom indexer instead, and reads no configuration. --rows takes JSON: an object from entity to a list of rows, or a list of blocks that write and delete rows.",
    run: async (context, options) => (await import("./commands/emulate.ts")).runEmulate(context, options),
  }),
  command("compile", "Code", {
    summary: "show what a portable operation becomes in each style",
    description:
      "Prints the text for each style, how each variable is sent, and the rules that were applied. The file can be anywhere; write it in the subgraph dialect. Writes nothing. Exit code 0: portable. 1: refused, with the reasons. 2: could not run.",
    positional: { name: "operation|file", noun: "an operation" },
    run: async (context, options) => (await import("./commands/compile.ts")).runCompile(context, options),
  }),
  command("port", "Code", {
    summary: "turn the queries that a project already has into operations",
    description:
      "Reads .graphql files and documents in code, with or without a tag, and finds the protocol and style of each. Values in templates become variables. Operations that are exact in both styles become portable; others go to the folder of their style. Two documents that ask the same in both dialects become one. The answers of originals and portable operations are compared. Prints a diff, and for documents in code the call; writes nothing without --write. Code is never run or changed. Exit code 0: all ported, kept by style, or of another API. 1: some refused. 2: could not run.",
    positional: { name: "glob", noun: "a glob", most: 10_000 },
    run: async (context, options) => (await import("./commands/port.ts")).runPort(context, options),
  }),
  command("adapt", "Code", {
    summary: "write the new names in operations after the schema was renamed",
    description:
      "Finds what was renamed since the newest committed snapshot that fits, and rewrites the operations. Renamed fields get their old names as aliases, so answers keep their shape. Each text is proven: valid, the same question, the same generated types. Prints a diff and what else has to be looked at; writes nothing without --write. Sends no request. Exit code 0: all operations are valid or adapted. 1: some refused. 2: could not run.",
    run: async (context, options) => (await import("./commands/adapt.ts")).runAdapt(context, options),
  }),
  command("sync", "Schema", {
    summary: "run introspect, diff and generate, then one generated operation",
    description:
      "Updates the snapshots from every deployment, compares the two styles, generates the typed operations and the manifest, and runs one generated operation against both styles.",
    run: async (context, options) => (await import("./commands/sync.ts")).runSync(context, options),
  }),
  command("introspect", "Schema", {
    summary: "fetch the schema of every deployment and update the snapshots",
    description:
      "Sends at most two requests to each deployment. If a deployment fails, its snapshot stays as it is, the others continue, and the exit code is 2.",
    run: async (context, options) =>
      (await import("./commands/introspect.ts")).runIntrospect(context, options),
  }),
  command("diff", "Schema", {
    summary: "compare the styles, the chains, or any two schemas",
    description: `Without arguments, compares the two styles of each protocol, and the chains with each other, from the snapshots. With two schemas, reports what changed from the first to the second. A schema is a file (SDL or introspection JSON), a URL, a snapshot (${EXAMPLE_SURFACE}), or a file or snapshot at a git ref (main:${EXAMPLE_SURFACE}). Only a URL is requested over the network.`,
    positional: { name: "before> <after", noun: "two schemas", least: 0, most: 2 },
    run: async (context, options) => (await import("./commands/diff.ts")).runDiff(context, options),
  }),
  command("drift", "Schema", {
    summary: "compare what every deployment serves now with the snapshots",
    description:
      "Exit code 0: clean. 1: findings to act on. 2: could not run, for example without a host in CI. 3: inconclusive, because too few deployments answered. Changes no snapshot without --update; with it, only snapshots for which enough deployments answered.",
    run: async (context, options) => (await import("./commands/drift.ts")).runDrift(context, options),
  }),
  command("plan", "Schema", {
    summary: "report what a change of an entity schema would do, before it is deployed",
    description:
      "Derives the API of each style from the entity schema and compares it with the snapshots: what changes, what a platform refuses, and which operations are affected. Without a file, reads the entity schemas that the protocols' definitions name. Exit code 0: nothing to act on. 1: findings to act on. 2: could not run.",
    positional: { name: "entities.graphql", least: 0 },
    run: async (context, options) => (await import("./commands/plan.ts")).runPlan(context, options),
  }),
  command("derive", "Schema", {
    summary: "print the API schema that a platform derives from an entity schema",
    positional: { name: "entities.graphql" },
    run: async (context, options) => (await import("./commands/derive.ts")).runDerive(context, options),
  }),
  command("ask", "Data", {
    summary: "run operations on some chains and print or export the rows: table, JSON, CSV or Parquet",
    description:
      "Takes the name of an operation of the project, or a file anywhere that is written in the subgraph dialect. Rows go to standard output, failures to standard error. Several operations fill the folder of --out with all of their rows, each in a folder of its own. A folder is a log: --since-last adds to it, also after an interruption, and --schema duckdb prints the view of its current rows. Exit code 0: all rows. 1: some chains failed. 2: no chain answered, or could not run. 130: interrupted.",
    positional: { name: "operation|file", noun: "an operation", most: 1000 },
    removed: {
      latest: "query the view that --schema duckdb prints: it has the last version of each row.",
      partition:
        "write the folders from the view: COPY (FROM all_streams) TO 'hive' (FORMAT parquet, PARTITION_BY (chain)).",
      resume: "an interrupted folder continues with --since-last; an interrupted file starts again.",
    },
    run: async (context, options) => (await import("./commands/ask.ts")).runAsk(context, options),
  }),
  command("describe", "Data", {
    summary: "list entities, fields and enums, with descriptions and types",
    description:
      "Without an argument, lists the entities of the protocols. With an entity or enum, its fields or members. With a field, such as Stream.sender, its type in each style, where it can be null, and the operations of the project that select it. With any other word, the names and descriptions that contain it. Reads the snapshots and sends no request. Exit code 0: found. 1: nothing has the name or word. 2: could not run, for example without snapshots.",
    positional: { name: "Entity|Entity.field|word", least: 0 },
    run: async (context, options) => (await import("./commands/describe.ts")).runDescribe(context, options),
  }),
  command("doctor", "Tools", {
    summary: "check the installation, configuration and endpoints, and print fixes",
    description:
      "Checks Node, packages, configuration, keys, disk and endpoints. Sends one request to each endpoint, and changes nothing. Exit code 0: no problems, but possibly warnings. 1: problems. 2: could not run.",
    run: async (context, options) => (await import("./commands/doctor.ts")).runDoctor(context, options),
  }),
  command("explain", "Tools", {
    summary: "explain the code of a finding: what it means and what to do",
    positional: { name: "code", noun: "a code" },
    run: async (context) => (await import("./commands/explain.ts")).runExplain(context),
  }),
  command("accept", "Tools", {
    summary: "accept findings for a reason, in drift-accepted.json",
    description:
      "Takes the findings of the snapshots or, with --from, of a saved report. If another deployment shows the same finding later, that is reported.",
    positional: { name: "fingerprint", noun: "a fingerprint", least: 0, most: 1000 },
    run: async (context, options) => (await import("./commands/accept.ts")).runAccept(context, options),
  }),
  command("report", "Tools", {
    summary: "render a saved JSON report as a page, text, Markdown and other forms",
    description:
      "Reads a file of `--report json=<file>`. Needs no project and sends no request. The exit code says whether the report was rendered, not what is in it.",
    positional: { name: "report.json", noun: "a report" },
    run: async (context, options) => (await import("./commands/report.ts")).runReport(context, options),
  }),
  command("completion", "Tools", {
    summary: "print a script that completes commands and options in bash, zsh or fish",
    positional: { name: "bash|zsh|fish", noun: "a shell" },
    run: async (context) => (await import("./commands/completion.ts")).runCompletion(context, COMMANDS),
  }),
];

function command<Name extends CommandName>(
  name: Name,
  group: CommandGroup,
  definition: Pick<Command, "summary" | "description" | "positional" | "removed"> & {
    readonly run: (context: CommandContext, options: Options<Name>) => Promise<ExitCode>;
  },
): Command {
  return {
    ...definition,
    name,
    group,
    options: OPTIONS[name],
    // The table that types the values also parses them.
    run: (context, options) => definition.run(context, options as Options<Name>),
  };
}
