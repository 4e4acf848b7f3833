import { build, type Plugin } from "esbuild";
import type {
  Chain,
  Deployment,
  Endpoint,
  Variables,
} from "../../packages/client/src/manifest/manifest-types.ts";
import type { Protocol } from "../../src/dialects/surface.ts";
import { buildManifest } from "../../src/generate/manifest/build-manifest.ts";
import { renderRoutes } from "../../src/generate/manifest/render-routes.ts";
import type { Coverage } from "../../src/generate/prepare-documents.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { REPOSITORY } from "./repository.ts";

/** A manifest as JavaScript uses it, without types. */
export type LoadedManifest = {
  readonly chains: Readonly<Record<string, Chain>>;
  readonly deployments: Readonly<Record<string, Deployment>>;
  readonly operations: Readonly<Record<string, Record<string, Record<string, unknown>>>>;
  readonly multichainChainIds: Readonly<Record<string, readonly string[]>>;
  readonly resolveChain: (chain: unknown) => string;
  readonly endpoint: (request: unknown, env?: Variables) => Endpoint;
  readonly lockupEndpoint: (request: unknown, env?: Variables) => Endpoint;
  readonly flowEndpoint: (request: unknown, env?: Variables) => Endpoint;
  readonly hasEndpoint: (request: unknown) => boolean;
};

/** The manifest of a configuration and the routes that it imports, by path. */
export function manifestFiles(
  config: Config,
  coverage: readonly Coverage[] = [],
  protocol: Protocol = "lockup",
): { readonly "manifest.ts": string; readonly "routes.ts": string } {
  return {
    "manifest.ts": manifestText(config, coverage, protocol),
    "routes.ts": renderRoutes(resolveProject(config, "/project"), IMPORTS).content,
  };
}

const IMPORTS = { importExtension: ".js", runtime: "package" } as const;

/** Lets esbuild bundle the manifest of a configuration as if it stood in this repository. */
export function manifestPlugin(config: Config, coverage?: readonly Coverage[]): Plugin {
  const files = manifestFiles(config, coverage);
  return {
    name: "manifest",
    setup(build) {
      build.onResolve({ filter: /^\.\/(manifest|routes)\.[jt]s$/ }, ({ path }) => ({
        path: path.replace(/^\.\/(.*)\.[jt]s$/, "$1.ts"),
        namespace: "generated",
      }));
      build.onLoad({ filter: /.*/, namespace: "generated" }, ({ path }) => ({
        contents: files[path as keyof typeof files],
        loader: "ts",
        resolveDir: REPOSITORY,
      }));
    },
  };
}

/** The text of the manifest of a configuration. */
export function manifestText(
  config: Config,
  coverage: readonly Coverage[] = [],
  protocol: Protocol = "lockup",
): string {
  const { brand, shared, definitions, chains, deployments } = resolveProject(config, "/project");
  const operations = [{ protocol, style: "subgraph", coverage } as const];
  const input = { asOf: "2025-08", brand, shared, definitions, chains, deployments, operations };
  return buildManifest(input, IMPORTS).content;
}

/** The manifest of a configuration, built and loaded from the emitted text. */
export async function loadManifest(config: Config, coverage?: readonly Coverage[]): Promise<LoadedManifest> {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "./manifest.ts";', loader: "ts", resolveDir: REPOSITORY },
    plugins: [manifestPlugin(config, coverage)],
    bundle: true,
    format: "esm",
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
}
