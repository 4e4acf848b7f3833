import type { Types } from "@graphql-codegen/plugin-helpers";
import { expect, it, vi } from "vitest";
import { codegenTargets } from "../src/codegen.ts";
import { REPOSITORY, readRepositoryFile } from "./support/repository.ts";

// `npm run check:packages` has the stock command itself write them.
it("codegenTargets() hands over the files that are committed", async () => {
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(REPOSITORY);
  const paths: string[] = [];
  for (const [target, output] of Object.entries(codegenTargets())) {
    const { preset, schema } = output as { preset: Types.OutputPreset; schema: string };
    expect(schema).toBe(target.replace("generated/", "generated/schemas/").replace(/ts$/, "graphql"));
    const sections = await preset.buildGeneratesSection({} as Types.PresetFnArgs<object>);
    for (const { filename, plugins, pluginMap, schema, documents, config } of sections) {
      const made = await Promise.all(
        plugins.flatMap((plugin) =>
          Object.entries(plugin).map(([name, options]) =>
            pluginMap[name]?.plugin(schema as never, documents, { ...config, ...options }),
          ),
        ),
      );
      expect(made.join("\n") === readRepositoryFile(filename), `${filename} is as committed`).toBe(true);
      paths.push(filename);
    }
  }
  cwd.mockRestore();
  expect(paths).toEqual(
    ["lockup/multichain", "lockup/subgraph", "flow/multichain", "flow/subgraph"].flatMap((surface) => [
      `generated/${surface}.ts`,
      `generated/${surface}.strings.ts`,
    ]),
  );
});
