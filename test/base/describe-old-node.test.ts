import { describe, expect, it } from "vitest";
import { describeOldNode, OLDEST_NODE } from "../../src/base/old-node.ts";
import { readRepositoryFile } from "../support/repository.ts";

describe("describeOldNode", () => {
  it.each(["20.19.0", "20.20.1", "21.0.0", "22.0.0", "26.1.0-nightly"])(
    "returns null for Node %s",
    (version) => {
      expect(describeOldNode(version)).toBeNull();
    },
  );

  it.each(["0.12.0", "16.20.2", "18.20.8", "20.9.0", "20.18.3"])("error: Node %s is too old", (version) => {
    expect(describeOldNode(version)).toBe(
      `lockflow: Node ${version} is too old. Lockflow needs 20.19 or newer.\n` +
        "Hint: install a newer Node from https://nodejs.org or with your version manager: nvm install 22.\n",
    );
  });

  it("has the same minimum version as package.json", () => {
    const { engines } = JSON.parse(readRepositoryFile("package.json")) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${OLDEST_NODE.join(".")}`);
  });

  it("is the only static import of the program and imports nothing itself", () => {
    const imports = readRepositoryFile("src/cli/main.ts").match(/^import .*$/gm);
    expect(imports).toEqual(['import { describeOldNode } from "../base/old-node.ts";']);
    expect(readRepositoryFile("src/base/old-node.ts")).not.toMatch(/^import /m);
  });
});
