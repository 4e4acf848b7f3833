import type { Code } from "./code.ts";

const REGENERATE = "run `lockflow generate` and commit the result.";
const PRUNE = "run `lockflow accept --prune`, and commit the result.";

/** What can be wrong in this repository: operations, what is generated, snapshots, and what was accepted. */
export const FILES = {
  "operation/syntax": {
    severity: "breaking",
    message: (said: string) => said,
    means: "A file of operations is not GraphQL.",
    matters: "Nothing can be generated for its protocol and style.",
    act: "Correct it at the place that is named.",
  },
  "operation/anonymous": {
    severity: "breaking",
    message: "An operation has no name.",
    fix: "name it: what is generated is called after it.",
    means: "An operation has no name.",
    matters: "The generated code is named after it.",
    act: "Name it.",
  },
  "operation/duplicate-name": {
    severity: "breaking",
    message: (kind: string, name: string, differ: boolean) =>
      `There are two ${kind}s called "${name}"${differ ? ", and they differ" : ""}.`,
    means: "Two operations, or two fragments that differ, of one protocol and style have one name.",
    matters: "Only one of them could be generated, and it would be unclear which.",
    act: "Rename one.",
  },
  "operation/not-executable": {
    severity: "breaking",
    message: "Only operations and fragments belong here.",
    fix: "type definitions come from the snapshots.",
    means: "A file of operations defines a type.",
    matters: "Types come from the snapshots. A type that is defined here exists on no server.",
    act: "Remove the definition.",
  },
  "operation/unused-fragment": {
    severity: "breaking",
    message: (name: string) => `No operation uses the fragment "${name}".`,
    fix: "use it, or delete it.",
    means: "No operation uses a fragment.",
    matters: "It is never validated, and is most likely a leftover or a typing error.",
  },
  "operation/misplaced": {
    severity: "breaking",
    message: "The file stands where no protocol and style is, so nothing would be generated from it.",
    means: "A file of operations is outside the folders of the protocols and styles.",
    matters: "Nothing would be generated from it, and nobody would notice.",
    act: "Move it into the folder of its protocol and style.",
  },
  "operation/invalid": {
    severity: "breaking",
    message: (said: string) => said,
    means: "An operation is not valid for its snapshot.",
    matters: "The endpoints would refuse it as a whole.",
    act: "Correct it. If the indexers have changed, `lockflow drift` shows what changed and where.",
  },
  "operation/no-root": {
    severity: "breaking",
    message: (surface: string, kind: string) => `The schema of ${surface} has no ${kind}s.`,
    fix: "these indexers are read only: write a query.",
    means: "An operation is a mutation or a subscription that the schema has no root for.",
    matters: "Validators do not notice it, and the endpoints refuse it.",
    act: "Write a query: these indexers are read only.",
  },
  "operation/unmapped-scalar": {
    severity: "breaking",
    message: (names: readonly string[]) =>
      `Operations use ${names.length === 1 ? "a scalar" : "scalars"} without a TypeScript type: ${names.join(", ")}.`,
    means: "An operation uses a scalar that has no TypeScript type.",
    matters: "A guess could be a wrong type in a program that relies on it.",
    act: "Give it a TypeScript type in the configuration, under `scalars`.",
  },
  "operation/not-everywhere": {
    severity: "risky",
    message: (chains: string) => `The schema of ${chains} does not accept it.`,
    fix: "the manifest lists the chains it is valid on.",
    means: "Some chains serve a schema that does not accept an operation.",
    matters: "It is generated, and fails on those chains. The manifest lists where it is valid.",
    act: "Query the chains that the manifest lists, or leave out what the others lack.",
  },
  "generated/stale": {
    severity: "breaking",
    message: "The file is not what would be generated.",
    fix: REGENERATE,
    means: "A generated file is not what would be generated now.",
    matters: "Its types do not fit the operations and the snapshots.",
  },
  "generated/missing": {
    severity: "breaking",
    message: "The file does not exist, but would be generated.",
    fix: REGENERATE,
    means: "A file that would be generated is not there.",
    matters: "Modules that import it do not compile.",
  },
  "generated/interrupted": {
    severity: "breaking",
    message: (folder: string, left: string) =>
      `A run was interrupted while it replaced files in ${folder}/: ${left}`,
    fix: "run `lockflow generate`: it finishes what was begun. Commit the result.",
    means: "A run was interrupted while it replaced files: some of them are new, and some are old.",
    matters: "Each file is complete, but together they do not fit.",
    act: "Run `lockflow generate`: every command that reads or writes the project finishes the run first, and only `check` and `doctor` change nothing. Where somebody has changed a file since, it is left as it is; the other findings tell what does not fit.",
  },
  "generated/orphaned": {
    severity: "breaking",
    message: (isSnapshot: boolean) =>
      isSnapshot ? "It is no snapshot of this project's protocols." : "Nothing generates this file.",
    fix: "move it out of the output folder, or delete it.",
    means: "A file in the output folder is not generated from anything.",
    matters: "It looks like a generated file, and is never updated again.",
    act: "Run `lockflow generate`, which removes its own leftovers, or move it out of the folder.",
  },
  "snapshot/edited": {
    severity: "breaking",
    message: (fault: string) => fault,
    fix: "restore it from version control, or delete it and run `lockflow introspect`.",
    means: "A snapshot is not as introspection wrote it.",
    matters: "Everything is generated from it and compared with it, so it must be what an endpoint served.",
  },
  "snapshot/record": {
    severity: "breaking",
    message: (fault: string) => fault,
    fix: "run `lockflow introspect`",
    means: "The fleet record contradicts the project or the snapshots beside it.",
    matters: "It records which chain serves which schema, and so where an operation is valid.",
    act: "Run `lockflow introspect`, or restore it from version control.",
  },
  "snapshot/unserved": {
    severity: "breaking",
    message: "No deployment in the fleet record serves it.",
    fix: "run `lockflow introspect`, or delete it.",
    means: "No deployment is recorded to serve a snapshot.",
    matters: "Operations are validated against a schema that nobody serves.",
  },
  "baseline/stale": {
    severity: "breaking",
    message: (what: string, until: string | null) =>
      until === null
        ? `The acceptance of ${what} matches nothing any more.`
        : `The acceptance of ${what} ended on ${until}.`,
    fix: PRUNE,
    means: "An accepted difference is gone, or its acceptance has ended.",
    matters:
      "The acceptance would hide the same difference when it comes back. Only deployments that answered count, so an outage makes no acceptance stale.",
    act: "Run `lockflow accept --prune`, and commit the result; or accept the difference again, with a later day.",
  },
  "baseline/partly-stale": {
    severity: "cosmetic",
    message: (what: string, deployments: string) =>
      `The acceptance of ${what} is no longer needed for ${deployments}.`,
    fix: PRUNE,
    means: "Some of the deployments of an acceptance no longer show the difference.",
    matters:
      "The acceptance would hide the same difference when it comes back there. It does not fail a run.",
  },
} as const satisfies Readonly<Record<string, Code>>;
