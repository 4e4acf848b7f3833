import { posix } from "node:path";
import { readRepositoryTree } from "./support/repository.ts";

/** Suites that take long without starting a process: they wait, query whole fleets, or work on much data. */
export const TAKES_LONG: readonly string[] = [
  "test/api.test.ts",
  "test/cli/accept.test.ts",
  "test/cli/ask-at.test.ts",
  "test/cli/ask-follow.test.ts",
  "test/cli/ask-several.test.ts",
  "test/cli/ask.test.ts",
  "test/cli/describe.test.ts",
  "test/cli/drift-identity.test.ts",
  "test/cli/drift-memory.test.ts",
  "test/cli/drift.test.ts",
  "test/cli/init-protocols.test.ts",
  "test/cli/init.test.ts",
  "test/cli/variables.test.ts",
  "test/client/aborts.test.ts",
  "test/client/answers.test.ts",
  "test/client/bodies.test.ts",
  "test/client/chains.test.ts",
  "test/client/faults.test.ts",
  "test/client/min-block.test.ts",
  "test/client/outages.test.ts",
  "test/client/pages-of-chains.test.ts",
  "test/client/pages.test.ts",
  "test/client/retries.test.ts",
  "test/client/slots.test.ts",
  "test/client/watch.test.ts",
  "test/codegen.test.ts",
  "test/compare/compare-surface.test.ts",
  "test/compare/diff-schemas.test.ts",
  "test/compare/entity-renames.test.ts",
  "test/compare/linear-work.test.ts",
  "test/dialects/multichain/origins.test.ts",
  "test/dialects/subgraph/origins.test.ts",
  "test/dialects/subgraph/read.test.ts",
  "test/emulator/costly-requests.test.ts",
  "test/emulator/dataset/rows/chain-dataset.test.ts",
  "test/emulator/dataset/rows/chain-rows.test.ts",
  "test/emulator/faults/http-faults.test.ts",
  "test/emulator/faults/indexer-faults.test.ts",
  "test/emulator/faults/introspect.test.ts",
  "test/emulator/faults/schema-faults.test.ts",
  "test/emulator/faults/timing.test.ts",
  "test/emulator/server/apply-fleet.test.ts",
  "test/emulator/server/engine.test.ts",
  "test/emulator/server/own-protocols.test.ts",
  "test/emulator/server/start-emulator.test.ts",
  "test/emulator/styles/subgraph/strict.test.ts",
  "test/fleet/hostile-schemas.test.ts",
  "test/fleet/introspect.test.ts",
  "test/generate/costly-operations.test.ts",
  "test/generate/documents.test.ts",
  "test/operations/find-pitfalls.test.ts",
  "test/operations/portable/application-queries.test.ts",
  "test/operations/portable/drivers-agree.test.ts",
  "test/operations/portable/mapped-rows.test.ts",
  "test/operations/portable/releases.test.ts",
  "test/operations/portable/same-rows.test.ts",
  "test/report/forms/hostile.test.ts",
  "test/report/forms/html.test.ts",
  "test/report/schema.test.ts",
  "test/runtime/client/pages.test.ts",
  "test/runtime/client/run.test.ts",
  "test/runtime/client/send.test.ts",
  "test/runtime/client/several-chains.test.ts",
  "test/runtime/proxy/guarantees.test.ts",
  "test/runtime/proxy/like-direct.test.ts",
  "test/runtime/proxy/limits.test.ts",
  "test/ask/ask-chains.test.ts",
  "test/ask/all-chains.test.ts",
  "test/ask/export/histories.test.ts",
  "test/ask/export/read-log.test.ts",
  "test/ask/export/columns.test.ts",
  "test/ask/style-variables.test.ts",
  "test/tasks/check.test.ts",
  "test/tasks/describe.test.ts",
  "test/tasks/doctor/endpoints.test.ts",
  "test/tasks/doctor/variables.test.ts",
  "test/tasks/drift/accept-answers.test.ts",
  "test/tasks/drift/style-by-style.test.ts",
  "test/port/prove.test.ts",
  "test/port/translate.test.ts",
  "test/tasks/run-plan.test.ts",
  "test/tasks/showcase.test.ts",
];

