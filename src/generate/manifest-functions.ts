import { ENDPOINT_KINDS, servedChains } from "./manifest-rows.ts";
import type { ManifestPart } from "./manifest-types.ts";
import { docComment } from "./type-tree.ts";

/** The functions of the manifest: what callers see of the code that they hand their chains and deployments to. */
export function manifestFunctions(parts: readonly ManifestPart[]): string[] {
  const all = `[${parts.map(({ names }) => names.served).join(", ")}]`;
  return [
    declare(
      "resolveChain(chain: string | number | bigint): ChainKey",
      "findChain(chains, chain)",
      "The key of the chain that an id (number, bigint, decimal or hex), a CAIP-2 id, a key, a name, an EIP-3770 short name, a suffix or an alias stands for. Case does not matter, nor do blanks, underscores and dashes, except before a digit. Throws, with the nearest names, where it stands for none. Of an id that is written out, the key is known to the compiler.",
      [
        "resolveChain<Id extends keyof ChainsById>(chain: Id): ChainsById[Id]",
        "resolveChain(chain: string | number | bigint): ChainKey",
      ],
    ),
    declare(
      "endpoint(request: EndpointRequest, env?: Variables): Endpoint",
      `buildEndpoint(${all}, chains, { ${spread(parts)} }, env)`,
      "Where and how to ask a protocol in a style, on a chain, in production unless `environment` says otherwise. `chain` is a key, as `resolveChain` gives it, or an id. `env` has the variables that URLs are made of where the configuration leaves them open; without it they are those of `process.env`, or what a bundler puts in their place. Throws, with what there is, where the request came from outside the type system and there is no such endpoint, and where a variable is missing or unfit.",
      [
        "endpoint<P extends Protocol, S extends StyleName>(request: EndpointRequest & { readonly protocol: P; readonly style: S }, env?: Variables): Endpoint<P, S>",
      ],
    ),
    ...parts.map((part) => {
      const { definition, names } = part;
      return declare(
        `${names.endpoint}(request: ${names.request}, env?: Variables): Endpoint`,
        `buildEndpoint([${names.served}], chains, { protocol: "${definition.key}", ${spread([part])} }, env)`,
        `\`endpoint\` for ${definition.title} alone: a bundle that uses this one holds nothing of another protocol.`,
        [
          `${names.endpoint}<S extends StyleName>(request: ${names.request} & { readonly style: S }, env?: Variables): Endpoint<"${definition.key}", S>`,
        ],
      );
    }),
    declare(
      "hasEndpoint(request: { readonly protocol: string; readonly style: string; readonly chain?: string | number | undefined; readonly environment?: string | undefined }): request is EndpointRequest",
      `isServed(${all}, chains, { ...request })`,
      "Whether there is such an endpoint: what makes a request of a chain that came from elsewhere one for `endpoint`.",
    ),
  ];
}

/** Where nothing is left to be asked, a request is of no type, which the compiler does not spread. */
function spread(parts: readonly ManifestPart[]): string {
  return parts.some(isServed) ? "...request" : "...(request as object)";
}

function isServed({ deployments }: ManifestPart): boolean {
  return ENDPOINT_KINDS.some(
    ([style, environment]) => servedChains(deployments, style, environment).length > 0,
  );
}

/** @param closer the signatures that callers see in the place of the one with the body, which the compiler checks faster. */
function declare(signature: string, value: string, doc: string, closer: readonly string[] = []): string {
  const lines = [...closer.map((one) => `${one};`), `${signature} {`].map((one) => `export function ${one}`);
  return `${docComment(doc, "")}${lines.join("\n")}\n  return ${value};\n}`;
}
