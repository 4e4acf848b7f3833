import type { Protocol, StyleName } from "../../src/dialects/surface.ts";
import type { CompiledText, Refusal } from "../../src/operations/portable/compiled-text.ts";

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

/** What each style answered, or the message of its error. */
export type Answers = {
  readonly [S in StyleName]: { readonly data: object } | { readonly error: string };
};

/** What the worker does with a text of a protocol. */
export type Tasks = {
  readonly compile: (text: string) => Compiled;
  readonly complete: (text: string, offset: number) => readonly { label: string; detail: string }[];
  /** Returns variables with which the first operation has rows, as JSON. */
  readonly sample: (text: string, chain: string) => Promise<string>;
  readonly run: (text: string, chain: string, variables: string) => Promise<Answers>;
};

export type Call = { id: number; protocol: Protocol; name: keyof Tasks; args: readonly unknown[] };

export type Reply = { id: number; result?: unknown; error?: string };
