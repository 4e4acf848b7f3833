import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { createClient } from "../../../../packages/client/src/client/create-client.ts";
import { isCursor } from "../../../../src/ask/ask.ts";
import { createHeadReader } from "../../../../src/ask/ask-pages.ts";
import type { LogBatch } from "../../../../src/ask/asked-rows.ts";
import { type DeliveredQuestion, type Delivery, deliverRows } from "../../../../src/ask/deliver-rows.ts";
import { describeColumns } from "../../../../src/ask/export/columns.ts";
import { createLog } from "../../../../src/ask/export/create-log.ts";
import { renderView } from "../../../../src/ask/export/load-statement.ts";
import { identifyQuestion } from "../../../../src/ask/identify-question.ts";
import { prepareQuestions, type Question } from "../../../../src/ask/prepare-question.ts";
import { readLog } from "../../../../src/ask/read-log.ts";
import { hash } from "../../../../src/base/hash.ts";
import { buildRoutes } from "../../../../src/project/manifest-rows.ts";
import { resolveProject } from "../../../../src/project/project.ts";
import { openWorkspace } from "../../../../src/workspace/workspace.ts";
import { copyFromRepository } from "../../../support/repository.ts";
import type { Truth } from "./truth.ts";

export const CHAINS = { base: 8453, optimism: 10 } as const;

type Operation = "Streams" | "Open" | "Actions";

const ORDER = "orderBy: subgraphId, orderDirection: asc, first: $first";

const queryOf = (operation: Operation, amount: string, more: string) => {
  const streams = `{ id chainId subgraphId timestamp amount: ${amount} withdrawnAmount asset { id symbol ${more} } ${more && "hash"} }`;
  return {
    Streams: `streams(where: { subgraphId_gt: $after }, ${ORDER}) ${streams}`,
    // Changed rows may not match any more.
    Open: `streams(where: { subgraphId_gt: $after, withdrawnAmount_lt: 3 }, ${ORDER}) ${streams}`,
    Actions: `actions(where: { subgraphId_gt: $after }, ${ORDER}) { id chainId subgraphId timestamp block hash stream { id } }`,
  }[operation];
};

/** What a night asks. */
export type Asking = {
  readonly protocol: "lockup" | "flow";
  readonly operation: Operation;
  readonly style: "multichain" | "subgraph" | null;
  readonly chains?: readonly string[];
  /** Whether more columns are selected. */
  readonly isWide?: boolean;
};

/** Prepares questions. @param root the folder of a project to write. */
export function createQuestions(root: string) {
  const routes = [false, true].map((isWide) => {
    const folder = join(root, isWide ? "wide" : "usual");
    copyFromRepository(folder, "generated/schemas");
    for (const [protocol, amount] of [
      ["lockup", "depositAmount"],
      ["flow", "depositedAmount"],
    ] as const) {
      const place = join(folder, "operations", protocol, "portable");
      mkdirSync(place, { recursive: true });
      for (const name of ["Streams", "Open", "Actions"] as const) {
        const query = queryOf(name, amount, isWide ? "decimals" : "");
        const text = `query ${name}($after: BigInt! = "0", $first: Int! = 1000) { ${query} }`;
        writeFileSync(join(place, `${name}.graphql`), text);
      }
    }
    return buildRoutes(resolveProject({ protocols: ["lockup", "flow"] }, folder));
  });
  const known = new Map<string, Promise<Question>>();
  const prepare = ({
    isWide = false,
    chains = Object.keys(CHAINS),
    operation,
    ...asking
  }: Asking): Promise<Question> => {
    const key = JSON.stringify([operation, asking, isWide, chains]);
    const folder = join(root, isWide ? "wide" : "usual");
    const found =
      known.get(key) ??
      prepareQuestions(openWorkspace(resolveProject({ protocols: ["lockup", "flow"] }, folder)), {
        ...asking,
        operations: [operation],
        cwd: folder,
        chains,
        variables: { texts: ["first=3"], values: {} },
        usesPages: true,
        isAsOfBlock: false,
        isLogged: true,
        now: 0,
        units: false,
        past: null,
      }).then(([question]) => question as Question);
    known.set(key, found);
    return found;
  };
  return { prepare, routes: routes[0] ?? ({} as never) };
}

/** A run of an export. */
export type ExportRun = {
  readonly question: Question;
  readonly routes: ReturnType<typeof buildRoutes>;
  readonly truth: Pick<Truth, "answer">;
  /** The folder of the log. */
  readonly path: string;
  readonly format: "parquet" | "csv" | "ndjson";
  readonly confirmations?: number | undefined;
  readonly reread?: ReadonlyMap<string, number | null>;
  readonly continues?: boolean;
  readonly sizes?: { readonly part: number; readonly held: number };
  /** Returns whether a request fails. */
  readonly isDown?: (chain: string | null, request: number) => boolean;
  /** Called when the export is open. */
  readonly onOpen?: () => Promise<void>;
  /** Called after each batch. */
  readonly onRows?: () => void;
  readonly signal?: AbortSignal;
};

