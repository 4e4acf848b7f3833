import { readOwnFile } from "../../base/disk/read-own-file.ts";
import { AUTHORED_STYLE, PORTABLE_FOLDER } from "../../generate/read-portable.ts";
import { isOf, type OfSurface, type Surface } from "../../project/surface.ts";
import { STYLE_NAMES } from "../../project/vocabulary.ts";
import type { Layout } from "./repository.ts";

/**
 * Renders the configuration that GraphQL plugins of editors read: one project per protocol and style. What is written
 * once for both styles is written as subgraphs read it.
 */
export function renderGraphqlConfig(layout: Pick<Layout, "surfaces" | "operations" | "output">): string {
  const { surfaces, operations, output } = layout;
  return readOwnFile("src/repository/init/templates/graphql.config.ts").replace(
    / {4}"protocol-style": \{[^}]*\},\n/,
    (project) =>
      surfaces
        .map(({ id, protocol, style }) =>
          project
            .replace("protocol-style", `${protocol}-${style}`)
            .replace(
              "operations/protocol/style",
              `operations/${protocol}/${folderOf({ protocol, style }, surfaces)}`,
            )
            .replaceAll("protocol/style", id)
            .replaceAll(/"(?:generated|operations)(?=\/)/g, (folder) =>
              JSON.stringify(folder === '"generated' ? output : operations).slice(0, -1),
            ),
        )
        .join(""),
  );
}

function folderOf({ protocol, style }: OfSurface, surfaces: readonly Surface[]): string {
  const isPortable = STYLE_NAMES.every((name) => surfaces.some(isOf({ protocol, style: name })));
  return isPortable && style === AUTHORED_STYLE ? `{${PORTABLE_FOLDER},${style}}` : style;
}
