import { DEFAULT, LOOK } from "./acts.ts";
import type { Code } from "./code.ts";

const DIRECTIVE =
  "Take the directive out of the operations that use it, or write it as the new definition wants.";

/** What can happen to directives. */
export const DIRECTIVES = {
  "drift/directive-added": {
    means: "There is a new directive.",
    matters: "Only one that may stand in documents is of any use to them.",
    severities: {
      additive: "Documents may hold it; nobody uses it yet.",
      cosmetic: "It belongs in schemas only.",
    },
    act: LOOK,
  },
  "drift/directive-removed": {
    means: "A directive is gone.",
    matters: "Only one that could stand in documents is missed by them.",
    severities: {
      breaking: "Operations that use it are refused.",
      cosmetic: "It belonged in schemas only, and no document could hold it.",
    },
    act: DIRECTIVE,
  },
  "drift/directive-location-added": {
    means: "A directive may stand in more places.",
    matters: "Only places in documents matter to them.",
    severities: {
      additive: "Only new requests become possible, and nobody makes them yet.",
      cosmetic: "The place is in schemas only.",
    },
    act: LOOK,
  },
  "drift/directive-location-removed": {
    means: "A directive may not stand in a place any more.",
    matters: "Only places in documents matter to them.",
    severities: {
      breaking: "Operations that have it there are refused.",
      cosmetic: "The place is in schemas only.",
    },
    act: DIRECTIVE,
  },
  "drift/directive-argument-added": {
    means: "A directive takes a new argument.",
    matters: "Whether it has to be sent decides.",
    severities: {
      breaking: "It is required: every use of the directive is refused.",
      additive: "It may be left out, which changes nothing.",
      cosmetic: "The directive belongs in schemas only.",
    },
    act: DIRECTIVE,
  },
  "drift/directive-argument-removed": {
    means: "A directive does not take an argument any more.",
    matters: "The others are not touched.",
    severities: {
      breaking: "Operations that send it are refused.",
      cosmetic: "The directive belongs in schemas only.",
    },
    act: DIRECTIVE,
  },
  "drift/directive-argument-type-changed": {
    means: "An argument of a directive takes another type.",
    matters: "Operations that send it may be refused.",
    severities: {
      breaking: "What was sent, or left out, may be refused.",
      risky: "It may still be left out, and only a null is refused.",
      additive: "All that was accepted still is.",
      cosmetic: "The directive belongs in schemas only.",
    },
    act: DIRECTIVE,
  },
  "drift/directive-argument-default-changed": {
    means: "What an argument of a directive stands at when nobody sends it is another value.",
    matters: "Who sends it is not touched.",
    severities: {
      risky: "Operations that leave it out mean something else, such as another time to be cached.",
      cosmetic: "The directive belongs in schemas only.",
    },
    act: DEFAULT,
  },
} as const satisfies Readonly<Record<string, Code>>;
