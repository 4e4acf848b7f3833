import { resolve } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { styles } from "../../dialects/index.ts";
import { STYLE_NAMES } from "../../dialects/surface.ts";
import { type Emulator, loadEmulator } from "../../fleet/load-emulator.ts";
import { openProject } from "../../project/load-project.ts";
import { allMissingEntities } from "../../project/project.ts";
import { renderTable } from "../../report/terminal.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import { flagOf, isGiven } from "../option.ts";
import type { Options } from "../options.ts";
import { operatorSettings, parseRelease } from "../platform-options.ts";
import { projectOptions, readFile } from "../task-options.ts";

const DEFAULT_PORT = 4350;

/** The options that need --entities, and those that cannot be combined with it. */
const CUSTOM_OPTIONS = ["style", "rows", "name", "chainId", "perChainEntities", "bytesType"] as const;
const REFERENCE_OPTIONS = ["config", "protocol", "fleet", "streams", "asOf"] as const;

type EmulateOptions = Options<"emulate">;

/** `lockflow emulate`: serves the deployments until it is interrupted. */
export async function runEmulate(context: CommandContext, options: EmulateOptions): Promise<ExitCode> {
  refuseWithVariables(options);
  const stopped = context.untilStopped();
  const emulator = await start(context, options);
  try {
    const path = options.writeEnv ?? options.envFile;
    if (path !== undefined) await writeVariablesTo(path, emulator, context);
    if (options.json) context.out(`${JSON.stringify(emulator.endpoints)}\n`);
    else if (options.env) await printVariables(emulator, context);
    else context.out(renderEmulator(emulator));
    await stopped;
  } finally {
    await emulator.close();
  }
  return 0;
}

/** Starts the emulator: of the project's deployments or, with --entities, of one custom indexer. */
async function start(context: CommandContext, options: EmulateOptions): Promise<Emulator> {
  const { entities, style } = options;
  if (entities === undefined) refuse(options, CUSTOM_OPTIONS, "needs --entities, the schema to serve");
  else refuse(options, REFERENCE_OPTIONS, "cannot be combined with --entities");
  if (entities !== undefined && style === undefined) {
    throw new UsageError({ sentence: "--entities needs --style subgraph or --style multichain." });
  }
  const { port = DEFAULT_PORT, seed, live, engine, fault } = options;
  const server = { port, seed, live, engine, root: context.cwd, fault };
  const { servedStyles, startReferenceEmulator, startCustomEmulator } = await loadEmulator();
  const names = style === undefined ? STYLE_NAMES : [style];
  const settings = operatorSettings(
    options,
    names.map((name) => ({ name, ...servedStyles[name] })),
  );
  const platforms = names.map((name) => styles[name]);
  const parsed = options.release === undefined ? undefined : parseRelease(options.release, platforms);
  if (entities !== undefined && style !== undefined) {
    const { rows, name, chainId } = options;
    const read = async (path: string) => ({ path, text: await readFile(context.cwd, path, FILES_HINT) });
    const files = { entities: await read(entities), rows: rows === undefined ? null : await read(rows) };
    return startCustomEmulator(files, server, { style, name, chainId, settings, release: parsed?.release });
  }
  const { config, protocol, fleet, streams, asOf } = options;
  const project = await openProject(projectOptions(context, { config, protocol }));
  const release = parsed && {
    style: parsed.style.name,
    release: `${parsed.style.platform.name}-${parsed.release}`,
  };
  const emulator = await startReferenceEmulator(project, server, { settings, fleet, streams, asOf, release });
  for (const key of allMissingEntities(project, project.deployments)) {
    context.err(
      `Some deployments are not served: set ${key} in the configuration to the path of the entity schema.\n`,
    );
  }
  return emulator;
}

function refuse(options: EmulateOptions, refused: readonly (keyof EmulateOptions)[], why: string): void {
  for (const name of refused) {
    if (isGiven(options[name])) throw new UsageError({ sentence: `--${flagOf(name)} ${why}.` });
  }
}

const FILES_HINT = "pass the entity schema with --entities, and its rows as JSON with --rows.";

function refuseWithVariables({ env, writeEnv, envFile, json, entities }: EmulateOptions): void {
  const flags = [
    env && "--env",
    writeEnv !== undefined && "--write-env",
    envFile !== undefined && "--env-file",
  ];
  const [first, second] = flags.filter((flag) => flag !== false);
  if (!first) return;
  const refused = second
    ? `${second}: give one of them`
    : env && json
      ? "--json: each of them decides what is printed"
      : entities !== undefined && "--entities: a custom indexer is not in the manifest";
  if (refused) throw new UsageError({ sentence: `${first} cannot be combined with ${refused}.` });
}

/** Prints nothing else on standard output, which a shell or a file of variables reads. */
async function printVariables(emulator: Emulator, context: CommandContext): Promise<void> {
  const { renderVariables } = await loadEmulator();
  context.out(renderVariables(variablesOf(emulator)));
  context.err(`Serving on ${emulator.url}. Interrupt to stop.\n`);
}

async function writeVariablesTo(path: string, emulator: Emulator, context: CommandContext): Promise<void> {
  const { writeVariables } = await import("../../tasks/write-variables.ts");
  const variables = variablesOf(emulator);
  await writeVariables(resolve(context.cwd, path), variables);
  context.err(`Wrote ${Object.keys(variables).length} variables to ${path}.\n`);
}

function variablesOf(emulator: Emulator): Readonly<Record<string, string>> {
  const variables = emulator.env();
  if (Object.keys(variables).length > 0) return variables;
  throw new UsageError({
    sentence:
      "Every host in the configuration is literal, so no variable can direct the manifest to the emulator.",
    hint: 'replace a URL by { env: "NAME" }, or omit it; docs/configuration.md lists the default variables.',
  });
}

function renderEmulator({ endpoints, url }: Emulator): string {
  const deployments = new Set(endpoints.map(({ deployment }) => deployment)).size;
  const rows = endpoints.map(({ deployment, environment, url }) => [deployment, environment, url]);
  return [
    renderTable(rows),
    "",
    `Serving ${deployments} ${deployments === 1 ? "deployment" : "deployments"} on ${url}. Interrupt to stop.`,
    "Open a testing URL in a browser to write queries. Production URLs need `Authorization: Bearer <any key>`.",
    "",
  ].join("\n");
}
