import type { OutputFile } from "../../base/output-file.ts";
import { styles } from "../../dialects/index.ts";
import { isOf, type Protocol, STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";
import type { PreparedPortable } from "../../operations/portable/prepare-portable.ts";
import type { Project } from "../../project/project.ts";
import type { PreparedSurface } from "../prepare-documents.ts";
import { renderClient } from "../render-client.ts";
import { renderTesting } from "../render-testing.ts";
import type { Imports } from "../runtime.ts";
import { resolveScalars } from "../scalars.ts";
import { createSchemaDocs } from "../schema-docs.ts";
import type { PortableDocuments, PortableSource } from "./declare-portable-types.ts";
import { renderPortable, renderProxiedOperations } from "./render-portable.ts";

/** Renders the portable operations of each protocol that has some without errors, and for all of them the clients. */
export function renderPortableFiles(
  protocols: readonly Protocol[],
  prepared: readonly PreparedSurface[],
  project: Imports & Pick<Project, "scalars">,
): OutputFile[] {
  const files: OutputFile[] = [];
  for (const protocol of protocols) {
    const surfaces = prepared.filter((surface) => surface.protocol === protocol);
    const compiled = surfaces.find((surface) => surface.compiled)?.compiled;
    if (!compiled || surfaces.some(({ documents }) => documents === null)) continue;
    const surfaceOf = (style: StyleName) => surfaces.find(isOf({ protocol, style }));
    const documentsOf = (style: StyleName) =>
      surfaceOf(style)?.documents ?? deriveDocuments(compiled, style, project.scalars);
    const coverageOf = (style: StyleName) => surfaceOf(style)?.coverage ?? [];
    const source: PortableSource = {
      styles: STYLE_NAMES.filter(surfaceOf),
      documents: { multichain: documentsOf("multichain"), subgraph: documentsOf("subgraph") },
      coverage: { multichain: coverageOf("multichain"), subgraph: coverageOf("subgraph") },
      context: compiled.context,
    };
    for (const render of [renderPortable, renderProxiedOperations, renderTesting]) {
      files.push(render(compiled.compiled, source, project.importExtension));
    }
  }
  if (files.length > 0) files.push(renderClient(project, false), renderClient(project, true));
  return files;
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
