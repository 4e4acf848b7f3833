import { join } from "node:path";
import { UsageError } from "../base/errors/usage-error.ts";
import { listSome } from "../base/list-some.ts";
import { compareModels } from "../compare/compare-models.ts";
import { parityFindings } from "../compare/parity-findings.ts";
import type { FleetComparison } from "../drift/compare-fleet.ts";
import { compareFleets } from "../drift/compare-fleets.ts";
import { compareTwo } from "../drift/compare-two.ts";
import { judgeEntries } from "../drift/judge-entries.ts";
import { readSource } from "../drift/schema-source.ts";
import { openProject } from "../project/open-project.ts";
import type { Project } from "../project/project.ts";
import { type ProtocolParity, renderParityCounts, renderParityJson } from "../report/render-parity.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import type { ParseSnapshot } from "../snapshots/check-snapshots.ts";
import { type readSnapshot, requireSnapshot } from "../snapshots/read-snapshots.ts";
import { styles } from "../styles/index.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { type Dress, finishRun, type JudgedRun, type Judging, parseJudging } from "./judged-run.ts";
import type { Options } from "./options.ts";
import { projectOptions } from "./project-options.ts";

/** `lockflow diff`: the styles and the fleets, from the snapshots; or any two schemas. */
export async function runDiff(context: CommandContext, options: Options<"diff">): Promise<ExitCode> {
  const startedAt = Date.now();
  const judging = withTerminal(parseJudging(options));
  const [before, after] = context.positionals;
  if (before !== undefined && after === undefined) {
    throw new UsageError({
      sentence: "`lockflow diff` compares nothing or two: <before> and <after>.",
      hint: `for example: lockflow diff main:lockup/subgraph ${before}`,
    });
  }
  const project = await openProject(projectOptions(context, options));
  const { run, dress } =
    before === undefined || after === undefined
      ? await diffSnapshots(project, judging, requireSnapshot)
      : await diffTwo(before, after, context, project, judging);
  return finishRun(context, project, { ...EMPTY, ...run, startedAt }, judging, dress);
}

/**
 * Compares the styles of every protocol, from the snapshots.
 *
 * @param readOne how to read a snapshot: a protocol that lacks one is left out, or an error.
 */
export async function compareStyles(
  project: Project,
  readOne: typeof readSnapshot,
  parse: ParseSnapshot,
): Promise<ProtocolParity[]> {
  const outputRoot = join(project.root, project.output);
  const parities: ProtocolParity[] = [];
  for (const protocol of project.protocols) {
    const [multichain, subgraph] = await Promise.all(
      (["multichain", "subgraph"] as const).map(async (name) => {
        const snapshot = await readOne(outputRoot, { protocol, style: name });
        if (snapshot === null) return null;
        const { read, scalars, capabilities } = styles[name];
        const schema = parse(snapshot.base.text, snapshot.base.path);
        return { model: read(schema), schema, scalars, capabilities };
      }),
    );
    if (multichain && subgraph) parities.push({ protocol, ...compareModels(multichain, subgraph) });
  }
  return parities;
}

type Run = Partial<JudgedRun> & Pick<JudgedRun, "findings" | "operations">;

const EMPTY: Omit<JudgedRun, "startedAt" | "findings" | "operations"> = {
  command: "diff",
  endpoints: [],
  groups: [],
  categories: [],
  answered: new Set(),
  // Nothing of two schemas that somebody named stays to be tolerated.
  judges: () => false,
  accept: "never",
  failure: null,
};

/** People see the result also where all of it goes to files. */
function withTerminal(judging: Judging): Judging {
  const { reports } = judging;
  if (reports.some(({ file }) => file === null)) return judging;
  return { ...judging, reports: [{ form: "text", file: null, stream: "out" }, ...reports] };
}

/**
 * What the snapshots tell: the styles of every protocol held against each other, and every fleet against its snapshot.
 *
 * @param readOne how to read a snapshot: what lacks one is left out, or an error.
 */
export async function diffSnapshots(
  project: Project,
  { exhaustiveEnums }: Pick<Judging, "exhaustiveEnums">,
  readOne: typeof readSnapshot,
): Promise<{ readonly run: Run; readonly dress: Dress }> {
  const parities = await compareStyles(project, readOne, parseSdl);
  const fleets = await compareFleets(project, readOne, { exhaustiveEnums });
  return {
    run: {
      findings: [
        ...parities.flatMap((parity) => parityFindings(parity, parity.protocol)),
        ...fleets.flatMap(({ findings }) => findings),
      ],
      groups: fleets.flatMap(({ groups }) => groups),
      operations: fleets.flatMap(({ operations }) => operations),
      categories: ["fleet", "parity"],
      judges: judgeEntries(["parity"], null),
      accept: "snapshots",
      answered: new Set(fleets.flatMap(({ deployments }) => deployments)),
    },
    dress: dressWith(parities, fleets.flatMap(describeFleet)),
  };
}

async function diffTwo(
  before: string,
  after: string,
  { cwd, env }: CommandContext,
  project: Project,
  judging: Judging,
): Promise<{ readonly run: Run; readonly dress: Dress }> {
  const sources = { cwd, env, project };
  const [from, to] = [await readSource(before, sources), await readSource(after, sources)];
  const { findings, operations, parity } = await compareTwo(from, to, project, judging);
  const missing = [from, to]
    .filter(({ schema }) => schema === null)
    .map(({ name }) => `${name} did not exist: it is taken for empty.`);
  return {
    run: { command: `diff ${from.name} ${to.name}`, findings, operations },
    dress: dressWith(parity === null ? null : [parity], [`${from.name} → ${to.name}`, ...missing]),
  };
}

/** Puts what is known beside the findings in front of the text, and into the JSON. */
function dressWith(parities: readonly ProtocolParity[] | null, lines: readonly string[]): Dress {
  return (form, text) => {
    switch (form) {
      case "text": {
        // What does not agree is among the findings.
        const counts = parities === null ? [] : [renderParityCounts(parities)];
        return `${[...counts, ...lines].join("\n")}\n\n${text}`;
      }
      case "json": {
        if (parities === null) return text;
        const { version: _, ...report } = JSON.parse(text) as Record<string, unknown>;
        return renderParityJson(parities, report);
      }
      default:
        return text;
    }
  };
}

/** A fleet in a line: how many serve how many schemas; and a line for operations that cannot run in the same places. */
function describeFleet({ groups, operations }: FleetComparison): string[] {
  const [first] = groups;
  const count = groups.reduce((sum, { deployments }) => sum + deployments.length, 0);
  if (first === undefined || count < 2) return [];
  const schemas = new Set(groups.map(({ id }) => id)).size;
  const otherWords = groups.filter(({ kind }) => kind === "docs").flatMap(({ deployments }) => deployments);
  const serve = schemas === 1 ? "serve one schema" : `serve ${schemas} schemas`;
  const words = otherWords.length === 0 ? "" : `, ${otherWords.length} of them with other descriptions`;
  const limited = new Map<string, string[]>();
  for (const { name, chains, missing } of operations) {
    if (missing.length === 0) continue;
    const where =
      chains.length === 0
        ? "on any chain: `lockflow check` tells why"
        : `on ${listSome(missing, MOST_NAMED)}`;
    limited.set(where, [...(limited.get(where) ?? []), name]);
  }
  return [
    `${first.protocol}: ${count} ${first.style} deployments ${serve}${words}`,
    ...[...limited].map(([where, names]) => `  not valid ${where}: ${listSome(names, MOST_NAMED)}`),
  ];
}

const MOST_NAMED = 3;
