import type { Text } from "../../../packages/client/src/manifest/manifest-types.ts";
import { compareCodeUnits } from "../../base/collections.ts";
import type { OutputFile } from "../../base/output-file.ts";
import { propertyName, typescriptLiteral } from "../../base/text.ts";
import { buildRoutes } from "../../project/manifest-rows.ts";
import type { Project } from "../../project/project.ts";
import { renderHeader } from "../format-files.ts";
import { type Imports, runtimeModule } from "../runtime.ts";
import { protocolNames } from "./manifest-types.ts";

/** The path of the routes, from the output folder. */
export const ROUTES_PATH = "routes.ts";

/** Renders the routes of a project, which its client needs: chains, and the deployments of each protocol. */
export function renderRoutes(
  project: Pick<Project, "brand" | "shared" | "chains" | "deployments" | "definitions">,
  imports: Imports,
): OutputFile {
  const { chains, protocols } = buildRoutes(project);
  const served = Object.entries(protocols).map(([key, routes]) => {
    const name = protocolNames(key).routes;
    const { brand, values, deployments, endpoints } = routes;
    const lines = [
      `brand: ${typescriptLiteral(brand)},`,
      textRow("values", values),
      `deployments: ${name}Deployed,`,
      "endpoints: {",
      ...Object.entries(endpoints).map(
        ([row, { url, ids, ...rest }]) => `  ${textRow(row, { url }, { rest, ids })}`,
      ),
      "},",
    ];
    const text = `export const ${name}: ProtocolRoutes = {\n${indent(lines)}};`;
    const deployed = `/** The deployments of ${key}. */
const ${name}Deployed: ProtocolRoutes["deployments"] = [
${indent(deployments.map((deployment) => `${typescriptLiteral(deployment)},`))}];`;
    return { key, name, text, deployed };
  });
  const deployed = Object.keys(protocols).map((key) => {
    return `${propertyName(key)}: { deployments: ${protocolNames(key).routes}Deployed }`;
  });
  const rows = Object.entries(chains).map(
    ([key, chain]) => `${propertyName(key)}: ${typescriptLiteral(chain)},`,
  );
  const members = served.map(({ key, name }) => `${propertyName(key)}: ${name}`).join(", ");
  const sections = [
    `${renderHeader(" from the chain registry and the configuration")}
import { type ProtocolRoutes, type Routes, routeEndpoint, type ServedRoutes } from "${runtimeModule("manifest", imports)}";`,
    ...declareProcess(served.map(({ text }) => text)),
    ...served.map(({ deployed }) => deployed),
    ...served.map(
      ({ key, text }) =>
        `/** The deployments and URLs of ${key}. \`env\` is the name of an environment variable; keys are never read here. */\n${text}`,
    ),
    `/** The chains of this project. */
const served: Routes["chains"] = {
${indent(rows)}};`,
    `/** The chains and protocols of this project, for its client. */
export const routes: Routes = {
  chains: served,
  protocols: { ${members} },
  endpoint: routeEndpoint,
};`,
    `/** The chains and deployments without URLs, for the pages of a proxy. */
export const routesWithoutUrls: ServedRoutes = { chains: served, protocols: { ${deployed.join(", ")} } };`,
  ];
  return { path: ROUTES_PATH, content: `${sections.join("\n\n")}\n` };
}

function indent(lines: readonly string[], by = "  "): string {
  return lines.map((line) => `${by}${line}\n`).join("");
}

/** Declares the variables that some texts read. Projects may lack the types of Node, and a global would be visible to all code. */
export function declareProcess(texts: readonly string[]): string[] {
  const read = texts.flatMap((text) =>
    [...text.matchAll(/process\.env\.(\w+)/g)].map(([, name = ""]) => name),
  );
  const members = [...new Set(read)].sort(compareCodeUnits).map((name) => `  readonly ${name}?: string;\n`);
  return members.length === 0
    ? []
    : [`declare const process: { readonly env: Env };\n\ntype Env = {\n${members.join("")}};`];
}

/**
 * Renders a row of texts and other members. A text may be in an environment variable, which is read by its whole name,
 * because bundlers replace such reads.
 */
export function textRow(
  name: string,
  texts: Readonly<Record<string, Text | null | undefined>>,
  {
    rest = {},
    ids = {},
  }: { readonly rest?: object; readonly ids?: Readonly<Record<string, Text>> | undefined } = {},
): string {
  const members = Object.entries(texts).flatMap(([key, text]) =>
    text == null ? [] : [`${propertyName(key)}: ${textLiteral(text)}`],
  );
  const others = typescriptLiteral(rest).replace(/^\{ ?| ?\}$/g, "");
  const table = Object.entries(ids).map(([key, id]) => `${propertyName(key)}: ${textLiteral(id)}`);
  if (table.length > 0) members.push(`ids: { ${table.join(", ")} }`);
  const literal = [...members, ...(others === "" ? [] : [others])].join(", ");
  return `${propertyName(name)}: ${literal === "" ? "{}" : `{ ${literal} }`},`;
}

function textLiteral(text: Text): string {
  const literal = typescriptLiteral(text);
  return typeof text === "string" ? literal : literal.replace("{", `{ read: () => process.env.${text.env},`);
}
