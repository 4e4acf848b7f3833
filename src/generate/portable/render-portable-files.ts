import type { OutputFile } from "../../base/output-file.ts";
import { styles } from "../../dialects/index.ts";
import { isOf, type Protocol, STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";
import type { PreparedPortable } from "../../operations/portable/prepare-portable.ts";
import type { Project } from "../../project/project.ts";
import type { PreparedSurface } from "../prepare-documents.ts";
import {
  CLIENT_PATH,
  PROXIED_PATH,
  PROXY_PATH,
  renderClient,
  renderProxied,
  renderProxy,
} from "../render-client.ts";
import { renderTesting } from "../render-testing.ts";
import type { Imports } from "../runtime.ts";
import { resolveScalars } from "../scalars.ts";
import { createSchemaDocs } from "../schema-docs.ts";
import type { PortableDocuments, PortableSource } from "./declare-portable-types.ts";
import { portablePaths, renderPortable, renderProxiedOperations } from "./render-portable.ts";

/**
 * Renders the portable operations of each protocol that has some, and for all of them the client and the proxy.
 *
 * @returns the files, and the paths of those that cannot be generated until errors are corrected.
 */
export function renderPortableFiles(
  protocols: readonly Protocol[],
  prepared: readonly PreparedSurface[],
  project: Imports & Pick<Project, "scalars">,
): { readonly files: readonly OutputFile[]; readonly withheld: readonly string[] } {
  const files: OutputFile[] = [];
  const withheld: string[] = [];
  const portable: Protocol[] = [];
  for (const protocol of protocols) {
    const own = prepared.filter((surface) => surface.protocol === protocol);
    const compiled = own.find((surface) => surface.compiled)?.compiled;
    if (!compiled) continue;
    portable.push(protocol);
    if (own.some(({ documents }) => documents === null)) {
      withheld.push(...portablePaths(protocol));
      continue;
    }
    const surfaceOf = (style: StyleName) => own.find(isOf({ protocol, style }));
    const documentsOf = (style: StyleName) =>
      surfaceOf(style)?.documents ?? deriveDocuments(compiled, style, project.scalars);
    const coverageOf = (style: StyleName) => surfaceOf(style)?.coverage ?? [];
    const source: PortableSource = {
      styles: STYLE_NAMES.filter(surfaceOf),
      documents: { multichain: documentsOf("multichain"), subgraph: documentsOf("subgraph") },
      coverage: { multichain: coverageOf("multichain"), subgraph: coverageOf("subgraph") },
      context: compiled.context,
    };
    files.push(renderPortable(compiled.compiled, source, project.importExtension));
    files.push(renderProxiedOperations(compiled.compiled, source, project.importExtension));
    files.push(renderTesting(compiled.compiled, source, project.importExtension));
  }
  if (files.length > 0) files.push(renderClient(project), renderProxied(project));
  else if (withheld.length > 0) withheld.push(CLIENT_PATH, PROXIED_PATH);
  // The proxy imports the operations of all protocols.
  if (withheld.length > 0) withheld.push(PROXY_PATH);
  else if (files.length > 0) files.push(renderProxy(portable, project));
  return { files, withheld };
}

/** Builds the documents of a style in which the protocol is not deployed. */
function deriveDocuments(
  { sets, context }: PreparedPortable,
  style: StyleName,
  scalars: Project["scalars"],
): PortableDocuments {
  const { graphql: schema, model } = context.schemas[style];
  return {
    set: sets[style],
    schema,
    scalars: resolveScalars(sets[style], schema, {
      style: styles[style],
      configured: scalars,
      knownEnums: [],
    }),
    docs: createSchemaDocs(schema, styles[style], [model]),
  };
}
