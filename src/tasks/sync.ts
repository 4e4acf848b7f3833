import { join, relative } from "node:path";
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from "graphql";
import { createJiti } from "jiti";
import { compareCodeUnits } from "../base/collections.ts";
import { LockflowError } from "../base/errors.ts";
import { hash, shortHash } from "../base/hash.ts";
import { readText } from "../base/read-files.ts";
import { displayText } from "../base/text.ts";
import { writeFiles } from "../base/write-files.ts";
import { resolveJudging } from "../compare/judge-run.ts";
import { compareStyles as compareSnapshots } from "../compare/parity.ts";
import { isOf, type OfSurface, type Protocol } from "../dialects/surface.ts";
import { parseGraphqlBody } from "../fleet/parse-graphql-body.ts";
import { postGraphql } from "../fleet/post-graphql.ts";
import { formatPaths } from "../generate/format-files.ts";
import { secretsOf, type Target } from "../project/endpoints.ts";
import type { Project } from "../project/project.ts";
import { FORMS } from "../report/forms/index.ts";
import type { ProtocolParity } from "../report/outcome.ts";
import { renderTable } from "../report/terminal.ts";
import { cacheFolder } from "../workspace/cache.ts";
import { FLEET_RECORD_PATH } from "../workspace/fleet-record.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { diffSnapshots } from "./diff.ts";
import {
  buildVariableSample,
  CHAIN_VARIABLES,
  requiredVariables,
  type VariableSample,
} from "./sync/sample-variables.ts";

/** Compares the two styles of each protocol by their snapshots. */
export function compareStyles(project: Project): ProtocolParity[] {
  return compareSnapshots(project.protocols, openWorkspace(project).snapshots);
}

/** Writes the report of what the snapshots show now as a page, beside the caches, and says where it lies. */
export async function writePage(project: Project): Promise<string> {
  const { root, output } = project;
  const folder = cacheFolder(root);
  if (folder === null) return "";
  try {
    const { report } = await diffSnapshots(project, { ...resolveJudging({}), startedAt: Date.now() });
    const { render } = await FORMS.html.load();
    const content = render(report, {
      color: false,
      verbose: false,
      anchor: `${output}/${FLEET_RECORD_PATH}`,
      folder: "",
      accept: "snapshots",
    });
    // The packages of a workspace share the folder.
    const path = `report-${shortHash(hash(root))}.html`;
    await writeFiles(folder, [{ path, content }]);
    return `  The fleet, parity and coverage as a page: ${relative(root, join(folder, path)).replaceAll("\\", "/")}\n`;
  } catch (error) {
    // What cannot be compared is for `check` to tell, and a read-only checkout works without a page.
    if (error instanceof LockflowError) return `  No page was made of it: ${error.sentence}\n`;
    throw error;
  }
}

/** What is shown where there is one: it needs nothing, and both styles of the library have it. */
const FAVOURITE = "RecentStreams";
const ROWS = 3;

/** Runs one generated operation, of the first protocol that has one, against one deployment of each style. */
export async function showcase(
  project: Project,
  targets: readonly Target[],
  out: (text: string) => void,
): Promise<void> {
  for (const protocol of project.protocols) {
    if (await showOperations(protocol, project, targets, out)) return;
  }
  out("  No generated operation can be shown without values for its variables.\n");
}

/** Whether there was one to be shown. */
async function showOperations(
  protocol: Protocol,
  project: Project,
  targets: readonly Target[],
  out: (text: string) => void,
): Promise<boolean> {
  const secrets = secretsOf(targets);
  const asked: { readonly path: string; readonly target: Target; readonly queries: readonly Query[] }[] = [];
  for (const surface of project.surfaces.filter((one) => one.protocol === protocol)) {
    const path = `${project.output}/${formatPaths(project.format, `${surface.id}.strings.ts`)[0]}`;
    const target = chooseTarget(targets, surface, project);
    if (!target || (await readText(join(project.root, path))) === null) continue;
    asked.push({ path, target, queries: await loadQueries(join(project.root, path)) });
  }
  const wanted = commonNames(asked.map(({ queries }) => queries));
  let isShown = false;
  for (const { path, target, queries } of asked) {
    const chosen = chooseOperation(queries, wanted);
    if (chosen === null) continue;
    isShown = true;
    out(`  ${chosen.name} of ${path}, asked of ${target.deployment.name}:\n`);
    try {
      const rows = renderRows(await run(chosen, target, project));
      const shownRows = rows.map((row) => row.map((cell) => displayText(cell, secrets)));
      out(shownRows.length === 0 ? "    no rows\n" : `${renderTable(shownRows, "    ")}\n`);
    } catch (error) {
      if (!(error instanceof LockflowError)) throw error;
      out(`    ${displayText(error.sentence, secrets)}\n`);
    }
  }
  return isShown;
}

