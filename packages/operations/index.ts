// The main entry of lockflow-operations: the client, the manifest, and the operations that are written once.
export * from "../../generated/client.js";
/** The operations of Flow that are written once, for both styles. */
export * as flow from "../../generated/flow/portable.js";
/** The operations of Lockup that are written once, for both styles. */
export * as lockup from "../../generated/lockup/portable.js";
// The client has one too, of a protocol, which its own entry exports.
export type { Chain } from "../../generated/manifest.js";
export * from "../../generated/manifest.js";
