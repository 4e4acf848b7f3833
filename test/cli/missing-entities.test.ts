import { describe, expect, it } from "vitest";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

describe("a missing file of entities is the same error in", () => {
  it.each([
    ["init", "--protocols", "lots"],
    ["sync"],
    ["introspect"],
    ["plan", "--protocol", "lots", "--against", "HEAD"],
    ["doctor"],
    ["emulate", "--port", "0"],
  ])("%s", async (...args) => {
    const { root } = tempProject({
      "package.json": "{}",
      "lockflow.config.json":
        '{ "protocols": { "lots": { "entities": "nowhere.graphql", "chains": ["base"] } } }',
    });
    const { code, out, err } = await run(root, args);
    expect(code).not.toBe(0);
    const said = (out + err).replaceAll(/\s+/g, " ");
    expect(said).toContain('"protocols.lots.entities" names "nowhere.graphql", which does not exist.');
    expect(said).toContain("correct the path: it starts at the configuration's folder.");
  });
});
