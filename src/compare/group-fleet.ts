import { compareCodeUnits } from "../base/compare-code-units.ts";
import { groupBy } from "../base/group-by.ts";

/** What one deployment of a fleet serves, as hashes, and its platform. */
export type FleetMember = {
  readonly deployment: string;
  /** Hash of its entity model. */
  readonly entities: string;
  /** Hash of its schema's shape. */
  readonly schema: string;
  /** Hash of its descriptions. */
  readonly docs: string;
  /** The release of the platform, as recognized from the schema; null where it cannot be. */
  readonly release: string | null;
};

/**
 * How a group of deployments stands to the fleet's reference.
 * - `reference`: it is what most of them serve.
 * - `docs`: only descriptions differ.
 * - `platform`: the same entities, another release of the platform or other settings.
 * - `entities`: the indexers differ. That is what makes a fleet inconsistent.
 */
export type FleetGroupKind = "reference" | "docs" | "platform" | "entities";

/** Deployments that serve the same, descriptions included. */
export type FleetGroup = {
  readonly kind: FleetGroupKind;
  readonly entities: string;
  readonly schema: string;
  readonly docs: string;
  readonly release: string | null;
  /** In code-unit order. */
  readonly deployments: readonly string[];
};

/** A fleet by what its deployments serve. */
export type FleetGroups = {
  /** Null for an empty fleet. */
  readonly reference: FleetGroup | null;
  /** The reference first, then by size, then by the first deployment's name. */
  readonly groups: readonly FleetGroup[];
  /** The deployments whose entities are not the reference's, in code-unit order. */
  readonly outliers: readonly string[];
};

/**
 * Groups a fleet. The reference is chosen step by step: the entities most deployments have, of those the schema, of
 * those the descriptions. So many small variants of a platform cannot outvote the entities they share. Of equal numbers
 * the smaller hash wins.
 */
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
