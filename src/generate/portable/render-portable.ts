import { FORMAT } from "../../../packages/client/src/client/portable-operation.ts";
import { compareCodeUnits, findNamed, sortByName } from "../../base/collections.ts";
import type { OutputFile } from "../../base/output-file.ts";
import { quote, typescriptLiteral } from "../../base/text.ts";
import { type ImportExtension, STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";
import { type CompiledOperation, hasText } from "../../operations/portable/compiled-operation.ts";
import { renderHeader } from "../format-files.ts";
import { testingPath } from "../render-testing.ts";
import { authoredDescription } from "../schema-docs.ts";
import { freeName, resultName } from "../type-names.ts";
import { docComment, renderTypeDeclarations } from "../type-tree.ts";
import {
  declarePortableTypes,
  type PortableNames,
  type PortableSource,
  type PortableTypes,
  renderConstant,
  typedStyle,
} from "./declare-portable-types.ts";
import { answerFunction, mapFunction, normalizeFunction, renderReaders } from "./portable-operation.ts";
import { digestOf, portableMembers } from "./portable-plan.ts";
import {
  columnsOf,
  renderDecoder,
  renderSharedColumns,
  type SharedColumns,
  shareColumns,
} from "./render-decoder.ts";
import { renderTables } from "./render-tables.ts";
import { chainReaders, variableReaders } from "./variable-readers.ts";

/** Returns the path of the portable operations of a protocol, from the output folder. */
export function portablePath(protocol: string): string {
  return `${protocol}/portable.ts`;
}

/** Returns the paths of the portable operations of a protocol: with texts, for pages behind a proxy, and for tests. */
export function portablePaths(protocol: string): readonly string[] {
  return [portablePath(protocol), `${protocol}/proxied.ts`, testingPath(protocol)];
}

/**
 * Renders the portable operations of a protocol for pages behind a proxy, without texts and readers: the constants shadow those
 * of the module with texts, from which everything else is exported.
 */
export function renderProxiedOperations(
  compiled: readonly CompiledOperation[],
  source: PortableSource,
  extension: ImportExtension = ".js",
): OutputFile {
  const operations = sortByName(compiled);
  const { protocol } = source.documents.subgraph.set;
  const { names } = declarePortableTypes(operations, source);
  const module = `./portable${extension}`;
  const type = names.taken("Proxied");
  const header = `${renderHeader(` from the portable operations of ${protocol}`)}
${importLine("import type", [["Proxied", type]], `../proxied${extension}`)}
import type * as portable from "${module}";

/** Everything else: types, decoders and tables of filters. */
export * from "${module}";
`;
  const constants = operations.map((operation) => renderProxiedOperation(operation, source, names));
  return { path: `${protocol}/proxied.ts`, content: [header, ...constants].join("\n") };
}

/** Renders the portable operations of a protocol: a constant for each, its variables, and the tables that map filters. */
export function renderPortable(
  compiled: readonly CompiledOperation[],
  source: PortableSource,
  extension: ImportExtension = ".js",
): OutputFile {
  const operations = sortByName(compiled);
  const { protocol } = source.documents.subgraph.set;
  const types = declarePortableTypes(operations, source);
  const tables = renderTables(operations, types);
  const shared = shareColumns(operations, types.names);
  const constants = operations.map((operation) => renderOperation(operation, source, { types, shared }));
  const header = renderHeader(` from the portable operations of ${protocol}`);
  const sections = [
    [header, ...renderImports(operations, { ...source, extension }, types), ""].join("\n"),
    renderTypeDeclarations(types.declarations),
    ...tables,
    renderSharedColumns(shared),
    ...constants,
  ];
  return { path: portablePath(protocol), content: sections.filter((text) => text !== "").join("\n") };
}

function renderImports(
  operations: readonly CompiledOperation[],
  { documents, styles: deployed, extension }: PortableSource & { readonly extension: ImportExtension },
  types: PortableTypes,
): string[] {
  const { names, imports, taken, rows } = types;
  const lines = [...imports];
  for (const style of deployed) {
    const strings = operations
      .filter((operation) => hasText(operation, style))
      .map(({ name }): Renamed => [`${name}Document`, textName(name, style, names)]);
    lines.push(importLine("import", strings, `./${style}.strings${extension}`));
  }
  const results = documents.subgraph.set.operations
    .filter(({ name }) => findNamed(operations, name))
    .map((operation): Renamed => [resultName(operation), names.imported(resultName(operation))]);
  const typed = typedStyle(deployed);
  for (const style of deployed) {
    const used = [...(style === typed ? results : []), ...taken[style]];
    lines.push(importLine("import type", used, `./${style}${extension}`));
  }
  // Without operations, this import makes the file a module.
  names.clientType("PortableOperation");
  lines.push(importLine("import type", names.client.types, `../client${extension}`));
  lines.push(importLine("import", names.client.functions, `../client${extension}`));
  const isTaken = (name: string) => findNamed(operations, name) !== undefined;
  const exported = rows.map((row): Renamed => [row, freeName(row, isTaken)]);
  lines.push(importLine("export type", exported, `./${typed}${extension}`));
  return lines.filter((line) => line !== "");
}

type Renamed = readonly [name: string, local: string];

function importLine(word: string, names: Iterable<Renamed>, module: string): string {
  const members = [...names]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([name, local]) => (name === local ? name : `${name} as ${local}`));
  if (members.length === 0) return "";
  const list =
    members.length === 1 ? `{ ${members[0]} }` : `{\n${members.map((member) => `  ${member},\n`).join("")}}`;
  return `${word} ${list} from "${module}";`;
}

