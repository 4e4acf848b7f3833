import {
  buildUrl,
  isUrlPart,
  parseUrl,
  readText,
  type UrlFault,
} from "../../packages/client/src/manifest/build-url.ts";
import type { Text, Variables } from "../../packages/client/src/manifest/manifest-types.ts";
import { ConfigError } from "../base/errors.ts";
import { redactUrl } from "../base/redact.ts";
import { nearestName } from "../base/text.ts";

/** A configured URL, which `resolveUrl` turns into a string. */
export type UrlTemplate = {
  /** With `{placeholders}`; `has` names the placeholder that the value of a variable must contain. */
  readonly text: Text;
  /** The values of placeholders; undefined for a known placeholder without a value. */
  readonly values: Readonly<Record<string, Text | undefined>>;
  /** The value of `{deployment}`, itself a template with `{brand}`; null if `{deployment}` is not a known placeholder. */
  readonly deployment: string | null;
  /** Whether it is for all deployments of a style, not for a single one. */
  readonly isShared: boolean;
  /** Its key in the configuration, for messages. */
  readonly place: string;
  /** The default variables that it needs. If none of them is set, the endpoint is not configured. */
  readonly defaults: readonly string[];
};

/** Returns the template of a literal URL. */
export function plainUrl(text: string): UrlTemplate {
  return { text, values: {}, deployment: null, isShared: false, place: "", defaults: [] };
}

/** Builds the URL of a template as the manifest does. Returns the missing variables if some are not set. */
export function resolveUrl(template: UrlTemplate, env: Variables): string | readonly string[] {
  // Values are not shown, because they may contain a key.
  return expand(template, env, () => ({
    place: typeof template.text === "string" ? variablesOf(template).join(", ") : template.text.env,
    shown: ".",
  }));
}

/** Returns the URL of a template without variables, else null. The literal parts are checked in both cases. */
export function literalUrl(template: UrlTemplate): string | null {
  const describe = (url: string) => ({ place: template.place, shown: `: ${redactUrl(url)}` });
  const url = expand(template, {}, describe);
  if (typeof url === "string") return url;
  if (typeof template.text === "string") expand(template, ANY, describe);
  return null;
}

/** An environment in which every variable has a value that is valid in any part of a URL. */
const ANY: Variables = new Proxy({}, { get: () => "variable" });

/** Returns the variables that a template may read, including those with a default. */
export function variablesOf({ text, values }: UrlTemplate): string[] {
  return [...new Set([text, ...Object.values(values)].flatMap((value = "") => nameOf(value)))];
}

/** @throws ConfigError if a template does not contain the placeholder that distinguishes deployments. */
export function requirePlaceholder(template: string, placeholder: string, place: string): void {
  if (template.includes(placeholder)) return;
  const isById = placeholder === "{deployment}" && template.includes("{id}");
  throw badTemplate(
    `The template in "${place}" does not contain ${placeholder}, so every deployment would have the same URL.`,
    isById
      ? "{id} needs ids in the configuration: add subgraph.production.ids, a table or the path of a CSV or JSON file."
      : `put ${placeholder} where the URLs of the deployments differ.`,
  );
}

/** Returns the variables of a template that are not set. Throws if anything else is missing or not valid. */
function findMissing({ text, values, deployment, place }: UrlTemplate, env: Variables): string[] {
  const template = readText(text, env);
  if (template === undefined) return nameOf(text);
  const where = typeof text === "string" ? place : text.env;
  if (typeof text === "object" && text.has !== undefined) requirePlaceholder(template, text.has, where);
  const names = [
    ...(deployment === null ? [] : ["deployment"]),
    ...Object.keys(values).filter((name) => name !== "brand"),
  ];
  const missing = new Set<string>();
  for (const [, name = ""] of template.matchAll(PLACEHOLDER)) {
    const value = name === "deployment" ? values["brand"] : values[name];
    if (!names.includes(name) || value === undefined) throw unfilled(name, names, where);
    const part = readText(value, env);
    if (part !== undefined && !isUrlPart(name, part)) {
      throw badTemplate(
        `The value of {${name}} in "${where}" is not valid in a URL.`,
        `correct ${typeof value === "string" ? "its value" : value.env}${name === "host" ? ": a host and, if it has one, a port" : ""}.`,
      );
    }
    if (part === undefined) for (const variable of nameOf(value)) missing.add(variable);
  }
  return [...missing];
}

const PLACEHOLDER = /\{([^{}]*)\}/g;

function nameOf(text: Text): string[] {
  return typeof text === "string" ? [] : [text.env];
}

function unfilled(name: string, names: readonly string[], place: string): ConfigError {
  if (names.includes(name)) {
    return badTemplate(
      `The template in "${place}" uses {${name}}, which has no value.`,
      `configure a value for {${name}}, or write it into the template.`,
    );
  }
  const nearest = nearestName(name, names);
  return badTemplate(
    `The template in "${place}" uses an unknown placeholder {${name}}.`,
    `${nearest ? `did you mean {${nearest}}? ` : ""}known: ${names.map((key) => `{${key}}`).join(", ")}.`,
  );
}

export function badTemplate(sentence: string, hint: string): ConfigError {
  return new ConfigError({ code: "CONFIG_BAD_TEMPLATE", sentence, hint });
}

/** Expands a template with the code of the manifest, and turns its errors into configuration errors. */
function expand(
  template: UrlTemplate,
  env: Variables,
  describe: (url: string) => { readonly place: string; readonly shown: string },
): string | readonly string[] {
  const missing = findMissing(template, env);
  if (missing.length > 0) return missing;
  const { text, values, deployment } = template;
  try {
    // `findMissing` has refused placeholders without a value.
    const filled = { deployment: deployment ?? "", values: values as Readonly<Record<string, Text>> };
    return buildUrl(text, filled, env).href;
  } catch (cause) {
    const url = (readText(text, env) ?? "")
      .replaceAll("{deployment}", deployment ?? "")
      .replace(PLACEHOLDER, (_, name: string) => readText(values[name] ?? "", env) ?? "");
    const fault = parseUrl(url);
    if (typeof fault !== "string") throw cause;
    const { place, shown } = describe(url);
    const code = fault === "is not a URL" ? "CONFIG_INVALID_VALUE" : "CONFIG_INSECURE_URL";
    const { clause, hint } = FAULTS[fault];
    throw new ConfigError({ code, sentence: `"${place}" ${clause}${shown}`, hint });
  }
}

const FAULTS: Readonly<Record<UrlFault, { readonly clause: string; readonly hint: string }>> = {
  "is not a URL": { clause: "is not a URL", hint: "write the whole URL, starting with https://." },
  "holds credentials": {
    clause: "has credentials in its URL",
    hint: 'remove them, and name the variable of the key: apiKey: { env: "…" }.',
  },
  "holds a key": {
    clause: "has a key in its URL, and URLs are written to generated files",
    hint: 'remove it, and name the variable of the key: apiKey: { env: "…" } or headers.',
  },
  "must use https": {
    clause: "must use https",
    hint: "http is accepted only for this machine (127.0.0.0/8, [::1], localhost).",
  },
};
