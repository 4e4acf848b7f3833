import { UsageError } from "../../base/errors/usage-error.ts";
import { isObject } from "../../base/is-object.ts";
import { nearestName } from "../../base/nearest-name.ts";
import { parseJson } from "../../base/parse-json.ts";
import { OPAQUE_ID } from "../../project/config-shapes.ts";
import type { Project } from "../../project/project.ts";
import { findChain } from "../../project/select-deployments.ts";
import { IS_PER_CHAIN, type Protocol } from "../../project/vocabulary.ts";

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

type Known = Pick<Project, "protocols" | "chains" | "deployments">;

/**
 * Parses a table of ids: CSV with the columns protocol, chain and id, or deployment and id; or JSON, as a list of such
 * rows or as objects by protocol and chain. A chain goes by any of its names.
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
    const id = typeof row.id === "string" ? row.id.trim() : row.id;
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
  if (Array.isArray(value)) {
    return value.map((one, index) => {
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

function readCsv(text: string, place: string): Row[] {
  const [head, ...lines] = text
    .split(/\r\n?|\n/)
    .map((line, index) => ({ cells: splitLine(line), where: `${place}:${index + 1}` }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const names = (head?.cells ?? []).map((cell) => cell.toLowerCase());
  const hasColumns = names.includes("id") && (names.includes("chain") || names.includes("deployment"));
  if (!hasColumns) throw unusable(place, "has no first line with protocol,chain,id or deployment,id");
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
  const { protocol, chain, deployment, id } = row;
  return { protocol, chain, deployment, id };
}

/** The subgraph that a row is about. */
function resolveRow(
  { where, protocol, chain, deployment }: Row,
  { protocols, chains, deployments }: Known,
): { readonly protocol: Protocol; readonly chain: string } {
  const subgraphs = deployments.filter(({ style }) => IS_PER_CHAIN[style]);
  const named = subgraphs.find(({ name }) => name === deployment);
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
  const [only, ...more] = protocols;
  const own = protocol ?? (more.length === 0 ? only : undefined);
  const key = protocols.find((one) => one === own);
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
  throw unusable(where, `names ${found}, where ${key} has no subgraph`);
}

function suggest(name: unknown, known: readonly string[]): string {
  const nearest = typeof name === "string" ? nearestName(name, known) : null;
  return nearest === null ? "" : `: did you mean "${nearest}"?`;
}

function unusable(where: string, what: string): UsageError {
  return new UsageError({
    sentence: `${where} ${what}${/[?.]$/.test(what) ? "" : "."}`,
    hint: "a table has the columns protocol, chain and id, as CSV or JSON. Nothing was written.",
  });
}
