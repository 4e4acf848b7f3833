// Made of src/runtime/ by `npx vitest run test/generate/runtime-source.test.ts --update`. Do not edit.

/** What the manifest holds besides its data. */
export const RUNTIME_SOURCE = `/** A chain as the manifest lists it. A retired one is known by its names and served by nobody. */
export type Chain = {
  readonly chainId: number;
  readonly caip2: string;
  /** Display name. */
  readonly name: string;
  /** Its name on the multichain indexers; null where they do not have it. */
  readonly multichain: string | null;
  /** The last part of its subgraph deployments' names; null where it has none. */
  readonly subgraph: string | null;
  readonly testnet: boolean;
  readonly blockExplorer: string;
  readonly aliases: readonly string[];
  readonly status: "active" | "retired";
};

/** A deployment as the manifest lists it. */
export type Deployment = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** The chains it serves: exactly one for a subgraph. */
  readonly chains: readonly ChainKey[];
  readonly environments: readonly Environment[];
  readonly status: "active" | "retired";
};

/** Where to send a query, and how. */
export type Endpoint = {
  readonly url: string;
  readonly method: "POST";
  /** To send with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further headers by the environment variables that hold their values; for the host of \`url\` only. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  /** Null where no key is sent. */
  readonly auth: AuthRule | null;
  /** \`dailyQueries\` is null where no limit is known. */
  readonly limits: { readonly dailyQueries: number | null };
  /** For people. */
  readonly playground: string | null;
  /** For people. */
  readonly explorer: string | null;
  readonly deployment: DeploymentName;
  /** The chains it answers for. */
  readonly chains: readonly ChainKey[];
};

/** Read the variable \`env\` where the request is made, and send it as \`Authorization: Bearer …\` to \`host\` only. */
export type AuthRule = {
  readonly header: "Authorization";
  readonly scheme: "Bearer";
  readonly env: string;
  readonly host: string;
};

/** Environment variables: \`process.env\`, \`import.meta.env\` or an object of your own. */
export type Variables = Readonly<Record<string, unknown>>;

/** A text, or the environment variable that holds it: \`or\` stands in for it, and \`has\` must be a part of it. */
type Text = string | Variable;

/** \`read\` asks the platform, by the whole name: bundlers put a value in the place of such a read only. */
type Variable = {
  readonly env: string;
  readonly or?: string;
  readonly has?: string;
  readonly read?: () => unknown;
};

/** A row of endpoints: of all deployments of a style, or of one by its name. */
type EndpointRow = {
  readonly url: Text;
  /** The variable that holds the API key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly dailyQueries?: number;
};

/** A row of links, likewise. */
type LinkRow = { readonly playground?: Text; readonly explorer?: Text };

/** How one protocol is served. */
type Served = {
  readonly protocol: Protocol;
  /** The first word of the names of \`deployments\`. */
  readonly brand: string;
  /** What \`{…}\` stands for in URLs. */
  readonly values: Readonly<Record<string, Text>>;
  readonly deployments: Readonly<Record<string, Deployment>>;
  readonly endpoints: Readonly<Record<string, EndpointRow>>;
  readonly links: Readonly<Record<string, LinkRow>>;
};

/** The key of the chain that a name or an id stands for. */
function findChain(chains: Readonly<Record<string, Chain>>, given: unknown): ChainKey {
  const wanted = normalizeChainName(nameText(given) ?? "");
  const namesOf = ([key, { chainId, name, multichain, subgraph, aliases }]: [string, Chain]) =>
    [key, name, multichain ?? key, subgraph ?? key, ...aliases, String(chainId)].map(dashedName);
  const rows = Object.entries(chains);
  const found = rows.find((row) => namesOf(row).map(normalizeChainName).includes(wanted))?.[0];
  return (found as ChainKey) ?? refuseName("chain", given, rows.flatMap(namesOf), Object.keys(chains));
}

/** A name or an id as text; undefined for what can be neither. */
function nameText(given: unknown): string | undefined {
  return /string|number|bigint/.test(typeof given) ? String(given) : undefined;
}

/**
 * A chain's name as names are compared: without case, and without the blanks, underscores and dashes between its
 * words; those before a digit are alike. An id is a decimal number, whether it is written in hex or after \`eip155:\`.
 */
function normalizeChainName(name: string): string {
  const text = dashedName(name);
  const id = /^(?:eip155:)?(\\d{1,15}|0x[\\da-f]{1,12})$/.exec(text)?.[1];
  return id === undefined ? text.replace(/-(?=\\D)/g, "") : String(Number(id));
}

/** A chain's name as it is shown, in lower case and with dashes. */
function dashedName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\\s_-]+/g, "-");
}

/** What a caller asks for. It may come from outside the type system. */
type EndpointQuestion = {
  readonly protocol?: unknown;
  readonly style?: unknown;
  readonly chain?: unknown;
  readonly environment?: unknown;
};

/** An endpoint that exists. */
type FoundEndpoint = {
  readonly served: Served;
  readonly name: DeploymentName;
  readonly deployment: Deployment;
  readonly environment: string;
};

/** Finds what is asked for. Throws where there is no such endpoint, and tells what there is. */
function findEndpoint(
  all: readonly Served[],
  chains: Readonly<Record<string, Chain>>,
  { protocol, style, chain, environment = "production", ...strays }: EndpointQuestion,
): FoundEndpoint {
  const stray = Object.keys(strays)[0];
  if (stray !== undefined) return refuseName("option", stray, OPTIONS);
  const protocols = all.map((one) => one.protocol);
  const served = all[protocols.indexOf(protocol as Protocol)];
  if (!served) return refuseName("protocol", protocol, protocols);
  const { deployments } = served;
  const styleOf = (name: string) => deployments[name]?.style ?? "";
  const serves = (name: string) => deployments[name]?.chains.some((key) => key === chain);
  const active = Object.keys(deployments).filter((name) => deployments[name]?.status === "active");
  const ofStyle = active.filter((name) => styleOf(name) === style);
  if (ofStyle.length === 0) refuseName("style", style, active.map(styleOf));
  const [name = "", ...others] = chain === undefined ? ofStyle : ofStyle.filter(serves);
  const deployment = others.length > 0 ? undefined : deployments[name];
  if (!deployment) {
    const wasServed = Object.keys(deployments).some((other) => styleOf(other) === style && serves(other));
    const isRetired = wasServed || own(chains, chain)?.status === "retired";
    return refuseName(
      \`chain of \${protocol} in \${style} style\${isRetired ? " any more (retired)" : ""}\`,
      chain,
      ofStyle.flatMap((other) => deployments[other]?.chains ?? []),
    );
  }
  return deployment.environments.some((one) => one === environment)
    ? { served, name: name as DeploymentName, deployment, environment: String(environment) }
    : refuseName(\`environment of \${name}\`, environment, deployment.environments);
}

const OPTIONS: readonly string[] = ["protocol", "style", "chain", "environment"];

/** Builds the endpoint that is asked for; only its URL and links are made of variables, by default the platform's. */
function buildEndpoint(
  all: readonly Served[],
  chains: Readonly<Record<string, Chain>>,
  question: EndpointQuestion,
  env: Variables | undefined,
): Endpoint {
  const { served, name, deployment, environment } = findEndpoint(all, chains, question);
  const { brand, values, endpoints, links } = served;
  const { style, chains: keys } = deployment;
  // There is a row for every deployment: its own, or its style's.
  const row = endpoints[\`\${name} \${environment}\`] ?? endpoints[\`\${style} \${environment}\`] ?? { url: "" };
  const chain = keys.length === 1 ? own(chains, keys[0]) : undefined;
  const build = (text: Text) =>
    buildUrl(
      text,
      {
        protocol: served.protocol,
        ...values,
        ...(chain && { chain: String(keys), chainId: String(chain.chainId), suffix: String(chain.subgraph) }),
      },
      // In a URL a name may begin with another brand than in the manifest.
      \`{brand}\${name.slice(brand.length)}\`,
      env,
    );
  const { playground, explorer } = links[name] ?? links[style] ?? {};
  const link = (text: Text | undefined) =>
    text === undefined || readText(text, env) === undefined ? null : build(text).href;
  const { href, host } = build(row.url);
  return {
    url: href,
    method: "POST",
    headers: { "content-type": "application/json", ...row.headers },
    secretHeaders: { ...row.secretHeaders },
    auth: row.key ? { header: "Authorization", scheme: "Bearer", env: row.key, host } : null,
    limits: { dailyQueries: row.dailyQueries ?? null },
    playground: link(playground),
    explorer: link(explorer),
    deployment: name,
    chains: keys,
  };
}

/** Whether there is what is asked for. */
function isServed(
  all: readonly Served[],
  chains: Readonly<Record<string, Chain>>,
  question: EndpointQuestion,
): boolean {
  try {
    findEndpoint(all, chains, question);
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds a URL from its template: reads the variables it needs and fills its placeholders, so that nothing of a
 * value can become another part of the URL. No value is shown when one is unfit: it may hold a key.
 */
function buildUrl(
  text: Text,
  values: Readonly<Record<string, Text>>,
  deployment: string,
  env: Variables | undefined,
): ParsedUrl {
  const template = requireText(text, env);
  const { env: place, has = "" } = typeof text === "string" ? { env: text } : text;
  if (!template.includes(has)) throw new Error(\`\${place} must hold \${has}.\`);
  const filled = template
    .replace(/\\{deployment\\}/g, deployment)
    .replace(/\\{([^{}]*)\\}/g, (placeholder, name: string) => {
      const value = own(values, name);
      if (value === undefined) throw new Error(\`\${placeholder} in \${place} stands for nothing.\`);
      const part = requireText(value, env);
      if (!isUrlPart(name, part)) throw new Error(\`\${placeholder} in \${place} fits no URL.\`);
      return name === "host" ? part : encodeURIComponent(part);
    });
  const url = parseUrl(filled);
  if (typeof url === "string") throw new Error(\`\${place} \${url}.\`);
  return url;
}

/** Whether a value can stand for a placeholder: a host as it is, anything else within one part of a path. */
function isUrlPart(name: string, value: string): boolean {
  return name === "host" ? /^([\\w.-]+|\\[[\\da-f:]+\\])(:\\d+)?$/i.test(value) : !/^\\.*$/.test(value);
}

/** What a text holds, or its variable. Most browsers have no \`process\` to read it of, which is no error. */
function readText(text: Text, env: Variables | undefined): string | undefined {
  if (typeof text === "string") return text;
  let value: unknown;
  try {
    value = env ? env[text.env] : text.read?.();
  } catch {}
  return (typeof value === "string" && value.trim()) || text.or;
}

function requireText(text: Text, env: Variables | undefined): string {
  const value = readText(text, env);
  if (value !== undefined) return value;
  throw new Error(\`Set \${(text as { readonly env: string }).env}, or pass it to endpoint().\`);
}

/** What is used of a URL. */
type ParsedUrl = {
  readonly href: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
};

/** What is wrong with a URL, to follow the name of what makes it. */
type UrlFault = "makes no URL" | "holds credentials" | "holds a key" | "must use https";

/**
 * Parses the URL of an endpoint, or tells what is wrong with it. Only https is taken, and http on this machine;
 * credentials and keys are refused because URLs end up in logs.
 */
function parseUrl(text: string): ParsedUrl | UrlFault {
  // A project may know the types of no platform.
  const platform = globalThis as unknown as { readonly URL: new (text: string) => ParsedUrl };
  let url: ParsedUrl;
  try {
    url = new platform.URL(text);
  } catch {
    return "makes no URL";
  }
  const { href, username, password } = url;
  if (username + password !== "") return "holds credentials";
  if (/[\\da-f]{32}|[?&][^=&]*(key|token|secret|auth)/i.test(href)) return "holds a key";
  return /^https:|^http:..(localhost|\\[::1]|127(\\.\\d+){3})[:/]/.test(href) ? url : "must use https";
}

/** Refuses a name that is none of those there are, and tells the nearest of them; where none is near, the \`usual\`. */
function refuseName(
  what: string,
  given: unknown,
  all: readonly string[],
  usual?: readonly string[],
): never {
  const names = all.filter((name, index) => all.indexOf(name) === index);
  const text = nameText(given)?.slice(0, 50);
  const nearest = nearestNames(text ?? "", names);
  const shown = nearest.length > 0 ? nearest : (usual ?? names);
  throw new Error(\`\${JSON.stringify(text) ?? typeof given} is no \${what}. Try \${shown.join(", ")}.\`);
}

/** The names in lower case most like the given one, by the pairs of letters they share: at most three, or none. */
function nearestNames(given: string, names: readonly string[]): string[] {
  const pairs = given
    .toLowerCase()
    .split("")
    .map((letter, index, all) => letter + (all[index + 1] ?? ""));
  const likeness = (name: string) =>
    pairs.filter((pair) => name.includes(pair)).length / (pairs.length + name.length);
  return names
    .filter((name) => likeness(name) > 0.22)
    .sort((a, b) => likeness(b) - likeness(a))
    .slice(0, 3);
}

/** A row by its key; what every object inherits is no row. */
function own<Row>(rows: Readonly<Record<string, Row>>, key: unknown): Row | undefined {
  return typeof key === "string" && Object.keys(rows).includes(key) ? rows[key] : undefined;
}
`;