/** A query of a generated module. */
type Query = {
  readonly name: string;
  readonly text: string;
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
};

/** One that can be sent: at once, or with values of the rows that another query finds. */
type Shown = Query & { readonly sample: VariableSample | null };

/** The queries of a generated module, in order of name. */
async function loadQueries(file: string): Promise<readonly Query[]> {
  const module = await createJiti(import.meta.url).import<Record<string, unknown>>(file);
  return Object.entries(module)
    .flatMap(([name, text]) => {
      if (!name.endsWith("Document") || typeof text !== "string") return [];
      const document = parse(text);
      const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
      if (operation?.kind !== Kind.OPERATION_DEFINITION || operation.operation !== "query") return [];
      return [{ name: operation.name?.value ?? name, text, operation, document }];
    })
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** What is shown best: one operation in every style, and the favourite before others. */
function commonNames(styles: readonly (readonly Query[])[]): string[] {
  const names = styles.map((queries) => queries.filter(isFree).map(({ name }) => name));
  const common = (names[0] ?? []).filter((name) => names.every((own) => own.includes(name)));
  return [FAVOURITE, ...common];
}

/** Whether an operation can be sent without values. */
function isFree({ operation }: Query): boolean {
  return requiredVariables(operation).length === 0;
}

function chooseOperation(queries: readonly Query[], wanted: readonly string[]): Shown | null {
  const free = queries.filter(isFree);
  const [first] = [...wanted.flatMap((name) => free.filter((query) => query.name === name)), ...free];
  if (first !== undefined) return { ...first, sample: null };
  for (const query of queries) {
    const sample = buildVariableSample(query.operation, query.document);
    if (sample !== null) return { ...query, sample };
  }
  return null;
}

function chooseTarget(targets: readonly Target[], surface: OfSurface, project: Project): Target | undefined {
  const candidates = targets.filter(({ deployment }) => isOf(surface)(deployment));
  const wellKnown = project.chains.find((chain) => chain.chainId === 1)?.key ?? "";
  return candidates.find(({ deployment }) => deployment.chains.includes(wellKnown)) ?? candidates[0];
}

type Row = Readonly<Record<string, unknown>>;

async function run(
  { text, operation, sample }: Shown,
  target: Target,
  { timeout, chains }: Project,
): Promise<Row[]> {
  const { url, headers, deployment } = target;
  const ask = async (query: string, variables: Row) => {
    const bytes = await postGraphql({ url, headers, query, variables, timeout });
    return rowsOf(parseGraphqlBody(bytes, secretsOf([target])).data);
  };
  const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  const few = names.includes("first") ? { first: ROWS } : {};
  const ids = chains.filter(({ key }) => deployment.chains.includes(key)).map(({ chainId }) => chainId);
  const all = Object.fromEntries(names.filter(isOfChains).map((name) => [name, ids]));
  if (sample === null) return ask(text, { ...few, ...all });
  const [row] = await ask(sample.query, few);
  const variables = row && sample.readVariables(row);
  return variables ? ask(text, { ...few, ...all, ...variables }) : [];
}

function isOfChains(name: string): boolean {
  return CHAIN_VARIABLES.includes(name);
}

/** The rows of the first root field; one object is one row. */
function rowsOf(data: Row): Row[] {
  return [Object.values(data)[0]]
    .flat()
    .filter((row): row is Row => typeof row === "object" && row !== null)
    .slice(0, ROWS);
}

/** What tells streams apart at a glance, by what it is called in the head of the table. */
const COLUMNS = ["alias", "chainId", "category", "sender", "recipient", "asset"];
const HEADS: Readonly<Record<string, string>> = { chainId: "chain id" };

function renderRows(rows: readonly Row[]): string[][] {
  const [first] = rows;
  if (first === undefined) return [];
  const familiar = COLUMNS.filter((name) => Object.hasOwn(first, name));
  const columns = familiar.length > 1 ? familiar : Object.keys(first).slice(0, COLUMNS.length);
  return [
    columns.map((name) => HEADS[name] ?? name),
    ...rows.map((row) => columns.map((name) => cell(row[name]))),
  ];
}

function cell(value: unknown): string {
  if (typeof value === "string" && /^0x[\da-f]{40}$/i.test(value)) {
    return `${value.slice(0, 6)}…${value.slice(-4)}`;
  }
  if (typeof value !== "object" || value === null) return String(value ?? "–");
  // Of what a row refers to, the name is enough.
  const named = value as Row;
  return String(named["symbol"] ?? named["id"] ?? "…");
}
