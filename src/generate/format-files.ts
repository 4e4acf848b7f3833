import { GENERATED_MARK, type OutputFile } from "../base/write-files.ts";
import type { Format } from "../dialects/surface.ts";

/**
 * Renders the first lines of a generated module. Its users' linters and formatters leave the module alone; Prettier, which
 * has no comment for that, reads `.prettierignore`.
 *
 * @param source what the module is generated from, as in " from the definition of lockup"; empty for nothing of the project's.
 */
export function renderHeader(source: string): string {
  return [
    "/* eslint-disable */",
    "// biome-ignore-all lint format assist: generated",
    `// ${GENERATED_MARK}${source}. Do not edit; run \`lockflow generate\`.`,
  ].join("\n");
}

/** The paths of what a TypeScript module is written as: its own, or those of the JavaScript and its declarations. */
export function formatPaths(format: Format, path: string): string[] {
  const name = moduleName(path);
  return format === "ts" || name === null ? [path] : [`${name}.js`, `${name}.d.ts`];
}

/** The modules in the format of a project; other files stay as they are. Only JavaScript loads what emits it. */
export async function inFormat(format: Format, files: readonly OutputFile[]): Promise<OutputFile[]> {
  if (format === "ts") return [...files];
  const { emitJavaScript } = await import("./emit-javascript.ts");
  return files.flatMap((file) => {
    const name = moduleName(file.path);
    if (name === null) return [file];
    const known = emitted.get(name);
    if (known?.from === file.content) return known.files;
    const files = emitJavaScript(name, file.content);
    emitted.set(name, { from: file.content, files });
    return files;
  });
}

/** What was emitted last for each module. Its text alone decides it, so it serves every project and run of a process. */
const emitted = new Map<string, { readonly from: string; readonly files: readonly OutputFile[] }>();

/** The path of a TypeScript module without its extension; null of another file. */
function moduleName(path: string): string | null {
  return path.endsWith(".ts") ? path.slice(0, -".ts".length) : null;
}
