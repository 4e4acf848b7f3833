import * as v from "valibot";
import { ConfigError } from "../base/errors.ts";
import type {
  ChainConfig,
  Config,
  DeploymentConfig,
  DocumentsConfig,
  EndpointConfig,
  MultichainConfig,
  OnlyConfig,
  SubgraphConfig,
  SubgraphEndpointConfig,
} from "./config.ts";
import {
  chainNames,
  either,
  isObject,
  mustBe,
  opaqueId,
  protocols,
  record,
  section,
  style,
  styles,
  suggest,
  text,
} from "./config-shapes.ts";
import { BUILT_IN_PROTOCOLS } from "./protocols.ts";

/** Parses the export of a configuration file. Errors name the file by `place`. */
export function parseConfig(value: unknown, place: string): Config {
  const result = v.safeParse(CONFIG, value);
  if (result.success) {
    requireKnownProtocols(result.output, place);
    return result.output;
  }
  const [issue] = result.issues;
  const path = v.getDotPath(issue) ?? "";
  const unknownKey = issue.type === "strict_object" && issue.expected === "never";
  if (unknownKey) {
    const sentence = `${place} has an unknown key "${path}".`;
    throw new ConfigError({ code: "CONFIG_UNKNOWN_KEY", sentence, hint: issue.message });
  }
  throw new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence: `${place}: ${path === "" ? "the configuration" : `"${path}"`} ${issue.message}.`,
    hint: "docs/configuration.md describes every key.",
  });
}

/** Throws if a key that should be a protocol is not one. */
function requireKnownProtocols(
  { protocols = [], multichain, subgraph, follow = {} }: Config,
  place: string,
): void {
  const written = Array.isArray(protocols) ? [] : Object.keys(protocols);
  const keys = [...new Set([...BUILT_IN_PROTOCOLS, ...written])];
  const places = {
    "multichain.ids": multichain?.ids ?? {},
    "subgraph.production.ids": subgraph?.production?.ids ?? {},
    "subgraph.testing.ids": subgraph?.testing?.ids ?? {},
    follow,
  };
  for (const [path, entries] of Object.entries(places)) {
    // A file of ids is checked when it is read.
    const key =
      typeof entries === "string" ? undefined : Object.keys(entries).find((name) => !keys.includes(name));
    if (key === undefined) continue;
    throw new ConfigError({
      code: "CONFIG_UNKNOWN_KEY",
      sentence: `${place} has an unknown key "${path}.${key}".`,
      hint: suggest(key, keys),
    });
  }
}

const OWN_HEADER = /^(accept-encoding|connection|content-(length|type)|host|transfer-encoding)$/i;

const flag = v.boolean(mustBe("true or false"));
const count = v.pipe(
  v.number(mustBe("a number")),
  v.integer("must be a whole number"),
  v.minValue(1, "must be at least 1"),
  v.maxValue(Number.MAX_SAFE_INTEGER, "must be at most 9007199254740991"),
);
const seconds = v.pipe(
  v.number(mustBe("a number")),
  v.finite("must be finite"),
  v.gtValue(0, "must be more than 0"),
);
const status = v.picklist(["active", "dormant", "retired"], mustBe('"active", "dormant" or "retired"'));
const date = v.pipe(text, v.check(isDate, "must be a month or a day, such as 2025-07 or 2025-07-31"));
/** Text that is shown unchanged, so it has no line breaks, invisible characters or changes of the writing direction. */
const line = v.pipe(
  text,
  v.maxLength(200, "must be at most 200 letters"),
  v.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u, "must be one line of text"),
);
const lifecycle = { status: v.optional(status), since: v.optional(date), reason: v.optional(line) };
const env = section<{ readonly env: string }>({
  env: v.pipe(
    text,
    v.regex(/^[A-Za-z_]\w*$/, "must be the name of an environment variable"),
    v.check((name) => !/^[0-9a-f]{32,}$/i.test(name), "looks like a key; name the variable that contains it"),
  ),
});
/** A value, or the variable that contains it. */
const orEnv = <T>(schema: v.GenericSchema<unknown, T>) =>
  either(env, schema, (input) => isObject(input) && input !== null);
const textOrEnv = orEnv(
  v.pipe(
    text,
    v.check(
      (value) => !/[0-9a-f]{32}/i.test(value),
      "looks like it contains a key; put keys into environment variables",
    ),
  ),
);
const apiKey = orEnv(
  v.literal(false, 'must be { env: "NAME_OF_A_VARIABLE" } or false; put keys into environment variables'),
);
const DASHED = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const dashed = v.pipe(text, v.regex(DASHED, "must be lower-case letters, digits and dashes"));
const shortName = v.pipe(
  text,
  v.regex(/^[A-Za-z0-9_-]{1,64}$/, "must be at most 64 letters, digits, dashes and underscores"),
);
const blockExplorer = v.pipe(text, v.regex(/^https?:\/\/[^\s/]+\S*$/, "must be a URL: https://… or null"));
const headers = v.pipe(
  record(
    v.pipe(
      v.string(),
      v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is not the name of a header"),
      v.check((name) => !OWN_HEADER.test(name), "is a header that Lockflow sets; for a key, use apiKey"),
    ),
    orEnv(
      v.pipe(
        v.string('must be text or { env: "NAME_OF_A_VARIABLE" }'),
        v.regex(/^[\t\x20-\x7e\x80-\xff]+$/, "must be one line of Latin text"),
      ),
    ),
    "must be an object of header names and values",
  ),
  v.check(
    (values) => !Object.entries(values).some(isWrittenSecret),
    'must not contain a secret; name the variable that contains it: { env: "NAME_OF_A_VARIABLE" }',
  ),
);
const limits = {
  apiKey: v.optional(apiKey),
  headers: v.optional(headers),
  dailyQueries: v.optional(count),
  maxRows: v.optional(count),
};
const endpoint = section<EndpointConfig>({ url: textOrEnv, ...limits });

