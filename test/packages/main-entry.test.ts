import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import * as client from "../../generated/client.js";
import * as flow from "../../generated/flow/portable.js";
import * as lockup from "../../generated/lockup/portable.js";
import * as manifest from "../../generated/manifest.js";
import * as entry from "../../packages/operations/index.js";
import { REPOSITORY } from "../support/repository.ts";
import { tempProject } from "../support/temp-project.ts";

describe("the main entry of the operations", () => {
  it("exports the client and the manifest, and the operations by protocol", () => {
    expect({ ...entry }).toEqual({ ...client, ...manifest, flow, lockup });
    // A name that two modules export would be dropped.
    expect(Object.keys(client).filter((name) => name in manifest)).toEqual([]);
  });

  it("adds nothing to a bundle of rolldown compared with its parts", async () => {
    const [whole, parts] = await Promise.all([WHOLE, PARTS].map(bundleWithRolldown));
    expect(operationsIn(whole)).toEqual(USED);
    expect(whole).toHaveLength(parts?.length ?? 0);
  });

  // esbuild does not tree-shake namespace exports; the README describes the alternative.
  it("adds the operations of the protocol to a bundle of esbuild", async () => {
    const [whole, parts] = await Promise.all([WHOLE, PARTS].map(bundleWithEsbuild));
    expect(operationsIn(parts)).toEqual(USED);
    const operations = Object.keys(lockup).filter((name) => !name.startsWith("decode"));
    expect(new Set(operationsIn(whole))).toEqual(new Set(["Health", ...operations]));
    expect(whole).toContain(lockup.AllStreams.subgraph);
    expect(whole).not.toContain(flow.AllStreams.subgraph);
  });
});

/** A client contains the health operation. */
const USED = ["Health", "StreamById", "StreamById"];
const USE = 'run(createClient(), StreamById, { id: "1" }, { chain: "base" }).then(console.log);';
const WHOLE = `
  import { createClient, lockup, run } from ${fromHere("packages/operations/index.ts")};
  ${USE.replace("StreamById", "lockup.StreamById")}`;
const PARTS = `
  import { createClient, run } from ${fromHere("generated/client.ts")};
  import { StreamById } from ${fromHere("generated/lockup/portable.ts")};
  ${USE}`;

function fromHere(path: string): string {
  return JSON.stringify(join(REPOSITORY, path));
}

/** Returns the names of the operations in a bundle, once for each style. */
function operationsIn(code = ""): string[] {
  return [...code.matchAll(/`query (\w+)/g)].map(([, name]) => name ?? "").sort();
}

async function bundleWithEsbuild(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: REPOSITORY },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

async function bundleWithRolldown(code: string): Promise<string> {
  const { rolldown } = await import("rolldown");
  const project = tempProject({ "entry.js": code });
  await using bundle = await rolldown({ input: join(project.root, "entry.js"), logLevel: "silent" });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  return output[0].code;
}
