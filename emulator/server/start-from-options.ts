import { basename, extname } from "node:path";
import { EmulatorError } from "../../src/base/errors/emulator-error.ts";
import { UsageError } from "../../src/base/errors/usage-error.ts";
import { nearestName } from "../../src/base/nearest-name.ts";
import type { Project } from "../../src/project/project.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols/built-in.ts";
import type { StyleName } from "../../src/project/vocabulary.ts";
import type { OwnIndexer } from "../custom/custom-indexer.ts";
import { entitiesOf } from "../dataset/entities/index.ts";
import { parseFaults, withUsageErrors } from "../faults/parse-faults.ts";
import type { Fleet } from "./apply-fleet.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "./start-emulator.ts";
import { startProjectEmulator } from "./start-project-emulator.ts";

/** What a command line says of any emulator. */
type ServerOptions = Pick<EmulatorOptions, "port" | "seed" | "live"> & {
  /** As `parseFaults` takes them. */
  readonly fault: readonly string[];
};

/** What a command line says of the reference indexers. */
type ReferenceOptions = Pick<EmulatorOptions, "settings" | "streams"> & {
  /** `linea=graph-node-0.44`, … */
  readonly fleet?: readonly string[] | undefined;
  /** For all of the style of its platform. */
  readonly release?: { readonly style: StyleName; readonly release: string } | undefined;
};

/**
 * Starts the emulator of a project's deployments as a command line has its options.
 *
 * @throws UsageError
 */
export function startReferenceEmulator(
  project: Project,
  { fault, ...server }: ServerOptions,
  { settings, streams, fleet = [], release }: ReferenceOptions,
): Promise<Emulator> {
  return withUsageErrors(async () => {
    const faults = parseFaults(fault);
    checkAggregates(settings?.aggregates ?? []);
    return startProjectEmulator(project, {
      ...server,
      faults,
      settings,
      streams,
      fleet: parseFleet(fleet, release),
    });
  });
}

/** A file that a command line names. */
type NamedFile = { readonly path: string; readonly text: string };

/**
 * Starts the emulator of an indexer whose entities and rows are in files.
 *
 * @throws UsageError
 */
export function startCustomEmulator(
  entities: NamedFile,
  rows: NamedFile | null,
  { fault, ...server }: ServerOptions,
  indexer: Omit<OwnIndexer, "entities" | "rows">,
): Promise<Emulator> {
  return withUsageErrors(async () => {
    const faults = parseFaults(fault);
    const name = indexer.name ?? nameOf(entities.path);
    const content = { entities: entities.text, ...(rows && { rows: parseRows(rows) }) };
    const places = { entities: entities.path, ...(rows && { rows: rows.path }) };
    return startEmulator({ ...server, faults, indexers: [{ ...indexer, ...content, name }], places });
  });
}

/** The reference indexers are of two protocols, and what is public of one is public of the other. */
function checkAggregates(names: readonly string[]): void {
  for (const protocol of BUILT_IN_PROTOCOLS) {
    const { definitions } = entitiesOf(protocol, "multichain");
    const entities = definitions.filter(({ kind }) => kind === "entity").map(({ name }) => name);
    const stranger = names.find((name) => !entities.includes(name));
    if (stranger === undefined) continue;
    const nearest = nearestName(stranger, entities);
    throw new UsageError({
      sentence: `--aggregates names "${stranger}", which is no entity of the ${protocol} indexer.`,
      hint: nearest === null ? `its entities are ${entities.join(", ")}.` : `did you mean "${nearest}"?`,
    });
  }
}

function parseFleet(entries: readonly string[], forStyle: ReferenceOptions["release"]): Fleet {
  const named = new Map<string, string>();
  for (const entry of entries) {
    const [who = "", release = "", ...more] = entry.split("=").map((part) => part.trim());
    if (who === "" || release === "" || more.length > 0) {
      throw new UsageError({
        sentence: `--fleet takes <chain>=<release> with commas between, not "${entry}".`,
        hint: "for example --fleet linea=graph-node-0.44,zksync=graph-node-0.40.",
      });
    }
    if (named.has(who)) throw new UsageError({ sentence: `--fleet names "${who}" twice.` });
    named.set(who, release);
  }
  return { ...(forStyle && { [forStyle.style]: forStyle.release }), ...Object.fromEntries(named) };
}

function parseRows({ path, text }: NamedFile): OwnIndexer["rows"] {
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