function textName(operation: string, style: StyleName, { value }: PortableNames): string {
  return value(`${operation}_${style}`);
}

/** Renders a literal of imported constants. It has no call, spread or getter, so that bundlers drop it if unused. */
function renderOperation(
  compiled: CompiledOperation,
  source: PortableSource,
  { types, shared }: { readonly types: PortableTypes; readonly shared: SharedColumns },
): string {
  const { styles: deployed } = source;
  const { name, facts, documents } = compiled;
  const { subgraph } = source.documents;
  const { names } = types;
  const operation = findNamed(subgraph.set.operations, name);
  if (!operation) throw new TypeError(`The operation "${name}" is on no surface.`);
  const texts = STYLE_NAMES.map((style) =>
    deployed.includes(style) && hasText(compiled, style) ? textName(name, style, names) : '""',
  );
  const reason = facts.unmerged === null ? "" : `: ${facts.unmerged}`;
  const kind = facts.page ? "pages" : facts.list ? "list" : `one${reason}`;
  const parameters = [
    quote(subgraph.set.protocol),
    names.imported(resultName(operation)),
    names.variables(name),
    quote(kind),
    `typeof ${columnsOf(name, names)}`,
  ];
  const chainInId = facts.chainOf === null ? "" : ` & ${names.clientType("ChainInId")}`;
  const type = `${names.clientType("PortableOperation")}<${parameters.join(", ")}>${chainInId}`;
  const doc = docComment(authoredDescription(documents.subgraph.node), "");
  const value = renderPlan(compiled, source, { types, texts });
  const decoder = renderDecoder(operation, facts.columns, { names, shared });
  return `${doc}${renderConstant(name, names, { type, value })}${decoder}`;
}

function renderProxiedOperation(
  compiled: CompiledOperation,
  source: PortableSource,
  names: PortableNames,
): string {
  const { name, facts, documents } = compiled;
  const doc = docComment(authoredDescription(documents.subgraph.node), "");
  const not = refusedOn(compiled, source);
  const value = typescriptLiteral({
    name,
    protocol: source.documents.subgraph.set.protocol,
    digest: digestOf(compiled),
    ...(Object.keys(not).length > 0 && { not }),
    ...(facts.chainOf && { chainOf: true }),
  });
  return `${doc}${renderConstant(name, names, { type: `${names.taken("Proxied")}<typeof portable.${name}>`, value })}`;
}

/** Returns the chains whose indexers refuse an operation, by style. */
function refusedOn(
  { name }: CompiledOperation,
  { coverage }: PortableSource,
): Readonly<Record<string, readonly string[]>> {
  const rows = STYLE_NAMES.flatMap((style) => {
    const chains = coverage[style].find((operation) => operation.operation === name)?.missing ?? [];
    return chains.length > 0 ? [[style, chains] as const] : [];
  });
  return Object.fromEntries(rows);
}

/** Renders the literal of an operation with expressions for its texts, in the order of the styles. */
function renderPlan(
  compiled: CompiledOperation,
  source: PortableSource,
  { types, texts }: { readonly types: PortableTypes; readonly texts: readonly string[] },
): string {
  const { name, facts } = compiled;
  const code = {
    variables: renderReaders(variableReaders(compiled), types),
    chainIds: renderReaders(chainReaders(compiled), types),
    map: mapFunction(facts, types),
    answer: answerFunction(facts, types),
    normalize: normalizeFunction(facts, types),
    rest: facts.page && types.names.clientFunction("readRest"),
  };
  const members = portableMembers(compiled, code, refusedOn(compiled, source));
  const lines = [
    `format: ${FORMAT}`,
    `name: ${quote(name)}`,
    `protocol: ${quote(source.documents.subgraph.set.protocol)}`,
    ...STYLE_NAMES.map((style, index) => `${style}: ${texts[index]}`),
    ...members.map(([key, value]) => {
      return `${key}: ${key in code ? value : typescriptLiteral(value)}`;
    }),
  ];
  return `{\n${lines.map((line) => `  ${line},\n`).join("")}}`;
}
