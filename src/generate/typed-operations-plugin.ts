import type { CodegenPlugin } from "@graphql-codegen/plugin-helpers";
import * as typescriptOperations from "@graphql-codegen/typescript-operations";
import { type DocumentedSet, documentTypes } from "./document-types.ts";
import { parseTypeDeclarations } from "./parse-type-declarations.ts";
import { renderTypeDeclarations } from "./render-type-declarations.ts";

/**
 * The stock plugin for the types of operations, with what it leaves out: the words of the schema. Its output is read
 * back, documented and written a property a line. The types of scalars may be any TypeScript, so names stand in for
 * them while it works.
 */
export function createTypedOperationsPlugin(input: DocumentedSet): CodegenPlugin {
  return {
    ...typescriptOperations,
    plugin: async (schema, documents, config, info) => {
      const { scalars, names } = maskScalars(config.scalars);
      const output = await typescriptOperations.plugin(schema, documents, { ...config, scalars }, info ?? {});
      const declarations = parseTypeDeclarations(output.content, names);
      return {
        // Exact is left out; what masked and deferred fragments need is written even where there are none.
        prepend: (output.prepend ?? []).filter((line) => !/\btype (?:Exact|Incremental)</.test(line)),
        content: renderTypeDeclarations(documentTypes(declarations, input)),
      };
    },
  };
}

type Scalars = Readonly<Record<string, { readonly input: string; readonly output: string }>>;

function maskScalars(scalars: Scalars): {
  readonly scalars: Scalars;
  readonly names: ReadonlyMap<string, string>;
} {
  const names = new Map<string, string>();
  const mask = (type: string) => {
    if (PLAIN.test(type)) return type;
    const name = `$scalar${names.size}`;
    names.set(name, type);
    return name;
  };
  const masked = Object.entries(scalars).map(
    ([name, { input, output }]) => [name, { input: mask(input), output: mask(output) }] as const,
  );
  return { scalars: Object.fromEntries(masked), names };
}

/** A name, and no word of the stand-ins; or what the plugin takes for a module and a name in it. */
const PLAIN = /^[A-Za-z_][\w.]*$|#/;
