import type { Deployment } from "../deployment.ts";
import type { Project } from "../project.ts";
import { STYLE_NAMES } from "../vocabulary.ts";
import { BUILT_IN_PROTOCOLS } from "./built-in.ts";
import type { ResolvedProtocol } from "./resolve-protocols.ts";

/** Whether a definition names entities of at least one style. */
export function hasEntities({ entities }: ResolvedProtocol): boolean {
  return STYLE_NAMES.some((style) => entities[style] !== undefined);
}

/** The key that the configuration lacks for the emulator to serve a deployment; null where it can. */
export function missingEntities(
  { definitions }: Pick<Project, "definitions">,
  { protocol, style }: Pick<Deployment, "protocol" | "style">,
): string | null {
  const definition = definitions.find(({ key }) => key === protocol);
  if (definition === undefined || !hasEntities(definition))
    return BUILT_IN_PROTOCOLS.includes(protocol) ? null : `protocols.${protocol}.entities`;
  return definition.entities[style] === undefined ? `protocols.${protocol}.entities.${style}` : null;
}

/** The keys that the configuration lacks for the emulator to serve these deployments, each once. */
export function allMissingEntities(
  project: Pick<Project, "definitions">,
  deployments: readonly Deployment[],
): string[] {
  const served = deployments.filter(({ status }) => status !== "retired");
  return [...new Set(served.flatMap((one) => missingEntities(project, one) ?? []))];
}
