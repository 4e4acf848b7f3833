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
import { PROTOCOLS, STYLE_NAMES } from "../project/vocabulary.ts";
import { styles } from "../styles/index.ts";
import type { CommandContext } from "./command.ts";
import { choiceOption, namesOption, numberOption, projectOf, textOption, textsOption } from "./options.ts";
import { parseRelease, releaseOption } from "./release-option.ts";
import { settingsOptions } from "./settings-options.ts";

const DEFAULT_PORT = 4350;
const MOST_STREAMS = 1_000_000;
const LARGEST_CHAIN_ID = 2 ** 31 - 1;

/** Options that are about an indexer of one's own, and those that are about the reference indexers. */
const OWN_OPTIONS = ["style", "rows", "name", "chain-id", "per-chain-entities"] as const;
const REFERENCE_OPTIONS = ["config", "fleet", "streams"] as const;

/** Starts the emulator that the options ask for: the project's deployments, or one indexer of one's own. */
export async function startChosenEmulator(context: CommandContext): Promise<Emulator> {
  const port = numberOption(context, "port", 0, 65535) ?? DEFAULT_PORT;
  const module = await loadEmulator();
  const common: EmulatorOptions = {
    port,
    seed: textOption(context, "seed"),
    live: context.options["live"] === true,
    faults: module.parseFaults(textsOption(context, "fault")),
  };
  return module.withUsageErrors(() =>
    textOption(context, "entities") === undefined
      ? startReferenceEmulator(context, common, module)
      : startOwnEmulator(context, common, module),
  );
}

async function startReferenceEmulator(
  context: CommandContext,
  common: EmulatorOptions,
  { entitiesOf, servedStyles, startProjectEmulator }: EmulatorModule,
): Promise<Emulator> {
  refuse(context, OWN_OPTIONS, "needs --entities, which says what to serve");
  const settings = settingsOptions(
    context,
    STYLE_NAMES.map((name) => ({ name, ...servedStyles[name] })),
  );
  checkAggregates(settings.aggregates ?? [], entitiesOf);
  const options = {
    ...common,
    settings,
    fleet: fleetOption(context),
    streams: numberOption(context, "streams", 0, MOST_STREAMS),
  };
  return startProjectEmulator(await projectOf(context), options);
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
  common: EmulatorOptions,
  { servedStyles, startEmulator }: EmulatorModule,
): Promise<Emulator> {
  refuse(context, REFERENCE_OPTIONS, "does not go with --entities");
  const styleName = choiceOption(context, "style", STYLE_NAMES);
  if (styleName === undefined) {
    throw new UsageError({ sentence: "--entities needs --style subgraph or --style multichain." });
  }
  const style = styles[styleName];
  const settings = settingsOptions(context, [{ name: styleName, ...servedStyles[styleName] }]);
  const release = releaseOption(context, style);
  const chainId = numberOption(context, "chain-id", 1, LARGEST_CHAIN_ID);
  const entitiesPath = textOption(context, "entities") ?? "";
  const rowsPath = textOption(context, "rows");
  const indexer: OwnIndexer = {
    style: styleName,
    entities: await readFile(context, entitiesPath),
    rows: rowsPath === undefined ? undefined : parseJson(await readFile(context, rowsPath), rowsPath),
    name: textOption(context, "name") ?? nameOf(entitiesPath),
    release,
    settings,
    chainId,
  };
  const places = { entities: entitiesPath, ...(rowsPath === undefined ? {} : { rows: rowsPath }) };
  return startEmulator({ ...common, indexers: [indexer], places });
}

function refuse(context: CommandContext, options: readonly string[], why: string): void {
  for (const option of options) {
    if (context.options[option] !== undefined) throw new UsageError({ sentence: `--${option} ${why}.` });
  }
}

/** `--fleet linea=graph-node-0.44,…`, and `--release` for all of that platform's style. */
function fleetOption(context: CommandContext): Fleet {
  const fleet = new Map<string, string>();
  const release = textOption(context, "release");
  if (release !== undefined) {
    const known = parseRelease(
      release,
      "--release",
      STYLE_NAMES.map((name) => styles[name]),
    );
    fleet.set(known.style.name, release);
  }
  const named = new Set<string>();
  for (const entry of namesOption(context, "fleet") ?? []) {
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
