import type { Chain, Deployment, ProtocolRoutes } from "./manifest-types.ts";

/**
 * Lists the deployments of a protocol by name, in code-unit order.
 *
 * @param others deployments with more facts than their routes have, and retired ones.
 */
export function listDeployments<Listed>(
  protocol: string,
  { deployments }: ProtocolRoutes,
  chains: Readonly<Record<string, Pick<Chain, "subgraph">>>,
  others: Readonly<Record<string, Deployment>> = {},
): Listed {
  const rows = deployments.flatMap(({ style, name, chains: keys, environments }) => {
    const facts = { protocol, style, environments, status: "active" } as const;
    return name.includes("{suffix}")
      ? keys.map((key) => [
          name.replace("{suffix}", () => chains[key]?.subgraph ?? key),
          { chains: [key], ...facts },
        ])
      : [[name, { chains: keys, ...facts }]];
  });
  const all = Object.entries({ ...Object.fromEntries(rows), ...others });
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))) as Listed;
}
