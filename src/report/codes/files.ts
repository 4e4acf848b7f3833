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
    matters: "What is generated is called after it.",
    act: "Name it.",
  },
  "operation/duplicate-name": {
    severity: "breaking",
    message: (kind: string, name: string, differ: boolean) =>
      `There are two ${kind}s called "${name}"${differ ? ", and they differ" : ""}.`,
    means: "Two operations, or two fragments that differ, of one protocol and style have one name.",
    matters: "Only one of them could be generated, and nobody could tell which.",
    act: "Rename one.",
  },
  "operation/not-executable": {
    severity: "breaking",
    message: "Only operations and fragments belong here.",
    fix: "type definitions come from the snapshots.",
    means: "A file of operations defines a type.",
    matters: "Types come from the snapshots; what is defined here is defined nowhere else.",
    act: "Take it out.",
  },
  "operation/unused-fragment": {
    severity: "breaking",
    message: (name: string) => `No operation uses the fragment "${name}".`,
    fix: "use it, or delete it.",
    means: "No operation uses a fragment.",
    matters:
      "It is not checked against anything that is asked, and most likely a leftover or a slip of the pen.",
  },
  "operation/misplaced": {
    severity: "breaking",
    message: "The file stands where no protocol and style is, so nothing would be generated from it.",
    means: "A file of operations stands where no protocol and style is.",
    matters: "Nothing would be generated from it, and nobody would notice.",
    act: "Move it into the folder of its protocol and style.",
  },
  "operation/invalid": {
    severity: "breaking",
    message: (said: string) => said,
    means: "An operation is not valid for its snapshot.",
    matters: "The endpoints would refuse it as a whole.",
    act: "Correct it; if the indexers have changed, `lockflow drift` tells what and where.",
  },
  "operation/no-root": {
    severity: "breaking",
    message: (surface: string, kind: string) => `The schema of ${surface} has no ${kind}s.`,
    fix: "these indexers are read only: write a query.",
    means: "An operation is a mutation or a subscription that the schema has no root for.",
    matters: "Validators pass over it, and the endpoints refuse it.",
    act: "Write a query: these indexers are read only.",
  },
  "operation/unmapped-scalar": {
    severity: "breaking",
    message: (names: readonly string[]) =>
      `Operations use ${names.length === 1 ? "a scalar" : "scalars"} without a TypeScript type: ${names.join(", ")}.`,
    means: "An operation uses a scalar whose values nobody has described.",
    matters: "A guess would be a wrong type in somebody's program.",
    act: "Give it a TypeScript type in the configuration, under `scalars`.",
  },
  "operation/not-everywhere": {
    severity: "risky",
    message: (chains: string) => `The schema of ${chains} does not accept it.`,
    fix: "the manifest lists the chains it is valid on.",
    means: "Some chains serve a schema that does not accept an operation.",
    matters:
      "It is generated, and fails when it is asked of those chains. The manifest lists where it is valid.",
    act: "Ask the chains that the manifest lists, or leave out what the others lack.",
  },
  "generated/stale": {
    severity: "breaking",
    message: "The file is not what would be generated.",
    fix: REGENERATE,
    means: "A generated file is not what would be generated now.",
    matters: "Its types promise something else than what operations and snapshots say.",
  },
  "generated/missing": {
    severity: "breaking",
    message: "The file does not exist, but would be generated.",
    fix: REGENERATE,
    means: "A file that would be generated is not there.",
    matters: "What imports it does not compile.",
  },
  "generated/interrupted": {
    severity: "breaking",
    message: (folder: string, left: string) =>
      `A run was interrupted while it replaced files in ${folder}/: ${left}`,
    fix: "run `lockflow generate`: it finishes what was begun. Commit the result.",
    means:
      "A run was interrupted while it replaced files: some of them are new, and some are still the old ones.",
    matters: "Each file is whole, and together they say two things.",
    act: "Run `lockflow generate`: every command that reads or writes the project finishes the run first, and only `check` and `doctor` change nothing. Where somebody has changed a file since, it is left as it is; the other findings tell what does not fit.",
  },
  "generated/orphaned": {
    severity: "breaking",
    message: (isSnapshot: boolean) =>
      isSnapshot ? "It is no snapshot of this project's protocols." : "Nothing generates this file.",
    fix: "move it out of the output folder, or delete it.",
    means: "A file in the output folder is generated by nothing.",
    matters: "It looks as true as its neighbours, and is never updated again.",
    act: "Run `lockflow generate`, which removes its own leftovers, or move it out of the folder.",
  },
  "snapshot/edited": {
    severity: "breaking",
    message: (fault: string) => fault,
    fix: "restore it from version control, or delete it and run `lockflow introspect`.",
    means: "A snapshot is not as introspection wrote it.",
    matters: "Everything is generated from it and held against it, so it must be what an endpoint served.",
  },
  "snapshot/record": {
    severity: "breaking",
    message: (fault: string) => fault,
    fix: "run `lockflow introspect`",
    means: "The fleet record contradicts the project or the snapshots beside it.",
    matters: "It tells which chains serve what, and with it where an operation is valid.",
    act: "Run `lockflow introspect`, or restore it from version control.",
  },
  "snapshot/unserved": {
    severity: "breaking",
    message: "No deployment in the fleet record serves it.",
    fix: "run `lockflow introspect`, or delete it.",
    means: "A snapshot is there that no deployment is recorded to serve.",
    matters: "Operations are validated against a schema that nobody has.",
  },
  "baseline/stale": {
    severity: "breaking",
    message: (what: string, until: string | null) =>
      until === null
        ? `The acceptance of ${what} matches nothing any more.`
        : `The acceptance of ${what} ended on ${until}.`,
    fix: PRUNE,
    means: "A difference is accepted that is not there any more, or whose acceptance has ended.",
    matters:
      "It would hide the same difference when it comes back. It is judged only by deployments that answered, so an outage never makes one stale.",
    act: "Run `lockflow accept --prune`, and commit the result; or accept what is still there anew, with a later day.",
  },
  "baseline/partly-stale": {
    severity: "cosmetic",
    message: (what: string, deployments: string) =>
      `The acceptance of ${what} is no longer needed for ${deployments}.`,
    fix: PRUNE,
    means: "A difference is accepted for deployments some of which do not show it any more.",
    matters: "It would hide the same difference when it comes back there. A run does not fail by it.",
  },
} as const satisfies Readonly<Record<string, Code>>;
