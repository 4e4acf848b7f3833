import type { ChangeKind } from "../../schema/change.ts";
import { DEFAULT, LOOK, MOVE } from "./acts.ts";
import type { Code } from "./code.ts";
import { DIRECTIVES } from "./directives.ts";
import { PLATFORM } from "./platform.ts";

const LIVE = `Correct the operations that are named, or accept it while the indexer is being mended; ${MOVE}.`;
const WORDS = `Nothing has to be done; ${MOVE}, and with it the documentation of generated types.`;
const SENT = "Look for the callers that send it, in literals and through variables, and change them first.";

/** What can happen to a schema, live against its snapshot or between any two. */
export const DRIFT: Readonly<Record<`drift/${ChangeKind | "unexplained"}`, Code>> = {
  ...DIRECTIVES,
  ...PLATFORM,
  "drift/unexplained": {
    means: "Operations are hit, and none of the changes that were found explains why.",
    matters: "They are hit all the same, and what is broken for no known reason is broken.",
    act: "Correct the operations that are named, and report it with the two schemas: Lockflow should have told the cause.",
  },
  "drift/root-added": {
    means: "The schema has a root it did not have: mutations or subscriptions.",
    matters: "What asks for it is refused by deployments that do not have it yet.",
    severities: {
      additive: "Only new requests become possible, and nobody makes them yet.",
    },
    act: LOOK,
  },
  "drift/root-removed": {
    means: "The schema has lost a root: its queries, mutations or subscriptions as a whole.",
    matters:
      "Every operation of that kind is refused. Validators pass over it, because no type is left to judge by. Subgraphs lost subscriptions with a release of their platform.",
    act: LIVE,
  },
  "drift/root-renamed": {
    means: "The type behind a root has another name.",
    matters:
      "Documents say `query` and not the name of the type, so only a fragment on the root type or a `__typename` notices.",
    act: WORDS,
  },
  "drift/type-added": {
    means: "There is a new type; its fields are part of this one finding.",
    matters: "It may be asked for once every deployment has it.",
    severities: {
      additive: "Only new requests become possible, and nobody makes them yet.",
    },
    act: LOOK,
  },
  "drift/type-removed": {
    means: "A type is gone with all of its fields.",
    matters: "Fields of it and fragments on it are refused.",
    severities: {
      breaking: "A request can reach it, and is refused.",
      cosmetic: "No request could ever reach it.",
    },
    act: LIVE,
  },
  "drift/scalar-specification-changed": {
    means: "The format of a scalar is specified elsewhere.",
    matters: "What travels under its name may be written in another way, and no type says so.",
    act: "Compare the two specifications, and change what parses and prints the scalar.",
  },
  "drift/input-one-of-added": {
    means: "Of an input object exactly one member has to be sent now.",
    matters: "A request that sends none or several is refused; through a variable, no validator notices.",
    act: SENT,
  },
  "drift/input-one-of-removed": {
    means: "Of an input object any members may be sent.",
    matters: "What was accepted still is.",
    act: LOOK,
  },
  "drift/type-kind-changed": {
    means: "A name stands for another kind of type, such as an enum that became a scalar.",
    matters: "What was selected or sent under the name was of the old kind.",
    severities: {
      breaking: "Between a leaf and an object every selection becomes wrong.",
      risky: "Between enum and scalar documents stay valid, and generated types do not.",
    },
    act: "Generate again and let the compiler show what relied on the old kind.",
  },
  "drift/interface-added": {
    means: "A type implements an interface it did not implement.",
    matters: "Lists of the interface hold objects of a type that callers have not met: a new `__typename`.",
    act: "Make sure that code which tells types apart has an answer for others.",
  },
  "drift/interface-removed": {
    means: "A type does not implement an interface any more.",
    matters: "Fragments that went from one to the other become invalid, and results lose those objects.",
    act: LIVE,
  },
  "drift/member-added": {
    means: "A union has a new member.",
    matters: "Results may hold a `__typename` that callers have not met.",
    act: "Make sure that code which tells members apart has an answer for others.",
  },
  "drift/member-removed": {
    means: "A union has lost a member.",
    matters: "Fragments on that member become invalid; without one, the case simply stops to occur.",
    act: LIVE,
  },
  "drift/field-added": {
    means:
      "There is a new field. The filters, orders and columns that the platform derives from it are counted with it.",
    matters: "It may be asked for once every deployment has it.",
    severities: {
      additive: "Only new requests become possible, and nobody makes them yet.",
    },
    act: LOOK,
  },
  "drift/field-removed": {
    means:
      "A field is gone. The filters, orders and columns that the platform derived from it went too and are counted, not listed.",
    matters: "Every operation that selects it, filters by it or orders by it is refused as a whole.",
    act: LIVE,
  },
  "drift/field-type-changed": {
    means: "A field answers with another type, another depth of lists, or another nullability.",
    matters: "Documents mostly stay valid while the values change under typed code.",
    severities: {
      breaking: "Typed code gets what it does not expect: a null, a list, another kind of value.",
      risky:
        "The type is tightened or narrowed: what comes is still what was expected, but fields merged from sibling fragments must agree in their types.",
    },
    act: "Generate again and let the compiler show what relied on the old type.",
  },
  "drift/field-renamed": {
    means:
      "A field went, and another of the same type came that is like it: in its description, in a word of its name, or in what it alone refers to. Most likely it is one field with a new name.",
    matters: "Operations that use the old name are refused; nothing that they asked for is lost.",
    act: "Write the new name in the operations that are named, and generate again.",
  },
  "drift/type-renamed": {
    means:
      "An entity went and another came with most of its fields: most likely one entity with a new name. Everything that the platform called after it, and every field that refers to it, is counted here.",
    matters:
      "Operations that use the old names are refused; what they asked for is there. What else changed about the entity is told beside it.",
    act: "Write the new names in the operations that are named, and generate again.",
  },
  "drift/field-deprecation-changed": {
    means: "A field is deprecated, is so no longer, or for another reason.",
    matters: "It still answers, and may stop to.",
    act: "Move to what the reason names while both are there.",
  },
  "drift/argument-added": {
    means: "A field takes a new argument.",
    matters: "Whether it has to be sent decides.",
    severities: {
      breaking: "It is required: every use of the field is refused.",
      additive: "It may be left out, which changes nothing.",
    },
    act: "If it is required, send it in every operation that uses the field.",
  },
  "drift/argument-removed": {
    means: "A field does not take an argument any more.",
    matters: "Operations that send it are refused; the others are not touched.",
    act: SENT,
  },
  "drift/argument-type-changed": {
    means: "An argument takes another type.",
    matters:
      "A variable has to be declared with a type that fits its place, so it is refused even where the same literal would still pass. An argument that became required breaks the operations that leave it out.",
    severities: {
      breaking: "What was sent, or left out, may be refused.",
      risky: "It may still be left out, and only a null is refused.",
      additive: "All that was accepted still is.",
    },
    act: "Declare the variables with the new type, and generate again.",
  },
  "drift/argument-default-changed": {
    means: "What an argument stands at when nobody sends it is another value.",
    matters:
      "Operations that leave it out stay valid and answer with something else, such as another number of rows.",
    act: DEFAULT,
  },
  "drift/input-field-added": {
    means: "An input has a new field.",
    matters: "Validation does not see it when the value comes through a variable.",
    severities: {
      breaking: "It is required: every value without it is refused.",
      risky: "It has a default, which is applied to everybody.",
      additive: "It may be left out, which changes nothing.",
    },
    act: "If it is required, send it wherever the input is built.",
  },
  "drift/input-field-removed": {
    means: "An input has lost a field.",
    matters:
      "The server refuses values that still have it. When they come through a variable, the operation itself stays valid and fails only when it is run.",
    act: SENT,
  },
  "drift/input-field-type-changed": {
    means: "A field of an input takes another type.",
    matters: "Values sent through a variable may be refused although the operation is valid.",
    severities: {
      breaking: "What was sent, or left out, may be refused.",
      risky: "It may still be left out, and only a null is refused.",
      additive: "All that was accepted still is.",
    },
    act: SENT,
  },
  "drift/input-field-default-changed": {
    means: "What a field of an input stands at when nobody sends it is another value.",
    matters: "Requests that leave it out stay valid and mean something else.",
    act: DEFAULT,
  },
  "drift/enum-value-added": {
    means: "An enum has a new value.",
    matters: "Code that tells values apart may have no answer for it.",
    severities: {
      breaking: "Results can hold it, and --exhaustive-enums takes clients to list every value.",
      risky: "Results can hold it, and code that lists every value does not know it.",
      additive: "Only requests can hold it, as in orders, and nobody sends it yet.",
    },
    act: "Generate again, and give every place that tells values apart an answer for the new one.",
  },
  "drift/enum-value-removed": {
    means: "An enum has lost a value.",
    matters:
      "Who sends it is refused. To an operation that only reads it, it is risky, whatever it is to others.",
    severities: {
      breaking: "Requests can send it, and those that do are refused, through a variable when they are run.",
      risky: "Only results could hold it: the case stops to occur, and nothing is refused.",
      cosmetic: "Nothing that can be asked or sent leads to it.",
    },
    act: SENT,
  },
  "drift/enum-value-deprecation-changed": {
    means: "A value of an enum is deprecated, is so no longer, or for another reason.",
    matters: "It still works, and may stop to.",
    act: "Move to what the reason names while both are there.",
  },
  "drift/description-changed": {
    means: "A description reads differently; white space at its ends is not counted.",
    matters: "Nothing that is asked or answered changes; the documentation of generated types does.",
    act: WORDS,
  },
  "drift/change-missing": {
    means:
      "The model changed, and a part that the platform derives of it did not: what still stands is shown before the arrow, what should stand behind it.",
    matters: "It is no part of any root cause, so accepting the root does not accept it.",
    act: "Report it: either the deployment is half updated, or its platform derives by rules that Lockflow does not know.",
  },
};
