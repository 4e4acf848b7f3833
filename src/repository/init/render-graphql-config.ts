import { readOwnFile } from "../../base/disk/read-own-file.ts";
import type { Layout } from "./repository.ts";

/** Renders the configuration that GraphQL plugins of editors read: one project per protocol and style. */
export function renderGraphqlConfig(layout: Pick<Layout, "protocols" | "operations" | "output">): string {
  const { protocols, operations, output } = layout;
  const known: readonly string[] = protocols;
  return readOwnFile("src/repository/init/templates/graphql.config.ts")
    .replaceAll(/ {4}"(\w+)-\w+": \{[^}]*\},\n/g, (project, protocol) =>
      known.includes(protocol) ? project : "",
    )
    .replaceAll(/"(?:generated|operations)(?=\/)/g, (folder) =>
      JSON.stringify(folder === '"generated' ? output : operations).slice(0, -1),
    );
}
