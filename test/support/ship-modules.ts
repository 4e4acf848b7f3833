import { once } from "../../src/base/collections.ts";
import { portableModules } from "../generate/portable-modules.ts";
import { SCHEMA } from "../operations/portable/schema.ts";
import { installClient } from "./built-client.ts";
import { type TempProject, tempProject } from "./temp-project.ts";

const OPERATIONS = `
  query ShipsByFlag($flag: Bytes!, $first: Int! = 100, $skip: Int! = 0) {
    ships(where: { flag: $flag }, first: $first, skip: $skip, orderBy: tonnage, orderDirection: desc) {
      id chainId tonnage home { id name } captain { id }
    }
  }
  query AllShips($after: BigInt! = 0, $first: Int! = 1000) {
    ships(where: { serial_gt: $after }, first: $first, orderBy: serial) { id chainId serial home { id } }
  }
  query FindShips($where: Ship_filter, $by: Ship_orderBy) { ships(where: $where, orderBy: $by) { id } }
  query ShipsById($after: String! = "", $first: Int! = 100) { ships(where: { id_gt: $after }, first: $first) { id } }
`;

const modules = once(() => portableModules({ entities: SCHEMA, operations: OPERATIONS }));

/** A project with the generated modules of a small protocol, whose size and cost are measured. */
export async function shipModules(): Promise<TempProject> {
  const project = tempProject({ ...(await modules()), "package.json": '{ "type": "module" }' });
  installClient(project.root);
  return project;
}
