import type { ChangeKind } from "../../schema/change.ts";
import { DEFAULT, INPUT_TYPES, LOOK, MOVE, ONLY_NEW } from "./acts.ts";
import type { Code } from "./code.ts";
import { DIRECTIVES } from "./directives.ts";
import { PLATFORM } from "./platform.ts";

const LIVE = `Correct the operations that are named, or accept the finding while the indexer is being repaired; ${MOVE}.`;
const WORDS = `Nothing has to be done; ${MOVE}, and with it the documentation of generated types.`;
const SENT = "Find the callers that send it, in literals and through variables, and change them first.";

/** What can happen to a schema, live against its snapshot or between any two. */
export const DRIFT: Readonly<Record<`drift/${ChangeKind | "unexplained"}`, Code>> = {
  ...DIRECTIVES,
  ...PLATFORM,
  "drift/unexplained": {
    means: "Operations are affected, and no change that was found explains why.",
    matters: "The operations fail or change all the same.",
    act: "Correct the operations that are named, and report it with the two schemas: Lockflow should have found the cause.",
  },
  "drift/root-added": {
    means: "The schema has a new root: mutations or subscriptions.",
    matters: "Deployments that do not have it yet refuse operations that use it.",
    severities: ONLY_NEW,
    act: LOOK,
  },
  "drift/root-removed": {
    means: "The schema has lost a root: its queries, mutations or subscriptions as a whole.",
    matters:
      "Every operation of that kind is refused. Validators do not notice, because no type is left to validate against. Subgraphs lost subscriptions with a release of their platform.",
    act: LIVE,
  },
  "drift/root-renamed": {
    means: "The type behind a root has another name.",
    matters:
      "Documents say `query` and not the name of the type, so only a fragment on the root type or a `__typename` is affected.",
    act: WORDS,
  },
  "drift/type-added": {
    means: "The schema has a new type. Its fields are part of this finding.",
    matters: "Operations may use it once every deployment has it.",
    severities: ONLY_NEW,
    act: LOOK,
  },
  "drift/type-removed": {
    means: "A type was removed with all of its fields.",
    matters: "Its fields and fragments on it are refused.",
    severities: {
      breaking: "A request could reach it, and is refused now.",
      cosmetic: "No request could reach it.",
    },
    act: LIVE,
  },
  "drift/scalar-specification-changed": {
    means: "The specification of a scalar changed.",
    matters: "Its values may be written in another format, and no type says so.",
    act: "Compare the two specifications, and change the code that parses and prints the scalar.",
  },
  "drift/input-one-of-added": {
    means: "Exactly one field of an input object has to be sent now.",
    matters: "A request that sends none or several is refused; through a variable, no validator notices.",
    act: SENT,
  },
  "drift/input-one-of-removed": {
    means: "Any fields of an input object may be sent now.",
    matters: "Every value that was accepted still is.",
    act: LOOK,
  },
  "drift/type-kind-changed": {
    means: "A type became another kind of type, such as an enum that became a scalar.",
    matters: "Operations select or send the old kind.",
    severities: {
      breaking: "A leaf became an object, or an object a leaf: every selection is invalid.",
      risky:
        "An enum became a scalar, or a scalar an enum: documents stay valid, and generated types do not.",
    },
    act: "Generate again and let the compiler show what relied on the old kind.",
  },
  "drift/interface-added": {
    means: "A type implements one more interface.",
    matters: "Lists of the interface may hold a `__typename` that callers do not know.",
    act: "Make sure that code which distinguishes types handles unknown ones.",
  },
  "drift/interface-removed": {
    means: "A type no longer implements an interface.",
    matters: "Fragments from one on the other become invalid, and results lose those objects.",
    act: LIVE,
  },
  "drift/member-added": {
    means: "A union has a new member.",
    matters: "Results may hold a `__typename` that callers do not know.",
    act: "Make sure that code which distinguishes members handles unknown ones.",
  },
  "drift/member-removed": {
    means: "A union lost a member.",
    matters:
      "Fragments on that member become invalid. Without one, the member only stops to occur in results.",
    act: LIVE,
  },
  "drift/field-added": {
    means:
      "A type has a new field. The filters, orders and columns that the platform derives from it are counted with it.",
    matters: "Operations may use it once every deployment has it.",
    severities: ONLY_NEW,
    act: LOOK,
  },
  "drift/field-removed": {
    means:
      "A field was removed. The filters, orders and columns that the platform derived from it were removed too; they are counted, not listed.",
    matters: "Every operation that selects it, filters by it or orders by it is refused as a whole.",
    act: LIVE,
  },
  "drift/field-type-changed": {
    means: "A field has another type, another depth of lists, or another nullability.",
    matters: "Documents mostly stay valid, and typed code gets other values.",
    severities: {
      breaking: "Typed code gets a value that it does not expect: a null, a list, another kind of value.",
      risky:
        "The type became narrower: values are still as expected, but fields merged from sibling fragments must agree in their types.",
    },
    act: "Generate again and let the compiler show what relied on the old type.",
  },
  "drift/field-renamed": {
    means:
      "A field was removed, and a field of the same type was added that is like it: in its description, in a word of its name, or in the entity that it alone refers to. Most likely it is one field with a new name.",
    matters: "Operations that use the old name are refused. The data is still there.",
    act: "Write the new name in the operations that are named, and generate again.",
  },
  "drift/type-renamed": {
    means:
      "An entity was removed, and an entity with most of its fields was added: most likely one entity with a new name. Every type that the platform named after it, and every field that refers to it, is counted here.",
    matters:
      "Operations that use the old names are refused. The data is still there. Other changes of the entity are findings of their own.",
    act: "Write the new names in the operations that are named, and generate again.",
  },
  "drift/field-deprecation-changed": {
    means: "The deprecation of a field was added, removed or changed.",
    matters: "A deprecated field still answers, and may be removed.",
    act: "Move to the replacement that the reason names while both are there.",
  },
  "drift/argument-added": {
    means: "A field takes a new argument.",
    matters: "It matters only if it is required.",
    severities: {
      breaking: "It is required: every use of the field is refused.",
      additive: "It may be left out, which changes nothing.",
    },
    act: "If it is required, send it in every operation that uses the field.",
  },
  "drift/argument-removed": {
    means: "A field no longer takes an argument.",
    matters: "Operations that send it are refused; the others are not affected.",
    act: SENT,
  },
  "drift/argument-type-changed": {
    means: "The type of an argument changed.",
    matters:
      "A variable must be declared with a type that fits the argument, so it may be refused where the same literal would still pass. An argument that became required breaks operations that leave it out.",
    severities: INPUT_TYPES,
    act: "Declare the variables with the new type, and generate again.",
  },
  "drift/argument-default-changed": {
    means: "The default value of an argument changed.",
    matters:
      "Operations that leave it out stay valid and get another answer, such as another number of rows.",
    act: DEFAULT,
  },
  "drift/input-field-added": {
    means: "An input object has a new field.",
    matters: "Validation cannot see whether a value sent through a variable has it.",
    severities: {
      breaking: "It is required: every value without it is refused.",
      risky: "It has a default, which applies to every request.",
      additive: "It may be left out, which changes nothing.",
    },
    act: "If it is required, send it wherever the input is built.",
  },
  "drift/input-field-removed": {
    means: "An input object lost a field.",
    matters:
      "The server refuses values that still have it. An operation that sends them through a variable stays valid and fails only when it is run.",
    act: SENT,
  },
  "drift/input-field-type-changed": {
    means: "The type of an input field changed.",
    matters: "Values sent through a variable may be refused although the operation is valid.",
    severities: INPUT_TYPES,
    act: SENT,
  },
  "drift/input-field-default-changed": {
    means: "The default value of an input field changed.",
    matters: "Requests that leave it out stay valid and mean something else.",
    act: DEFAULT,
  },
  "drift/enum-value-added": {
    means: "An enum has a new value.",
    matters: "Code that distinguishes values may not handle it.",
    severities: {
      breaking: "Results can hold it, and --exhaustive-enums assumes that clients list every value.",
      risky: "Results can hold it, and code that lists every value does not know it.",
      additive: "Only requests can hold it, as in orders, and nobody sends it yet.",
    },
    act: "Generate again, and handle the new value wherever values are distinguished.",
  },
  "drift/enum-value-removed": {
    means: "An enum lost a value.",
    matters: "Operations that send it are refused. For an operation that only reads it, the change is risky.",
    severities: {
      breaking:
        "Requests that send it are refused; those that send it through a variable, when they are run.",
      risky: "Only results could hold it: it no longer occurs, and nothing is refused.",
      cosmetic: "No request can read or send it.",
    },
    act: SENT,
  },
  "drift/enum-value-deprecation-changed": {
    means: "The deprecation of an enum value was added, removed or changed.",
    matters: "A deprecated value still works, and may be removed.",
    act: "Move to the replacement that the reason names while both are there.",
  },
  "drift/description-changed": {
    means: "A description changed, in more than white space at its ends.",
    matters: "Requests and answers stay the same; the documentation of generated types changes.",
    act: WORDS,
  },
  "drift/change-missing": {
    means:
      "The model changed, and a part that the platform derives from it did not. The part as it is stands before the arrow, and as it should be behind it.",
    matters: "It belongs to no root cause, so accepting the root cause does not accept it.",
    act: "Report it: either the deployment is half updated, or its platform derives by rules that Lockflow does not know.",
  },
};
