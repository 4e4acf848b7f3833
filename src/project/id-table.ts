import * as v from "valibot";
import { listSome } from "../base/clean-text.ts";
import { ConfigError } from "../base/errors.ts";
import { isObject, parseJson } from "../base/parse-json.ts";
import { displayText, nearestName } from "../base/text.ts";
import { IS_PER_CHAIN, type Protocol } from "../dialects/surface.ts";
import { type Chain, findChain } from "./chain.ts";
import { opaqueId } from "./config-shapes.ts";
import type { Deployment } from "./deployment.ts";

/** A row as written; `where` is its place for messages. */
type Row = {
  readonly where: string;
  readonly protocol?: unknown;
  readonly chain?: unknown;
  readonly deployment?: unknown;
  readonly id?: unknown;
};

/** The parts of a project that the rows of a table name. */
type ProjectNames = {
  readonly brand: string;
  readonly protocols: readonly Protocol[];
  readonly chains: readonly Chain[];
  readonly deployments: readonly Deployment[];
};

/** The names of columns in exports of gateways, in order of preference, in lower case and without spaces. */
const COLUMNS = {
  protocol: ["protocol"],
  chain: ["chain", "network", "chainid"],
  deployment: ["deployment", "subgraph", "displayname", "name"],
  id: ["subgraphid", "id"],
} as const satisfies Readonly<Record<Exclude<keyof Row, "where">, readonly string[]>>;

/**
 * Parses a table of ids: CSV with the columns protocol, chain and id, or deployment and id; or JSON, as a list of such
 * rows, which may be wrapped, or as objects by protocol and chain. A chain may have any of its names.
 *
 * @param place the file, for messages.
 * @returns the ids by protocol and key of the chain.
 * @throws ConfigError for the first row that is not usable.
 */
