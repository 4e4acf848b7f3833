import { transformSync } from "esbuild";
import type { PortableOperation } from "../../../../packages/client/src/client/portable-operation.ts";
import * as client from "../../../../packages/client/src/index.ts";
import type { FilterTable } from "../../../../packages/client/src/variables/map-filter.ts";
import { mapFilter, mapOrder } from "../../../../packages/client/src/variables/map-filter.ts";
import { readNumbers } from "../../../../packages/client/src/variables/read-numbers.ts";
import * as readers from "../../../../packages/client/src/variables/readers.ts";
import { cached } from "../../../../src/base/collections.ts";
import { styles } from "../../../../src/dialects/index.ts";
import { STYLE_NAMES, type StyleName } from "../../../../src/dialects/surface.ts";
import type { DocumentsSource } from "../../../../src/generate/declare-types.ts";
import { mapFunction, renderReaders } from "../../../../src/generate/portable/portable-operation.ts";
import { portableMembers } from "../../../../src/generate/portable/portable-plan.ts";
import { renderPortable } from "../../../../src/generate/portable/render-portable.ts";
import { chainReaders, variableReaders } from "../../../../src/generate/portable/variable-readers.ts";
import { resolveScalars } from "../../../../src/generate/scalars.ts";
import { createSchemaDocs } from "../../../../src/generate/schema-docs.ts";
import { parseOperations } from "../../../../src/operations/parse-operations.ts";
import type { CompiledOperation } from "../../../../src/operations/portable/compiled-operation.ts";
import { filterColumns } from "../../../../src/operations/portable/filter-columns.ts";
import type { PortableContext } from "../../../../src/operations/portable/read-entities.ts";
import { printDocument } from "../../../../src/operations/print-document.ts";

/** The constant of a portable operation, as applications import it. */
export type Loaded = PortableOperation<string, unknown, Readonly<Record<string, unknown>>, "one">;

/** The texts of an operation. */
export type Texts = { readonly [S in StyleName]: string };

/** Renders the module of portable operations and loads it: their constants by name. */
export function loadOperations(
  compiled: readonly CompiledOperation[],
  context: PortableContext,
  texts: ReadonlyMap<string, Texts>,
): ReadonlyMap<string, Loaded> {
  const documents = { multichain: source("multichain"), subgraph: source("subgraph") };
  const coverage = { multichain: [], subgraph: [] };
  const { content } = renderPortable(compiled, { documents, coverage, context, styles: STYLE_NAMES });
  const { code } = transformSync(content, { loader: "ts", format: "cjs", target: "es2022" });
  const strings = (style: StyleName) =>
    Object.fromEntries([...texts].map(([name, text]) => [`${name}Document`, text[style]]));
  const modules: Readonly<Record<string, unknown>> = {
    "./multichain.strings.js": strings("multichain"),
    "./subgraph.strings.js": strings("subgraph"),
    "../client.js": client,
  };
  const module = { exports: {} as Record<string, Loaded> };
  new Function("require", "module", code)((name: string) => modules[name], module);
  return new Map(compiled.map(({ name }): [string, Loaded] => [name, module.exports[name] as Loaded]));

  function source(style: StyleName): DocumentsSource {
    const { graphql, model } = context.schemas[style];
    const text = [...texts.values()].map((one) => one[style]).join("\n\n");
    const { set } = parseOperations([{ path: "test.graphql", text }], {
      protocol: context.definition.key,
      style,
    });
    return {
      set,
      schema: graphql,
      docs: createSchemaDocs(graphql, styles[style], [model]),
      scalars: resolveScalars(set, graphql, { style: styles[style], configured: {}, knownEnums: [] }),
    };
  }
}

/**
 * The constants of operations as they are rendered, without types. Only their functions are rendered as text and
 * loaded, which takes a tenth of the time.
 */
export function buildOperations(
  compiled: readonly CompiledOperation[],
  context: PortableContext,
  texts: ReadonlyMap<string, Texts>,
): ReadonlyMap<string, Loaded> {
  const entities = cached(tables, context, () => createTables(context));
  const types = {
    names: {
      value: (name: string) => name,
      type: (name: string) => name,
      clientFunction: (name: string) => name,
    },
    columnsOf: (entity: string) => filterColumns(context, entity),
    filterOf: () => null,
  };
  const functions = compiled.map((one) => {
    const map = mapFunction(one.facts, types as never)?.replaceAll(" as object)", ")") ?? null;
    const [variables, chainIds] = [variableReaders(one), chainReaders(one)].map((all) =>
      renderReaders(all, types as never),
    );
    return `{ map: ${map}, variables: ${variables}, chainIds: ${chainIds} }`;
  });
  const given = { ...readers, ...entities, mapFilter, mapOrder };
  const load = new Function(...Object.keys(given), `return [${functions.join(", ")}];`);
  const codes = load(...Object.values(given)) as readonly Required<
    Pick<Loaded, "map" | "variables" | "chainIds">
  >[];
  return new Map(
    compiled.map((one, index): [string, Loaded] => {
      const { name, facts } = one;
      const code = { ...(codes[index] as (typeof codes)[number]), answer: null };
      const text = texts.get(name) ?? { multichain: "", subgraph: "" };
      const places = facts.numberAnswers;
      const normalize = places.length > 0 ? (data: object) => readNumbers(data, places) : null;
      const members = portableMembers(one, { ...code, normalize, rest: null }, {});
      const protocol = context.definition.key;
      const own = Object.fromEntries(members);
      return [name, { format: 1, name, protocol, ...text, ...own } as Loaded];
    }),
  );
}

const tables = new WeakMap<PortableContext, Readonly<Record<string, FilterTable>>>();

/** The tables of all entities, by their rendered names. */
function createTables(context: PortableContext): Readonly<Record<string, FilterTable>> {
  const columns = (entity: string) =>
    Object.fromEntries([...filterColumns(context, entity).columns].map(([name, { kind }]) => [name, kind]));
  const entities = context.schemas.subgraph.model.definitions.filter(({ kind }) => kind === "entity");
  return Object.fromEntries(
    entities.flatMap(({ name }): [string, FilterTable][] => {
      const { related } = filterColumns(context, name);
      const own = name.charAt(0).toLowerCase() + name.slice(1);
      const of = Object.fromEntries([...related].map(([field, target]) => [field, columns(target)]));
      return [
        [`${own}Filter`, { columns: columns(name), related: of }],
        [`${own}ChildFilter`, { columns: columns(name), related: {} }],
      ];
    }),
  );
}

/** The texts of operations in both styles, as they are sent. */
export function textsOf(compiled: readonly CompiledOperation[]): ReadonlyMap<string, Texts> {
  return new Map(
    compiled.map(({ name, documents }) => {
      const [multichain = "", subgraph = ""] = STYLE_NAMES.map((style) =>
        printDocument(documents[style].node, documents[style].fragments),
      );
      return [name, { multichain, subgraph }];
    }),
  );
}
