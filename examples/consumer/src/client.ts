import { createClient } from "../generated/proxied";

/** The page's server queries the indexers and has the key. */
export const client = createClient({ proxy: "/api/indexers" });
