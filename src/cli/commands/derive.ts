import { resolve } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { styles } from "../../dialects/index.ts";
import { resolveOwnOptions } from "../../dialects/platform.ts";
import type { StyleName } from "../../dialects/surface.ts";
import { openProject } from "../../project/load-project.ts";
import { derive } from "../../tasks/derive.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { operatorSettings, parseRelease } from "../platform-options.ts";
import { projectOptions, readFile } from "../task-options.ts";

/** `lockflow derive`: prints canonical SDL, like a snapshot, or JSON in the order of the server, and the assumed release. */
export async function runDerive(context: CommandContext, options: Options<"derive">): Promise<ExitCode> {
  if (options.style === undefined) {
    throw new UsageError({ sentence: "`lockflow derive` needs --style subgraph or --style multichain." });
  }
  const style = styles[options.style];
  const settings = operatorSettings(options, [{ name: style.name, settings: style.platform.settings }]);
  const [path = ""] = context.positionals;
  const defined = await findOwnOptions(context, path, style.name);
  const isAssumed = options.release === undefined;
  const release = isAssumed ? defined.release : parseRelease(options.release, [style]).release;
  const hint = "name the file of an entity schema.";
  const entities = await readFile(context.cwd, path, hint);
  const derived = await derive({
    ...defined,
    ...settings,
    style: style.name,
    release,
    entities,
    path,
  });
  // Redirected into a file, the output must be the exact text.
  context.asIs.out(options.json ? `${JSON.stringify(derived.introspection, null, 2)}\n` : derived.sdl);
  if (isAssumed) {
    const source = defined.release === undefined ? "the default" : "from the definition";
    context.err(`As ${derived.release} (${source}). Name another release with --release.\n`);
  }
  return 0;
}

/** Returns the options in the definition that names the file as its entities; defaults if there is none. */
async function findOwnOptions(
  context: CommandContext,
  path: string,
  style: StyleName,
): Promise<ReturnType<typeof resolveOwnOptions>> {
  const { root, definitions } = await openProject(projectOptions(context, { config: undefined }));
  const file = resolve(context.cwd, path);
  const owners = definitions.filter(({ entities }) => {
    const entityPath = entities[style];
    return entityPath !== undefined && resolve(root, entityPath) === file;
  });
  return resolveOwnOptions(
    owners.find(({ release }) => release[style] !== undefined) ?? owners[0],
    styles[style],
  );
}
