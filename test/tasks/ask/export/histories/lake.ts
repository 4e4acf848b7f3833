import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createClient } from "../../../../../packages/client/src/client/create-client.ts";
import { buildRoutes } from "../../../../../src/generate/manifest/manifest-rows.ts";
import { resolveProject } from "../../../../../src/project/project.ts";
import { askChains } from "../../../../../src/tasks/ask/ask-chains.ts";
import { type Delivery, deliverRows } from "../../../../../src/tasks/ask/deliver-rows.ts";
import { createExport } from "../../../../../src/tasks/ask/export/create-export.ts";
import { openParquetFile } from "../../../../../src/tasks/ask/export/parquet-file.ts";
import { listParts, type PartitionKey } from "../../../../../src/tasks/ask/export/partition.ts";
import type { Target } from "../../../../../src/tasks/ask/export/write-parts.ts";
import { prepareQuestion, type Question } from "../../../../../src/tasks/ask/prepare-question.ts";
import type { RowsOptions } from "../../../../../src/tasks/ask.ts";
import { openWorkspace } from "../../../../../src/workspace/workspace.ts";
import { copyFromRepository } from "../../../../support/repository.ts";
import type { Truth } from "./truth.ts";

export const CHAINS = { base: 8453, optimism: 10 } as const;

const QUERIES: Readonly<Record<string, (amount: string) => string>> = {
  Streams: (amount) =>
    `streams(where: { subgraphId_gt: $after }, orderBy: subgraphId, orderDirection: asc, first: $first) {
      id chainId subgraphId timestamp amount: ${amount} withdrawnAmount asset { id symbol }
    }`,
  // Changed rows may not match any more.
  Open: (amount) =>
    `streams(where: { subgraphId_gt: $after, withdrawnAmount_lt: 3 }, orderBy: subgraphId, orderDirection: asc, first: $first) {
      id chainId subgraphId timestamp amount: ${amount} withdrawnAmount asset { id symbol }
    }`,
  Actions: () =>
    `actions(where: { subgraphId_gt: $after }, orderBy: subgraphId, orderDirection: asc, first: $first) {
      id chainId subgraphId timestamp block hash stream { id }
    }`,
};

export type Asking = {
  readonly protocol: "lockup" | "flow";
  readonly operation: "Streams" | "Open" | "Actions";
  readonly style: "multichain" | "subgraph";
};

/** Prepares questions by protocol, operation and style. @param root the folder of a project to write. */
export function createQuestions(root: string) {
  copyFromRepository(root, "generated/schemas");
  for (const [protocol, amount] of [
    ["lockup", "depositAmount"],
    ["flow", "depositedAmount"],
  ] as const) {
    for (const [name, query] of Object.entries(QUERIES)) {
      const folder = join(root, "operations", protocol, "portable");
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `${name}.graphql`),
        `query ${name}($after: BigInt! = "0", $first: Int! = 3) { ${query(amount)} }`,
      );
    }
  }
  const project = resolveProject({ protocols: ["lockup", "flow"] }, root);
  const routes = buildRoutes(project);
  const known = new Map<string, Promise<Question>>();
  const prepare = (asking: Asking): Promise<Question> => {
    const key = Object.values(asking).join();
    const found =
      known.get(key) ??
      prepareQuestion(openWorkspace(project), {
        ...{ ...asking, cwd: root, chains: Object.keys(CHAINS), variables: { texts: [], values: {} } },
        ...{ usesPages: true, isAsOfBlock: false, tracksChanges: true, now: 0, units: false, past: null },
      });
    known.set(key, found);
    return found;
  };
  return { prepare, routes, project };
}

/** A run of an export. */
export type ExportRun = {
  readonly question: Question;
  readonly routes: ReturnType<typeof buildRoutes>;
  readonly truth: Pick<Truth, "answer">;
  readonly path: string;
  readonly format: Exclude<Target["format"], "table">;
  readonly partition: readonly PartitionKey[] | null;
  readonly isLatest: boolean;
  readonly confirmations: number;
  /** Returns whether a request fails. */
  readonly isDown: (chain: string | null, request: number) => boolean;
  /** Called when the export is open. */
  readonly onOpen: () => Promise<void>;
  /** Called after each page. */
  readonly onRows: () => void;
};

/** Creates the exports of a run in a folder. */
export async function createRuns(root: string, truth: ExportRun["truth"]): Promise<readonly ExportRun[]> {
  const { prepare, routes } = createQuestions(join(root, "project"));
  const question = await prepare({ protocol: "lockup", operation: "Streams", style: "subgraph" });
  const common = { question, routes, truth, isLatest: true, confirmations: 0 };
  const usual = { ...common, isDown: () => false, onOpen: async () => {}, onRows: () => {} };
  return [
    { ...usual, path: join(root, "file", "rows.csv"), format: "csv", partition: null },
    { ...usual, path: join(root, "folder", "lake"), format: "parquet", partition: ["chain", "month"] },
  ];
}

const ENV = {
  LOCKFLOW_MULTICHAIN_URL: "https://multi.example/{id}",
  LOCKFLOW_LOCKUP_ID: "lockup",
  LOCKFLOW_FLOW_ID: "flow",
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://sub.example/{deployment}",
  LOCKFLOW_SUBGRAPH_API_KEY: "secret",
};

