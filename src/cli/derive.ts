import { resolve } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { FileError } from "../base/errors/file-error.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { loadEmulator } from "../load-emulator.ts";
import { STYLE_NAMES } from "../project/vocabulary.ts";
import { buildIntrospection } from "../schema/build-introspection.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { parseEntities } from "../schema/parse-entities.ts";
import { renderSdl } from "../schema/render-sdl.ts";
import { styles } from "../styles/index.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { choiceOption } from "./options.ts";
import { releaseOption } from "./release-option.ts";
import { settingsOptions } from "./settings-options.ts";

/** `lockflow derive`: the SDL it prints is canonical, as a snapshot is; the JSON is in the server's order. */
export async function runDerive(context: CommandContext): Promise<ExitCode> {
  const name = choiceOption(context, "style", STYLE_NAMES);
  if (name === undefined) {
    throw new UsageError({ sentence: "`lockflow derive` needs --style subgraph or --style multichain." });
  }
  const style = styles[name];
  const options = { ...settingsOptions(context, [style]), release: releaseOption(context, style) };
  const path = context.positional ?? "";
  const text = await readText(resolve(context.cwd, path));
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `There is no file "${path}".`,
      hint: "name the entity schema the API is to be derived from.",
    });
  }
  const { servedStyles } = await loadEmulator();
  await servedStyles[name].validate(text, path, options);
  const schema = style.derive(parseEntities(text, path, style.readBlockString), options);
  // What is made into a file has to be that file.
  context.asIs.out(
    context.options["json"] === true
      ? `${JSON.stringify(buildIntrospection(schema), null, 2)}\n`
      : renderSdl(canonicalize(schema)),
  );
  return 0;
}
