import { chooseEndpoints } from "../introspect/choose-endpoints.ts";
import type { Endpoint, Text, UrlTemplate } from "../model/deployment.ts";
import type { Environment } from "../model/vocabulary.ts";
import type { Project } from "../registry/project.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";

/** An environment variable that the configuration names. */
export type NamedVariable = {
  readonly name: string;
  /** A key is sent as `Authorization: Bearer`, a header's value as it is; part of a URL is no secret. */
  readonly kind: "key" | "header" | "url";
  /** How many endpoints need it that are asked by default, or in the wanted environment. */
  readonly asked: number;
  /** How many endpoints need it in all. */
  readonly all: number;
};

/** Collects the variables that hold keys, headers and parts of URLs, in order of name. */
export function collectVariables(
  { deployments }: Project,
  environment: Environment | undefined,
): NamedVariable[] {
  const asked = new Set(chooseEndpoints(deployments, environment).chosen.map(({ endpoint }) => endpoint));
  const variables = new Map<string, NamedVariable>();
  for (const { status, endpoints } of deployments) {
    if (status === "retired") continue;
    for (const endpoint of endpoints) {
      for (const { name, kind } of namesOf(endpoint)) {
        const known = variables.get(name) ?? { name, kind, asked: 0, all: 0 };
        variables.set(name, {
          name,
          // One that is a key anywhere is treated as one.
          kind: kind === "key" ? kind : known.kind,
          asked: known.asked + (asked.has(endpoint) ? 1 : 0),
          all: known.all + 1,
        });
      }
    }
  }
  return [...variables.values()].sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** Collects those of them whose value is a secret. */
export function collectSecretVariables(project: Project): string[] {
  return collectVariables(project, undefined)
    .filter(({ kind }) => kind !== "url")
    .map(({ name }) => name);
}

function namesOf({ url, template, auth, headers }: Endpoint): Pick<NamedVariable, "name" | "kind">[] {
  if (url === null && template === null) return [];
  const inUrl = template === null || url !== null ? [] : [template.text, ...piecesOf(template.values)];
  return [
    ...(auth.kind === "bearer" ? [{ name: auth.env, kind: "key" as const }] : []),
    ...envOf(Object.values(headers)).map((name) => ({ name, kind: "header" as const })),
    ...envOf(inUrl).map((name) => ({ name, kind: "url" as const })),
  ];
}

function piecesOf(values: UrlTemplate["values"]): Text[] {
  return Object.values(values).flatMap((pieces) => pieces ?? []);
}

function envOf(texts: readonly Text[]): string[] {
  return [...new Set(texts.flatMap((text) => (typeof text === "string" ? [] : [text.env])))];
}
