import { compareCodeUnits } from "../base/compare-code-units.ts";
import { groupBy } from "../base/group-by.ts";

/** What one deployment of a fleet serves, as hashes, and its platform. */
export type FleetMember = {
  readonly deployment: string;
  readonly entities: string;
  readonly schema: string;
  readonly docs: string;
  /** The release of the platform, as recognized from the schema; null where it cannot be. */
  readonly release: string | null;
};

/** `platform`: the same entities on another release or settings; `entities`: the indexers differ. */
export type FleetGroupKind = "reference" | "docs" | "platform" | "entities";

/** Deployments that serve the same, descriptions included. */
export type FleetGroup = Omit<FleetMember, "deployment"> & {
  readonly kind: FleetGroupKind;
  /** In code-unit order. */
  readonly deployments: readonly string[];
};

/** A fleet by what its deployments serve. */
export type FleetGroups = {
  readonly reference: FleetGroup | null;
  /** The reference first, then by size, then by the first deployment's name. */
  readonly groups: readonly FleetGroup[];
  /** The deployments whose entities are not the reference's, in code-unit order. */
  readonly outliers: readonly string[];
};

/** Groups a fleet by a reference: the most common entities, of those the schema, of those the docs. */
export function groupFleet(members: readonly FleetMember[]): FleetGroups {
  const entities = mostCommon(members.map((member) => member.entities));
  const sameEntities = members.filter((member) => member.entities === entities);
  const schema = mostCommon(sameEntities.map((member) => member.schema));
  const sameSchema = sameEntities.filter((member) => member.schema === schema);
  const docs = mostCommon(sameSchema.map((member) => member.docs));

  const groups = [...groupBy(members, (one) => `${one.entities} ${one.schema} ${one.docs}`).values()]
    .flatMap((group): FleetGroup[] => {
      const [first] = group;
      if (first === undefined) return [];
      const kind =
        first.entities !== entities
          ? "entities"
          : first.schema !== schema
            ? "platform"
            : first.docs === docs
              ? "reference"
              : "docs";
      const { deployment: _, ...served } = first;
      return [{ kind, ...served, deployments: namesOf(group) }];
    })
    .sort(
      (a, b) =>
        Number(b.kind === "reference") - Number(a.kind === "reference") ||
        b.deployments.length - a.deployments.length ||
        compareCodeUnits(a.deployments[0] ?? "", b.deployments[0] ?? ""),
    );
  return {
    reference: groups.find(({ kind }) => kind === "reference") ?? null,
    groups,
    outliers: namesOf(members.filter((member) => member.entities !== entities)),
  };
}

function namesOf(members: readonly FleetMember[]): string[] {
  return members.map(({ deployment }) => deployment).sort(compareCodeUnits);
}

function mostCommon(values: readonly string[]): string | null {
  const [most] = [...groupBy(values, (value) => value)].sort(
    ([a, m], [b, n]) => n.length - m.length || compareCodeUnits(a, b),
  );
  return most?.[0] ?? null;
}
