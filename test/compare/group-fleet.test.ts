import { describe, expect, it } from "vitest";
import { type FleetMember, groupFleet } from "../../src/compare/compare-surface.ts";

const member = (
  deployment: string,
  entities: string,
  schema: string,
  docs = "d",
  release: string | null = null,
): FleetMember => ({
  deployment,
  entities,
  schema,
  docs,
  release,
});

const shown = (members: readonly FleetMember[]) => {
  const { groups, outliers, reference } = groupFleet(members);
  return {
    groups: groups.map(({ kind, deployments }) => `${kind}: ${deployments.join(" ")}`),
    outliers,
    reference: reference?.deployments ?? null,
  };
};

describe("groupFleet", () => {
  it.each<[string, FleetMember[], ReturnType<typeof shown>]>([
    ["no deployments", [], { groups: [], outliers: [], reference: null }],
    [
      "equal deployments",
      [member("b", "e", "s"), member("a", "e", "s")],
      { groups: ["reference: a b"], outliers: [], reference: ["a", "b"] },
    ],
    [
      "one deployment with different entities",
      [member("a", "e1", "s1"), member("b", "e2", "s2"), member("c", "e1", "s1")],
      { groups: ["reference: a c", "entities: b"], outliers: ["b"], reference: ["a", "c"] },
    ],
    [
      "another release of the platform, other descriptions",
      [member("a", "e", "s"), member("b", "e", "s"), member("c", "e", "new"), member("d", "e", "s", "other")],
      { groups: ["reference: a b", "platform: c", "docs: d"], outliers: [], reference: ["a", "b"] },
    ],
    [
      // Four share their entities, but no three of them share a schema.
      "variants of the platform do not outvote the entities they share",
      [
        member("a", "e1", "s1"),
        member("b", "e1", "s1"),
        member("c", "e1", "s2"),
        member("d", "e1", "s3"),
        member("e", "e2", "s4"),
        member("f", "e2", "s4"),
        member("g", "e2", "s4"),
      ],
      {
        groups: ["reference: a b", "entities: e f g", "platform: c", "platform: d"],
        outliers: ["e", "f", "g"],
        reference: ["a", "b"],
      },
    ],
    [
      "a tie, decided by the smaller hash",
      [member("a", "e2", "s2"), member("b", "e1", "s1")],
      { groups: ["reference: b", "entities: a"], outliers: ["a"], reference: ["b"] },
    ],
  ])("%s", (_, members, want) => {
    expect(shown(members)).toEqual(want);
    expect(shown(members.toReversed())).toEqual(want);
  });

  it("returns the release of each group", () => {
    const { groups } = groupFleet([member("a", "e", "s", "d", "graph-node-0.44")]);
    expect(groups[0]?.release).toBe("graph-node-0.44");
  });
});
