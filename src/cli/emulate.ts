import { basename, extname } from "node:path";
import { EmulatorError } from "../base/errors/emulator-error.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import {
  type Emulator,
  type EmulatorModule,
  type EmulatorOptions,
  type Fleet,
  loadEmulator,
  type OwnIndexer,
} from "../load-emulator.ts";
import { findProject } from "../project/open-project.ts";
import { PROTOCOLS, STYLE_NAMES } from "../project/vocabulary.ts";
import { renderTable } from "../report/render-table.ts";
import { styles } from "../styles/index.ts";
import { projectOptions } from "./api-options.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { flagOf, isGiven } from "./option.ts";
import type { Options } from "./options.ts";
import { operatorSettings, parseRelease } from "./platform-options.ts";
import { readFile } from "./read-file.ts";

const DEFAULT_PORT = 4350;

/** Options that are about an indexer of one's own, and those that are about the reference indexers. */
const OWN_OPTIONS = ["style", "rows", "name", "chainId", "perChainEntities"] as const;
const REFERENCE_OPTIONS = ["config", "fleet", "streams"] as const;

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
  const { port = DEFAULT_PORT, seed, live, fault } = options;
  const module = await loadEmulator();
  const common: EmulatorOptions = {
    port,
    seed,
    live,
    faults: module.parseFaults(fault),
  };
  return module.withUsageErrors(() =>
    options.entities === undefined
      ? startReferenceEmulator(context, options, common, module)
      : startOwnEmulator(context, options, options.entities, common, module),
  );
}

async function startReferenceEmulator(
  context: CommandContext,
  options: EmulateOptions,
  common: EmulatorOptions,
  { entitiesOf, servedStyles, startProjectEmulator }: EmulatorModule,
): Promise<Emulator> {
  refuse(options, OWN_OPTIONS, "needs --entities, which says what to serve");
  const settings = operatorSettings(
    options,
    STYLE_NAMES.map((name) => ({ name, ...servedStyles[name] })),
  );
  checkAggregates(settings.aggregates ?? [], entitiesOf);
  const project = await findProject(projectOptions(context, options));
  return startProjectEmulator(project, {
    ...common,
    settings,
    fleet: fleetOf(options),
    streams: options.streams,
  });
}

/** The reference indexers are of two protocols, and what is public of one is public of the other. */
function checkAggregates(names: readonly string[], entitiesOf: EmulatorModule["entitiesOf"]): void {
  if (names.length === 0) return;
  for (const protocol of PROTOCOLS) {
    const { definitions } = entitiesOf(protocol, "multichain");
    const entities = definitions.filter(({ kind }) => kind === "entity").map(({ name }) => name);
    for (const name of names) {
      if (entities.includes(name)) continue;
      const nearest = nearestName(name, entities);
      throw new UsageError({
        sentence: `--aggregates names "${name}", which is no entity of the ${protocol} indexer.`,
        hint: nearest === null ? `its entities are ${entities.join(", ")}.` : `did you mean "${nearest}"?`,
      });
    }
  }
}

async function startOwnEmulator(
  context: CommandContext,
  options: EmulateOptions,
  entities: string,
  common: EmulatorOptions,
  { servedStyles, startEmulator }: EmulatorModule,
): Promise<Emulator> {
  refuse(options, REFERENCE_OPTIONS, "does not go with --entities");
  const { style: styleName, rows, name = nameOf(entities), release, chainId } = options;
  if (styleName === undefined) {
    throw new UsageError({ sentence: "--entities needs --style subgraph or --style multichain." });
  }
  const style = styles[styleName];
  const settings = operatorSettings(options, [{ name: styleName, ...servedStyles[styleName] }]);
  const indexer: OwnIndexer = {
    style: styleName,
    name,
    release: release === undefined ? undefined : parseRelease(release, [style]).release,
    entities: await readFile(context.cwd, entities, FILES_HINT),
    rows: rows === undefined ? undefined : parseJson(await readFile(context.cwd, rows, FILES_HINT), rows),
    settings,
    chainId,
  };
  const places = { entities, ...(rows === undefined ? {} : { rows }) };
  return startEmulator({ ...common, indexers: [indexer], places });
}

function refuse(options: EmulateOptions, refused: readonly (keyof EmulateOptions)[], why: string): void {
  for (const name of refused) {
    if (isGiven(options[name])) throw new UsageError({ sentence: `--${flagOf(name)} ${why}.` });
  }
}

/** `--fleet linea=graph-node-0.44,…`, and `--release` for all of that platform's style. */
function fleetOf({ release, fleet: entries = [] }: EmulateOptions): Fleet {
  const fleet = new Map<string, string>();
  if (release !== undefined) {
    const known = parseRelease(
      release,
      STYLE_NAMES.map((name) => styles[name]),
    );
    fleet.set(known.style.name, release);
  }
  const named = new Set<string>();
  for (const entry of entries) {
    const [who = "", name = "", ...more] = entry.split("=").map((part) => part.trim());
    if (who === "" || name === "" || more.length > 0) {
      throw new UsageError({
        sentence: `--fleet takes <chain>=<release> with commas between, not "${entry}".`,
        hint: "for example --fleet linea=graph-node-0.44,zksync=graph-node-0.40.",
      });
    }
    if (named.has(who)) throw new UsageError({ sentence: `--fleet names "${who}" twice.` });
    named.add(who);
    fleet.set(who, name);
  }
  return Object.fromEntries(fleet);
}

const FILES_HINT = "name the entity schema with --entities and its rows, in JSON, with --rows.";

function parseJson(text: string, path: string): OwnIndexer["rows"] {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EmulatorError({
      code: "EMULATOR_ROWS_INVALID",
      sentence: `${path} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: "give an object from entity to a list of rows.",
      cause,
    });
  }
}

/** The deployment's name from its file: `my schema.graphql` gives `my-schema`. */
function nameOf(path: string): string {
  const name = basename(path, extname(path)).replaceAll(/[^\w.-]+/g, "-");
  return /^[.-]*$/.test(name) ? "indexer" : name;
}

function refuseWithEnv(options: EmulateOptions): void {
  for (const [option, why] of [
    ["json", "both say what is printed when ready"],
    ["entities", "no manifest knows an indexer of your own"],
  ] as const) {
    if (isGiven(options[option])) {
      throw new UsageError({ sentence: `--env does not go with --${option}: ${why}.` });
    }
  }
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
