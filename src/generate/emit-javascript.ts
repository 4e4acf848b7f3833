import { createRequire } from "node:module";
import { posix } from "node:path";
import type * as TsMorph from "ts-morph";
import type { ts } from "ts-morph";
import type { OutputFile } from "../base/write-files.ts";
import { SELF_TYPES } from "./javascript-mark.ts";

/**
 * Emits a generated TypeScript module as an ES module of JavaScript and its declarations. Each module is emitted by
 * itself: what it exports says its own type, so that no other module and no type-check is needed.
 *
 * @param name the path of the module, without an extension.
 * @param text the module, which begins with the comments of its header.
 */
export function emitJavaScript(name: string, text: string): OutputFile[] {
  const { ts: compiler }: typeof TsMorph = createRequire(import.meta.url)("ts-morph");
  // A comment would go with the statement it stands before, which may be a type.
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
      throw new TypeError(`No JavaScript could be made of ${name}.ts: ${message}`);
    }
    return `${[header.trimEnd(), ...lines].join("\n")}\n${outputText}`;
  };
  const declarations = `./${posix.basename(name)}.d.ts`;
  return [
    {
      path: `${name}.js`,
      content: emit(compiler.transpileModule, {}, [
        `// ${SELF_TYPES}${JSON.stringify(declarations)}`,
        // A project that checks its own JavaScript finds all files of it, and the types of these are not in them.
        "// @ts-nocheck",
      ]),
    },
    {
      path: `${name}.d.ts`,
      content: emit(compiler.transpileDeclaration, { declaration: true, isolatedDeclarations: true }, []),
    },
  ];
}
