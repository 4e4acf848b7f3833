import { UsageError } from "../base/errors.ts";
import { isObject, parseJson } from "../base/parse-json.ts";
import { nearestName } from "../base/text.ts";
import { IS_PER_CHAIN, type Protocol } from "../dialects/surface.ts";
import { findChain } from "./chain.ts";
import { OPAQUE_ID } from "./config-shapes.ts";
import type { Project } from "./project.ts";

/** The opaque ids of subgraphs by protocol and key of the chain. */
export type IdTable = ReadonlyMap<Protocol, ReadonlyMap<string, string>>;

/** A row of a table as it was written, and where. */
type Row = {
  readonly where: string;
  readonly protocol?: unknown;
  readonly chain?: unknown;
  readonly deployment?: unknown;
  readonly id?: unknown;
};

type Known = Pick<Project, "brand" | "protocols" | "chains" | "deployments">;

/** What the columns are called in exports of gateways, the first there is before the others; without case and blanks. */
const COLUMNS = {
  protocol: ["protocol"],
  chain: ["chain", "network", "chainid"],
  deployment: ["deployment", "subgraph", "displayname", "name"],
  id: ["subgraphid", "id"],
} as const satisfies Readonly<Record<Exclude<keyof Row, "where">, readonly string[]>>;

/**
 * Parses a table of ids: CSV with the columns protocol, chain and id, or deployment and id; or JSON, as a list of such
 * rows, whatever it is wrapped in, or as objects by protocol and chain. A chain goes by any of its names.
 *
 * @param place the file, for messages.
 * @throws UsageError for a row that names no subgraph of the project, or none by itself.
 */
export function parseIdTable(text: string, place: string, project: Known): IdTable {
  const content = text.replace(/^\uFEFF/, "");
  const rows = /^\s*[[{]/.test(content) ? readJson(content, place) : readCsv(content, place);
  const table = new Map<Protocol, Map<string, string>>();
  for (const row of rows) {
    const { protocol, chain } = resolveRow(row, project);
    const id = Number.isSafeInteger(row.id)
      ? String(row.id)
      : typeof row.id === "string"
        ? row.id.trim()
        : row.id;
    if (typeof id !== "string" || !OPAQUE_ID.test(id)) {
      throw unusable(row.where, "has no id of letters, digits, dashes and dots");
    }
    const ids = table.get(protocol) ?? new Map<string, string>();
    if ((ids.get(chain) ?? id) !== id) throw unusable(row.where, `gives ${protocol} on ${chain} a second id`);
    table.set(protocol, ids.set(chain, id));
  }
  if (table.size === 0) throw unusable(place, "holds no ids");
  return table;
}

function readJson(text: string, place: string): Row[] {
  const value = parseJson(text);
  if (value === undefined) throw unusable(place, "begins as JSON and is not");
  const list = findList(value);
  if (list !== null) {
    return list.map((one, index) => {
      if (!isObject(one)) throw unusable(`${place}: entry ${index + 1}`, "is no object");
      return { ...pickColumns(one), where: `${place}: entry ${index + 1}` };
    });
  }
  return Object.entries(value as object).flatMap(([key, one]): Row[] =>
    isObject(one)
      ? Object.entries(one).map(([chain, id]) => ({
          where: `${place}: "${key}.${chain}"`,
          protocol: key,
          chain,
          id,
        }))
      : [
          {
            where: `${place}: "${key}"`,
            ...(key.includes("-") ? { deployment: key, chain: key } : { chain: key }),
            id: one,
          },
        ],
  );
}

/** A list, as it is or as the only thing that an answer holds. */
function findList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const [only, ...more] = isObject(value) ? Object.values(value) : [];
  return only === undefined || more.length > 0 ? null : findList(only);
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
    throw unusable(place, "has no first line with protocol,chain,id or deployment,id");
  return lines.map(({ cells, where }) => ({
    ...pickColumns(Object.fromEntries(names.map((name, index) => [name, cells[index] || undefined]))),
    where,
  }));
}

/** The cells of a line, which may be in quotes; between them is a comma, a semicolon or a tab. */
function splitLine(line: string): string[] {
  const cells = line.match(/("([^"]|"")*"|[^",;\t]*)([,;\t]|$)/g) ?? [];
  // The last match is the end of the line.
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

/** The subgraph that a row is about. */
function resolveRow(
  { where, protocol, chain, deployment }: Row,
  { brand, protocols, chains, deployments }: Known,
): { readonly protocol: Protocol; readonly chain: string } {
  const subgraphs = deployments.filter(({ style }) => IS_PER_CHAIN[style]);
  // A brand that is in a variable is none of our names.
  const rest = (name: string) => (name.startsWith(`${brand}-`) ? name.slice(brand.length) : name);
  const named = subgraphs.find(
    ({ name }) => name === deployment || (typeof deployment === "string" && deployment.endsWith(rest(name))),
  );
  if (named) return { protocol: named.protocol, chain: named.chains[0] ?? "" };
  if (typeof chain !== "string" && typeof chain !== "number") {
    throw unusable(
      where,
      `names no deployment${suggest(
        deployment,
        subgraphs.map(({ name }) => name),
      )}`,
    );
  }
  // What people call a subgraph tells of which protocol it is, beside its network.
  const words = `-${String(deployment)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")}-`;
  const told = protocols.filter((one) => protocols.length === 1 || words.includes(`-${one}-`));
  const own = protocol ?? (told.length === 1 ? told[0] : undefined);
  const key = protocols.find((one) => one === (typeof own === "string" ? own.trim().toLowerCase() : own));
  if (key === undefined) throw unusable(where, `names no protocol of the project${suggest(own, protocols)}`);
  const found = findChain(String(chain), chains);
  if (found === undefined) {
    throw unusable(
      where,
      `names no chain${suggest(
        chain,
        chains.map((one) => one.key),
      )}`,
    );
  }
  if (subgraphs.some((one) => one.protocol === key && one.chains.includes(found))) {
    return { protocol: key, chain: found };
  }
  const hasSuffix = chains.some((one) => one.key === found && one.subgraphSuffix !== null);
  const remedy = hasSuffix
    ? `add the chain and the style to the definition of ${key} in "protocols"`
    : `give the chain a "subgraphSuffix" under "chains"`;
  const hint = `take the row out, or ${remedy}. Nothing was written.`;
  throw unusable(where, `names ${found}, where ${key} has no subgraph`, hint);
}

function suggest(name: unknown, known: readonly string[]): string {
  const nearest = typeof name === "string" ? nearestName(name, known) : null;
  return nearest === null ? "" : `: did you mean "${nearest}"?`;
}

const FORM = "a table has the columns protocol, chain and id, as CSV or JSON. Nothing was written.";

function unusable(where: string, what: string, hint = FORM): UsageError {
  return new UsageError({ sentence: `${where} ${what}${/[?.]$/.test(what) ? "" : "."}`, hint });
}
