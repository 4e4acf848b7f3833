import { entitiesText } from "../../../emulator/dataset/entities/index.ts";
import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { deriveMultichain } from "../../../src/dialects/multichain/derive.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";

/** The entities of the reference deployments. */
export const LOCKUP = entitiesText("lockup", "multichain");
export const FLOW = entitiesText("flow", "multichain");

/** A small model with every kind of relation, a list and an enum. */
export const PARCELS = `
enum ParcelState { NEW SENT }
type Depot { id: ID!  name: String!  parcels: [Parcel!]! @derivedFrom(field: "depot") }
type Parcel {
  id: ID!
  depot: Depot!
  returnedTo: Depot
  state: ParcelState!
  weight: BigInt!
  fragile: Boolean!
  tags: [String!]!
}
`;

export function derive(entities: string, options: DeriveOptions = {}): ApiSchema {
  return deriveMultichain(parseEntities(entities, "entities.graphql"), options);
}
