import * as v from "valibot";
import { ENDPOINT_STATUSES } from "../outcome.ts";
import {
  about,
  COUNT,
  DAY,
  list,
  matching,
  maybe,
  NAME,
  NAMES,
  NONEMPTY,
  part,
  SURFACE,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TRUE,
  unique,
} from "./shapes.ts";

export const EndpointStatus = about(
  v.picklist(ENDPOINT_STATUSES, "is an unknown status"),
  `The state of an endpoint.
- \`wrong-protocol\`, \`wrong-chain\`: it serves something else than the manifest says, so it is not compared.
- \`same\`: it serves what the snapshot says.
- \`platform-variant\`: another release or another setting of the platform, the same entities.
- \`accepted\`: it differs, and that is accepted.
- \`drifted\`: it differs.
- \`flapping\`: it answered with two schemas.
- \`indexing-error\`: it answered with data and errors.
- \`unreachable\`, \`refused\` (401, 402, 403, 429), \`malformed\` (no whole introspection): it gave no schema.
- \`dormant\`: it gave no schema, and its gateway or the configuration calls it dormant.
- \`skipped\`: the run did not query it.`,
);

export const Lifecycle = part("The configured state of a deployment that is not active.", {
  status: about(
    v.picklist(["dormant", "retired"], "is an unknown status"),
    "A dormant deployment is queried, but needs no new blocks; a retired one is not queried.",
  ),
  since: maybe(matching(/^\d{4}-\d{2}(-\d{2})?$/, "is not a month or day"), "A month or a day."),
  reason: maybe(NONEMPTY, "Why, as a clause."),
  replacedBy: maybe(NONEMPTY, "The name of the deployment to use in its place."),
});

export const EarlierHead = part("An earlier head of an endpoint.", {
  block: about(COUNT, "Its number."),
  since: about(TIME, "When a run first saw it, in UTC."),
});

export const HeadReport = part("The newest block that an endpoint has of a chain.", {
  chain: about(NAME, "Its key."),
  block: about(COUNT, "Its number."),
  behind: about(COUNT, "Blocks that the furthest head of the chain is ahead of it."),
  madeAt: maybe(TIME, "The time of that block, in UTC; left out if the platform does not show it."),
  since: maybe(TIME, "When an earlier run first saw this block, in UTC; left out if none did."),
  earlier: maybe(
    v.pipe(list(EarlierHead), v.maxLength(14, "has more than 14 blocks")),
    "With `--memory`, its heads before this one, the oldest first; left out if none is known.",
  ),
});

export const EndpointReport = part("One endpoint in a run.", {
  deployment: about(NAME, "Its name."),
  ...SURFACE,
  chains: about(NAMES, "Keys of the chains it serves."),
  status: EndpointStatus,
  message: about(TEXT_OR_NULL, "Why it did not answer, or another note, without secrets."),
  group: about(TEXT_OR_NULL, "The id of its group; null if it gave no schema."),
  lifecycle: maybe(Lifecycle, "As configured; left out for an active deployment."),
  leftOut: maybe(TRUE, "True if the run was narrowed to others; left out otherwise."),
  silentSince: maybe(
    DAY,
    "The day since which it has not answered, as `2026-11-21`; left out if no earlier run shows it.",
  ),
  heads: maybe(
    list(HeadReport),
    "Its newest blocks, by chain; for one that did not answer, its last known ones. Left out if none is known.",
  ),
});

export const GroupReport = part(
  "The deployments of one protocol and style that serve the same, descriptions included.",
  {
    id: about(NONEMPTY, "The short hash of that schema's shape."),
    ...SURFACE,
    entities: about(
      TEXT,
      "The short hash of its entities: groups that share it differ in their platform only.",
    ),
    release: about(TEXT_OR_NULL, "The platform's release, as far as the schema shows it."),
    features: about(unique(TEXT), "Operator settings and features that the schema shows."),
    kind: about(
      v.picklist(["reference", "entities", "platform", "docs"], "is an unknown kind"),
      "How it differs from the reference: by its entities, its platform, its descriptions.",
    ),
    deployments: about(NAMES, "Names in code-unit order."),
  },
);

export const DeploymentReport = part("A deployment whose schema a run knows from the snapshots.", {
  deployment: about(NAME, "Its name."),
  ...SURFACE,
  chains: about(NAMES, "Keys of the chains it serves."),
  lifecycle: maybe(Lifecycle, "As configured; left out for an active deployment."),
});
