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

/** A URL as it is configured, of which `resolveUrl` makes a string. */
export type UrlTemplate = {
  /** With `{placeholders}`; `has` names the one that a variable's text must hold. */
  readonly text: Text;
  /** What the placeholders stand for; undefined for one that is known and has no value. */
  readonly values: Readonly<Record<string, Text | undefined>>;
  /** What `{deployment}` stands for, itself a template with `{brand}`; null where it is no placeholder. */
  readonly deployment: string | null;
  /** Whether all deployments of a style share it; another is that of one deployment. */
  readonly isShared: boolean;
  /** The key of the configuration it stands under, for messages. */
  readonly place: string;
  /** The variables it needs that the configuration does not name. Without any of them nothing configures it. */
  readonly defaults: readonly string[];
};

/** A URL that is known as it is. */
export function plainUrl(text: string): UrlTemplate {
  return { text, values: {}, deployment: null, isShared: false, place: "", defaults: [] };
}

/** Makes the URL of a template, as the manifest makes it, or gives the variables that are not set. */
export function resolveUrl(template: UrlTemplate, env: Variables): string | readonly string[] {
  // No value is shown: it may hold a key.
  return expand(template, env, () => ({
    place: typeof template.text === "string" ? variablesOf(template).join(", ") : template.text.env,
    shown: ".",
  }));
}

/** The URL of a template that no variable decides, else null. What is written out is checked, as the manifest shows it. */
export function literalUrl(template: UrlTemplate): string | null {
  const describe = (url: string) => ({ place: template.place, shown: `: ${redactUrl(url)}` });
  const url = expand(template, {}, describe);
  if (typeof url === "string") return url;
  if (typeof template.text === "string") expand(template, ANY, describe);
  return null;
}

/** An environment in which every variable is set to something that fits any part of a URL. */
const ANY: Variables = new Proxy({}, { get: () => "variable" });

/** The variables that a template may be made of, and those that another text stands in for. */
export function variablesOf({ text, values }: UrlTemplate): string[] {
  return [...new Set([text, ...Object.values(values)].flatMap((one = "") => nameOf(one)))];
}

/** @throws ConfigError when a template that has to tell deployments apart lacks its placeholder. */
export function requirePlaceholder(template: string, placeholder: string, place: string): void {
  if (template.includes(placeholder)) return;
  const isById = placeholder === "{deployment}" && template.includes("{id}");
  throw badTemplate(
    `The template in "${place}" does not hold ${placeholder}, so every deployment would have one URL.`,
    isById
      ? "{id} needs ids in the configuration: add subgraph.production.ids, a table or the path of a CSV or JSON file."
      : `put ${placeholder} where the deployments' URLs differ.`,
  );
}

/** The variables that a template needs and that are not set. Everything else that it needs has to be right. */
function findMissing({ text, values, deployment, place }: UrlTemplate, env: Variables): string[] {
  const template = readText(text, env);
  if (template === undefined) return nameOf(text);
  const where = typeof text === "string" ? place : text.env;
  if (typeof text === "object" && text.has !== undefined) requirePlaceholder(template, text.has, where);
  const known = [
    ...(deployment === null ? [] : ["deployment"]),
    ...Object.keys(values).filter((name) => name !== "brand"),
  ];
  const missing = new Set<string>();
  for (const [, name = ""] of template.matchAll(PLACEHOLDER)) {
    const value = name === "deployment" ? values["brand"] : values[name];
    if (!known.includes(name) || value === undefined) throw unfilled(name, known, where);
    const part = readText(value, env);
    if (part !== undefined && !isUrlPart(name, part)) {
      throw badTemplate(
        `What {${name}} stands for in "${where}" fits into no URL.`,
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

function unfilled(name: string, known: readonly string[], place: string): ConfigError {
  if (known.includes(name)) {
    return badTemplate(
      `The template in "${place}" uses {${name}}, which has no value.`,
      `configure what {${name}} stands for, or write it out in the template.`,
    );
  }
  const nearest = nearestName(name, known);
  return badTemplate(
    `The template in "${place}" uses an unknown placeholder {${name}}.`,
    `${nearest ? `did you mean {${nearest}}? ` : ""}known: ${known.map((key) => `{${key}}`).join(", ")}.`,
  );
}

function badTemplate(sentence: string, hint: string): ConfigError {
  return new ConfigError({ code: "CONFIG_BAD_TEMPLATE", sentence, hint });
}

/** Expands a template by the rules of the manifest, whose refusals are put in the words of a configuration. */
function expand(
  template: UrlTemplate,
  env: Variables,
  describe: (url: string) => { readonly place: string; readonly shown: string },
): string | readonly string[] {
  const missing = findMissing(template, env);
  if (missing.length > 0) return missing;
  const { text, values, deployment } = template;
  try {
    // A placeholder without a value was refused.
    return buildUrl(text, values as Readonly<Record<string, Text>>, deployment ?? "", env).href;
  } catch (cause) {
    const url = (readText(text, env) ?? "")
      .replaceAll("{deployment}", deployment ?? "")
      .replace(PLACEHOLDER, (_, name: string) => readText(values[name] ?? "", env) ?? "");
    const fault = parseUrl(url);
    if (typeof fault !== "string") throw cause;
    const { place, shown } = describe(url);
    const code = fault === "makes no URL" ? "CONFIG_INVALID_VALUE" : "CONFIG_INSECURE_URL";
    const [clause, hint] = FAULTS[fault];
    throw new ConfigError({ code, sentence: `"${place}" ${clause}${shown}`, hint });
  }
}

const FAULTS: Readonly<Record<UrlFault, readonly [clause: string, hint: string]>> = {
  "makes no URL": ["is not a URL", "write it out in full, starting with https://."],
  "holds credentials": [
    "holds credentials in its URL",
    'take them out and name the variable that holds the key: apiKey: { env: "…" }.',
  ],
  "holds a key": [
    "holds a key in its URL, and URLs end up in generated files",
    'take it out and name the variable that holds the key: apiKey: { env: "…" } or headers.',
  ],
  "must use https": [
    "must use https",
    "http is accepted on this machine's own addresses only (127.0.0.0/8, [::1], localhost).",
  ],
};