/**
 * Suites that only `npm run check:packages` runs, besides those of `test/packages`: they generate random cases, start
 * compilers and bundlers, kill processes, or measure inputs that take too long.
 */
export const ONLY_THOROUGH: readonly string[] = [
  "test/add-a-chain.test.ts",
  "test/bench.test.ts",
  "test/cli/loaded-modules.test.ts",
  "test/example-of-own-protocol.test.ts",
  "test/fleet/error-memory.test.ts",
  "test/generate/manifest-in-bundles.test.ts",
  "test/cli/ask-process.test.ts",
  "test/compare/oracles.test.ts",
  "test/compare/roll-up.property.test.ts",
  "test/docs-warehouse.test.ts",
  "test/emulator/agreement/agreement.test.ts",
  "test/emulator/dataset/seeded/seeded-rows.property.test.ts",
  "test/fleet/read-back.property.test.ts",
  "test/ask/export/killed-nights.test.ts",
  "test/emulator/dataset/seeded/seeded-rows.test.ts",
  "test/emulator/styles/subgraph/indexes.test.ts",
  "test/client/watch-memory.test.ts",
  "test/example-of-alerts.test.ts",
  "test/generate/code/client-preset.test.ts",
  "test/generate/emit-javascript.test.ts",
  "test/generate/hostile-names.test.ts",
  "test/generate/random-types.test.ts",
  "test/generated-documentation.test.ts",
  "test/operations/minified.test.ts",
  "test/operations/portable/agreement/chains.test.ts",
  "test/operations/portable/agreement/random-operations.test.ts",
  "test/operations/portable/agreement/refusal-pins.test.ts",
  "test/operations/portable/agreement/releases.test.ts",
  "test/operations/portable/former-library.test.ts",
  "test/tree-shaking.test.ts",
  "test/type-cost.test.ts",
];

/** Whether only `npm run check:packages` runs a suite. */
export function isOnlyThorough(path: string): boolean {
  return ONLY_THOROUGH.includes(path) || path.startsWith("test/packages/");
}

/** The suites of `npm run check:packages`: those that only it runs, and those that try more there. */
export function findThorough(files: Readonly<Record<string, string>>): string[] {
  return Object.keys(files).filter(
    (path) =>
      path.endsWith(".test.ts") &&
      path !== "test/suites.test.ts" &&
      (isOnlyThorough(path) || TRIES_MORE.test(files[path] ?? "")),
  );
}

const TRIES_MORE = /\b(IS_THOROUGH|COMPILERS|BUNDLERS)\b|\bruns\(\w+, /;

/** Modules that start a process, or take as long as one: compilers and bundlers. */
const PROGRAM =
  /^(node:child_process|node:worker_threads|typescript|typescript-\d|ts-morph|typedoc|esbuild|rolldown|vite|playwright-core|@graphql-codegen\/cli)$/;

/** The folders of suites and of the files that they import, without the sources. */
const FOLDERS = ["test", "docs", "bench"];

/** Every file that may be part of a suite, by its path in the repository. */
export function readSuiteFiles(): Record<string, string> {
  return Object.fromEntries(
    FOLDERS.flatMap((folder) =>
      Object.entries(readRepositoryTree(folder)).map(([path, text]) => [`${folder}/${path}`, text]),
    ),
  );
}

/** The suites that start programs, directly or through their imports. */
export function findStartingPrograms(files: Readonly<Record<string, string>>): string[] {
  return Object.keys(files).filter((path) => path.endsWith(".test.ts") && startsPrograms(path, files));
}

function startsPrograms(
  path: string,
  files: Readonly<Record<string, string>>,
  seen = new Set<string>(),
): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const imports = (files[path] ?? "").matchAll(
    /^(?:import|export)\b[^;"]*"([^"]+)";$|\bimport\("([^"]+)"\)/gm,
  );
  return [...imports]
    .map(([, always, late]) => always ?? late ?? "")
    .some((name) =>
      name.startsWith(".")
        ? startsPrograms(posix.join(posix.dirname(path), name), files, seen)
        : PROGRAM.test(name),
    );
}
