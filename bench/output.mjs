// Counts the cost of importing generated documents, compared with peers on the same operations: bytes in a bundle and
// instantiations in the type-checker. The counts are exact, so nothing is repeated and nothing has to be built.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { generate } from "@graphql-codegen/cli";
import { build } from "esbuild";
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  Kind,
  parse,
  print,
  typeFromAST,
  visit,
} from "graphql";
import gqlTag from "graphql-tag";
import { rolldown } from "rolldown";
import { writeDocuments } from "./write-documents.mjs";

// Both protocols have a fragment StreamFields.
gqlTag.disableFragmentWarnings();

const STRING_LIMIT = 130;
/** A document alone has a constant for each part that it shares with others. */
const NODE_LIMIT = 1;
const ALL_NODES_LIMIT = 0.45;
const PRESET_LIMIT = 0.8;
const TADA_LIMIT = 0.01;
const COMPILERS = {
  5.9: ["node_modules/typescript/bin/tsc"],
  "6.0": ["node_modules/typescript-6/bin/tsc"],
  // Parallel checkers do some of the work twice.
  "7.0": ["node_modules/typescript-7/bin/tsc", "--singleThreaded"],
};
/** The types of scalars, as ours have them. */
const SCALARS = {
  ID: "string",
  BigInt: "string",
  Bytes: { input: "string", output: "`0x${string}`" },
  numeric: "string",
  timestamptz: "string",
  actioncategory: "string",
  streamcategory: "string",
};
/** The variants of the client preset: documents as nodes, with and without masked fragments, and as strings. */
const PRESETS = {
  nodes: { presetConfig: { fragmentMasking: false } },
  masked: { presetConfig: {} },
  strings: { presetConfig: { fragmentMasking: false }, config: { documentMode: "string" } },
};
const root = new URL("..", import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), "lockflow-bench-"));
await writeDocuments(join(scratch, "documents"));
const groups = (
  process.env.BENCH_SURFACES ?? "lockup/multichain lockup/subgraph flow/multichain flow/subgraph"
)
  .split(" ")
  .map((surface) => readGroup(...surface.split("/")));

/** The operations of a protocol and style, and the schema they are written for. */
function readGroup(protocol, style) {
  const path = join(scratch, "documents", protocol, `${style}.graphql`);
  const schemaPath = join(root, `generated/schemas/${protocol}/${style}.graphql`);
  const { definitions } = parse(readFileSync(path, "utf8"), { noLocation: true });
  return {
    name: `${protocol}/${style}`,
    path,
    schemaPath,
    schema: buildSchema(readFileSync(schemaPath, "utf8")),
    operations: definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION),
    fragments: new Map(
      definitions
        .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
        .map((node) => [node.name.value, node]),
    ),
  };
}

async function writePresets() {
  const targets = groups.flatMap(({ name, path, schemaPath }) =>
    Object.entries(PRESETS).map(([preset, { presetConfig, config }]) => [
      `${join(scratch, preset, name)}/`,
      {
        schema: schemaPath,
        documents: path,
        preset: "client",
        presetConfig,
        config: { scalars: SCALARS, namingConvention: "keep", useTypeImports: true, ...config },
      },
    ]),
  );
  const files = await generate({ cwd: root, silent: true, generates: Object.fromEntries(targets) }, false);
  for (const { filename, content } of files) writeText(filename, content);
}

/**
 * The module that is bundled imports one document and logs it. It logs the text of the query: the string
 * surface is measured by what a bundle holds beside it.
 */
