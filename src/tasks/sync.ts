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

/** Writes the report of `diff` as a page beside the caches. Returns a line with its path. */
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
    // The packages of a monorepo share the folder.
    const path = `report-${shortHash(hash(root))}.html`;
    await writeFiles(folder, [{ path, content }]);
    return `  The fleet, parity and coverage as a page: ${relative(root, join(folder, path)).replaceAll("\\", "/")}\n`;
  } catch (error) {
    // `check` reports schemas that cannot be compared, and a read-only checkout works without a page.
    if (error instanceof LockflowError) return `  Could not write the page: ${error.sentence}\n`;
    throw error;
  }
}

/** The operation that is shown first: it needs no variables, and both styles of the library have it. */
const FAVOURITE = "RecentStreams";
const ROWS = 3;

/** Runs one generated operation, of the first protocol that has one, against one deployment of each style. */
export async function showcase(
  project: Project,
  targets: readonly Target[],
  out: (text: string) => void,
): Promise<void> {
  for (const protocol of project.protocols) {
    if (await showOperation(protocol, { project, targets, out })) return;
  }
  out("  Every generated operation needs values for its variables, so no rows are shown.\n");
}

type Showcase = {
  readonly project: Project;
  readonly targets: readonly Target[];
  readonly out: (text: string) => void;
};

/** Runs an operation of a protocol in each style. Returns false if no operation can run. */
async function showOperation(protocol: Protocol, { project, targets, out }: Showcase): Promise<boolean> {
  const secrets = secretsOf(targets);
  const candidates: {
    readonly path: string;
    readonly target: Target;
    readonly queries: readonly Query[];
  }[] = [];
  for (const surface of project.surfaces.filter((one) => one.protocol === protocol)) {
    const path = `${project.output}/${formatPaths(project.format, `${surface.id}.strings.ts`)[0]}`;
    const target = chooseTarget(targets, surface, project);
    if (!target || (await readText(join(project.root, path))) === null) continue;
    candidates.push({ path, target, queries: await loadQueries(join(project.root, path)) });
  }
  const wanted = commonNames(candidates.map(({ queries }) => queries));
  let isShown = false;
  for (const { path, target, queries } of candidates) {
    const chosen = chooseOperation(queries, wanted);
    if (chosen === null) continue;
    isShown = true;
    out(`  ${chosen.name} of ${path}, sent to ${target.deployment.name}:\n`);
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

/** A query that can be sent: `sample` finds values for its variables; null if it needs none. */
type Shown = Query & { readonly sample: VariableSample | null };

/** Loads the queries of a generated module, sorted by name. */
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

/** Returns the preferred names: the favourite, then operations that every style has. */
function commonNames(styles: readonly (readonly Query[])[]): string[] {
  const names = styles.map((queries) => queries.filter(isFree).map(({ name }) => name));
  const common = (names[0] ?? []).filter((name) => names.every((own) => own.includes(name)));
  return [FAVOURITE, ...common];
}

/** Whether an operation can be sent without values for variables. */
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
  const { deployment } = target;
  const fetchRows = async (query: string, variables: Row) => {
    const bytes = await postGraphql({ target, query, variables, timeout });
    return rowsOf(parseGraphqlBody(bytes, secretsOf([target])).data);
  };
  const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  const few = names.includes("first") ? { first: ROWS } : {};
  const ids = chains.filter(({ key }) => deployment.chains.includes(key)).map(({ chainId }) => chainId);
  const all = Object.fromEntries(names.filter(isOfChains).map((name) => [name, ids]));
  if (sample === null) return fetchRows(text, { ...few, ...all });
  const [row] = await fetchRows(sample.query, few);
  const variables = row && sample.readVariables(row);
  return variables ? fetchRows(text, { ...few, ...all, ...variables }) : [];
}

function isOfChains(name: string): boolean {
  return CHAIN_VARIABLES.includes(name);
}

/** Returns the rows of the first root field. A single object is one row. */
function rowsOf(data: Row): Row[] {
  return [Object.values(data)[0]]
    .flat()
    .filter((row): row is Row => typeof row === "object" && row !== null)
    .slice(0, ROWS);
}

/** The columns that best identify a stream. */
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
  // A related row is shown by its name.
  const related = value as Row;
  return String(related["symbol"] ?? related["id"] ?? "…");
}
