import { join, relative } from "node:path";
import { Kind, parse } from "graphql";
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
import { EXAMPLE_RECIPIENT } from "../project/protocols.ts";
import { FORMS } from "../report/forms/index.ts";
import type { ProtocolParity } from "../report/outcome.ts";
import { renderTable } from "../report/terminal.ts";
import { cacheFolder } from "../workspace/cache.ts";
import { FLEET_RECORD_PATH } from "../workspace/fleet-record.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { diffSnapshots } from "./diff.ts";

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
  for (const surface of project.surfaces.filter((surface) => surface.protocol === protocol)) {
    const path = `${project.output}/${formatPaths(project.format, `${surface.id}.strings.ts`)[0]}`;
    const target = chooseTarget(targets, surface, project);
    if (!target || (await readText(join(project.root, path))) === null) continue;
    const queries = await loadQueries(join(project.root, path));
    if (queries.length > 0) candidates.push({ path, target, queries });
  }
  for (const { path, target, queries } of candidates) {
    const isCommon = ({ name }: Query) =>
      candidates.every((candidate) => candidate.queries.some((query) => query.name === name));
    const query = queries.find(({ name }) => name === FAVOURITE) ?? queries.find(isCommon) ?? queries[0];
    if (query === undefined) continue;
    out(`  ${query.name} of ${path}, sent to ${target.deployment.name}:\n`);
    try {
      const rows = renderRows(await run(query, target, project));
      const shownRows = rows.map((row) => row.map((cell) => displayText(cell, secrets)));
      out(shownRows.length === 0 ? "    no rows\n" : `${renderTable(shownRows, "    ")}\n`);
    } catch (error) {
      if (!(error instanceof LockflowError)) throw error;
      out(`    ${displayText(error.sentence, secrets)}\n`);
    }
  }
  return candidates.length > 0;
}

/** A query of a generated module. */
type Query = {
  readonly name: string;
  readonly text: string;
  readonly variables: readonly string[];
  /** Whether it needs a value for `$recipient`, as the first operation of `init` does. */
  readonly needsRecipient: boolean;
};

/** Loads the queries of a generated module that can be sent: sorted by name, those without a recipient first. */
async function loadQueries(file: string): Promise<readonly Query[]> {
  const module = await createJiti(import.meta.url).import<Record<string, unknown>>(file);
  return Object.entries(module)
    .flatMap(([name, text]): Query[] => {
      if (!name.endsWith("Document") || typeof text !== "string") return [];
      const operation = parse(text).definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
      if (operation?.kind !== Kind.OPERATION_DEFINITION || operation.operation !== "query") return [];
      const { variableDefinitions = [] } = operation;
      const needed = variableDefinitions
        .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
        .map(({ variable }) => variable.name.value);
      if (!needed.every((name) => FILLED.includes(name))) return [];
      const variables = variableDefinitions.map(({ variable }) => variable.name.value);
      const needsRecipient = needed.includes("recipient");
      return [{ name: operation.name?.value ?? name, text, variables, needsRecipient }];
    })
    .sort((a, b) => Number(a.needsRecipient) - Number(b.needsRecipient) || compareCodeUnits(a.name, b.name));
}

/** The required variables that get a value. Portable operations have those of chains. */
const FILLED = ["recipient", "first", "chainIds", "chainIdsInt"];

function chooseTarget(targets: readonly Target[], surface: OfSurface, project: Project): Target | undefined {
  const candidates = targets.filter(({ deployment }) => isOf(surface)(deployment));
  const wellKnown = project.chains.find((chain) => chain.chainId === 1)?.key ?? "";
  return candidates.find(({ deployment }) => deployment.chains.includes(wellKnown)) ?? candidates[0];
}

type Row = Readonly<Record<string, unknown>>;

async function run(
  { text, variables, needsRecipient }: Query,
  target: Target,
  { timeout, chains }: Project,
): Promise<Row[]> {
  const { deployment } = target;
  const ids = chains.filter(({ key }) => deployment.chains.includes(key)).map(({ chainId }) => chainId);
  const recipient = needsRecipient ? EXAMPLE_RECIPIENT : undefined;
  const values: Row = { recipient, first: ROWS, chainIds: ids, chainIdsInt: ids };
  const sent = Object.fromEntries(variables.map((name) => [name, values[name]]));
  const bytes = await postGraphql({ target, query: text, variables: sent, timeout });
  return rowsOf(parseGraphqlBody(bytes, secretsOf([target])).data);
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
