import type { Protocol, StyleName } from "../../src/dialects/surface.ts";
import type { OperationSource } from "../../src/operations/operation-set.ts";
import type { CompiledText, Refusal } from "../../src/operations/portable/compiled-text.ts";

/** The texts that a protocol is compiled with: its snapshots, and the fragments of the library. */
export type ProtocolFiles = {
  readonly snapshots: { readonly [S in StyleName]: string };
  readonly fragments: readonly OperationSource[];
};

/** The finding of a text. Errors refuse it. */
export type Note = Refusal & { readonly severity: "error" | "warning" };

export type Compiled = {
  readonly operations: readonly CompiledText[];
  /** In order of place. */
  readonly notes: readonly Note[];
  /** The types of the results; empty if an operation is refused. */
  readonly types: string;
  /** The keys of the chains that both styles serve. */
  readonly chains: readonly string[];
};

/** What a style answered, or the message of an error. */
export type Answer = { readonly data: Readonly<Record<string, unknown>> } | { readonly error: string };

export type Answers = { readonly [S in StyleName]: Answer };

export type Completion = { readonly label: string; readonly detail: string };

/** The tasks of the worker. Each is about a text of a protocol. */
export type Tasks = {
  readonly compile: { readonly input: object; readonly result: Compiled };
  readonly complete: { readonly input: { readonly offset: number }; readonly result: readonly Completion[] };
  /** Returns values for the required variables, as JSON. */
  readonly sample: { readonly input: { readonly chain: string }; readonly result: string };
  readonly run: {
    readonly input: { readonly chain: string; readonly variables: string };
    readonly result: Answers;
  };
};

export type Task = {
  [K in keyof Tasks]: {
    readonly kind: K;
    readonly protocol: Protocol;
    readonly text: string;
  } & Tasks[K]["input"];
}[keyof Tasks];

export type TaskMessage = { readonly id: number; readonly task: Task };

export type ResultMessage = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: string }
);
