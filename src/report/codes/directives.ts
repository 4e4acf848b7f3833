import type { ChangeKind } from "../../schema/change.ts";
import { DEFAULT, INPUT_TYPES, LOOK, ONLY_NEW } from "./acts.ts";
import type { Code } from "./code.ts";

const DIRECTIVE =
  "Take the directive out of the operations that use it, or write it as the new definition wants.";

const SCHEMAS_ONLY = "The directive is allowed in schemas only.";

/** What can happen to directives. */
export const DIRECTIVES = {
  "drift/directive-added": {
    means: "The schema has a new directive.",
    matters: "Operations can use it only if it is allowed in documents.",
    severities: {
      additive: "It is allowed in documents, and nobody uses it yet.",
      cosmetic: SCHEMAS_ONLY,
    },
    act: LOOK,
  },
  "drift/directive-removed": {
    means: "A directive was removed.",
    matters: "Operations are affected only if it was allowed in documents.",
    severities: {
      breaking: "Operations that use it are refused.",
      cosmetic: "It was allowed in schemas only.",
    },
    act: DIRECTIVE,
  },
  "drift/directive-location-added": {
    means: "A directive is allowed in more places.",
    matters: "Only places in documents matter to operations.",
    severities: { ...ONLY_NEW, cosmetic: "The place is in schemas only." },
    act: LOOK,
  },
  "drift/directive-location-removed": {
    means: "A directive is no longer allowed in a place.",
    matters: "Only places in documents matter to operations.",
    severities: {
      breaking: "Operations that use it there are refused.",
      cosmetic: "The place is in schemas only.",
    },
    act: DIRECTIVE,
  },
  "drift/directive-argument-added": {
    means: "A directive takes a new argument.",
    matters: "It matters only if it is required.",
    severities: {
      breaking: "It is required: every use of the directive is refused.",
      additive: "It may be left out, which changes nothing.",
      cosmetic: SCHEMAS_ONLY,
    },
    act: DIRECTIVE,
  },
  "drift/directive-argument-removed": {
    means: "A directive no longer takes an argument.",
    matters: "Operations that do not send it are not affected.",
    severities: {
      breaking: "Operations that send it are refused.",
      cosmetic: SCHEMAS_ONLY,
    },
    act: DIRECTIVE,
  },
  "drift/directive-argument-type-changed": {
    means: "The type of a directive's argument changed.",
    matters: "Operations that send it may be refused.",
    severities: {
      ...INPUT_TYPES,
      cosmetic: SCHEMAS_ONLY,
    },
    act: DIRECTIVE,
  },
  "drift/directive-argument-default-changed": {
    means: "The default value of a directive's argument changed.",
    matters: "Operations that send the argument are not affected.",
    severities: {
      risky: "Operations that leave it out mean something else, such as another caching time.",
      cosmetic: SCHEMAS_ONLY,
    },
    act: DEFAULT,
  },
} as const satisfies Readonly<Partial<Record<`drift/${ChangeKind}`, Code>>>;
