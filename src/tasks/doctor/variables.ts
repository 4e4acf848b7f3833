import { compareCodeUnits, sortByName } from "../../base/collections.ts";
import { ConfigError } from "../../base/errors.ts";
import type { Environment } from "../../dialects/surface.ts";
import { chooseEndpoints, type DeploymentEndpoint, readUrls } from "../../project/endpoints.ts";
import type { Project } from "../../project/project.ts";
import {
  defaultVariables,
  type EndpointVariable,
  endpointVariables,
  findUnreadVariables,
  hasHost,
  isConfigured,
  secretVariables,
  type UnreadVariable,
} from "../../project/variables.ts";
import { type CheckResult, ok, type ProjectContext, problem, warning } from "./context.ts";

/** Checks that the variables of keys are set, and that their values can be keys. Values are never shown. */
export function checkKeys(context: ProjectContext): CheckResult[] {
  const { project, environment, env } = context;
  const variables = collectVariables(project, environment, env);
  const results = variables.flatMap((variable) => checkVariable(variable, context));
  const keyless = checkKeyless(project, env);
  if (variables.length > 0 || keyless.length > 0) return [...results, ...keyless];
  return [ok("No configured endpoint needs a key or another variable.")];
}

function checkVariable(variable: NamedVariable, context: ProjectContext): CheckResult[] {
  const { name, kind } = variable;
  const value = context.env[name];
  if (value === undefined || value.trim() === "") return [notSet(variable, context)];
  const trimmed = value.trim();
  const alone = `set ${name} to the plain value`;
  if (/[^\x20-\x7e]/.test(trimmed)) {
    return [problem(`${name} has several lines or non-ASCII characters.`, alone)];
  }
  if (kind === "key" && /^bearer /i.test(trimmed)) {
    return [problem(`${name} starts with "Bearer", which Lockflow adds itself.`, alone)];
  }
  if (kind === "key" && trimmed.includes(" ")) return [problem(`${name} contains a space.`, alone)];
  if (isPlaceholder(trimmed)) return [warning(`${name} looks like a placeholder.`, `export ${name}=…`)];
  if (/^(["']).*\1$/.test(trimmed)) return [warning(`${name} has quotes around its value.`, alone)];
  if (value !== trimmed) {
    const sentence = `${name} has spaces or a line end around its value. Lockflow removes them, but other programs may not.`;
    return [warning(sentence, alone)];
  }
  return [ok(`${name} is set.`)];
}

function notSet({ name, used, all }: NamedVariable, { envFiles }: ProjectContext): CheckResult {
  const file = envFiles.find(({ values, isExample }) => !isExample && (values.get(name) ?? "") !== "");
  const fix = file ? `set -a; . ./${file.name}; set +a` : `export ${name}=…`;
  const where = file ? ` (it is in ${file.name}, which commands do not load)` : "";
  if (used > 0) return problem(`${name} is not set${where}, but ${count(used)} it.`, fix);
  const unused = `${name} is not set${where}; ${count(all)} it, in an environment that this run does not use.`;
  return warning(unused, fix);
}

function count(endpoints: number): string {
  return endpoints === 1 ? "one endpoint needs" : `${endpoints} endpoints need`;
}

/** Finds endpoints that require a key and have none configured. */
function checkKeyless({ deployments }: Project, env: ProjectContext["env"]): CheckResult[] {
  const keyless = deployments
    .flatMap(({ status, endpoints }) => (status === "retired" ? [] : endpoints))
    .filter((endpoint) => endpoint.requiresKey && endpoint.apiKey === null && isConfigured(endpoint, env))
    .filter(({ headers }) => !Object.keys(headers).some((name) => name.toLowerCase() === "authorization"));
  if (keyless.length === 0) return [];
  const which = keyless.length === 1 ? "One endpoint needs" : `${keyless.length} endpoints need`;
  return [
    warning(
      `${which} a key, but none is configured.`,
      'add apiKey: { env: "…" } to the configuration, or apiKey: false if it needs none',
    ),
  ];
}

/** Checks that URLs with variables are valid, and that every `LOCKFLOW_` variable that is set is read. */
export function checkVariables(context: ProjectContext): CheckResult[] {
  const { project, env, envFiles } = context;
  const unread = findUnreadVariables(project, env).map(describeUnread);
  if (hasHost(project, env)) return [...findInvalidUrls(project, context), ...unread];
  const defaults = defaultVariables(project.protocols);
  for (const { name, values } of envFiles.filter(({ isExample }) => !isExample)) {
    const held = defaults.filter(
      (variable) => (values.get(variable) ?? "") !== "" && (env[variable] ?? "").trim() === "",
    );
    if (held.length === 0) continue;
    const sentence = `${held.join(", ")}: set in ${name}, which commands do not load.`;
    unread.push(warning(sentence, `set -a; . ./${name}; set +a`));
  }
  return unread;
}

/** Finds invalid URLs that contain variables. `checkKeys` reports missing variables. */
function findInvalidUrls({ deployments }: Project, { environment, env }: ProjectContext): CheckResult[] {
  const { chosen } = chooseEndpoints(deployments, environment, env);
  const faults = new Map<string, CheckResult>();
  const read = (some: readonly DeploymentEndpoint[]): boolean => {
    try {
      return readUrls(some, env).length > 0;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { code, sentence, hint } = error;
      if (code !== "CONFIG_VARIABLE_MISSING") faults.set(sentence, problem(sentence, hint));
      return false;
    }
  };
  // Each alone, because a missing variable throws for all; then together, to find two endpoints with one URL.
  const valid = chosen.filter((endpoint) => read([endpoint]));
  read(valid);
  return [...faults.values()];
}

function describeUnread({ name, nearest }: UnreadVariable): CheckResult {
  if (nearest !== null) {
    return warning(`${name} is set, but no command reads it.`, `rename it to ${nearest}`);
  }
  return warning(
    `${name} is set, but not read: the configuration has its own value, or no endpoint needs it.`,
    `unset ${name}, or read in docs/configuration.md when it applies`,
  );
}

/** An environment variable that commands read: named by the configuration, or by default. */
export type NamedVariable = EndpointVariable & {
  /** How many endpoints of this run need it. */
  readonly used: number;
  /** How many endpoints of any environment need it. */
  readonly all: number;
};

/** Collects the variables that hold keys, headers and parts of URLs, in order of name. */
export function collectVariables(
  { deployments }: Project,
  environment: Environment | undefined,
  env: Readonly<Record<string, string | undefined>>,
): NamedVariable[] {
  const { chosen } = chooseEndpoints(deployments, environment, env);
  const inUse = new Set(chosen.map(({ endpoint }) => endpoint));
  const variables = new Map<string, NamedVariable>();
  for (const { status, endpoints } of deployments) {
    if (status === "retired") continue;
    for (const endpoint of endpoints.filter((candidate) => isConfigured(candidate, env))) {
      for (const { name, kind } of endpointVariables(endpoint, env)) {
        const counted = variables.get(name) ?? { name, kind, used: 0, all: 0 };
        // A variable that is a key for one endpoint is treated as a key.
        const strictest = kind === "key" ? kind : counted.kind;
        const used = counted.used + Number(inUse.has(endpoint));
        variables.set(name, { name, kind: strictest, used, all: counted.all + 1 });
      }
    }
  }
  return sortByName([...variables.values()]);
}

/** Collects the variables with secret values, of all endpoints, in order of name. */
export function collectSecretVariables({ deployments }: Project): string[] {
  const secrets = deployments.flatMap(({ endpoints }) => endpoints.flatMap(secretVariables));
  return [...new Set(secrets.map(({ name }) => name))].sort(compareCodeUnits);
}

/** Returns whether a value looks like the placeholder of an example file. */
export function isPlaceholder(value: string): boolean {
  const plain = value.replaceAll(/["']/g, "").trim();
  return plain.length < 4 || PLACEHOLDER.test(plain) || /^(.)\1*$/.test(plain);
}

const PLACEHOLDER =
  /^(<.*>|\[.*\]|\{.*\}|\$\{?\w+\}?|.*(…|\.\.\.).*|(your|my|insert|enter|paste|put|add|replace|change)[-_ ]?.*|(todo|tbd|fixme|example|placeholder|dummy|secret|none|null|undefined|key|api[-_ ]?key|token)([-_ ].*)?)$/i;
