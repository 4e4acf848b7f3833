import type { StyleName } from "../../src/dialects/surface.ts";

/** How a platform words what faults make it say: entries of `errors`, in the platform's own form. */
export type ErrorMessages = {
  readonly error: (message: string) => Readonly<Record<string, unknown>>;
  /** Refuses a root field of introspection. */
  readonly noIntrospection: (field: string) => Readonly<Record<string, unknown>>;
};

export const ERROR_MESSAGES: Readonly<Record<StyleName, ErrorMessages>> = {
  multichain: {
    error: (message) => ({ message, extensions: { path: "$", code: "unexpected" } }),
    // With introspection disabled for a role, these fields are gone from the root (D.3).
    noIntrospection: (field) => ({
      message: `field '${field}' not found in type: 'query_root'`,
      extensions: { path: `$.selectionSet.${field}`, code: "validation-failed" },
    }),
  },
  subgraph: {
    error: (message) => ({ message }),
    // A node always answers introspection, so it is a proxy before it that speaks here.
    noIntrospection: () => ({ message: "introspection is disabled" }),
  },
};
