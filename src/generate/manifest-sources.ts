import type { Deployment, Endpoint } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import type { Environment, Protocol, StyleName } from "../project/vocabulary.ts";
import type { EndpointRow, LinkRow, Text } from "../runtime/manifest-types.ts";

/** What the manifest makes URLs of, for one protocol. */
export type Sources = {
  readonly values: Readonly<Record<string, Text>>;
  readonly endpoints: Readonly<Record<string, EndpointRow>>;
  readonly links: Readonly<Record<string, LinkRow>>;
};

/** Builds what the manifest makes URLs of: texts as they are, and variables by their names. */
export function buildSources(
  { brand, multichain }: Project["shared"],
  deployments: readonly Deployment[],
  protocol: Protocol,
): Sources {
  const shared: readonly [style: StyleName, environment: Environment][] = [
    ["multichain", "production"],
    ["subgraph", "production"],
    ["subgraph", "testing"],
  ];
  const active = deployments.filter(({ status }) => status === "active");
  return {
    values: {
      brand,
      ...(multichain.host === undefined ? {} : { host: multichain.host }),
      id: multichain.ids[protocol],
    },
    endpoints: Object.fromEntries([
      ...shared.flatMap(([style, environment]) => {
        const endpoint = active
          .filter((deployment) => deployment.style === style)
          .flatMap(({ endpoints }) => endpoints)
          .find((one) => one.environment === environment && one.url.isShared);
        return endpoint ? [[`${style} ${environment}`, endpointRow(endpoint)]] : [];
      }),
      ...active.flatMap(({ name, endpoints }) =>
        endpoints
          .filter(({ url }) => !url.isShared)
          .map((endpoint) => [`${name} ${endpoint.environment}`, endpointRow(endpoint)]),
      ),
    ]),
    links: linkRows(active),
  };
}

function endpointRow({ url, apiKey, headers, dailyQueries }: Endpoint): EndpointRow {
  const all = Object.entries(headers);
  const literal = all.flatMap(([name, value]) =>
    typeof value === "string" ? [[name.toLowerCase(), value]] : [],
  );
  const secret = all.flatMap(([name, value]) =>
    typeof value === "string" ? [] : [[name.toLowerCase(), value.env]],
  );
  return {
    url: url.text,
    ...(apiKey === null ? {} : { key: apiKey.env }),
    ...(literal.length === 0 ? {} : { headers: Object.fromEntries(literal) }),
    ...(secret.length === 0 ? {} : { secretHeaders: Object.fromEntries(secret) }),
    ...(dailyQueries === null ? {} : { dailyQueries }),
  };
}

/** The links most deployments of a style have under its name, and others under the names of their deployments. */
function linkRows(deployments: readonly Deployment[]): Record<string, LinkRow> {
  const rows: Record<string, LinkRow> = {};
  for (const style of new Set(deployments.map((deployment) => deployment.style))) {
    const own = deployments
      .filter((deployment) => deployment.style === style)
      .map(({ name, links }) => ({ name, row: linkRow(links), text: JSON.stringify(linkRow(links)) }));
    const count = (text: string) => own.filter((other) => other.text === text).length;
    const usual = own.reduce((one, other) => (count(other.text) > count(one.text) ? other : one));
    if (usual.text !== "{}") rows[style] = usual.row;
    for (const { name, row, text } of own) if (text !== usual.text) rows[name] = row;
  }
  return rows;
}

function linkRow({ playground, explorer }: Deployment["links"]): LinkRow {
  return {
    ...(playground === null ? {} : { playground }),
    ...(explorer === null ? {} : { explorer }),
  };
}
