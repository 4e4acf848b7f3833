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
      "Looks at the repository, shows what it will write and asks once. What is there already is never overwritten;\nall of it is written, or nothing.",
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
      "At most two requests a deployment. One that fails stops no other and changes no snapshot; it is listed, and\nthe exit code is 2.",
    run: async (context, options) => (await import("./introspect.ts")).runIntrospect(context, options),
  }),
  command("diff", {
    summary: "compare styles and chains, from the snapshots, or any two schemas",
    description:
      "Without arguments: the two styles of each protocol, and the chains among each other. With two: what became of\nthe first. A schema is a file (SDL or introspection JSON), a URL, a snapshot (lockup/subgraph), or either at a git\nref (main:lockup/subgraph). Nothing but a URL is asked of anybody.",
    positional: { name: "before> <after", noun: "two schemas", least: 0, most: 2 },
    run: async (context, options) => (await import("./diff.ts")).runDiff(context, options),
  }),
  command("drift", {
    summary: "ask every deployment what it serves and tell what differs from the snapshots",
    description:
      "Exit code 0: clean. 1: findings to act on. 2: could not run, as in CI without a host.\n3: too few deployments answered to tell. With --update the snapshots move to what was answered, where enough\ndeployments did; else nothing is written.",
    run: async (context, options) => (await import("./drift.ts")).runDrift(context, options),
  }),
  command("generate", {
    summary: "turn the operations into typed documents and a manifest",
    description:
      "With --watch it stays, and generates again what a change of operations, snapshots or configuration affects;\nerrors are told and do not end it.",
    run: async (context, options) => (await import("./generate.ts")).runGenerate(context, options),
  }),
  command("check", {
    summary: "tell whether everything generated is current; changes no file of yours, asks nobody",
    description:
      "The gate of a pull request: generated files, snapshots, operations, what the styles agree in beside what was\naccepted. Exit code 0: nothing to act on. 1: something is. 2: could not look.",
    run: async (context, options) => (await import("./check.ts")).runCheck(context, options),
  }),
  command("accept", {
    summary: "tolerate findings for a reason, in drift-accepted.json",
    description:
      "The findings are those of the snapshots or of a saved report; a deployment that shows the same later is news.",
    positional: { name: "fingerprint", noun: "a fingerprint", least: 0, most: 1000 },
    run: async (context, options) => (await import("./accept.ts")).runAccept(context, options),
  }),
  command("explain", {
    summary: "tell what the code of a finding means and what to do",
    positional: { name: "code", noun: "a code" },
    run: async (context) => (await import("./explain.ts")).runExplain(context),
  }),
  command("doctor", {
    summary: "tell what is wrong around Lockflow, and what to type",
    description:
      "Node, packages, configuration, keys, disk and endpoints; it changes nothing, and asks every endpoint once.\nExit code 0: nothing is wrong but warnings. 1: there are problems. 2: could not run.",
    run: async (context, options) => (await import("./doctor.ts")).runDoctor(context, options),
  }),
  command("emulate", {
    summary: "serve all deployments on this machine until interrupted",
    description:
      "With --style and --entities it serves an indexer of your own instead: no configuration is read then. Rows are\nan object from entity to a list of rows in JSON, or a list of blocks that write and delete rows.",
    run: async (context, options) => (await import("./emulate.ts")).runEmulate(context, options),
  }),
  command("derive", {
    summary: "print the API schema a platform makes of an entity schema",
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
