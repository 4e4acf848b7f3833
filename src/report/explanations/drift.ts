import type { ChangeKind } from "../../model/change.ts";
import type { Explanation } from "./explanation.ts";

const MOVE = "`lockflow drift --update` moves the snapshot once the change is meant";
const LIVE = `Correct the operations that are named, or accept it while the indexer is being mended; ${MOVE}.`;
const LOOK = `Nothing has to be done; ${MOVE}, so that operations may use it.`;
const WORDS = `Nothing has to be done; ${MOVE}, and with it the documentation of generated types.`;
const SENT = "Look for the callers that send it, in literals and through variables, and change them first.";
const DEFAULT = "Send the value that is meant instead of relying on the default.";
const DIRECTIVE =
  "Take the directive out of the operations that use it, or write it as the new definition wants.";

/** What can happen to a schema, live against its snapshot or between any two. */
export const DRIFT: Readonly<Record<`drift/${ChangeKind | "unexplained"}`, Explanation>> = {
  "drift/unexplained": {
    means: "Operations are hit, and none of the changes that were found explains why.",
    matters: "They are hit all the same, and what is broken for no known reason is broken.",
    act: "Correct the operations that are named, and report it with the two schemas: Lockflow should have told the cause.",
  },
  "drift/root-added": {
    means: "The schema has a root it did not have: mutations or subscriptions.",
    matters: "Only new requests become possible.",
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
    matters: "Nobody asks for it yet.",
    act: LOOK,
  },
  "drift/type-removed": {
    means: "A type is gone with all of its fields.",
    matters:
      "Fields of it and fragments on it are refused. It is cosmetic where no request could ever reach the type.",
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
    matters:
      "Between a leaf and an object every selection becomes wrong. Between enum and scalar documents stay valid, and generated types do not.",
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
    matters: "Nobody asks for it yet.",
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
    matters:
      "Documents mostly stay valid while the values change under typed code: a null where none was expected, a string where a number was. Even a tightened type is risky, because fields merged from sibling fragments must agree in their types.",
    act: "Generate again and let the compiler show what relied on the old type.",
  },
  "drift/field-renamed": {
    means:
      "A field went, and another of the same type came that is like it: in its description, in a word of its name, or in what it alone refers to. Most likely it is one field with a new name.",
    matters: "Operations that use the old name are refused; nothing that they asked for is lost.",
    act: "Write the new name in the operations that are named, and generate again.",
  },
  "drift/field-deprecation-changed": {
    means: "A field is deprecated, is so no longer, or for another reason.",
    matters: "It still answers, and may stop to.",
    act: "Move to what the reason names while both are there.",
  },
  "drift/argument-added": {
    means: "A field takes a new argument.",
    matters: "One that may be left out changes nothing. One that is required breaks every use of the field.",
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
    matters:
      "An optional one changes nothing. A required one makes the server refuse every value without it, and one with a default is applied for everybody; validation sees neither when the value comes through a variable.",
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
    act: SENT,
  },
  "drift/input-field-default-changed": {
    means: "What a field of an input stands at when nobody sends it is another value.",
    matters: "Requests that leave it out stay valid and mean something else.",
    act: DEFAULT,
  },
  "drift/enum-value-added": {
    means: "An enum has a new value.",
    matters:
      "Where results can hold it, code that lists every value meets one that it does not know. Where only requests can, as in orders, nothing changes.",
    act: "Generate again, and give every place that tells values apart an answer for the new one.",
  },
  "drift/enum-value-removed": {
    means: "An enum has lost a value.",
    matters:
      "Requests that send it are refused, through a variable only when they are run. Where only results could hold it, the case stops to occur.",
    act: SENT,
  },
  "drift/enum-value-deprecation-changed": {
    means: "A value of an enum is deprecated, is so no longer, or for another reason.",
    matters: "It still works, and may stop to.",
    act: "Move to what the reason names while both are there.",
  },
  "drift/directive-added": {
    means: "There is a new directive.",
    matters: "Nobody uses it yet, and one that belongs in schemas only no document can ever hold.",
    act: LOOK,
  },
  "drift/directive-removed": {
    means: "A directive is gone.",
    matters: "Operations that use it are refused. One that belonged in schemas only was never theirs.",
    act: DIRECTIVE,
  },
  "drift/directive-location-added": {
    means: "A directive may stand in more places.",
    matters: "Only new requests become possible.",
    act: LOOK,
  },
  "drift/directive-location-removed": {
    means: "A directive may not stand in a place any more.",
    matters: "Operations that have it there are refused.",
    act: DIRECTIVE,
  },
  "drift/directive-argument-added": {
    means: "A directive takes a new argument.",
    matters: "One that is required breaks every use of the directive.",
    act: DIRECTIVE,
  },
  "drift/directive-argument-removed": {
    means: "A directive does not take an argument any more.",
    matters: "Operations that send it are refused.",
    act: DIRECTIVE,
  },
  "drift/directive-argument-type-changed": {
    means: "An argument of a directive takes another type.",
    matters: "Operations that send it may be refused.",
    act: DIRECTIVE,
  },
  "drift/directive-argument-default-changed": {
    means: "What an argument of a directive stands at when nobody sends it is another value.",
    matters: "Operations that leave it out mean something else, such as another time to be cached.",
    act: DEFAULT,
  },
  "drift/description-changed": {
    means: "A description reads differently; white space at its ends is not counted.",
    matters: "Nothing that is asked or answered changes; the documentation of generated types does.",
    act: WORDS,
  },
  "drift/platform-feature-added": {
    means: "The platform offers something it did not: a newer release, or a setting of whoever runs it.",
    matters:
      "The authors of the indexer changed nothing. Only new requests become possible, on these deployments.",
    act: "Do not rely on it before every deployment has it.",
  },
  "drift/platform-feature-removed": {
    means:
      "The platform does not offer something any more, such as `and` and `or`, or orders by what a field refers to.",
    matters:
      "The authors of the indexer changed nothing, and hundreds of coordinates may be gone all the same; they are counted here and not listed.",
    act: "If operations use it, ask whoever runs the deployment, or do without; else accept it.",
  },
  "drift/platform-feature-changed": {
    means:
      "What the platform derives of the same entities is another thing, without a feature that tells why.",
    matters: "Most likely a release that Lockflow does not know. The entities are the same.",
    act: "Look at what is derived, and report the release so that it can be told by its name.",
  },
  "drift/platform-release-changed": {
    means: "The deployment runs another release of its platform, as far as its schema tells.",
    matters:
      "The authors of the indexer changed nothing; what the release is known to change is counted here.",
    act: LOOK,
  },
  "drift/change-missing": {
    means:
      "The model changed, and a part that the platform derives of it did not: what still stands is shown before the arrow, what should stand behind it.",
    matters: "It is no part of any root cause, so accepting the root does not accept it.",
    act: "Report it: either the deployment is half updated, or its platform derives by rules that Lockflow does not know.",
  },
};
