import { basename, dirname, join, resolve } from "node:path";
import { compareModels } from "../compare/compare-models.ts";
import { UsageError } from "../errors/usage-error.ts";
import { writeFiles } from "../files/write-files.ts";
import type { Project } from "../registry/project.ts";
import { type ProtocolParity, renderParityJson, renderParityText } from "../report/render-parity.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import { type readSnapshot, requireSnapshot } from "../snapshots/read-snapshots.ts";
import { styles } from "../styles/index.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { projectOf, textOption } from "./options.ts";

/** `lockflow diff` */
export async function runDiff(context: CommandContext): Promise<ExitCode> {
  const report = parseReport(textOption(context, "report") ?? "text");
  const parities = await compareStyles(await projectOf(context), requireSnapshot);
  if (report.form === "text") context.out(`${renderParityText(parities)}\n`);
  else if (report.file === null) context.out(renderParityJson(parities));
  else {
    const path = resolve(context.cwd, report.file);
    await writeFiles(dirname(path), [{ path: basename(path), content: renderParityJson(parities) }]);
    context.out(`${renderParityText(parities)}\n`);
  }
  return 0;
}

/**
 * Compares the styles of every protocol, from the snapshots.
 *
 * @param readOne how to read a snapshot: a protocol that lacks one is left out, or an error.
 */
export async function compareStyles(
  project: Project,
  readOne: typeof readSnapshot,
): Promise<ProtocolParity[]> {
  const outputRoot = join(project.root, project.output);
  const parities: ProtocolParity[] = [];
  for (const protocol of project.protocols) {
    const [multichain, subgraph] = await Promise.all(
      (["multichain", "subgraph"] as const).map(async (name) => {
        const snapshot = await readOne(outputRoot, protocol, name);
        if (snapshot === null) return null;
        const { read, scalars, capabilities } = styles[name];
        const schema = parseSdl(snapshot.base.text, snapshot.base.path);
        return { model: read(schema), schema, scalars, capabilities };
      }),
    );
    if (multichain && subgraph) parities.push({ protocol, ...compareModels(multichain, subgraph) });
  }
  return parities;
}

type Report = { readonly form: "text" | "json"; readonly file: string | null };

function parseReport(text: string): Report {
  if (text === "text" || text === "json") return { form: text, file: null };
  const file = /^json=(.+)$/.exec(text)?.[1];
  if (file) return { form: "json", file };
  throw new UsageError({ sentence: `--report takes text, json or json=<file>, not "${text}".` });
}
