import { describe, expect, it } from "vitest";
import { VERSION } from "../src/base/own-package.ts";
import { readRepositoryFile } from "./support/repository.ts";

type Packages = Readonly<Record<string, string>>;
type Manifest = {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Packages;
  readonly devDependencies: Packages;
  /** Of a lock file. */
  readonly packages: Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;
};

const read = (path: string): Manifest => JSON.parse(readRepositoryFile(path));
const manifest = read("package.json");

describe("the package", () => {
  it("has one version, in the code and in every file", () => {
    const { "": own } = read("package-lock.json").packages;
    const packages = ["operations", "client", "graph-node"].map((name) => `packages/${name}/package.json`);
    const locks = ["package-lock.json", "packages/graph-node/package-lock.json"];
    const versions = ["package.json", ...packages, ...locks].map((path) => read(path).version);
    expect(new Set([...versions, own?.["version"], manifest.devDependencies["lockflow-client"]])).toEqual(
      new Set([VERSION]),
    );
    expect(read("packages/graph-node/package.json").engines).toEqual(manifest.engines);
  });

  it("declares the Node version that its build targets", () => {
    const needed = /^>=(\d+\.\d+)$/.exec(manifest.engines.node)?.[1];
    expect(needed).toBe("20.19");
    expect(readRepositoryFile("tsdown.config.ts")).toContain(`target: "node${needed}"`);
  });

  it("has no registry URLs in its lock file, and an integrity hash for every package", () => {
    expect(readRepositoryFile("package-lock.json")).not.toMatch(/https?:\/\/[^"]*(registry|npmjs|yarnpkg)/);
    // The packages of this repository are linked.
    const own = ["", "node_modules/lockflow-client", "packages/client"];
    const entries = Object.entries(read("package-lock.json").packages).filter(
      ([path]) => !own.includes(path),
    );
    expect(entries.length).toBeGreaterThan(100);
    const isWrong = ({ resolved, integrity }: (typeof entries)[number][1]) =>
      resolved !== undefined || integrity === undefined;
    expect(entries.filter(([, entry]) => isWrong(entry))).toEqual([]);
  });

  it("has examples with the same versions", () => {
    for (const example of ["consumer", "next"]) {
      const { dependencies, devDependencies } = read(`examples/${example}/package.json`);
      const used = Object.entries({ ...dependencies, ...devDependencies });
      const shared = used.filter(([name]) => name in manifest.devDependencies);
      expect(shared.map(([name]) => name)).toContain("react");
      expect(manifest.devDependencies).toMatchObject(Object.fromEntries(shared));
    }
  });

  it("pins its dependencies, because a new version may generate different bytes", () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual(
      [],
    );
  });
});
