import { AUTHORED_STYLE, PORTABLE_FOLDER } from "../../generate/read-portable.ts";
import { isOf, type OfSurface, type Surface } from "../../project/surface.ts";
import { STYLE_NAMES } from "../../project/vocabulary.ts";
import { snapshotPath } from "../../snapshots/snapshot.ts";
import type { Layout } from "./repository.ts";

/**
 * Renders the configuration that GraphQL plugins of editors read: one project per protocol and style. What is written
 * once for both styles is written as subgraphs read it.
 *
 * @param isTyped whether it is TypeScript, which plugins load by the compiler of the project; else it is JSON.
 */
export function renderGraphqlConfig(
  { surfaces, operations, output }: Pick<Layout, "surfaces" | "operations" | "output">,
  isTyped: boolean,
): string {
  const projects = surfaces.map(({ id, protocol, style }) => {
    const folder = `${operations}/${protocol}/${folderOf({ protocol, style }, surfaces)}`;
    const project = {
      schema: `${output}/${snapshotPath({ protocol, style })}`,
      documents: `${folder}/**/*.graphql`,
    };
    return [id.replace("/", "-"), project] as const;
  });
  const json = JSON.stringify({ projects: Object.fromEntries(projects) }, null, 2);
  if (!isTyped) return `${json}\n`;
  const literal = json
    .replaceAll(/^( +)"(projects|schema|documents)":/gm, "$1$2:")
    .replaceAll(/(?<=["}])$(?=\n *\})/gm, ",");
  return `// Completion and validation of operations, in editors with a GraphQL plugin: one project per protocol and style.\nexport default ${literal};\n`;
}

function folderOf({ protocol, style }: OfSurface, surfaces: readonly Surface[]): string {
  const isPortable = STYLE_NAMES.every((name) => surfaces.some(isOf({ protocol, style: name })));
  return isPortable && style === AUTHORED_STYLE ? `{${PORTABLE_FOLDER},${style}}` : style;
}
