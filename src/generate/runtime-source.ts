import { embedModules } from "./embed-modules.ts";

/** The modules in the order of the manifest; `narrowed.ts` only stands in for its types. */
const MODULES = [
  "manifest-types",
  "find-chain",
  "chain-name",
  "find-endpoint",
  "describe-status",
  "build-endpoint",
  "build-url",
  "parse-url",
  "refuse-name",
];

/** What users of the manifest name. */
const PUBLIC = ["AuthRule", "Chain", "Deployment", "Endpoint", "EndpointOf", "Lifecycle", "Variables"];

/** What the manifest holds besides its data: the modules of `src/runtime/` as one, which imports nothing. */
export function runtimeSource(): string {
  return embedModules(MODULES, PUBLIC);
}