async function reportBytes() {
  console.log("bytes of a minified bundle of one document, the largest of all operations");
  for (const { name, operations } of groups) {
    const documents = operations.map((operation) => `${operation.name.value}Document`);
    const over = { esbuild: [], rolldown: [] };
    const ratios = { nodes: [], masked: [], strings: [] };
    for (const document of documents) {
      const strings = bundleEntry(`ours/${name}.strings.ts`, document);
      for (const [bundler, bundle] of Object.entries({ esbuild: withEsbuild, rolldown: withRolldown })) {
        const code = await bundle(strings);
        over[bundler].push(Buffer.byteLength(code) - Buffer.byteLength(logged(code)));
      }
      const nodes = Buffer.byteLength(await withEsbuild(bundleEntry(`ours/${name}.ts`, document)));
      const text = Buffer.byteLength(await withEsbuild(strings));
      for (const preset of Object.keys(PRESETS)) {
        const peer = await withEsbuild(bundleEntry(`${preset}/${name}/graphql.ts`, document));
        ratios[preset].push((preset === "strings" ? text : nodes) / Buffer.byteLength(peer));
      }
    }
    const all = async (path) =>
      Buffer.byteLength(await withEsbuild(`import * as all from "./${path}"; console.log(all);`));
    const ofAll = (await all(`ours/${name}.ts`)) / (await all(`nodes/${name}/graphql.ts`));
    const most = (values) => Math.max(...values);
    console.log(
      `  ${name}: ${documents.length} operations
    strings over the text: esbuild ${limited(most(over.esbuild), STRING_LIMIT, 0)} B; rolldown ${limited(most(over.rolldown), STRING_LIMIT, 0)} B
    nodes / client preset: ${limited(most(ratios.nodes), NODE_LIMIT, 3)}; with masked fragments ${limited(most(ratios.masked), NODE_LIMIT, 3)}
    nodes of all operations / client preset: ${limited(ofAll, ALL_NODES_LIMIT, 3)}
    strings / client preset's strings: ${most(ratios.strings).toFixed(3)}`,
    );
  }
}

function bundleEntry(path, document) {
  return `import { ${document} } from "./${path}"; console.log(${document});`;
}

async function withEsbuild(entry) {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: scratch, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
}

async function withRolldown(entry) {
  const input = join(scratch, "entry.ts");
  writeText(input, entry);
  const bundle = await rolldown({ input });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  return output[0].code;
}

function logged(code) {
  let value;
  runInNewContext(code, { console: { log: (given) => (value = given) } });
  return value;
}

/** Each output in a project of its own, with one consumer, which is the same for all. */
async function reportInstantiations() {
  console.log("instantiations of the generated output and a consumer that touches every operation");
  for (const group of groups) {
    const consumer = renderConsumer(group);
    const tada = await renderTada(group);
    for (const compiler of Object.keys(COMPILERS)) {
      const count = (documents) =>
        countInstantiations(compiler, { "documents.ts": documents, "consumer.ts": consumer });
      const strings = await count(`export * from "../ours/${group.name}.strings.js";`);
      const nodes = await count(`export * from "../ours/${group.name}.js";`);
      const presetStrings = await count(renderPreset("strings", group));
      const presetNodes = await count(renderPreset("nodes", group));
      const live = await count(tada);
      console.log(
        `  ${group.name}, TypeScript ${compiler}
    strings / client preset's strings: ${strings} / ${presetStrings} = ${limited(strings / presetStrings, PRESET_LIMIT, 3)}
    nodes / client preset's nodes: ${nodes} / ${presetNodes} = ${limited(nodes / presetNodes, PRESET_LIMIT, 3)}
    the larger / live gql.tada: ${Math.max(strings, nodes)} / ${live} = ${limited(Math.max(strings, nodes) / live, TADA_LIMIT, 5)}`,
      );
    }
  }
}

/** The documents by name, and the module of the tag, which a project that uses the preset checks as well. */
function renderPreset(preset, { name }) {
  return ["index", "graphql"].map((path) => `export * from "../${preset}/${name}/${path}.js";\n`).join("");
}

async function countInstantiations(compiler, files) {
  const folder = join(scratch, "project");
  const compilerOptions = {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const tsconfig = JSON.stringify({ compilerOptions, files: Object.keys(files) });
  for (const [path, text] of Object.entries({ ...files, "tsconfig.json": tsconfig })) {
    writeText(join(folder, path), text);
  }
  const [program, ...flags] = COMPILERS[compiler];
  const out = await runNode([program, ...flags, "--extendedDiagnostics"], folder);
  return Number(/^Instantiations:\s+(\d+)/m.exec(out)[1]);
}

async function runNode([program, ...args], cwd) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, program), ...args], { cwd });
    return stdout;
  } catch (error) {
    throw new Error(`${program} failed:\n${error.stdout}${error.stderr}`);
  }
}

