import type { ProjectOptions } from "../../project/load-project.ts";

/** The options of `adapt`. */
export type AdaptOptions = Pick<ProjectOptions, "cwd" | "config" | "protocols" | "styles"> & {
  /** The old schema: a git ref, or a file of SDL or introspection JSON. @default the newest committed version that fits */
  readonly from?: string | undefined;
  /** The protocol that the operations move to. @default none: they stay where they are */
  readonly to?: string | undefined;
  /** A word before the names of moved operations, fragments and files. @default none */
  readonly prefix?: string | undefined;
  /** Renames to take as certain: `Stream.alias=moniker`, `Stream=LockupStream`. @default none */
  readonly renames?: readonly string[] | undefined;
  /** Whether files are written. @default false */
  readonly write?: boolean | undefined;
};

/** Why an operation is refused. */
type AdaptReasonCode =
  | "adapt/answer-values"
  | "adapt/in-code"
  | "adapt/name-taken"
  | "adapt/never-valid"
  | "adapt/not-portable"
  | "adapt/not-same-question"
  | "adapt/not-valid"
  | "adapt/other-answer"
  | "adapt/shared-fragment";

/** What a person has to look at. */
export type AdaptNoteCode =
  | "adapt/answer-values"
  | "adapt/at-risk"
  | "adapt/changes-meaning"
  | "adapt/changes-type"
  | "adapt/configuration"
  | "adapt/enum-text"
  | "adapt/fleet"
  | "adapt/import"
  | "adapt/merged"
  | "adapt/one-style"
  | "adapt/type-name"
  | "adapt/typename"
  | "adapt/variable-type"
  | "adapt/variable-values";

/** Why an operation is refused, at a place of a file as it was read. */
export type AdaptReason = {
  /** One of the codes of docs/adapt.md. */
  readonly code: AdaptReasonCode;
  /** One or more sentences. */
  readonly message: string;
  /** From the project's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
};

/** What a person has to look at, at a place of a file as it was read. */
export type AdaptNote = Omit<AdaptReason, "code"> & {
  /** One of the codes of docs/adapt.md. */
  readonly code: AdaptNoteCode;
};

/** What to write in the configuration. */
export type AdaptConfiguration = {
  /** The configuration, from the project's root. */
  readonly file: string;
  /** The key that the code belongs under, such as `protocols`. */
  readonly key: string;
  /** Code for that file, in lines. */
  readonly code: string;
};

/** What became of an operation. */
export type AdaptedOperation = {
  /** The name that was read; empty for an anonymous operation. */
  readonly name: string;
  /** `lockup/subgraph`, or `lockup/portable`. */
  readonly surface: string;
  /** The file that was read. */
  readonly file: string;
  /** The file with the adapted operation; null unless it is adapted. */
  readonly to: string | null;
  /** The commit, ref or file of the old schema; null if the operation is valid. */
  readonly from: string | null;
  /** `valid` if nothing in it or its fragments changes. */
  readonly result: "valid" | "adapted" | "refused";
  /** Why it is refused; empty otherwise. */
  readonly reasons: readonly AdaptReason[];
  /** What a person has to look at. */
  readonly notes: readonly AdaptNote[];
};

/** A rename in the API of a surface. */
export type AdaptRename = {
  /** `lockup/subgraph`. */
  readonly surface: string;
  /** The kind of the renamed part. */
  readonly kind: "entity" | "enum" | "field" | "enum-value";
  /** The old entity or enum of a field or value; null for entities and enums. */
  readonly owner: string | null;
  /** The old name. */
  readonly from: string;
  /** The new name. */
  readonly to: string;
  /** Only certain renames are used. */
  readonly certain: boolean;
  /** `guess` if it is not certain. */
  readonly why: "confirmed" | "structure" | "systematic" | "name" | "guess";
};

/** What became of the operations of a project. */
export type Adapted = {
  /** In order of surface, file and place. */
  readonly operations: readonly AdaptedOperation[];
  /** In order of surface, kind and name. */
  readonly renames: readonly AdaptRename[];
  /** The paths of changed files, in code-unit order. */
  readonly files: readonly string[];
  /** Whether they were written. */
  readonly written: boolean;
  /** The changes as a unified diff; empty if there are none. */
  readonly diff: string;
  /** What to write in the configuration: the code of the notes `adapt/configuration`, each once. */
  readonly configuration: readonly AdaptConfiguration[];
  /** Remarks, one sentence each. */
  readonly notes: readonly string[];
};
