import { describe, expect, it } from "vitest";
import { type FleetMember, groupFleet } from "../../src/compare/compare-surface.ts";

/** Members as `deployment entities schema docs`. */
const members = (text: string): FleetMember[] =>
  text.split(", ").map((member) => {
    const [deployment = "", entities = "", schema = "", docs = "d"] = member.split(" ");
    return { deployment, entities, schema, docs, release: null };
  });

describe("groupFleet", () => {
  it.each<[name: string, members: FleetMember[], outliers: string[], ...groups: string[]]>([
    ["no deployments", [], []],
    ["equal deployments", members("b e s, a e s"), [], "reference: a b"],
    [
      "one deployment with different entities",
      members("a e1 s1, b e2 s2, c e1 s1"),
      ["b"],
      "reference: a c",
      "entities: b",
    ],
    [
      "another release of the platform, other descriptions",
      members("a e s, b e s, c e new, d e s other"),
      [],
      "reference: a b",
      "platform: c",
      "docs: d",
    ],
    [
      // Four share their entities, but no three of them share a schema.
      "variants of the platform do not outvote the entities they share",
      members("a e1 s1, b e1 s1, c e1 s2, d e1 s3, e e2 s4, f e2 s4, g e2 s4"),
      ["e", "f", "g"],
      "reference: a b",
      "entities: e f g",
      "platform: c",
      "platform: d",
    ],
    ["a tie, decided by the smaller hash", members("a e2 s2, b e1 s1"), ["a"], "reference: b", "entities: a"],
  ])("%s", (_, fleet, outliers, ...want) => {
    for (const each of [fleet, fleet.toReversed()]) {
      const grouped = groupFleet(each);
      const groups = grouped.groups.map(({ kind, deployments }) => `${kind}: ${deployments.join(" ")}`);
      expect({ groups, outliers: grouped.outliers }).toEqual({ groups: want, outliers });
      expect(grouped.reference).toEqual(grouped.groups.find(({ kind }) => kind === "reference") ?? null);
    }
  });

  it("returns the release of each group", () => {
    const { groups } = groupFleet(members("a e s").map((one) => ({ ...one, release: "graph-node-0.44" })));
    expect(groups[0]?.release).toBe("graph-node-0.44");
  });
});
