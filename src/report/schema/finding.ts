import * as v from "valibot";
import { cleanText } from "../../base/clean-text.ts";
import { IMPACT_KINDS, LAYERS, SEVERITIES } from "../finding.ts";
import {
  about,
  COUNT,
  DAY,
  FILE,
  FLAG,
  LINE,
  list,
  matching,
  maybe,
  NAMES,
  NONEMPTY,
  PROTOCOL,
  part,
  STYLE,
  SURFACE,
  TEXT,
  TEXT_OR_NULL,
  unique,
} from "./shapes.ts";

export const Severity = about(
  v.picklist(SEVERITIES, "is an unknown severity"),
  `How much a change affects an unknown client.
- \`breaking\`: a request may be refused, or typed code be wrong.
- \`risky\`: still accepted, but an answer, its type or its meaning may change.
- \`additive\`: only new possibilities.
- \`cosmetic\`: documentation, deprecation, order.`,
);

export const Layer = about(
  v.picklist(LAYERS, ({ input }) => `is an unknown layer ${shown(input)}`),
  "What a finding is about: `entity` is what the indexer's authors wrote, `platform` what the platform adds; the others are descriptions, identity and health of endpoints, and files of the project.",
);

export const ImpactKind = about(
  v.picklist(IMPACT_KINDS, "is an unknown impact"),
  `What a change does to an operation, worst first.
- \`broken\`: the operation is not valid any more.
- \`at-risk\`: it is valid, but a value that callers may send through a variable would be refused.
- \`changes-type\`: an answer or a variable has another type.
- \`changes-meaning\`: a default that it relies on changed.
- \`deprecated\`: it uses something newly deprecated.`,
);

export const Fingerprint = about(
  matching(/^[0-9a-f]{12}$/, "is not twelve hex digits"),
  "Twelve hex digits of the facts: no wording, no line, no deployment. A fault of a file also counts its message, and equal ones are numbered. Unique in a report, but for the parts of a finding that is accepted for some deployments only.",
);

export const Place = part("A place in the project.", {
  file: FILE,
  line: about(v.nullable(LINE), "From 1."),
  column: about(v.nullable(LINE), "From 1."),
});

export const Where = part("The deployments, of one protocol and style, that a finding is about.", {
  ...SURFACE,
  deployments: about(NAMES, "Names in code-unit order; empty for a finding about the snapshot itself."),
});

const CHANGE = {
  before: about(TEXT_OR_NULL, "The old text, in the words of the style; null if something was added."),
  after: about(TEXT_OR_NULL, "The new text, in the words of the style; null if something was removed."),
};

export const DerivedChange = part("A change that follows from another.", {
  coordinate: about(NONEMPTY, "In the notation of the GraphQL specification."),
  ...CHANGE,
});

export const OperationImpact = part("One place of an operation that a finding touches.", {
  file: FILE,
  line: about(LINE, "From 1."),
  column: about(LINE, "From 1."),
  name: about(NONEMPTY, "Of the operation."),
  impact: ImpactKind,
  severity: about(
    Severity,
    "How much it affects this operation, which decides whether the run fails. The finding's own severity is for an unknown client.",
  ),
  message: about(TEXT, "What happens to the operation, for people."),
  protocol: maybe(PROTOCOL, "Of the operation; left out if the finding has none."),
  style: maybe(STYLE, "Of the operation; left out if the finding has none."),
});

export const SamePlace = part("One more place of a finding, in another protocol or style.", {
  fingerprint: about(
    Fingerprint,
    "Accepts this place alone; accepting the finding accepts all of its places.",
  ),
  where: Where,
  ...CHANGE,
  place: about(v.nullable(Place), "Null if it is in no file."),
});

export const Acceptance = part("Why a finding is tolerated, and for how long.", {
  reason: about(NONEMPTY, "Why it is tolerated."),
  until: about(v.nullable(DAY), "The last day, as `2027-01-31`; null without an end."),
});

const FACTS = {
  code: about(
    matching(/^[a-z]+\/[a-z][a-z-]*$/, "is not a code"),
    "Stable, for programs: `drift/field-removed`. `lockflow explain` describes each.",
  ),
  severity: Severity,
  layer: Layer,
  subject: about(NONEMPTY, "An operation, a file, a deployment or a coordinate."),
  message: about(NONEMPTY, "For people; its wording is not stable."),
  coordinate: about(
    TEXT_OR_NULL,
    "In the notation of the GraphQL specification; null for a finding that is not about a schema.",
  ),
  ...CHANGE,
  isOnlyPossible: about(
    v.exactOptional(v.literal(true)),
    "Set for a rename that is a guess: the names share a word, or the fields refer to the same entity.",
  ),
  derived: about(COUNT, "How many more coordinates changed because of this one."),
  derivedCoordinates: about(
    v.optional(unique(TEXT), []),
    "These coordinates, in code-unit order; a type that was added or removed includes its members. Empty if they are findings of their own.",
  ),
  worstDerived: about(
    v.optional(list(DerivedChange), []),
    "The derived changes that make the finding as severe as it is, in code-unit order of coordinate; empty if the change itself is that severe.",
  ),
  where: about(
    v.nullable(Where),
    "Null for a finding about files, or about deployments of more than one protocol or style.",
  ),
};

const HITS = {
  operations: about(
    list(OperationImpact),
    "What it does to operations in all of its places, the worst first.",
  ),
  place: about(v.nullable(Place), "Null if it is in no file."),
};

const FIX = { fix: about(TEXT_OR_NULL, "What to do about it: a sentence that names the next command.") };

export const Finding = part(
  "A judged fact to report: one root cause, or one fault of a file. Never an exception: a run collects all of them and decides once.",
  { ...FACTS, ...HITS, ...FIX },
);

export const DecidedFinding = part(
  "A finding with its fingerprint, its acceptance and whether it fails the run.",
  {
    fingerprint: Fingerprint,
    ...FACTS,
    elsewhere: about(
      v.optional(list(SamePlace), []),
      "Where else the same happened, in other protocols or styles, in code-unit order.",
    ),
    ...HITS,
    fails: about(FLAG, "Whether it makes the run fail."),
    accepted: about(
      FLAG,
      "Whether it is tolerated on all deployments that it names; such a finding never fails.",
    ),
    acceptance: about(v.nullable(Acceptance), "Null if it is not accepted."),
    ...FIX,
  },
);

function shown(value: unknown): string {
  return typeof value === "string" ? `"${cleanText(value)}"` : "something";
}
