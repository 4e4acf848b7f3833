import { basename, extname, resolve } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { EmulatorError } from "../base/errors/emulator-error.ts";
import { FileError } from "../base/errors/file-error.ts";
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
import { styles } from "../styles/index.ts";
import { projectOptions } from "./api-options.ts";
import type { CommandContext } from "./context.ts";
import { operatorSettings } from "./operator-settings.ts";
import { flagOf, isGiven } from "./option.ts";
import type { Options } from "./options.ts";
import { parseRelease } from "./parse-release.ts";

const DEFAULT_PORT = 4350;

/** Options that are about an indexer of one's own, and those that are about the reference indexers. */
const OWN_OPTIONS = ["style", "rows", "name", "chainId", "perChainEntities"] as const;
const REFERENCE_OPTIONS = ["config", "fleet", "streams"] as const;

type EmulateOptions = Options<"emulate">;

/** Starts the emulator that the options ask for: the project's deployments, or one indexer of one's own. */
export async function startChosenEmulator(
  context: CommandContext,
  options: EmulateOptions,
): Promise<Emulator> {
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
    entities: await readFile(context, entities),
    rows: rows === undefined ? undefined : parseJson(await readFile(context, rows), rows),
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

async function readFile({ cwd }: CommandContext, path: string): Promise<string> {
  const text = await readText(resolve(cwd, path));
  if (text !== null) return text;
  throw new FileError({
    code: "FILE_UNREADABLE",
    sentence: `There is no file "${path}".`,
    hint: "name the entity schema with --entities and its rows, in JSON, with --rows.",
  });
}

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
