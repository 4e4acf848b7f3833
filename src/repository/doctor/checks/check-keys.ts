import type { Project } from "../../../project/project.ts";
import { isConfigured } from "../../../project/variables.ts";
import type { ProjectContext } from "../check-context.ts";
import { type CheckResult, ok, problem, warning } from "../check-result.ts";
import { collectVariables, type NamedVariable } from "../collect-variables.ts";
import { isPlaceholder } from "../is-placeholder.ts";

/** Whether the variables that hold keys are set, and to what a key can be. Values are never shown. */
export function checkKeys(context: ProjectContext): CheckResult[] {
  const { project, environment, env } = context;
  const variables = collectVariables(project, environment, env);
  const found = variables.flatMap((variable) => checkVariable(variable, context));
  const keyless = checkKeyless(project, env);
  if (variables.length > 0 || keyless.length > 0) return [...found, ...keyless];
  return [ok("No endpoint is configured that needs a key or another variable.")];
}

function checkVariable(variable: NamedVariable, context: ProjectContext): CheckResult[] {
  const { name, kind } = variable;
  const value = context.env[name];
  if (value === undefined || value.trim() === "") return [notSet(variable, context)];
  const trimmed = value.trim();
  const alone = `set ${name} to its value alone`;
  if (/[^\x20-\x7e]/.test(trimmed)) {
    return [problem(`${name} holds more than one line, or letters beyond ASCII.`, alone)];
  }
  if (kind === "key" && /^bearer /i.test(trimmed)) {
    return [problem(`${name} starts with "Bearer", which is sent before it anyway.`, alone)];
  }
  if (kind === "key" && trimmed.includes(" ")) return [problem(`${name} has a blank in it.`, alone)];
  if (isPlaceholder(trimmed)) return [warning(`${name} looks like a placeholder.`, `export ${name}=…`)];
  if (/^(["']).*\1$/.test(trimmed)) return [warning(`${name} has quotes around its value.`, alone)];
  if (value !== trimmed) {
    const sentence = `${name} has blanks or a line end around its value. Lockflow takes them off, and others send them.`;
    return [warning(sentence, alone)];
  }
  return [ok(`${name} is set.`)];
}

function notSet({ name, asked, all }: NamedVariable, { envFiles }: ProjectContext): CheckResult {
  const file = envFiles.find(({ values, isExample }) => !isExample && (values.get(name) ?? "") !== "");
  const fix = file ? `set -a; . ./${file.name}; set +a` : `export ${name}=…`;
  const where = file ? ` (it is in ${file.name}, which only your shell can load)` : "";
  if (asked > 0) return problem(`${name} is not set${where}, and ${count(asked)} it.`, fix);
  const unasked = `${name} is not set${where}; ${count(all)} it, in an environment that is not asked now.`;
  return warning(unasked, fix);
}

function count(endpoints: number): string {
  return endpoints === 1 ? "one endpoint needs" : `${endpoints} endpoints need`;
}

/** Endpoints that answer nobody without a key, and are given none. */
function checkKeyless({ deployments }: Project, env: ProjectContext["env"]): CheckResult[] {
  const keyless = deployments
    .flatMap(({ status, endpoints }) => (status === "retired" ? [] : endpoints))
    .filter((endpoint) => endpoint.requiresKey && endpoint.apiKey === null && isConfigured(endpoint, env))
    .filter(({ headers }) => !Object.keys(headers).some((name) => name.toLowerCase() === "authorization"));
  if (keyless.length === 0) return [];
  const which = keyless.length === 1 ? "One endpoint answers" : `${keyless.length} endpoints answer`;
  return [
    warning(
      `${which} nobody without a key, and none is configured there.`,
      'name the variable in the configuration: apiKey: { env: "…" }, or false where none is needed',
    ),
  ];
}
