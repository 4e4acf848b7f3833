/** Suites that put something in the place of a module, which no other may find there, or look at the heap. */
export const ALONE = [
  "test/cli/check.test.ts",
  "test/emulator/indexers/lazy-generation.test.ts",
  "test/emulator/indexers/protocol-dataset.test.ts",
  "test/fleet/error-memory.test.ts",
];

/** All suites that start processes, run a compiler or build bundles. */
export const STARTS_PROGRAMS = [
  "test/architecture.test.ts",
  "test/base/disk/require-file.test.ts",
  "test/base/disk/write-files.test.ts",
  "test/cli/check-against.test.ts",
  "test/cli/diff-two.test.ts",
  "test/cli/doctor.test.ts",
  "test/cli/emulate-faults.test.ts",
  "test/cli/emulate.test.ts",
  "test/cli/help.test.ts",
  "test/cli/output.test.ts",
  "test/cli/tls.test.ts",
  "test/cli/unfinished.test.ts",
  "test/cli/watch-generate.test.ts",
  "test/codegen-config.test.ts",
  "test/determinism.test.ts",
  "test/docs-reference.test.ts",
  "test/docs.test.ts",
  "test/generate/hostile-names.test.ts",
  "test/generate/manifest-in-bundles.test.ts",
  "test/generated-documentation.test.ts",
  "test/generated-types.test.ts",
  "test/manifest-cost.test.ts",
  "test/packages/killed-runs.test.ts",
  "test/packages/packages.test.ts",
  "test/report/explanations.test.ts",
  "test/repository/init/render-snippet.test.ts",
  "test/tree-shaking.test.ts",
  "test/workflows.test.ts",
];

/** Suites that take seconds without any of that: they ask whole fleets, or very much. */
export const TAKES_LONG = [
  "test/cli/accept-live.test.ts",
  "test/cli/drift-cases.test.ts",
  "test/cli/drift-identity.test.ts",
  "test/cli/drift-memory.test.ts",
  "test/cli/drift.test.ts",
  "test/cli/generate.test.ts",
  "test/cli/init.test.ts",
  "test/cli/variables.test.ts",
  "test/compare/diff-schemas.test.ts",
  "test/compare/entity-renames.test.ts",
  "test/compare/linear-work.test.ts",
  "test/compare/roll-up.property.test.ts",
  "test/emulator/agreement/agreement.test.ts",
  "test/emulator/costly-requests.test.ts",
  "test/emulator/dataset/rows/chain-dataset.test.ts",
  "test/emulator/dataset/rows/chain-rows.test.ts",
  "test/emulator/faults/indexer-faults.test.ts",
  "test/emulator/faults/introspect.test.ts",
  "test/emulator/faults/schema-faults.test.ts",
  "test/emulator/styles/subgraph/execute/indexes.test.ts",
  "test/fleet/introspect.test.ts",
  "test/fleet/read-back.property.test.ts",
  "test/picture.test.ts",
  "test/report/forms/hostile.test.ts",
  "test/styles/subgraph/read.test.ts",
];

/** What `npm run test:fast` leaves out besides those that run alone. */
export const HEAVY: readonly string[] = [...STARTS_PROGRAMS, ...TAKES_LONG];
