import { createRequire } from "node:module";
import { posix } from "node:path";
import type * as TsMorph from "ts-morph";
import type { ts } from "ts-morph";
import { GENERATED_MARK, type OutputFile } from "../base/output-file.ts";
import type { Format } from "../dialects/surface.ts";

/**
 * Renders the first lines of a generated module. Linters and formatters skip the module; Prettier has no comment for
 * that and reads `.prettierignore`.
 *
 * @param source the source of the module, as in " from the definition of lockup"; empty if it does not depend on the project.
 */
export function renderHeader(source: string): string {
  return [
    "/* eslint-disable */",
    "// biome-ignore-all lint format assist: generated",
    `// ${GENERATED_MARK}${source}. Do not edit; run \`lockflow generate\`.`,
  ].join("\n");
}

/** Returns the paths of a module in a format: TypeScript, or JavaScript with declarations. */
export function formatPaths(format: Format, path: string): string[] {
  const name = moduleName(path);
  return format === "ts" || name === null ? [path] : [`${name}.js`, `${name}.d.ts`];
}

/** Converts modules to the format of a project; other files stay as they are. Loads the compiler only for JavaScript. */
export function inFormat(format: Format, files: readonly OutputFile[]): OutputFile[] {
  if (format === "ts") return [...files];
  return files.flatMap((file) => {
    const name = moduleName(file.path);
    if (name === null) return [file];
    const earlier = emitted.get(name);
    if (earlier?.from === file.content) return earlier.files;
    const files = emitJavaScript(name, file.content);
    emitted.set(name, { from: file.content, files });
    return files;
  });
}

/** The last output for each module. It depends only on the module's text, so all projects and runs of a process share it. */
const emitted = new Map<string, { readonly from: string; readonly files: readonly OutputFile[] }>();

function moduleName(path: string): string | null {
  return path.endsWith(".ts") ? path.slice(0, -".ts".length) : null;
}

/**
 * Emits a generated TypeScript module as an ES module of JavaScript and its declarations. All exports have explicit types,
 * so each module is emitted alone, without a type-check.
 *
 * @param name the path of the module, without an extension.
 * @param text the module, which begins with the comments of its header.
 */
export function emitJavaScript(name: string, text: string): OutputFile[] {
  const { ts: compiler }: typeof TsMorph = createRequire(import.meta.url)("ts-morph");
  // The compiler removes a comment together with the type below it.
  const [header = ""] = /^(?:\/\*.*\*\/\n)?(?:\/\/.*\n)+/.exec(text) ?? [];
  const body = text.slice(header.length);
  const emit = (
    transpile: typeof ts.transpileModule,
    compilerOptions: ts.CompilerOptions,
    lines: readonly string[],
  ) => {
    const { outputText, diagnostics = [] } = transpile(body, {
      fileName: `${name}.ts`,
      reportDiagnostics: true,
      compilerOptions: {
        ...compilerOptions,
        strict: true,
        target: compiler.ScriptTarget.ES2022,
        module: compiler.ModuleKind.ESNext,
        newLine: compiler.NewLineKind.LineFeed,
        verbatimModuleSyntax: true,
      },
    });
    const [first] = diagnostics;
    if (first) {
      const message = compiler.flattenDiagnosticMessageText(first.messageText, " ");
      throw new TypeError(`${name}.ts cannot be compiled to JavaScript: ${message}`);
    }
    return `${[header.trimEnd(), ...lines].join("\n")}\n${outputText}`;
  };
  const declarations = `./${posix.basename(name)}.d.ts`;
  return [
    {
      path: `${name}.js`,
      content: emit(compiler.transpileModule, {}, [
        `// ${SELF_TYPES}${JSON.stringify(declarations)}`,
        // Projects with `checkJs` would check this file, whose types are in the declarations.
        "// @ts-nocheck",
      ]),
    },
    {
      path: `${name}.d.ts`,
      content: emit(compiler.transpileDeclaration, { declaration: true, isolatedDeclarations: true }, []),
    },
  ];
}

/**
 * The beginning of the line after the header of generated JavaScript. It names the declarations for Deno. A compiler's output
 * of Lockflow's TypeScript has the same header, but not this line.
 */
export const SELF_TYPES = "@ts-self-types=";
