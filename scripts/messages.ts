// `npm run messages`: prints every message that a user can see, with sample facts, so that they can be read in one list.
// `npm run messages -- src/tasks` prints those of one folder.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { Node, Project } from "ts-morph";
import { COMMANDS } from "../src/cli/commands.ts";
import { renderCommandHelp, renderHelp } from "../src/cli/help.ts";
import { readExplanations, renderExplanation } from "../src/report/explanations.ts";

const SOURCES = [
  "src",
  "emulator",
  "packages/client/src",
  "packages/report-page/src",
  "packages/graph-node/src",
];

/** Sample facts, by the last word of an expression: `deployment.chain.key` is shown as `base`. */
const SAMPLES: Readonly<Record<string, string>> = {
  chain: "base",
  command: "check",
  count: "3",
  deployment: "lockup/subgraph/base",
  file: "operations/lockup/portable/streams.graphql",
  flag: "--style",
  host: "example.com",
  key: "base",
  length: "3",
  name: "StreamsBySender",
  path: "generated/lockup/subgraph.ts",
  protocol: "lockup",
  release: "0.44.0",
  size: "3",
  style: "subgraph",
  surface: "lockup/subgraph",
  text: "abc",
  type: "BigInt",
  url: "https://example.com/graphql",
  variable: "LOCKFLOW_API_KEY",
};

const [only] = process.argv.slice(2);
if (only === undefined) {
  print("help", renderHelp());
  for (const command of COMMANDS) print(`help of ${command.name}`, renderCommandHelp(command));
  for (const code of readExplanations().keys()) print(`explain ${code}`, renderExplanation(code) ?? "");
}
for (const { path, lines } of readMessages(only === undefined ? SOURCES : [only]))
  print(path, lines.join("\n"));
if (only === undefined || only.startsWith("src/tasks")) {
  const templates = ["env.example", "lockflow.config.ts", "workflow.yml"];
  for (const name of templates) print(name, readFileSync(`src/tasks/init/templates/${name}`, "utf8"));
}

function print(title: string, text: string): void {
  process.stdout.write(`== ${title}\n${text.trimEnd()}\n\n`);
}

/** Returns the texts of at least three words in the code below some folders, by file. */
function readMessages(folders: readonly string[]): { path: string; lines: string[] }[] {
  const project = new Project({ skipAddingFilesFromTsConfig: true });
  project.addSourceFilesAtPaths(
    folders.flatMap((folder) => [`${folder}/**/*.ts`, `!${folder}/**/templates/**`]),
  );
  return project.getSourceFiles().flatMap((file) => {
    const texts = file.getDescendants().filter((node) => isText(node) && !isPartOfText(node));
    const lines = texts
      .map((node) => ({ line: node.getStartLineNumber(), text: renderNode(node) }))
      .filter(({ text }) => /\p{L}{2,}[ ,.:"`']+\p{L}+[ ,.:"`']+\p{L}{2,}/u.test(text))
      .map(({ line, text }) => `${line}: ${text.trim()}`);
    return lines.length === 0 ? [] : [{ path: relative(".", file.getFilePath()), lines }];
  });
}

function isText(node: Node): boolean {
  if (Node.isStringLiteral(node)) return !Node.isImportDeclaration(node.getParent());
  return Node.isTemplateExpression(node) || Node.isNoSubstitutionTemplateLiteral(node);
}

/** A text inside the expression of a template is printed with that template. */
function isPartOfText(node: Node): boolean {
  return node.getFirstAncestor((parent) => Node.isTemplateExpression(parent)) !== undefined;
}

/** Renders an expression as a user would see its value. */
function renderNode(node: Node): string {
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) return node.getLiteralText();
  if (Node.isTemplateExpression(node)) {
    const spans = node
      .getTemplateSpans()
      .map((span) => renderNode(span.getExpression()) + span.getLiteral().getLiteralText());
    return node.getHead().getLiteralText() + spans.join("");
  }
  if (Node.isConditionalExpression(node)) {
    return `{${renderNode(node.getWhenTrue())}|${renderNode(node.getWhenFalse())}}`;
  }
  if (Node.isParenthesizedExpression(node)) return renderNode(node.getExpression());
  const words = node.getText().match(/\w+/g) ?? [];
  const sample = words.findLast((word) => SAMPLES[word.toLowerCase()] !== undefined)?.toLowerCase();
  return (
    (sample === undefined ? undefined : SAMPLES[sample]) ?? `<${node.getText().replaceAll(/\s+/g, " ")}>`
  );
}