/** The documents as one writes them with gql.tada, whose types are inferred from the introspected schema. */
async function renderTada({ name, schemaPath, operations, fragments }) {
  const folder = join(scratch, "tada", name);
  const plugin = { name: "gql.tada/ts-plugin", schema: schemaPath, tadaOutputLocation: "./env.d.ts" };
  writeText(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { plugins: [plugin] } }));
  await runNode(["node_modules/gql.tada/bin/cli.js", "generate-output"], folder);
  const written = new Set();
  const lines = [];
  const write = (node, identifier) => {
    const spreads = new Set();
    visit(node, { FragmentSpread: (spread) => void spreads.add(spread.name.value) });
    for (const spread of spreads) {
      if (written.has(spread)) continue;
      written.add(spread);
      write(fragments.get(spread), spread);
    }
    lines.push(`export const ${identifier} = graphql(\`${print(node)}\`, [${[...spreads].join(", ")}]);`);
  };
  for (const operation of operations) write(operation, `${operation.name.value}Document`);
  const scalars = Object.entries(SCALARS).map(([scalar, type]) => `${scalar}: ${type.output ?? type};`);
  return `import { initGraphQLTada } from "gql.tada";
import type { introspection } from "../tada/${name}/env.js";

const graphql = initGraphQLTada<{ introspection: introspection; disableMasking: true; scalars: { ${scalars.join(" ")} } }>();

${lines.join("\n\n")}
`;
}

/**
 * Asks every operation with all its variables, and touches every leaf of its result. It takes documents by the property
 * that only holds their types, which those of all peers have.
 */
function renderConsumer({ schema, operations, fragments }) {
  const names = operations.map((operation) => `${operation.name.value}Document`);
  const asked = operations.map((operation) => {
    const name = operation.name.value;
    const variables = (operation.variableDefinitions ?? []).map(
      ({ variable, type }) =>
        `${variable.name.value}: ${sampleOf(getNullableType(typeFromAST(schema, type)))}`,
    );
    const leaves = leavesOf(schema, operation, fragments).map((path) => `  result${name}${path},\n`);
    return `const result${name} = ask(${name}Document, { ${variables.join(", ")} });
touch(
${leaves.join("")}  // @ts-expect-error: the result is known, so this is not in it
  result${name}.missing,
);`;
  });
  return `import type { DocumentTypeDecoration } from "@graphql-typed-document-node/core";
import { ${names.join(", ")} } from "./documents.js";

declare function ask<TResult, TVariables>(document: DocumentTypeDecoration<TResult, TVariables>, variables: TVariables): TResult;
declare function touch(...values: readonly unknown[]): void;

${asked.join("\n\n")}
`;
}

function sampleOf(type) {
  if (isListType(type)) return `[${sampleOf(getNullableType(type.ofType))}]`;
  if (type.name === "Block_height") return "{ number: 1 }";
  if (type.name === "Int") return "1";
  if (isLeafType(type)) return type.name === "Bytes" ? '"0x0"' : '"1"';
  throw new Error(`There is no sample of the type ${type} for the consumer.`);
}

/** Returns the property path of every leaf of a result. */
function leavesOf(schema, operation, fragments) {
  const walk = (selectionSet, parent) =>
    selectionSet.selections.flatMap((node) => {
      if (node.kind === Kind.FRAGMENT_SPREAD)
        return walk(fragments.get(node.name.value).selectionSet, parent);
      if (node.kind === Kind.INLINE_FRAGMENT) return walk(node.selectionSet, parent);
      const key = node.alias?.value ?? node.name.value;
      if (node.name.value === "__typename") return [`.${key}`];
      const type = parent.getFields()[node.name.value].type;
      const access = `.${key}${isListType(getNullableType(type)) ? "?.[0]" : ""}`;
      if (!node.selectionSet) return [access];
      return walk(node.selectionSet, getNamedType(type)).map((path) => `${access}?${path}`);
    });
  return walk(operation.selectionSet, schema.getQueryType());
}

function limited(value, limit, digits) {
  return `${value.toFixed(digits)} (${value <= limit ? "within" : "OVER"} ${limit})`;
}

function writeText(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

try {
  symlinkSync(join(root, "node_modules"), join(scratch, "node_modules"));
  cpSync(join(root, "generated"), join(scratch, "ours"), { recursive: true });
  await writePresets();
  await reportBytes();
  await reportInstantiations();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
