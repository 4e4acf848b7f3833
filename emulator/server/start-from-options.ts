import { basename, extname } from "node:path";
import { UsageError } from "../../src/base/errors.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import type { Project } from "../../src/project/project.ts";
import type { OwnIndexer } from "../custom/custom-indexer.ts";
import { parseFaults, withUsageErrors } from "../faults/parse-faults.ts";
import { loadIndexerCode } from "../indexers/load-indexers.ts";
import type { Fleet } from "./apply-fleet.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "./start-emulator.ts";
import { parseRowsText, startProjectEmulator } from "./start-project-emulator.ts";

/** The options of any emulator command. */
type ServerOptions = Pick<EmulatorOptions, "port" | "seed" | "live" | "engine" | "root"> & {
  /** In the form of `parseFaults`. */
  readonly fault: readonly string[];
};

/** The options for the reference indexers. */
type ReferenceOptions = Pick<EmulatorOptions, "settings" | "streams" | "asOf"> & {
  /** `linea=graph-node-0.44`, … */
  readonly fleet?: readonly string[] | undefined;
  /** For all deployments of its platform's style. */
  readonly release?: { readonly style: StyleName; readonly release: string } | undefined;
};

/**
 * Starts the emulator of a project's deployments with command-line options.
 *
 * @throws UsageError
 */
export function startReferenceEmulator(
  project: Project,
  { fault, ...server }: ServerOptions,
  { settings, streams, asOf, fleet = [], release }: ReferenceOptions,
): Promise<Emulator> {
  return withUsageErrors(async () => {
    const faults = parseFaults(fault, project.protocols);
    const options = { ...server, faults, settings, streams, asOf, fleet: parseFleet(fleet, release) };
    return withLoadedCode(startProjectEmulator(project, options, true));
  });
}

type NamedFile = { readonly path: string; readonly text: string };

/**
 * Starts the emulator of an indexer with entities and rows from files.
 *
 * @throws UsageError
 */
export function startCustomEmulator(
  { entities, rows }: { readonly entities: NamedFile; readonly rows: NamedFile | null },
  { fault, ...server }: ServerOptions,
  indexer: Omit<OwnIndexer, "entities" | "rows">,
): Promise<Emulator> {
  return withUsageErrors(async () => {
    const faults = parseFaults(fault, []);
    const name = indexer.name ?? nameOf(entities.path);
    const content = { entities: entities.text, ...(rows && { rows: parseRowsText(rows.path, rows.text) }) };
    const places = { entities: entities.path, ...(rows && { rows: rows.path }) };
    const indexers = [{ ...indexer, ...content, name }];
    return withLoadedCode(startEmulator({ ...server, faults, indexers, places }));
  });
}

/** Resolves once the code is loaded too, for which the first query would wait otherwise. */
async function withLoadedCode(starting: Promise<Emulator>): Promise<Emulator> {
  const emulator = await starting;
  await loadIndexerCode();
  return emulator;
}

function parseFleet(entries: readonly string[], forStyle: ReferenceOptions["release"]): Fleet {
  const named = new Map<string, string>();
  for (const entry of entries) {
    const [who = "", release = "", ...more] = entry.split("=").map((part) => part.trim());
    if (who === "" || release === "" || more.length > 0) {
      throw new UsageError({
        sentence: `--fleet takes <chain>=<release>, separated by commas; got "${entry}".`,
        hint: "for example --fleet linea=graph-node-0.44,zksync=graph-node-0.40.",
      });
    }
    if (named.has(who)) throw new UsageError({ sentence: `--fleet names "${who}" twice.` });
    named.set(who, release);
  }
  return { ...(forStyle && { [forStyle.style]: forStyle.release }), ...Object.fromEntries(named) };
}

/** The deployment's name, from its file: `my schema.graphql` gives `my-schema`. */
function nameOf(path: string): string {
  const name = basename(path, extname(path)).replaceAll(/[^\w.-]+/g, "-");
  return /^[.-]*$/.test(name) ? "indexer" : name;
}