export function parseIdTable(
  text: string,
  place: string,
  project: ProjectNames,
): Record<Protocol, Record<string, string>> {
  const content = text.replace(/^\uFEFF/, "");
  const rows = /^\s*[[{]/.test(content) ? readJson(content, place) : readCsv(content, place);
  const table = new Map<Protocol, Map<string, string>>();
  const owners = new Map<string, string>();
  for (const row of rows) {
    const { protocol, chain } = resolveRow(row, project);
    const owner = `${protocol} on ${chain}`;
    const id = parseId(row);
    const ids = table.get(protocol) ?? new Map<string, string>();
    if ((ids.get(chain) ?? id) !== id)
      throw unusable(row.where, `${owner} has a second id.`, "delete one of the two rows.");
    const other = owners.get(id);
    if (other !== undefined && other !== owner) {
      throw unusable(row.where, `${owner} has the id of ${other}.`, "correct one of the two rows.");
    }
    owners.set(id, owner);
    table.set(protocol, ids.set(chain, id));
  }
  if (table.size === 0) throw unusable(place, "the file has no ids.");
  return Object.fromEntries([...table].map(([protocol, ids]) => [protocol, Object.fromEntries(ids)]));
}

function parseId({ id, where }: Row): string {
  const text = Number.isSafeInteger(id) ? String(id) : typeof id === "string" ? id.trim() : id;
  if (text === undefined) throw unusable(where, "the id is missing.");
  const result = v.safeParse(opaqueId, text);
  if (result.success) return result.output;
  throw unusable(where, `the id ${result.issues[0].message}.`);
}

function readJson(text: string, place: string): Row[] {
  const value = parseJson(text);
  if (value === undefined) throw unusable(place, "the file is not valid JSON.");
  const list = findList(value);
  if (list !== null) {
    return list.map((row, index) => {
      const where = `${place}: entry ${index + 1}`;
      if (!isObject(row)) throw unusable(where, "it is not an object.");
      return { ...pickColumns(row), where };
    });
  }
  return Object.entries(value as object).flatMap(([key, member]): Row[] =>
    isObject(member)
      ? Object.entries(member).map(([chain, id]) => ({
          where: `${place}: "${key}.${chain}"`,
          protocol: key,
          chain,
          id,
        }))
      : [
          {
            where: `${place}: "${key}"`,
            ...(key.includes("-") ? { deployment: key, chain: key } : { chain: key }),
            id: member,
          },
        ],
  );
}

/** Returns a list, also if it is wrapped as in an answer of an API: in objects of one member each. */
function findList(value: unknown): readonly unknown[] | null {
  let inner = value;
  while (isObject(inner)) {
    const members: readonly unknown[] = Object.values(inner);
    if (members.length !== 1) return null;
    inner = members[0];
  }
  return Array.isArray(inner) ? inner : null;
}

function readCsv(text: string, place: string): Row[] {
  const [head, ...lines] = text
    .split(/\r\n?|\n/)
    .map((line, index) => ({ cells: splitLine(line), where: `${place}:${index + 1}` }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const names = head?.cells ?? [];
  const columns = pickColumns(Object.fromEntries(names.map((name) => [name, name])));
  const { chain, deployment, id } = columns;
  if (id === undefined || (chain ?? deployment) === undefined)
    throw unusable(`${place}:1`, "the first line does not name the columns.");
  return lines.map(({ cells, where }) => ({
    ...pickColumns(Object.fromEntries(names.map((name, index) => [name, cells[index] || undefined]))),
    where,
  }));
}

/** Splits a line at commas, semicolons and tabs outside of quotes. */
function splitLine(line: string): string[] {
  const cells = line.match(/("([^"]|"")*"|[^",;\t]*)([,;\t]|$)/g) ?? [];
  // The last match is empty: the end of the line.
  return cells.slice(0, /[,;\t]$/.test(line) ? undefined : -1).map((cell) => {
    const text = cell.replace(/[,;\t]$/, "").trim();
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  });
}

function pickColumns(row: Readonly<Record<string, unknown>>): Omit<Row, "where"> {
  const cells = new Map(
    Object.entries(row).map(([name, value]) => [name.toLowerCase().replace(/[\s_-]/g, ""), value]),
  );
  const pick = (column: keyof typeof COLUMNS) =>
    COLUMNS[column].map((name) => cells.get(name)).find((value) => value !== undefined && value !== null);
  return {
    protocol: pick("protocol"),
    chain: pick("chain"),
    deployment: pick("deployment"),
    id: pick("id"),
  };
}

function resolveRow(
  { where, protocol, chain, deployment }: Row,
  { brand, protocols, chains, deployments }: ProjectNames,
): { readonly protocol: Protocol; readonly chain: string } {
  const subgraphs = deployments.filter(({ style }) => IS_PER_CHAIN[style]);
  // The file may have another brand, so the rest of the name counts.
  const rest = (name: string) => (name.startsWith(`${brand}-`) ? name.slice(brand.length) : name);
  const named = subgraphs.find(
    ({ name }) => name === deployment || (typeof deployment === "string" && deployment.endsWith(rest(name))),
  );
  if (named) return { protocol: named.protocol, chain: named.chains[0] ?? "" };
  if (typeof chain !== "string" && typeof chain !== "number") {
    const names = subgraphs.map(({ name }) => name);
    throw unknown(where, deployment === undefined ? "chain" : "deployment", { name: deployment, names });
  }
  // The title of a subgraph often names its protocol: "Lockup, Ethereum".
  const words = `-${String(deployment)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")}-`;
  const titled = protocols.filter((protocol) => protocols.length === 1 || words.includes(`-${protocol}-`));
  const written = protocol ?? (titled.length === 1 ? titled[0] : undefined);
  const title = typeof written === "string" ? written.trim().toLowerCase() : written;
  const key = protocols.find((candidate) => candidate === title);
  if (key === undefined) throw unknown(where, "protocol", { name: written, names: protocols });
  const chainKey = findChain(String(chain), chains);
  if (chainKey === undefined) {
    throw unknown(where, "chain", { name: chain, names: chains.map((other) => other.key) });
  }
  if (subgraphs.some(({ protocol, chains }) => protocol === key && chains.includes(chainKey))) {
    return { protocol: key, chain: chainKey };
  }
  const hasSuffix = chains.some((other) => other.key === chainKey && other.subgraphSuffix !== null);
  const remedy = hasSuffix
    ? `add the chain and the style to the definition of ${key} in "protocols"`
    : `give the chain a "subgraphSuffix" under "chains"`;
  throw unusable(where, `${key} has no subgraph on ${chainKey}.`, `delete the row, or ${remedy}.`);
}

function unknown(where: string, what: string, { name, names }: Name): ConfigError {
  if (name === undefined) return unusable(where, `the ${what} is missing.`);
  const nearest = typeof name === "string" ? nearestName(name, names) : null;
  const hint = nearest === null ? `use one of: ${listSome(names, 12)}.` : `did you mean "${nearest}"?`;
  return unusable(where, `unknown ${what} "${displayText(String(name), [])}".`, hint);
}

type Name = { readonly name: unknown; readonly names: readonly string[] };

const FORM = "a table has the columns protocol, chain and id, or deployment and id, as CSV or JSON.";

function unusable(where: string, what: string, hint = FORM): ConfigError {
  return new ConfigError({ code: "CONFIG_INVALID_VALUE", sentence: `${where}: ${what}`, hint });
}
