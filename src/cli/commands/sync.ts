import { type Asking, describeTargets, withTargets } from "../../fleet/open-targets.ts";
import { openProject } from "../../project/load-project.ts";
import { renderParityText } from "../../report/render-parity.ts";
import { runGenerate } from "../../tasks/generate.ts";
import { hasWrongIdentity, type Introspection, introspectProject } from "../../tasks/introspect.ts";
import { compareStyles, showcase, writePage } from "../../tasks/sync.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { askingOptions, renderUnconfigured } from "../task-options.ts";
import { reportGeneration } from "./generate.ts";
import { introspectionExitCode, renderIntrospection } from "./introspect.ts";

/**
 * `lockflow sync`: introspects, compares, generates and runs an operation. A failed deployment keeps its snapshot and does
 * not stop the run. The exit code is the highest of the steps.
 */
export async function runSync(context: CommandContext, options: Options<"sync">): Promise<ExitCode> {
  const asking = askingOptions(context, options);
  const project = await openProject(asking);
  const onAsking = ({ description }: Asking) => context.out(`${description}\n`);
  return withTargets(project, { ...asking, onAsking }, async (opened) => {
    heading(context, "1. Introspect: fetch the schema of every deployment");
    const introspection = await introspectProject(project, opened, asking.onProgress);
    const { environment } = options;
    const unconfigured = renderUnconfigured(describeTargets(project, opened, environment), environment);
    context.out(`${renderIntrospection(introspection)}\n${unconfigured}`);
    const introspected = introspectionExitCode(introspection);

    heading(context, "2. Diff: compare the two styles of each protocol");
    const parities = compareStyles(project);
    context.out(
      parities.length > 0
        ? `${renderParityText(parities)}\n`
        : "Nothing to compare: no protocol has a snapshot in both styles.\n",
    );

    heading(context, "3. Generate: write typed operations and a manifest of chains and endpoints");
    const generated = await reportGeneration(await runGenerate(project), context);

    if (generated === 0) {
      const [style, other] = new Set(project.surfaces.map((surface) => surface.style));
      const where = other === undefined ? `in ${style} style` : "in both styles";
      heading(context, `4. Run: send one generated operation ${where}`);
      // Only this step needs the emulator to generate rows.
      await withTargets(project, { ...asking, needsRows: true }, ({ targets }) =>
        showcase(project, targets, context.out),
      );
    }
    const page = await writePage(project);
    heading(context, "Summary");
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
      : [
          `  Not what the manifest says: ${others.join(", ")}. Correct the URL, and run \`lockflow sync\` again.`,
        ]),
    `  ${answered} of ${deployments.length} deployments answered; ${moved === 0 ? "no snapshot changed" : `${moved} snapshot ${moved === 1 ? "file" : "files"} changed`}.`,
    generated === 0
      ? `  ${output}/ is current: import from it, commit it, and run \`lockflow check\` in CI.`
      : "  Nothing was generated: correct the operations and run `lockflow generate`.",
    "",
  ].join("\n");
}

function heading(context: CommandContext, text: string): void {
  context.out(`\n${text}\n`);
}
