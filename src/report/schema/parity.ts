import * as v from "valibot";
import { object } from "../../base/parse-json.ts";
import { CAPABILITIES } from "../../dialects/style.ts";
import { PARITY_RULES, VERDICTS } from "../outcome.ts";
import { about, COUNT, FLAG, list, PROTOCOL, part, STYLE, TEXT, TEXT_OR_NULL, unique } from "./shapes.ts";

export const Verdict = about(
  v.picklist(VERDICTS, "is an unknown verdict"),
  `How one entity or field compares in the two styles.
- \`equal\`: the same type expression.
- \`mapped\`: another scalar of the same family, or an enum that one style shows as an opaque scalar.
- \`nullability\`: the same but for a \`!\`.
- \`conflict\`: unrelated types.`,
);

export const ParityRule = about(
  v.picklist(PARITY_RULES, "is an unknown rule"),
  `Why a difference between the styles is expected.
- \`parity/relation-nullability\`: one style shows every reference as nullable, whatever its column says.
- \`parity/opaque-enum\`: one style shows an enum as a scalar, so its members cannot be compared.
- \`parity/scalar\`: another scalar of the same family.`,
);

export const Capability = about(
  v.picklist(CAPABILITIES, "is an unknown capability"),
  "One thing that can be queried from an indexer.",
);

export const ParityRow = part("One entity (`field` null) or one field, in both styles.", {
  entity: about(TEXT, "The entity's name."),
  field: about(TEXT_OR_NULL, "The field's name; null for the entity itself."),
  multichain: about(TEXT_OR_NULL, 'Its type; null if the style does not have it. For an entity, `"entity"`.'),
  subgraph: about(TEXT_OR_NULL, "The same of the other style."),
  verdict: Verdict,
  rule: about(v.nullable(ParityRule), "The rule that explains the difference; null if none does."),
  weaker: about(
    v.nullable(STYLE),
    "The style that may answer null where the other does not: code for both must expect it.",
  ),
});

export const ParityRename = part(
  "A field that seems to have another name in each style: the same type, among the same others.",
  {
    entity: about(TEXT, "The entity that has it."),
    multichain: about(TEXT, "Its name in one style."),
    subgraph: about(TEXT, "Its name in the other."),
  },
);

export const OpaqueEnum = part(
  "An enum whose members one style does not show: whether they agree is unknown.",
  {
    multichain: about(TEXT, "Its name in one style."),
    subgraph: about(TEXT, "Its name in the other."),
    shownBy: about(STYLE, "The style that shows the members."),
    members: about(unique(TEXT), "As that style shows them."),
  },
);

export const CapabilityRow = part(
  "One capability in both styles; portable operations may use what both have.",
  {
    capability: about(Capability, "What can be queried."),
    multichain: about(TEXT_OR_NULL, "How one style writes it; null if it cannot."),
    subgraph: about(TEXT_OR_NULL, "The same of the other style."),
    portable: about(FLAG, "Whether both styles can."),
  },
);

type VerdictCounts = Record<(typeof VERDICTS)[number], typeof COUNT>;

const AGREEMENT = {
  counts: about(
    object(Object.fromEntries(VERDICTS.map((verdict) => [verdict, COUNT])) as VerdictCounts),
    "Fields of shared entities, by verdict.",
  ),
  rows: about(list(ParityRow), "In code-unit order of entity, then field; the entity's own row first."),
  renames: about(list(ParityRename), "Fields that seem to have another name in each style."),
  opaqueEnums: about(list(OpaqueEnum), "In code-unit order of name."),
  capabilities: about(list(CapabilityRow), "What can be queried in either style."),
};

export const Parity = part("How the two styles of one protocol agree.", AGREEMENT);

export const ProtocolParity = part("The agreement of the styles of one protocol.", {
  protocol: PROTOCOL,
  ...AGREEMENT,
});