export function targetOf({ question, path, format, partition }: ExportRun): Target {
  const { fields, columns, chainKey } = question;
  const rows = { fields, columns, chainKey, isFlat: false };
  // Small enough for row groups, text columns and lost pages in most runs.
  const sizes = { group: 3, unsaved: 4, waiting: 5 };
  return { ...rows, path, shownPath: basename(path), format, partition, sizes };
}

export async function openExport(run: ExportRun) {
  const { question, isLatest, format, partition } = run;
  return createExport({
    ...{ target: targetOf(run), chains: question.chains, resumes: false, renews: true, isLatest },
    question: { operation: question.operation.name, format: `${format} ${partition}` },
  });
}

/** Exports new and changed rows. */
export async function runExport(run: ExportRun): Promise<Delivery> {
  const { question, routes, truth, confirmations, isDown, onOpen, onRows } = run;
  const { styles, freshness } = question;
  let requests = 0;
  const fetch = async (url: string, init: { readonly body: string }) => {
    const { query, variables } = JSON.parse(init.body);
    const chain = Object.keys(CHAINS).find((key) => new RegExp(`-${key}$`).test(url)) ?? null;
    const data = isDown(chain, requests++) ? undefined : truth.answer({ chain, query, variables });
    if (data === undefined) return new Response("", { status: 502 });
    const errors = [{ message: "no block with that hash found" }];
    return new Response(JSON.stringify(data === null ? { errors } : { data }));
  };
  const client = createClient(routes, { env: ENV, retries: 0, styles, freshness, fetch: fetch as never });
  const sink = await openExport(run);
  await onOpen();
  const rows = ({ signal, places, done, marks, heads, renews, onChain }: RowsOptions = {}) =>
    askChains(client, question, {
      ...{ signal, block: undefined, from: places ?? new Map(), done: done ?? new Set(), confirmations },
      ...{ marks: marks ?? new Map(), heads: heads ?? new Map(), renews: renews ?? false },
      onChain: onChain ?? (() => {}),
    });
  return deliverRows(
    { asked: { chains: question.chains, rows }, sink },
    { signal: new AbortController().signal, onRows },
  );
}

type LakeRow = Readonly<Record<string, unknown>>;

/** Reads the rows of a lake in the order of the runs that wrote them. */
export async function readLake(run: ExportRun): Promise<readonly LakeRow[]> {
  const { path, partition } = run;
  if (partition === null) return existsSync(path) ? readRows(run, path, null) : [];
  const parts = listParts(path).filter(({ isTemporary }) => !isTemporary);
  const all: LakeRow[] = [];
  for (const { folder, name } of [...parts].sort((a, b) => a.run - b.run)) {
    const chain = /chain=([^/]+)/.exec(folder)?.[1] ?? null;
    all.push(...(await readRows(run, join(path, folder, name), chain)));
  }
  return all;
}

async function readRows(run: ExportRun, path: string, chain: string | null): Promise<readonly LakeRow[]> {
  const { fields, columns } = targetOf(run);
  const isOut = ({ name }: { readonly name: string }) => chain === null || name !== "chain";
  if (run.format === "parquet") {
    const file = await openParquetFile(path, {
      ...{ fields: fields.filter(isOut), columns: columns.filter(isOut), isFlat: false },
    });
    const all: LakeRow[] = [];
    for await (const rows of file.rows()) all.push(...rows);
    return all.map((row) => ({ ...(chain !== null && { chain }), ...row }));
  }
  const text = readFileSync(path, "utf8");
  if (run.format === "csv") {
    const names = columns.filter(isOut).map(({ name }) => name);
    const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^,\r]*)(,|\r\n)/g)].map(([, cell = ""]) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    );
    const lines = Array.from({ length: cells.length / names.length }, (_, at) =>
      cells.slice(at * names.length, (at + 1) * names.length),
    );
    if (lines.shift()?.join() !== names.join()) throw new Error(`${path} has no header.`);
    return lines.map((line) =>
      Object.fromEntries([
        ...(chain === null ? [] : [["chain", chain]]),
        ...names.map((name, at) => [name, line[at]]),
      ]),
    );
  }
  const rows: LakeRow[] =
    run.format === "json"
      ? JSON.parse(text)
      : text
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line));
  return rows.map((row) => ({ ...(chain !== null && { chain }), ...row }));
}

/** Lists the files beside an export that a later run would not expect. */
export function listStrays({ path, partition }: ExportRun): readonly string[] {
  const known = [basename(path), `${basename(path)}.lockflow.json`];
  // A process that is killed while it takes over a lock leaves the unused old one.
  const beside = readdirSync(dirname(path)).filter(
    (name) => !known.includes(name) && !/\.lock-\d+$/.test(name),
  );
  const parts = partition === null ? [] : listParts(path);
  return [...beside, ...parts.flatMap(({ name, isTemporary }) => (isTemporary ? [name] : []))];
}

/** Makes the lock one of an ended process. */
export function endProcess({ path }: Pick<ExportRun, "path">): void {
  const lock = `${path}.lockflow.lock`;
  if (!existsSync(lock)) return;
  const text = readFileSync(lock, "utf8");
  if (text.endsWith("\n")) writeFileSync(lock, JSON.stringify({ ...JSON.parse(text), process: 2 ** 22 + 1 }));
}
