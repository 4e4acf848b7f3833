import { join } from "node:path";
import { compareCodeUnits, sortByName } from "../../base/collections.ts";
import type { LockflowError } from "../../base/errors.ts";
import { readText } from "../../base/read-files.ts";
import type { Environment } from "../../dialects/surface.ts";
import { chooseEndpoints } from "../../project/endpoints.ts";
import type { Project } from "../../project/project.ts";
import {
  type EndpointVariable,
  endpointVariables,
  isConfigured,
  secretVariables,
} from "../../project/variables.ts";
import type { Progress } from "../../report/terminal.ts";
import type { PackageManager } from "../../workspace/package-manager.ts";

/** Everything the checks look at. A broken project has as much of it as can be had. */
export type CheckContext = {
  /** Absolute path of the configuration's folder, or of the current one. */
  readonly root: string;
  /** Its version, where it is known. */
  readonly node: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path; null when there is none. */
  readonly config: string | null;
  /** The project, or why it could not be loaded. */
  readonly project: Project | LockflowError;
  readonly packageManager: PackageManager;
  /** Of the files in the root. */
  readonly names: readonly string[];
  readonly envFiles: readonly EnvFile[];
  readonly isOffline: boolean;
  readonly environment: Environment | undefined;
  readonly startProgress: (total: number) => Progress;
};

/** What a check looks at that needs a project. */
export type ProjectContext = CheckContext & { readonly project: Project };

/** What one check says of one thing. */
export type CheckResult = {
  readonly status: Status;
  /** One sentence. It never holds a key. */
  readonly sentence: string;
  /** What to type or to do; null where nothing is to be done. */
  readonly fix: string | null;
};

/** `skipped` is what could not be looked at: it is not clean, and nothing is known to be wrong. */
export type Status = "ok" | "warning" | "problem" | "skipped";

/** Nothing to be done. */
export function ok(sentence: string): CheckResult {
  return { status: "ok", sentence, fix: null };
}

/** Works today, and is likely to hurt. */
export function warning(sentence: string, fix: string): CheckResult {
  return { status: "warning", sentence, fix };
}

/** Something does not work. */
export function problem(sentence: string, fix: string | null): CheckResult {
  return { status: "problem", sentence, fix };
}

/** Not looked at, and why. */
export function skipped(sentence: string): CheckResult {
  return { status: "skipped", sentence, fix: null };
}

/** An environment variable that commands read: one the configuration names, or ours where it names none. */
export type NamedVariable = EndpointVariable & {
  /** How many endpoints need it that are asked by default, or in the wanted environment. */
  readonly asked: number;
  /** How many endpoints need it in all. */
  readonly all: number;
};

/** Collects the variables that hold keys, headers and parts of URLs, in order of name. */
export function collectVariables(
  { deployments }: Project,
  environment: Environment | undefined,
  env: Readonly<Record<string, string | undefined>>,
): NamedVariable[] {
  const { chosen } = chooseEndpoints(deployments, environment, env);
  const asked = new Set(chosen.map(({ endpoint }) => endpoint));
  const variables = new Map<string, NamedVariable>();
  for (const { status, endpoints } of deployments) {
    if (status === "retired") continue;
    for (const endpoint of endpoints.filter((one) => isConfigured(one, env))) {
      for (const { name, kind } of endpointVariables(endpoint, env)) {
        const known = variables.get(name) ?? { name, kind, asked: 0, all: 0 };
        // One that is a key anywhere is treated as one.
        const strictest = kind === "key" ? kind : known.kind;
        const times = known.asked + Number(asked.has(endpoint));
        variables.set(name, { name, kind: strictest, asked: times, all: known.all + 1 });
      }
    }
  }
  return sortByName([...variables.values()]);
}

/** Collects those whose value is a secret, be they needed today or not. */
export function collectSecretVariables({ deployments }: Project): string[] {
  const secrets = deployments.flatMap(({ endpoints }) => endpoints.flatMap(secretVariables));
  return [...new Set(secrets.map(({ name }) => name))].sort(compareCodeUnits);
}

/** A file of variables that tools load, such as `.env.local`. */
export type EnvFile = {
  readonly name: string;
  /** Values by variable. They may be keys: for comparisons only, never for messages. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether it is the kind of file that shows people what to set. */
  readonly isExample: boolean;
};

/** Reads the `.env` files among the files of a folder. One that cannot be read counts as empty. */
export async function readEnvFiles(root: string, names: readonly string[]): Promise<EnvFile[]> {
  const found = names.filter((name) => /^\.env(\.|$)/.test(name));
  return Promise.all(
    found.map(async (name) => {
      const text = await readText(join(root, name)).catch(() => null);
      return { name, values: parseValues(text ?? ""), isExample: EXAMPLE.test(name) };
    }),
  );
}

const EXAMPLE = /\.(example|sample|template|dist|defaults?)$/;

function parseValues(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const quoted = /^(["'`])(.*)\1/.exec(value);
    values.set(name, quoted?.[2] ?? value.replace(/\s+#.*$/, "").trim());
  }
  return values;
}

/** Whether a value looks like what stands in an example until somebody puts a key there. */
export function isPlaceholder(value: string): boolean {
  const plain = value.replaceAll(/["']/g, "").trim();
  return plain.length < 4 || PLACEHOLDER.test(plain) || /^(.)\1*$/.test(plain);
}

const PLACEHOLDER =
  /^(<.*>|\[.*\]|\{.*\}|\$\{?\w+\}?|.*(…|\.\.\.).*|(your|my|insert|enter|paste|put|add|replace|change)[-_ ]?.*|(todo|tbd|fixme|example|placeholder|dummy|secret|none|null|undefined|key|api[-_ ]?key|token)([-_ ].*)?)$/i;
