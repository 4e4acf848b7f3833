import { readOwnFile } from "../../base/disk/read-own-file.ts";
import type { Layout } from "./repository.ts";

/** Renders the configuration that GraphQL plugins of editors read: one project per protocol and style. */
export function renderGraphqlConfig(layout: Pick<Layout, "surfaces" | "operations" | "output">): string {
  const { surfaces, operations, output } = layout;
  return readOwnFile("src/repository/init/templates/graphql.config.ts").replace(
    / {4}"protocol-style": \{[^}]*\},\n/,
    (project) =>
      surfaces
        .map(({ id, protocol, style }) =>
          project
            .replace("protocol-style", `${protocol}-${style}`)
            .replaceAll("protocol/style", id)
            .replaceAll(/"(?:generated|operations)(?=\/)/g, (folder) =>
              JSON.stringify(folder === '"generated' ? output : operations).slice(0, -1),
            ),
        )
        .join(""),
  );
}