const isText = (input: unknown) => typeof input === "string";
const ids = either(
  text,
  record(
    v.string(),
    record(v.string(), orEnv(opaqueId), "must be an object of chains and ids"),
    "must be an object of protocols, or the path of a CSV or JSON file",
  ),
  isText,
);
const subgraphEndpoint = section<SubgraphEndpointConfig>({
  url: textOrEnv,
  ids: v.optional(ids),
  ...limits,
});

/** A pattern of files below the configuration's folder. With `!` it excludes them. */
const pattern = v.pipe(
  text,
  v.maxLength(1000, "must be at most 1000 letters"),
  v.check(
    (value) => !/^!?([/\\]|[A-Za-z]:|(.*\/)?\.\.(\/|$))/.test(value),
    "must match files below the folder of the configuration",
  ),
);
const isPositive = (value: string) => !value.startsWith("!");
const ONLY_EXCLUDED = "must include files, not only exclude some";
const patterns = v.pipe(
  v.array(pattern, "must be a pattern or a list of patterns"),
  v.check((values) => values.some(isPositive), ONLY_EXCLUDED),
);
const documents = v.array(
  either(
    pattern,
    section<DocumentsConfig>({
      files: either(v.pipe(pattern, v.check(isPositive, ONLY_EXCLUDED)), patterns, isText),
      protocol: v.optional(text),
      style: v.optional(style),
      names: v.optional(
        v.pipe(
          v.array(
            v.pipe(text, v.regex(/^[A-Za-z_$][\w$]*$/, "must be the name of a function")),
            "must be a list of names",
          ),
          v.minLength(1, "must not be empty"),
        ),
      ),
    }),
    isText,
  ),
  "must be a list of patterns",
);

/** The shape of a configuration. `docs/config.schema.json` is written from it. */
export const CONFIG = section<Config>({
  brand: v.optional(orEnv(dashed)),
  protocols: v.optional(protocols),
  only: v.optional(section<OnlyConfig>({ chains: v.optional(chainNames), styles: v.optional(styles) })),
  multichain: v.optional(
    section<MultichainConfig>({
      url: textOrEnv,
      host: v.optional(textOrEnv),
      ids: record(v.string(), textOrEnv, "must be an object of protocols and ids"),
      headers: v.optional(headers),
      apiKey: v.optional(apiKey),
      maxRows: v.optional(count),
      playground: v.optional(textOrEnv),
      explorer: v.optional(textOrEnv),
    }),
  ),
  subgraph: v.optional(
    section<SubgraphConfig>({
      production: v.optional(subgraphEndpoint),
      testing: v.optional(subgraphEndpoint),
      explorer: v.optional(textOrEnv),
    }),
  ),
  deployments: v.optional(
    record(
      v.string(),
      section<DeploymentConfig>({
        production: v.optional(endpoint),
        testing: v.optional(either(endpoint, v.literal(false, "must be an endpoint or false"), isObject)),
        playground: v.optional(textOrEnv),
        explorer: v.optional(textOrEnv),
        ...lifecycle,
        replacedBy: v.optional(text),
      }),
      "must be an object of deployment names",
    ),
  ),
  chains: v.optional(
    record(
      v.pipe(v.string(), v.regex(DASHED, "is not a chain key: use lower-case letters, digits and dashes")),
      section<ChainConfig>({
        chainId: v.optional(count),
        name: v.optional(line),
        shortName: v.optional(v.nullable(shortName)),
        multichainName: v.optional(v.nullable(text)),
        subgraphSuffix: v.optional(v.nullable(dashed)),
        testing: v.optional(flag),
        testnet: v.optional(flag),
        secondsPerBlock: v.optional(v.nullable(seconds)),
        blockExplorer: v.optional(v.nullable(blockExplorer)),
        aliases: v.optional(v.array(text, "must be a list of names")),
        ...lifecycle,
      }),
      "must be an object of chain keys",
    ),
  ),
  operations: v.optional(text),
  documents: v.optional(documents),
  output: v.optional(text),
  format: v.optional(v.picklist(["ts", "js"], mustBe('"ts" or "js"'))),
  documentMode: v.optional(
    v.picklist(["documentNode", "string", "both"], mustBe('"documentNode", "string" or "both"')),
  ),
  runtime: v.optional(v.picklist(["package", "emit"], mustBe('"package" or "emit"'))),
  importExtension: v.optional(v.picklist(["", ".js", ".ts"], mustBe('"", ".js" or ".ts"'))),
  scalars: v.optional(record(v.string(), text, "must be an object of scalar names and TypeScript types")),
  follow: v.optional(record(v.string(), text, "must be an object of protocols and deployments")),
  concurrency: v.optional(v.pipe(count, v.maxValue(64, "must be at most 64"))),
  timeout: v.optional(v.pipe(count, v.maxValue(600_000, "must be at most 600000 (ten minutes)"))),
  $schema: v.optional(text),
});

/** Compares with the parsed date, because some engines parse the 30th of February as the 2nd of March. */
function isDate(text: string): boolean {
  const day = /^\d{4}-\d\d$/.test(text) ? `${text}-01` : text;
  const time = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(time) && new Date(time).toISOString() === `${day}T00:00:00.000Z`;
}

/** Returns whether a literal header value is likely a secret. The manifest would publish it. */
function isWrittenSecret([name, value]: [string, unknown]): boolean {
  return (
    typeof value === "string" &&
    (/key|token|secret|auth|cookie|password/i.test(name) || /[0-9a-f]{32}/i.test(value))
  );
}
