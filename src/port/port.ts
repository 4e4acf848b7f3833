import { join } from "node:path";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { compareCodeUnits, once } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import type { OutputFile } from "../base/output-file.ts";
import { readForeignText } from "../base/read-files.ts";
import { endSentence } from "../base/text.ts";
import { writeFiles } from "../base/write-files.ts";
import { selectedSurfaces } from "../dialects/surface.ts";
import { openProject, type ProjectOptions } from "../project/load-project.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { createKnownRoots } from "./known-roots.ts";
import { compareOrigins, describePlanned, planPort, readSchemas } from "./plan-port.ts";
import type { OtherQuery, PortedOperation } from "./port-types.ts";
import type { Proof } from "./prove.ts";
import { provePlan } from "./prove-plan.ts";
import { readDocuments } from "./read-documents.ts";

/** The options of `port`. */
export type PortOptions = Pick<ProjectOptions, "cwd" | "config" | "protocols"> & {
  /** Globs and paths of files with documents, from `cwd`. */
  readonly patterns: readonly string[];
  /** Whether files are written. @default false */
  readonly write?: boolean | undefined;
  /** The indexers that prove that answers are equal; null for no proof. @default the emulator */
  readonly against?: "emulator" | "production" | null | undefined;
  /** The variables of keys and hosts, for `production`. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
};

/** What became of the operations of a project. */
export type Ported = {
  /** In order of file and line. */
  readonly operations: readonly PortedOperation[];
  /** Queries that are not ported, and need not be; in order of file and line. */
  readonly others: readonly OtherQuery[];
  /** The new files as a unified diff; empty if there are none. */
  readonly diff: string;
  /** The paths of the files that were written, in code-unit order. */
  readonly written: readonly string[];
  /** Remarks, one sentence each. */
  readonly notes: readonly string[];
};

/**
 * Ports the operations of a project: those that are exact in both styles to portable ones, others to the folder of their
 * style. Nothing is written without `write`.
 *
 * @throws UsageError if a pattern matches no file, if no host of production is configured to prove with, or if a file that is
 * written was changed meanwhile. SchemaError for a missing snapshot.
 */
export async function port(options: PortOptions): Promise<Ported> {
  const project = await openProject(options);
  const workspace = openWorkspace(project);
  const surfaces = selectedSurfaces(project);
  const roots = once(() => createKnownRoots(readSchemas(workspace, surfaces)));
  const isQueried = (text: string) => roots().isQueried(text);
  const documents = readDocuments(project, { ...options, isQueried });
  const [unmatched] = documents.unmatched;
  if (documents.paths.length === 0 || unmatched !== undefined) {
    throw new UsageError({
      sentence: `No file matches "${unmatched ?? options.patterns.join(" ")}".`,
      hint: 'name .graphql, .ts, .tsx or .js files: lockflow port "src/**/*.{ts,tsx,graphql}".',
    });
  }
  const plan = planPort(workspace, documents, surfaces);
  const { against = "emulator", env = {} } = options;
  const proofs = against === null ? new Map() : await provePlan(plan.planned, { project, against, env });
  const files: OutputFile[] = [];
  const kept = plan.planned.map((planned): PortedOperation => {
    const { isThere, path, text } = planned.placed;
    const operation = applyProof(describePlanned(planned, project), proofs.get(planned) ?? null);
    if (operation.result !== "refused" && !isThere) files.push({ path, content: text });
    return operation;
  });
  files.sort((a, b) => compareCodeUnits(a.path, b.path));
  const refused = plan.refused.map((operation): PortedOperation => ({ ...operation, proof: null }));
  if (options.write) {
    requireMissing(project.root, files);
    await writeFiles(project.root, files);
  }
  return {
    operations: [...kept, ...refused].sort((a, b) => compareFirst(a, b) || compareCodeUnits(a.name, b.name)),
    others: plan.others,
    diff: files.map(renderPatch).join(""),
    written: options.write ? files.map(({ path }) => path) : [],
    notes: [
      ...plan.unused.map(({ name, file }) => `The fragment ${name} of ${file} is not used and was left out.`),
      ...describeSkipped(documents.skipped),
    ],
  };
}

function describeSkipped(skipped: ReadonlyMap<string, number>): string[] {
  const count = [...skipped.values()].reduce((sum, number) => sum + number, 0);
  const parts = [...skipped]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([why, some]) => `${some} ${why}`);
  const files = count === 1 ? "1 file of code was" : `${count} files of code were`;
  return count === 0 ? [] : [`${files} not read: ${parts.join(", ")}.`];
}

/** An operation whose answers differ is not written. */
function applyProof(operation: Omit<PortedOperation, "proof">, proof: Proof | null): PortedOperation {
  if (proof === null) return { ...operation, proof };
  const { sets, same, problem } = proof;
  const said = problem === null ? "" : `: ${endSentence(problem)}`;
  const shown = { sets, same };
  const reasoned = (code: string, message: string): PortedOperation => ({
    ...operation,
    reasons: [...operation.reasons, { code, message }],
    proof: shown,
  });
  if (same < sets) {
    const message = `The answers differ in ${sets - same} of ${sets} sets${said}`;
    return { ...reasoned("port/differs", message), result: "refused", to: null };
  }
  if (sets > 0) return { ...operation, proof: shown };
  const cause = problem === null ? "No answer had rows" : "No answers were compared";
  return reasoned("port/unproven", `${cause}, so nothing is proven${said === "" ? "." : said}`);
}

function compareFirst({ from: [a] }: PortedOperation, { from: [b] }: PortedOperation): number {
  return a === undefined || b === undefined ? 0 : compareOrigins(a, b);
}

/** A proof may take minutes, in which files may be written. */
function requireMissing(root: string, files: readonly OutputFile[]): void {
  for (const { path } of files) {
    if (readForeignText(join(root, path), 0).problem === "missing") continue;
    throw new UsageError({
      sentence: `${path} was changed during the run. Nothing was written.`,
      hint: "run the command again.",
    });
  }
}

function renderPatch({ path, content }: OutputFile): string {
  const headers = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return `${createTwoFilesPatch("/dev/null", path, "", content, undefined, undefined, headers).trimEnd()}\n`;
}
