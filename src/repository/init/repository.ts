import type { Deployment } from "../../project/deployment.ts";
import type { Surface } from "../../project/surface.ts";
import type { Format, Protocol } from "../../project/vocabulary.ts";
import type { Client } from "./detect-client.ts";
import type { PackageManager } from "./package-manager.ts";
import type { IdTable } from "./parse-id-table.ts";
import type { Package } from "./parse-package.ts";
import type { Library } from "./read-library.ts";
import type { Start } from "./read-starts.ts";

/** What there is to see of the repository that Lockflow comes into. */
export type Repository = {
  /** Absolute path of the package's folder. */
  readonly folder: string;
  /** Absolute path of the folder that holds `.git`; the package's own where there is none. */
  readonly root: string;
  /** The package's folder from `root`, with `/`; empty when they are one. */
  readonly path: string;
  readonly package: Package;
  /** What the package and those above it in the repository depend on. */
  readonly dependencies: ReadonlySet<string>;
  readonly packageManager: PackageManager;
  /** The lock file from `root`, with `/`. */
  readonly lockFile: string | null;
  /** Whether package.json says which release of the package manager is meant. */
  readonly isPinned: boolean;
  readonly typescript: TypeScriptUse | null;
  readonly hasSourceFolder: boolean;
  readonly client: Client;
  readonly forge: Forge;
  /** A configuration for GraphQL plugins that is there already, with its text. */
  readonly graphqlConfig: { readonly name: string; readonly text: string } | null;
  readonly envExample: string | null;
};

/** Where a bundler resolves imports, they have no extension: not every one takes `.js` for `.ts`. */
export type TypeScriptUse = { readonly isBundled: boolean };

/** Where the repository is kept, and with it what runs its CI. */
export type Forge = "github" | "gitlab" | "unknown";

/** What there is of Lockflow in the package, or where it will lie. */
export type Layout = {
  /** The name of a configuration that is there already. */
  readonly config: string | null;
  /** Its text with one more protocol or with ids; null where none are to be added. */
  readonly editedConfig: string | null;
  /** Whether a protocol is added to it. */
  readonly isProtocolNew: boolean;
  /** Ids of subgraphs that go into the configuration; null where none were given. */
  readonly ids: IdTable | null;
  readonly protocols: readonly Protocol[];
  readonly surfaces: readonly Surface[];
  /** Those that are set up: of one protocol where the command names it. */
  readonly wanted: readonly Surface[];
  /** What the first operation of a surface lists, by its id; of a surface whose schema is not known there is none. */
  readonly starts: ReadonlyMap<string, Start>;
  readonly deployments: readonly Deployment[];
  /** The operations that ship, where they are asked for; else null. */
  readonly library: Library | null;
  /** The environment variables that commands read where they are set. */
  readonly variables: readonly string[];
  /** This and `output` from the package's folder, with `/`. */
  readonly operations: string;
  readonly output: string;
  readonly format: Format;
  /** The `<protocol>/<style>`, and the `<protocol>/portable`, that have operations already. */
  readonly withOperations: ReadonlySet<string>;
  /** Whether there are neither snapshots nor hosts to ask for them: then they are taken from the emulator. */
  readonly needsSnapshots: boolean;
  /** Whether there are none, and hosts to ask for them, or only those of other protocols, which is the user's to do. */
  readonly lacksSnapshots: boolean;
  readonly isHostKnown: boolean;
};
