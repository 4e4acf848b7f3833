// `npm run mutants -- draw`: draws places in the code by seed and writes them, each with a small error, to
// `scripts/mutants.json`. `npm run mutants`: makes each error in turn and prints whether the tests of its room fail.
// Commit the places before tests are cut: the same ones must be noticed afterwards.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { createRandom } from "../emulator/dataset/rows/create-random.ts";

const PLACES = "scripts/mutants.json";
const COUNT = 30;

/** One line of a file, and the same line with an error. */
type Mutant = { readonly file: string; readonly line: string; readonly broken: string };

/** The suites that guard a room, by the beginning of a file's path. The longest beginning counts. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  "emulator/": ["test/emulator"],
  "packages/client/src/": ["test/client", "test/runtime"],
  "src/": ["test"],
  "src/ask/": ["test/ask", "test/cli"],
  "src/base/": ["test/base"],
  "src/cli/": ["test/cli"],
  "src/compare/": ["test/compare"],
  "src/dialects/": ["test/dialects"],
  "src/fleet/": ["test/fleet"],
  "src/generate/": ["test/generate"],
  "src/operations/": ["test/operations"],
  "src/port/": ["test/port", "test/cli"],
  "src/project/": ["test/project"],
  "src/report/": ["test/report"],
  "src/tasks/": ["test/tasks", "test/cli"],
  "src/workspace/": ["test/workspace"],
};

const OTHER_OPERATOR: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
};

if (process.argv[2] === "draw") draw(process.argv[3] ?? "1");
else run();

function draw(seed: string): void {
  const files = ["src", "emulator", "packages/client/src"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
    )
    .filter((file) => file.endsWith(".ts") && !file.includes("/templates/"))
    .sort();
  const mutants = files.flatMap(findMutants);
  const random = createRandom(seed);
  const drawn: Mutant[] = [];
  while (drawn.length < COUNT) {
    const mutant = mutants[random.int(0, mutants.length - 1)];
    if (mutant && !drawn.some(({ file }) => file === mutant.file)) drawn.push(mutant);
  }
  writeFileSync(PLACES, `${JSON.stringify(drawn, null, 2)}\n`);
}

function run(): void {
  const mutants = JSON.parse(readFileSync(PLACES, "utf8")) as readonly Mutant[];
  for (const mutant of mutants)
    process.stdout.write(`${judge(mutant)}  ${mutant.file}: ${mutant.broken.trim()}\n`);
}

function judge({ file, line, broken }: Mutant): "noticed" | "missed " | "gone   " {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (text.split("\n").filter((other) => other === line).length !== 1) return "gone   ";
  writeFileSync(
    file,
    text.replace(line, () => broken),
  );
  try {
    const [room = ""] = Object.keys(SUITES)
      .filter((start) => file.startsWith(start))
      .sort((a, b) => b.length - a.length);
    const suites = SUITES[room] ?? [];
    const { status } = spawnSync("npx", ["vitest", "run", "--bail=1", ...suites], { stdio: "ignore" });
    return status === 0 ? "missed " : "noticed";
  } finally {
    writeFileSync(file, text);
  }
}

/** All errors that this script can make in a file, in lines that occur once. */
function findMutants(file: string): readonly Mutant[] {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  visit(source);
  return mutants;

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    for (const [place, replacement] of breakNode(node)) add(place, replacement);
    ts.forEachChild(node, visit);
  }

  function add(place: ts.Node, replacement: string): void {
    const start = source.getLineAndCharacterOfPosition(place.getStart());
    const end = source.getLineAndCharacterOfPosition(place.end);
    const line = lines[start.line] ?? "";
    if (start.line !== end.line || lines.filter((other) => other === line).length !== 1) return;
    mutants.push({
      file,
      line,
      broken: line.slice(0, start.character) + replacement + line.slice(end.character),
    });
  }
}

function* breakNode(node: ts.Node): Generator<readonly [ts.Node, string]> {
  if (ts.isBinaryExpression(node)) {
    const other = OTHER_OPERATOR[node.operatorToken.getText()];
    if (other !== undefined && !ts.isStringLiteralLike(node.right)) yield [node.operatorToken, other];
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    yield [node, node.operand.getText()];
  } else if (ts.isConditionalExpression(node)) {
    yield [node.condition, `!(${node.condition.getText()})`];
  } else if (ts.isIfStatement(node)) {
    yield [node.expression, `!(${node.expression.getText()})`];
  } else if (ts.isNumericLiteral(node)) {
    yield [node, String(Number(node.text.replaceAll("_", "")) + 1)];
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) {
    yield [node, "false"];
  } else if (node.kind === ts.SyntaxKind.FalseKeyword) {
    yield [node, "true"];
  }
}
