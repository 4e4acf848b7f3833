import { expect, it } from "vitest";
import { CHAINS } from "../../src/project/chains.ts";
import { loadProject } from "../../src/project/load-project.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const CHAIN_KEYS = CHAINS.flatMap(({ key, subgraphSuffix }) => (subgraphSuffix === null ? [] : [key]));

/** The ids of 46 deployments, as somebody has them in a spreadsheet: of all but a few chains. */
const ROWS = [
  ...["lockup", "flow"].flatMap((protocol) => CHAIN_KEYS.slice(0, 22).map((chain) => [protocol, chain])),
  ["coffee", "base"],
  ["coffee", "ethereum"],
].map(([protocol, chain]) => ({ protocol, chain, id: `Qm-${protocol}-${chain}` }));
const CSV = ["protocol,chain,id", ...ROWS.map((row) => Object.values(row).join(","))].join("\n");

/** The ids that production URLs are made of, by deployment. */
async function productionIds(project: TempProject): Promise<Record<string, unknown>> {
  const { deployments } = await loadProject(project.root);
  const subgraphs = deployments.filter(({ style }) => style === "subgraph");
  return Object.fromEntries(
    subgraphs.flatMap(({ name, endpoints }) => {
      const production = endpoints.find(({ environment }) => environment === "production");
      return production ? [[name, production.url.values["id"]]] : [];
    }),
  );
}

it("takes the ids of a whole gateway into a configuration, and a new one of a single deployment later", async () => {
  const project = tempProject({
    "package.json": '{ "type": "module" }',
    "lockflow.config.json": '{ "protocols": { "lockup": true, "flow": true, "coffee": {} } }',
    "ids.csv": CSV,
  });
  const { code, out, err } = await run(project.root, ["init", "--yes", "--ids", "ids.csv"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(
    /Will change\s+lockflow\.config\.json +the ids are written into subgraph.production.ids\n/,
  );
  // Whoever has a gateway asks it for the snapshots.
  expect(Object.keys(project.files()).filter((path) => path.startsWith("generated"))).toEqual([]);
  const ids = await productionIds(project);
  expect(Object.values(ids).sort()).toEqual(ROWS.map(({ id }) => id).sort());
  expect(ids).toMatchObject({
    "protocol-coffee-mainnet": "Qm-coffee-ethereum",
    "protocol-lockup-base": "Qm-lockup-base",
  });

  project.write("new.json", '[{ "deployment": "protocol-flow-base", "id": "QmNew" }]');
  expect(await run(project.root, ["init", "--yes", "--ids", "new.json"])).toMatchObject({ code: 0, err: "" });
  expect(await productionIds(project)).toEqual({ ...ids, "protocol-flow-base": "QmNew" });
});
