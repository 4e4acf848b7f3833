import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { REPOSITORY } from "../repository.ts";
import type { Block } from "./parse-markdown.ts";

/** What a block may import as if it lay in the repository, or in a folder of it. */
const REACHABLE = [
  "emulator",
  "examples",
  "generated",
  "node_modules",
  "operations",
  "scripts",
  "src",
  "test",
];

const ENTRIES = {
  lockflow: ["src/index.ts"],
  "lockflow/codegen": ["src/codegen.ts"],
  "lockflow/emulator": ["emulator/index.ts"],
  "lockflow-operations/*": ["generated/*.ts"],
};

/** Type-checks blocks together, each as a module of its own, with the settings of the project. */
export function checkTypeScript(blocks: readonly Block[]): string[] {
  if (blocks.length === 0) return [];
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lockflow docs ")));
  try {
    const folder = join(root, "blocks");
    mkdirSync(folder);
    writeFileSync(join(root, "package.json"), '{ "type": "module" }');
    for (const name of REACHABLE) {
      for (const place of [root, folder]) symlinkSync(join(REPOSITORY, name), join(place, name));
    }
    const byFile = new Map(blocks.map((block, index) => [join(folder, `${index}.ts`), block]));
    for (const [file, { code, line, before = "" }] of byFile) {
      // The empty lines give the code the line numbers it has in its document.
      writeFileSync(file, `${before}${"\n".repeat(line - 1)}${code}\nexport {};\n`);
    }
    const program = ts.createProgram([...byFile.keys()], OPTIONS, createHost());
    return [...byFile].flatMap(([file, block]) => {
      const source = program.getSourceFile(file);
      const diagnostics = [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
      ];
      return diagnostics
        .filter((diagnostic) => !isForeignPackage(diagnostic))
        .map((diagnostic) => {
          const line = source?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
          return `${block.path}:${line + 1} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, " ")}`;
        });
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const OPTIONS = compilerOptions();

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(REPOSITORY, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, files: [], include: [] },
    ts.sys,
    REPOSITORY,
  );
  return {
    ...options,
    baseUrl: REPOSITORY,
    paths: ENTRIES,
    // An example shows what can be had, and need not use it.
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
}

/** Files of the repository are parsed once for all checks: that is what takes the time. */
const parsed = new Map<string, ts.SourceFile | undefined>();

function createHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) => {
    if (!path.startsWith(`${REPOSITORY}/`)) return getSourceFile(path, ...rest);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  return host;
}

/** Whether all that is wrong is that somebody else's package is not installed here: its exports are unknown then. */
function isForeignPackage({ code, messageText }: ts.Diagnostic): boolean {
  const name = /module '([^']+)'/.exec(ts.flattenDiagnosticMessageText(messageText, " "))?.[1] ?? "";
  return code === 2307 && /^(@[\w-]+\/)?[\w-]+/.test(name) && !/^lockflow\b/.test(name);
}
