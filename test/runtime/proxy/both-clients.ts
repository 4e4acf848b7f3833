import * as direct from "../../../generated/client.ts";
import * as flow from "../../../generated/flow/portable.ts";
import * as proxiedFlow from "../../../generated/flow/proxied.ts";
import * as lockup from "../../../generated/lockup/portable.ts";
import * as proxiedLockup from "../../../generated/lockup/proxied.ts";
import * as proxied from "../../../generated/proxied.ts";

/** The modules of a client, with the types of the one without a proxy. */
export type Api = {
  readonly client: direct.Client;
  readonly functions: typeof direct;
  readonly lockup: typeof lockup;
  readonly flow: typeof flow;
};

/** Returns a client that queries the indexers. */
export function directApi(options: direct.ClientOptions): Api {
  return { client: direct.createClient(options), functions: direct, lockup, flow };
}

/** Returns a client of a proxy. A call has the same types as without one. */
export function proxiedApi(options: proxied.ClientOptions): Api {
  const client = proxied.createClient(options);
  return { client, functions: proxied, lockup: proxiedLockup, flow: proxiedFlow } as unknown as Api;
}
