import { join } from "node:path";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { compareCodeUnits } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import { readForeignText } from "../base/read-files.ts";
import { endSentence } from "../base/text.ts";
import { writeFiles } from "../base/write-files.ts";
import { selectedSurfaces } from "../dialects/surface.ts";
import { writeGeneration } from "../generate/write-generation.ts";
import { openProject, type ProjectOptions } from "../project/load-project.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { compareOrigins, describePlanned, type PlannedOperation, planPort } from "./port/plan-port.ts";
import type { PortedOperation } from "./port/port-types.ts";
import type { Proof } from "./port/prove.ts";
import { provePlan } from "./port/prove-plan.ts";
import { readDocuments } from "./port/read-documents.ts";
import { type Rewritten, rewriteSources } from "./port/rewrite/rewrite-sources.ts";

/** The options of `port`. */
export type PortOptions = Pick<ProjectOptions, "cwd" | "config" | "protocols"> & {
  /** Globs and paths of files with documents, from `cwd`. */
  readonly patterns: readonly string[];
  /** Whether files are written. @default false */
  readonly write?: boolean | undefined;
  /** Whether documents in code become calls of the generated client, or generated documents. @default false */
  readonly rewrite?: boolean | undefined;
  /** The indexers that prove that answers are equal; null for no proof. @default the emulator */
  readonly against?: "emulator" | "production" | null | undefined;
  /** The variables of keys and hosts, for `production`. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
};

/** What became of the operations of a project. */
export type Ported = {
  /** In order of file and line. */
  readonly operations: readonly PortedOperation[];
  /** The changes as a unified diff; empty if there are none. */
  readonly diff: string;
  /** The paths of the files that were written, in code-unit order. */
  readonly written: readonly string[];
  /** Whether the generated code was written too, as rewritten code imports it. */
  readonly isGenerated: boolean;
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
  const documents = readDocuments(project, options);
  const [unmatched] = documents.unmatched;
  if (documents.paths.length === 0 || unmatched !== undefined) {
    throw new UsageError({
      sentence: `No file matches "${unmatched ?? options.patterns.join(" ")}".`,
      hint: 'name .graphql, .ts, .tsx or .js files: lockflow port "src/**/*.{ts,tsx,graphql}".',
    });
  }
  const plan = planPort(workspace, documents, selectedSurfaces(project));
  const { against = "emulator", env = {} } = options;
  const proofs = against === null ? new Map() : await provePlan(plan.planned, { project, against, env });
  const files = new Map<string, string>();
  const written: PlannedOperation[] = [];
  const kept = plan.planned.map((planned): PortedOperation => {
    const proof: Proof | null = proofs.get(planned) ?? null;
    const operation = applyProof(describePlanned(planned), proof);
    if (operation.result === "refused") return operation;
    written.push(planned);
    if (!planned.placed.isThere) files.set(planned.placed.path, planned.placed.text);
    return operation;
  });
  const refused = plan.refused.map((operation): PortedOperation => ({ ...operation, proof: null }));
  const operations = [...kept, ...refused].sort(
    (a, b) => compareFirst(a, b) || compareCodeUnits(a.name, b.name),
  );
  const { contents, generated, notes } =
    options.rewrite && written.length > 0
      ? await rewriteSources({ workspace, planned: written, documents, operations: files })
      : NOTHING_REWRITTEN;
  const changes = [...files, ...contents]
    .map(([path, content]): Change => {
      // The files of operations are new.
      const source = contents.has(path) ? documents.read(path) : null;
      return { path, content, before: source !== null && "text" in source ? source.text : null };
    })
    .filter(({ content, before }) => content !== before)
    .sort((a, b) => compareCodeUnits(a.path, b.path));
  if (options.write) {
    requireUnchanged(project.root, changes);
    await writeFiles(project.root, changes);
    if (generated.length > 0) await writeGeneration(project, generated);
  }
  return {
    operations,
    diff: changes.map(renderPatch).join(""),
    written: options.write ? changes.map(({ path }) => path) : [],
    isGenerated: options.write === true && generated.length > 0,
    notes: [
      ...plan.unused.map(({ name, file }) => `The fragment ${name} of ${file} is not used and was left out.`),
      ...notes,
    ],
  };
}

const NOTHING_REWRITTEN: Rewritten = { contents: new Map(), generated: [], notes: [] };

/** An operation whose answers differ is not written. */
function applyProof(operation: Omit<PortedOperation, "proof">, proof: Proof | null): PortedOperation {
  if (proof === null) return { ...operation, proof };
  const { sets, same, problem } = proof;
  const said = problem === null ? "" : `: ${endSentence(problem)}`;
  const shown = { sets, same };
  if (same < sets) {
    const reason = {
      code: "port/differs",
      message: `The answers differ in ${sets - same} of ${sets} sets${said}`,
    };
    return {
      ...operation,
      result: "refused",
      to: null,
      reasons: [...operation.reasons, reason],
      proof: shown,
    };
  }
  if (sets > 0) return { ...operation, proof: shown };
  const message = `No answer had rows, so nothing is proven${said === "" ? "." : said}`;
  return { ...operation, reasons: [...operation.reasons, { code: "port/unproven", message }], proof: shown };
}

function compareFirst({ from: [a] }: PortedOperation, { from: [b] }: PortedOperation): number {
  return a === undefined || b === undefined ? 0 : compareOrigins(a, b);
}

/** A proof may take minutes, in which files may be edited. */
function requireUnchanged(root: string, changes: readonly Change[]): void {
  for (const { path, before } of changes) {
    if (readForeignText(join(root, path), Number.POSITIVE_INFINITY).text === before) continue;
    throw new UsageError({
      sentence: `${path} was changed during the run. Nothing was written.`,
      hint: "run the command again.",
    });
  }
}

type Change = { readonly path: string; readonly content: string; readonly before: string | null };

function renderPatch({ path, content, before }: Change): string {
  const from = before === null ? "/dev/null" : path;
  const headers = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return `${createTwoFilesPatch(from, path, before ?? "", content, undefined, undefined, headers).trimEnd()}\n`;
}
