import { type Protocol, STYLE_NAMES } from "../../../project/vocabulary.ts";
import { SCHEMAS_FOLDER } from "../../../snapshots/snapshot.ts";

export type EditorSettings = {
  readonly protocols: readonly Protocol[];
  readonly operations: string;
  readonly output: string;
};

/** The configuration that GraphQL plugins of editors read. It imports nothing, and they need no TypeScript for it. */
export function renderGraphqlConfig(settings: EditorSettings): string {
  const projects = editorProjects(settings).flatMap(([name, { schema, documents }]) => [
    `    ${JSON.stringify(name)}: {`,
    `      schema: ${JSON.stringify(schema)},`,
    `      documents: ${JSON.stringify(documents)},`,
    "    },",
  ]);
  return [
    "// Completion and validation of operations, in editors with a GraphQL plugin: one project per protocol and style.",
    "export default {",
    "  projects: {",
    ...projects,
    "  },",
    "};",
    "",
  ].join("\n");
}

type EditorProject = { readonly schema: string; readonly documents: string };

function editorProjects({
  protocols,
  operations,
  output,
}: EditorSettings): (readonly [string, EditorProject])[] {
  return protocols.flatMap((protocol) =>
    STYLE_NAMES.map(
      (style) =>
        [
          `${protocol}-${style}`,
          {
            schema: `${output}/${SCHEMAS_FOLDER}/${protocol}/${style}.graphql`,
            documents: `${operations}/${protocol}/${style}/**/*.graphql`,
          },
        ] as const,
    ),
  );
}
