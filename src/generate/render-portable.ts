import { compareCodeUnits, sortByName } from "../base/compare-code-units.ts";
import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import { docComment } from "../base/doc-comment.ts";
import { findNamed } from "../base/find-named.ts";
import type { CompiledOperation } from "../portable/compiled-operation.ts";
import { STYLE_NAMES, type StyleName } from "../project/vocabulary.ts";
import { declarePortableTypes, type PortableSource, type PortableTypes } from "./declare-portable-types.ts";
import { portableMembers } from "./portable-members.ts";
import type { PortableNames } from "./portable-names.ts";
import { mapFunction, renderTables } from "./portable-tables.ts";
import { renderTypeDeclarations } from "./render-type-declarations.ts";
import { authoredDescription } from "./schema-docs.ts";
import { resultName } from "./type-names.ts";
import { quote, typescriptLiteral } from "./typescript-literal.ts";

/** Where the portable operations of a protocol are, from the output folder. */
export function portablePath(protocol: string): string {
  return `${protocol}/portable.ts`;
}

/** Renders the portable operations of a protocol: a constant for each, its variables, and the tables that map filters. */
export function renderPortable(compiled: readonly CompiledOperation[], source: PortableSource): OutputFile {
  const operations = sortByName(compiled);
  const { protocol } = source.documents.subgraph.set;
  const types = declarePortableTypes(operations, source);
  const tables = renderTables(operations, types);
  const constants = operations.map((operation) => renderConstant(operation, source, types));
  const header = `// ${GENERATED_MARK} from the portable operations of ${protocol}. Do not edit; run \`lockflow generate\`.`;
  const sections = [
    [header, ...renderImports(operations, tables.length > 0, source, types), ""].join("\n"),
    renderTypeDeclarations(types.declarations),
    ...tables,
    ...constants,
  ];
  return { path: portablePath(protocol), content: sections.filter((text) => text !== "").join("\n") };
}

function renderImports(
  operations: readonly CompiledOperation[],
  hasTables: boolean,
  { documents }: PortableSource,
  { names, imports, taken }: PortableTypes,
): string[] {
  const lines = [...imports];
  for (const style of STYLE_NAMES) {
    const strings = operations.map(({ name }): Renamed => [`${name}Document`, textName(name, style, names)]);
    lines.push(importLine("import", strings, `./${style}.strings.js`));
  }
  const results = documents.subgraph.set.operations
    .filter(({ name }) => findNamed(operations, name))
    .map((operation): Renamed => [resultName(operation), names.imported(resultName(operation))]);
  const typesOf = { multichain: taken.multichain, subgraph: new Map([...results, ...taken.subgraph]) };
  for (const style of STYLE_NAMES)
    lines.push(importLine("import type", [...typesOf[style]], `./${style}.js`));
  const client = ["PortableOperation", ...(hasTables ? ["FilterTable", "Columns"] : [])];
  lines.push(
    importLine(
      "import type",
      client.map((name) => [name, names.taken(name)]),
      "../client.js",
    ),
  );
  const functions = [
    ...(operations.some(({ facts }) => facts.filters.length > 0) ? ["mapFilter"] : []),
    ...(operations.some(({ facts }) => facts.orders.length > 0) ? ["mapOrder"] : []),
  ];
  lines.push(
    importLine(
      "import",
      functions.map((name) => [name, names.value(name)]),
      "../client.js",
    ),
  );
  return lines.filter((line) => line !== "");
}

type Renamed = readonly [name: string, local: string];

function importLine(word: string, names: readonly Renamed[], module: string): string {
  const members = [...names]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([name, local]) => (name === local ? name : `${name} as ${local}`));
  if (members.length === 0) return "";
  const list =
    members.length === 1 ? `{ ${members[0]} }` : `{\n${members.map((member) => `  ${member},\n`).join("")}}`;
  return `${word} ${list} from "${module}";`;
}

/** What the text of an operation is called here. */
function textName(operation: string, style: StyleName, { value }: PortableNames): string {
  return value(`${operation}_${style}`);
}

/** A literal of imported constants: no call, no spread, no getter, so that bundlers drop what is not used. */
function renderConstant(
  { name, facts, documents }: CompiledOperation,
  { documents: { subgraph }, coverage }: PortableSource,
  types: PortableTypes,
): string {
  const { names } = types;
  const operation = findNamed(subgraph.set.operations, name);
  if (!operation) throw new TypeError(`The operation "${name}" is on no surface.`);
  const not = STYLE_NAMES.flatMap((style) => {
    const chains = coverage[style].find((one) => one.operation === name)?.missing ?? [];
    return chains.length > 0 ? [[style, chains] as const] : [];
  });
  const members = portableMembers(facts, mapFunction(facts, types), Object.fromEntries(not));
  const lines = members.map(
    ([key, value]) => `  ${key}: ${key === "map" ? value : typescriptLiteral(value)},\n`,
  );
  const own = [
    `  name: ${quote(name)},\n`,
    `  protocol: ${quote(subgraph.set.protocol)},\n`,
    ...STYLE_NAMES.map((style) => `  ${style}: ${textName(name, style, names)},\n`),
  ];
  const kind = facts.page ? "pages" : facts.list ? "list" : "one";
  const parameters = [
    quote(subgraph.set.protocol),
    names.imported(resultName(operation)),
    names.variables(name),
    quote(kind),
  ];
  const type = `${names.taken("PortableOperation")}<${parameters.join(", ")}>`;
  const doc = docComment(authoredDescription(documents.subgraph.node), "");
  const constant = names.constant(name);
  const isOwn = constant === name;
  const statement = `${doc}${isOwn ? "export " : ""}const ${constant}: ${type} = {\n${[...own, ...lines].join("")}};\n`;
  return isOwn ? statement : `${statement}export { ${constant} as ${name} };\n`;
}
