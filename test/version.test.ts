import { describe, expect, it } from "vitest";
import { VERSION } from "../src/base/own-package.ts";
import { readRepositoryFile } from "./support/repository.ts";

type Manifest = {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

type Lock = { readonly version: string; readonly packages: Readonly<Record<string, LockedPackage>> };

type LockedPackage = { readonly version?: string; readonly resolved?: string; readonly integrity?: string };

const manifest: Manifest = JSON.parse(readRepositoryFile("package.json"));
const lock: Lock = JSON.parse(readRepositoryFile("package-lock.json"));
const { "": own, ...locked } = lock.packages;
const operations: Pick<Manifest, "version" | "engines"> = JSON.parse(
  readRepositoryFile("packages/operations/package.json"),
);

const client: Pick<Manifest, "version"> & { readonly name: string } = JSON.parse(
  readRepositoryFile("packages/client/package.json"),
);
const graphNode: Pick<Manifest, "version" | "engines"> = JSON.parse(
  readRepositoryFile("packages/graph-node/package.json"),
);
const graphNodeLock: Lock = JSON.parse(readRepositoryFile("packages/graph-node/package-lock.json"));

describe("the package", () => {
  it("has one version, in the code and in every file", () => {
    expect(VERSION).toBe(manifest.version);
    expect(operations.version).toBe(manifest.version);
    expect(client.version).toBe(manifest.version);
    expect(manifest.devDependencies[client.name]).toBe(client.version);
    expect([graphNode.version, graphNodeLock.version]).toEqual([manifest.version, manifest.version]);
    expect(graphNode.engines).toEqual(manifest.engines);
    expect(lock.version).toBe(manifest.version);
    expect(own?.version).toBe(manifest.version);
  });

  it("declares the Node version that its build targets", () => {
    const needed = /^>=(\d+\.\d+)$/.exec(manifest.engines.node)?.[1];
    expect(needed).toBe("20.19");
    expect(readRepositoryFile("tsdown.config.ts")).toContain(`target: "node${needed}"`);
  });

  it("has no registry URLs in its lock file, and an integrity hash for every package", () => {
    expect(readRepositoryFile("package-lock.json")).not.toMatch(/https?:\/\/[^"]*(registry|npmjs|yarnpkg)/);
    // The packages of this repository are linked.
    const own = ["node_modules/lockflow-client", "packages/client"];
    const entries = Object.entries(locked).filter(([path]) => !own.includes(path));
    expect(entries.length).toBeGreaterThan(100);
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(entries.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
  });

  it("has examples with the same versions", () => {
    const own: Readonly<Record<string, string>> = manifest.devDependencies;
    for (const example of ["consumer", "next"]) {
      const { dependencies, devDependencies }: Manifest = JSON.parse(
        readRepositoryFile(`examples/${example}/package.json`),
      );
      const shared = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name in own);
      expect(shared).toContain("react");
      expect({ ...dependencies, ...devDependencies }).toMatchObject(
        Object.fromEntries(shared.map((name) => [name, own[name]])),
      );
    }
  });

  it("pins its dependencies, because a new version may generate different bytes", () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(
      versions.filter(([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    ).toEqual([]);
  });
});
