import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseDocument } from "yaml";
import { REPOSITORY } from "../repository.ts";
import { checkCommands, checkMention, SCRIPTS, type Scripts } from "./check-commands.ts";
import { checkGraphql } from "./check-graphql.ts";
import { checkTypeScript } from "./check-typescript.ts";
import { type Block, type Markdown, parseMarkdown } from "./parse-markdown.ts";
import { readExamples } from "./read-examples.ts";

/**
 * Checks Markdown files by what they show, and sources by the examples in their comments.
 *
 * @param files their texts by path from the folder of the repository.
 * @param compiles whether to type-check the code as well, which takes a compiler seconds.
 * @returns a line for every problem: `README.md:12 There is no command "chekc".`
 */
export function checkDocs(files: Readonly<Record<string, string>>, compiles: boolean): string[] {
  const documents = Object.entries(files)
    .filter(([path]) => path.endsWith(".md"))
    .map(([path, text]) => parseMarkdown(path, text));
  const sources = Object.entries(files)
    .filter(([path, text]) => path.endsWith(".ts") && text.includes("@example"))
    .map(([path, text]) => readExamples(path, text));
  const blocks = [...documents, ...sources].flatMap((file) => file.blocks);
  return [
    ...documents.flatMap((document) => checkDocument(document)),
    ...sources.flatMap(({ problems }) => problems),
    ...(compiles
      ? checkTypeScript(blocks.filter(({ language }) => ["ts", "tsx", "js"].includes(language)))
      : []),
  ];
}

function checkDocument(document: Markdown): string[] {
  const scripts: Scripts = Object.assign({}, SCRIPTS, ...document.blocks.flatMap(scriptsOf));
  return [
    ...document.unclosed.map((line) => `${document.path}:${line} A block begins here and does not end.`),
    ...document.blocks.flatMap((block) => {
      const check = CHECKS[block.language];
      return check
        ? check(block, scripts)
        : [`${block.path}:${block.line - 1} Unchecked language of a block: "${block.language}".`];
    }),
    ...document.codeSpans.flatMap((piece) => checkMention(piece, scripts)),
    ...document.links.flatMap(({ path, line, text }) =>
      checkLink(document, text).map((problem) => `${path}:${line} ${problem}`),
    ),
  ];
}

const CHECKS: Readonly<Record<string, (block: Block, scripts: Scripts) => string[]>> = {
  graphql: checkGraphql,
  json: checkJson,
  yaml: checkYaml,
  sh: checkCommands,
  console: checkCommands,
  // Checked together, because that is what takes the time.
  ...unchecked("ts", "tsx", "js"),
  // Parts of an application, which test/migrate.test.ts compiles, and queries that test/docs-warehouse.test.ts runs.
  ...unchecked("typescript", "sql"),
  // Drawings, tables and what a program prints. A script draws diagrams, and a test compares them.
  ...unchecked("text", "diff", "mermaid"),
};

function unchecked(...languages: readonly string[]) {
  return Object.fromEntries(languages.map((language) => [language, () => []]));
}

function checkJson({ path, line, code }: Block): string[] {
  try {
    JSON.parse(code);
    return [];
  } catch (error) {
    return [`${path}:${line} ${(error as Error).message}`];
  }
}

function checkYaml(block: Block, scripts: Scripts): string[] {
  const { errors } = parseDocument(block.code, { prettyErrors: false });
  return [
    ...errors.map(({ message, pos: [at] }) => {
      const line = block.line - 1 + block.code.slice(0, at).split("\n").length;
      return `${block.path}:${line} ${message}`;
    }),
    ...checkCommands(block, scripts),
  ];
}

/** The scripts of a package.json and the files (`// rows.mjs`) that the document shows: its commands may run them. */
function scriptsOf({ language, code }: Block): Scripts[] {
  const file = /^\/\/ (\S+\.[cm]?[jt]s)\n/.exec(code)?.[1];
  if (file !== undefined) return [{ [file]: "" }];
  if (language !== "json") return [];
  try {
    const value: { readonly scripts?: Scripts } | null = JSON.parse(code);
    return value?.scripts ? [value.scripts] : [];
  } catch {
    return [];
  }
}

function checkLink(document: Markdown, target: string): string[] {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? document.path : posix.join(posix.dirname(document.path), decodeURI(file));
  if (file !== "" && !existsSync(join(REPOSITORY, path))) return [`There is no file "${target}".`];
  if (anchor === undefined || !path.endsWith(".md")) return [];
  const { anchors } =
    file === "" ? document : parseMarkdown(path, readFileSync(join(REPOSITORY, path), "utf8"));
  return anchors.includes(anchor) ? [] : [`There is no heading "#${anchor}" in ${path}.`];
}
