import { join, relative } from "node:path";
import { writeFiles } from "../base/disk/write-files.ts";
import { LockflowError } from "../base/errors/lockflow-error.ts";
import { hash, shortHash } from "../base/hash.ts";
import { compareStyles } from "../drift/compare-styles.ts";
import { resolveJudging } from "../drift/resolve-judging.ts";
import { diffSnapshots } from "../drift/run-diff.ts";
import { runGenerate } from "../drift/run-generate.ts";
import { hasWrongIdentity, type Introspection, introspectProject } from "../fleet/introspect-project.ts";
import { type Asking, describeTargets, withTargets } from "../fleet/with-targets.ts";
import { cacheFolder } from "../generate/project-cache.ts";
import { openProject } from "../project/open-project.ts";
import type { Project } from "../project/project.ts";
import { RENDERERS } from "../report/forms/index.ts";
import { renderParityText } from "../report/render-parity.ts";
import { FLEET_RECORD_PATH } from "../snapshots/fleet-record.ts";
import { readSnapshots } from "../snapshots/read-snapshots.ts";
import { askingOptions, renderUnconfigured } from "./api-options.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { reportGeneration } from "./generate.ts";
import { introspectionExitCode, renderIntrospection } from "./introspect.ts";
import type { Options } from "./options.ts";
import { showcase } from "./showcase.ts";

/**
 * `lockflow sync`: the whole job. Deployments that fail do not stop it, because their snapshots are as they were;
 * the exit code is the worst of its steps'.
 */
export async function runSync(context: CommandContext, options: Options<"sync">): Promise<ExitCode> {
  const asking = askingOptions(context, options);
  const project = await openProject(asking);
  const tell = (asked: Asking) => context.out(`${asked.description}\n`);
  return withTargets(project, { ...asking, onAsking: tell }, async (opened) => {
    heading(context, "1. Introspect: every deployment is asked for its schema");
    const introspection = await introspectProject(project, opened, asking.onProgress);
    const { environment } = options;
    const unconfigured = renderUnconfigured(describeTargets(project, opened, environment), environment);
    context.out(`${renderIntrospection(introspection)}\n${unconfigured}`);
    const introspected = introspectionExitCode(introspection);

    heading(context, "2. Diff: what the two styles of each protocol have in common");
    const parities = compareStyles(
      project.protocols,
      await readSnapshots(join(project.root, project.output), project.surfaces),
    );
    context.out(
      parities.length > 0
        ? `${renderParityText(parities)}\n`
        : "No protocol has a snapshot in both styles, so there is nothing to compare.\n",
    );

    heading(context, "3. Generate: typed operations and a manifest of chains and endpoints");
    const generated = reportGeneration(await runGenerate(project), context);

    if (generated === 0) {
      const [style, other] = new Set(project.surfaces.map((surface) => surface.style));
      const asked = other === undefined ? `in ${style} style` : "of both styles";
      heading(context, `4. Run: one generated operation, asked ${asked}`);
      // The emulator makes up many rows only of what is shown.
      await withTargets(project, { ...asking, needsRows: true }, ({ targets }) =>
        showcase(project, targets, context),
      );
    }
    const page = await writePage(project);
    heading(context, "In short");
    context.out(`${renderSummary(introspection, generated)}${page}`);
    return Math.max(introspected, generated) as ExitCode;
  });
}

function renderSummary(introspection: Introspection, generated: ExitCode): string {
  const { output, deployments, written, removed } = introspection;
  const answered = deployments.filter(({ message }) => message === null).length;
  const others = deployments.filter(hasWrongIdentity).map(({ name }) => name);
  const moved = written.length + removed.length;
  return [
    ...(others.length === 0
      ? []
      : [`  Not what the manifest says: ${others.join(", ")}. Correct the URL, and run it again.`]),
    `  ${answered} of ${deployments.length} deployments answered; ${moved === 0 ? "no snapshot changed" : `${moved} snapshot files changed`}.`,
    generated === 0
      ? `  ${output}/ is current: import from it, commit it, and run \`lockflow check\` in CI.`
      : "  Nothing was generated: correct the operations and run `lockflow generate`.",
    "",
  ].join("\n");
}

/** Writes the report of what the snapshots show now as a page, beside the caches, and says where it lies. */
async function writePage(project: Project): Promise<string> {
  const { root, output } = project;
  const folder = cacheFolder(root);
  if (folder === null) return "";
  try {
    const { report } = await diffSnapshots(project, { ...resolveJudging({}), startedAt: Date.now() });
    const content = RENDERERS.html.render(report, {
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

function heading(context: CommandContext, text: string): void {
  context.out(`\n${text}\n`);
}
