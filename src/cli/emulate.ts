import { UsageError } from "../base/errors.ts";
import { styles } from "../dialects/index.ts";
import { STYLE_NAMES } from "../dialects/surface.ts";
import { type Emulator, loadEmulator } from "../fleet/load-emulator.ts";
import { openProject } from "../project/load-project.ts";
import { allMissingEntities } from "../project/project.ts";
import { renderTable } from "../report/terminal.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { flagOf, isGiven } from "./option.ts";
import type { Options } from "./options.ts";
import { operatorSettings, parseRelease } from "./platform-options.ts";
import { projectOptions, readFile } from "./task-options.ts";

const DEFAULT_PORT = 4350;

/** Options that are about an indexer of one's own, and those that are about the reference indexers. */
const OWN_OPTIONS = ["style", "rows", "name", "chainId", "perChainEntities", "bytesType"] as const;
const REFERENCE_OPTIONS = ["config", "protocol", "fleet", "streams", "asOf"] as const;

type EmulateOptions = Options<"emulate">;

/** `lockflow emulate`: serves until it is interrupted. */
export async function runEmulate(context: CommandContext, options: EmulateOptions): Promise<ExitCode> {
  if (options.env) refuseWithEnv(options);
  const stopped = context.untilStopped();
  const emulator = await start(context, options);
  try {
    if (options.json) context.out(`${JSON.stringify(emulator.endpoints)}\n`);
    else if (options.env) await printVariables(emulator, context);
    else context.out(renderEmulator(emulator));
    await stopped;
  } finally {
    await emulator.close();
  }
  return 0;
}

/** Starts the emulator that the options ask for: the project's deployments, or one indexer of one's own. */
async function start(context: CommandContext, options: EmulateOptions): Promise<Emulator> {
  const { port = DEFAULT_PORT, seed, live, engine, fault } = options;
  const server = { port, seed, live, engine, root: context.cwd, fault };
  const { entities, style, rows, name, chainId, fleet, streams, asOf } = options;
  const { servedStyles, startReferenceEmulator, startCustomEmulator } = await loadEmulator();
  const isCustom = entities !== undefined;
  if (isCustom) refuse(options, REFERENCE_OPTIONS, "does not go with --entities");
  else refuse(options, OWN_OPTIONS, "needs --entities, which says what to serve");
  if (isCustom && style === undefined) {
    throw new UsageError({ sentence: "--entities needs --style subgraph or --style multichain." });
  }
  const names = style === undefined ? STYLE_NAMES : [style];
  const settings = operatorSettings(
    options,
    names.map((name) => ({ name, ...servedStyles[name] })),
  );
  const release =
    options.release === undefined
      ? undefined
      : parseRelease(
          options.release,
          names.map((name) => styles[name]),
        );
  if (!isCustom || style === undefined) {
    const project = await openProject(
      projectOptions(context, { config: options.config, protocol: options.protocol }),
    );
    const ofStyle = release && {
      style: release.style.name,
      release: `${release.style.platform.name}-${release.release}`,
    };
    const emulator = await startReferenceEmulator(project, server, {
      settings,
      fleet,
      streams,
      asOf,
      release: ofStyle,
    });
    for (const key of allMissingEntities(project, project.deployments)) {
      context.err(`Not everything is served: the configuration lacks ${key}, the path of the entity SDL.\n`);
    }
    return emulator;
  }
  const read = async (path: string) => ({ path, text: await readFile(context.cwd, path, FILES_HINT) });
  const indexer = { style, name, chainId, settings, release: release?.release };
  const files = {
    entities: await read(entities),
    rows: rows === undefined ? null : await read(rows),
  };
  return startCustomEmulator(files, server, indexer);
}

function refuse(options: EmulateOptions, refused: readonly (keyof EmulateOptions)[], why: string): void {
  for (const name of refused) {
    if (isGiven(options[name])) throw new UsageError({ sentence: `--${flagOf(name)} ${why}.` });
  }
}

const FILES_HINT = "name the entity schema with --entities and its rows, in JSON, with --rows.";

function refuseWithEnv({ json, entities }: EmulateOptions): void {
  const refused = json
    ? "--json: both say what is printed when ready"
    : entities !== undefined && "--entities: no manifest knows an indexer of your own";
  if (refused) throw new UsageError({ sentence: `--env does not go with ${refused}.` });
}

/** Alone on its stream: what is printed is for a shell, or a file of variables. */
async function printVariables(emulator: Emulator, context: CommandContext): Promise<void> {
  const { renderVariables } = await loadEmulator();
  const lines = renderVariables(emulator.env());
  if (lines === "") {
    throw new UsageError({
      sentence: "The configuration writes out every host, so no variable leads its manifest to the emulator.",
      hint: 'write { env: "NAME" } in place of a URL, or leave it out; docs/configuration.md tells what is read then.',
    });
  }
  context.out(lines);
  context.err(`Serving on ${emulator.url}. Interrupt to stop.\n`);
}

function renderEmulator({ endpoints, url }: Emulator): string {
  const deployments = new Set(endpoints.map(({ deployment }) => deployment)).size;
  const rows = endpoints.map(({ deployment, environment, url }) => [deployment, environment, url]);
  return [
    renderTable(rows),
    "",
    `Serving ${deployments} ${deployments === 1 ? "deployment" : "deployments"} on ${url}. Interrupt to stop.`,
    "A testing URL opened in a browser is a page to query with; a production URL wants `Authorization: Bearer <any key>`.",
    "",
  ].join("\n");
}