const ENV = {
  LOCKFLOW_MULTICHAIN_URL: "https://multi.example/{id}",
  LOCKFLOW_LOCKUP_ID: "lockup",
  LOCKFLOW_FLOW_ID: "flow",
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://sub.example/{deployment}",
  LOCKFLOW_SUBGRAPH_API_KEY: "secret",
};

export async function openExport(run: ExportRun) {
  const { question, path, format, continues = true } = run;
  const { fields, columns, operation } = question;
  const identity = identifyQuestion(question, { block: undefined, source: "test", environment: "test" });
  return createLog({
    path,
    shownPath: "lake",
    format,
    fields,
    columns,
    isFlat: false,
    chainKey: "chain",
    continues,
    isCursor: (text, feed) => isCursor(question, text, feed),
    types: describeColumns(fields, columns, operation.name),
    question: { ...identity, format },
    // Small enough for several parts and rows in files of their own.
    sizes: run.sizes ?? { part: 7, held: 3 },
  });
}

/** Exports new and changed rows. */
export async function runExport(run: ExportRun): Promise<Delivery> {
  const { question, routes, truth, confirmations, isDown = () => false, onOpen, onRows = () => {} } = run;
  const { styles } = question;
  let requests = 0;
  const fetch = async (url: string, init: { readonly body: string }) => {
    const { query, variables } = JSON.parse(init.body);
    const chain = Object.keys(CHAINS).find((key) => new RegExp(`-${key}$`).test(url)) ?? null;
    const data = isDown(chain, requests++) ? undefined : truth.answer({ chain, query, variables });
    if (data === undefined) return new Response("", { status: 502 });
    const errors = [{ message: "no block with that hash found" }];
    return new Response(JSON.stringify(data === null ? { errors } : { data }));
  };
  const options = { env: ENV, retries: 0, styles, freshness: true, deadline: 300 };
  const client = createClient(routes, { ...options, fetch: fetch as never });
  const sink = await openExport(run);
  await onOpen?.();
  const readHead = createHeadReader();
  const rows: DeliveredQuestion<LogBatch>["rows"] = (delivery) =>
    readLog(client, question, {
      ...delivery,
      known: sink.chains,
      reread: run.reread ?? new Map(),
      confirmations,
      readHead,
    });
  const signal = run.signal ?? new AbortController().signal;
  const [delivery] = await deliverRows([{ chains: question.chains, rows, sink }], { signal, onRows });
  return delivery as Delivery;
}

const connection = DuckDBInstance.create(":memory:").then((instance) => instance.connect());

/** Runs a query of DuckDB. */
export async function query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await (await connection).runAndReadAll(sql)).getRowObjectsJson();
}

/** Reads the view of a log: amounts as exact text, by chain and id. */
export async function readView({ question, path, format }: ExportRun): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(path) || !readdirSync(path).some((name) => name.startsWith("part-"))) return new Map();
  const { fields, columns, operation } = question;
  await query(
    renderView({ format, path, fields, columns, isFlat: false }, { operation: "Log", chainKey: "chain" }),
  );
  const values =
    operation.name === "Actions"
      ? "hash"
      : "coalesce(amount::VARCHAR, amount_text) || ',' || withdrawnAmount::VARCHAR";
  const rows = await query(`SELECT chain, id, ${values} AS shown FROM log`);
  return new Map(rows.map(({ chain, id, shown }) => [`${chain} ${id}`, String(shown)]));
}

/** Returns the hashes of the parts of a log by their names. */
export function hashParts(path: string): ReadonlyMap<string, string> {
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.startsWith("part-")) : [];
  return new Map(names.map((name) => [name, hash(readFileSync(join(path, name)).toString("base64"))]));
}

/** Makes the lock one of an ended process. */
export function endProcess({ path }: Pick<ExportRun, "path">): void {
  const lock = join(path, "_lockflow.lock");
  if (!existsSync(lock)) return;
  writeFileSync(lock, readFileSync(lock, "utf8").replace(/ \d+ /, ` ${2 ** 22 + 1} `));
}

/** Creates the exports of a run of two processes. */
export async function createRuns(root: string, truth: ExportRun["truth"]): Promise<readonly ExportRun[]> {
  const { prepare, routes } = createQuestions(join(root, "project"));
  const question = await prepare({ protocol: "lockup", operation: "Streams", style: "subgraph" });
  const common = { question, routes, truth, confirmations: 0 };
  return (["csv", "parquet"] as const).map((format) => ({ ...common, path: join(root, format), format }));
}
