import { EXAMPLE_SURFACE } from "../project/protocols.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { OptionTable } from "./option.ts";
import { type CommandName, OPTIONS, type Options } from "./options.ts";

/** A command as data: its flags, its help and its task. The task is imported when it is run, not before. */
export type Command = {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** More, for the command's own help. */
  readonly description?: string;
  readonly positional?: Positional;
  readonly options: OptionTable;
  /** @param options the values of its table. */
  readonly run: (context: CommandContext, options: Readonly<Record<string, unknown>>) => Promise<ExitCode>;
};

/** What a command takes beside its options. */
export type Positional = {
  /** As the help calls it. */
  readonly name: string;
  /** What it is, for the message when it is missing: `a code` (default: `a file`). */
  readonly noun?: string;
  /** How many of them: at least (default: 1) and at most (default: 1). */
  readonly least?: number;
  readonly most?: number;
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  command("init", {
    summary: "set up an existing repository: configuration, first operation, scripts, editor, CI",
    description:
      "Looks at the repository, shows what it will write and asks once. What is already there is never overwritten;\na configuration is edited only to add a protocol or ids to it. Everything is written, or nothing.",
    run: async (context, options) => (await import("./init.ts")).runInit(context, options),
  }),
  command("sync", {
    summary: "introspect, diff and generate: the whole job",
    description:
      "Introspects every deployment into the snapshots, compares the two styles, generates the typed operations and\nthe manifest, and runs one generated operation against both styles.",
    run: async (context, options) => (await import("./sync.ts")).runSync(context, options),
  }),
  command("introspect", {
    summary: "ask every deployment for its schema and update the snapshots",
    description:
      "It sends each deployment at most two requests. A deployment that fails stops no other and changes no snapshot: it\nis listed, and the exit code is 2.",
    run: async (context, options) => (await import("./introspect.ts")).runIntrospect(context, options),
  }),
  command("diff", {
    summary: "compare styles and chains, from the snapshots, or any two schemas",
    description: `Without arguments: the two styles of each protocol, and the chains with each other. With two schemas: what\nchanged from the first to the second. A schema is a file (SDL or introspection JSON), a URL, a snapshot\n(${EXAMPLE_SURFACE}), or either at a git ref (main:${EXAMPLE_SURFACE}). Only a URL is requested over the network.`,
    positional: { name: "before> <after", noun: "two schemas", least: 0, most: 2 },
    run: async (context, options) => (await import("./diff.ts")).runDiff(context, options),
  }),
  command("drift", {
    summary: "ask every deployment what it serves, and report what differs from the snapshots",
    description:
      "Exit code 0: clean. 1: findings to act on. 2: could not run, as in CI without a host.\n3: inconclusive, because too few deployments answered. With --update the snapshots are updated where enough\ndeployments answered. Without it, no snapshot changes.",
    run: async (context, options) => (await import("./drift.ts")).runDrift(context, options),
  }),
  command("plan", {
    summary: "report what a change of an entity schema would do, before it is deployed",
    description:
      "Derives the API of every style from the entity schema, and compares it with the snapshots: what changes, what a\nplatform refuses, and which operations that hits. Without a file: those that the protocol's definition names.\nExit code 0: nothing to act on. 1: findings to act on. 2: could not run.",
    positional: { name: "entities.graphql", least: 0 },
    run: async (context, options) => (await import("./plan.ts")).runPlan(context, options),
  }),
  command("generate", {
    summary: "turn the operations into typed documents and a manifest",
    description:
      "With --watch it keeps running, and generates again what a change of operations, snapshots or configuration affects.\nErrors are reported and do not end it.",
    run: async (context, options) => (await import("./generate.ts")).runGenerate(context, options),
  }),
  command("check", {
    summary: "check that everything generated is current; changes no file of yours, sends no request",
    description:
      "The gate of a pull request: generated files, snapshots, operations and the parity of the styles, without the\nfindings that were accepted. Exit code 0: nothing to act on. 1: findings to act on. 2: could not run.",
    run: async (context, options) => (await import("./check.ts")).runCheck(context, options),
  }),
  command("compile", {
    summary: "show what an operation that is written once becomes in both styles",
    description:
      "Prints the text of each style, the variables and what becomes of them, and the rules that were applied. A file may\nbe anywhere; it is written as for the subgraph style. It writes nothing.\nExit code 0: portable. 1: refused, for reasons that are listed. 2: could not run.",
    positional: { name: "operation|file", noun: "an operation" },
    run: async (context, options) => (await import("./compile.ts")).runCompile(context, options),
  }),
  command("ask", {
    summary: "ask chains for the rows of an operation: a table, JSON or CSV",
    description:
      "The operation is one of the project, by its name, or in a file anywhere, which is written as for the subgraph style.\nWith --pages and --out, --resume goes on with an export that was interrupted. Rows go to standard output; what\nfailed is listed on standard error. Exit code 0: all rows. 1: some chains failed. 2: no chain answered, or could not\nrun. 130: interrupted.",
    positional: { name: "operation|file", noun: "an operation" },
    run: async (context, options) => (await import("./ask.ts")).runAsk(context, options),
  }),
  command("accept", {
    summary: "tolerate findings for a reason, in drift-accepted.json",
    description:
      "The findings are those of the snapshots, or of a saved report. A deployment that shows the same finding later is\nreported.",
    positional: { name: "fingerprint", noun: "a fingerprint", least: 0, most: 1000 },
    run: async (context, options) => (await import("./accept.ts")).runAccept(context, options),
  }),
  command("explain", {
    summary: "explain what the code of a finding means, and what to do",
    positional: { name: "code", noun: "a code" },
    run: async (context) => (await import("./explain.ts")).runExplain(context),
  }),
  command("report", {
    summary: "render a report that `--report json=<file>` wrote in any other form, such as a page",
    description:
      "It needs no project and asks nobody. The exit code says whether the report was rendered, and not what it says.",
    positional: { name: "report.json", noun: "a report" },
    run: async (context, options) => (await import("./report.ts")).runReport(context, options),
  }),
  command("doctor", {
    summary: "report what is wrong around Lockflow, and what to type",
    description:
      "Node, packages, configuration, keys, disk and endpoints; it changes nothing, and asks every endpoint once.\nExit code 0: no problem, but perhaps warnings. 1: there are problems. 2: could not run.",
    run: async (context, options) => (await import("./doctor.ts")).runDoctor(context, options),
  }),
  command("emulate", {
    summary: "serve all deployments on this machine until interrupted",
    description:
      "With --style and --entities it serves a custom indexer instead, and reads no configuration. Rows are\nan object from entity to a list of rows in JSON, or a list of blocks that write and delete rows.",
    run: async (context, options) => (await import("./emulate.ts")).runEmulate(context, options),
  }),
  command("derive", {
    summary: "print the API schema that a platform derives from an entity schema",
    positional: { name: "entities.graphql" },
    run: async (context, options) => (await import("./derive.ts")).runDerive(context, options),
  }),
];

function command<Name extends CommandName>(
  name: Name,
  definition: Omit<Command, "name" | "options" | "run"> & {
    readonly run: (context: CommandContext, options: Options<Name>) => Promise<ExitCode>;
  },
): Command {
  return {
    ...definition,
    name,
    options: OPTIONS[name],
    // Values are parsed by the very table that types them.
    run: (context, options) => definition.run(context, options as Options<Name>),
  };
}
