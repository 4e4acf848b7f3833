import { describe, expect, it } from "vitest";
import { editModel, type ModelEdit } from "../../../emulator/faults/edit-model.ts";
import { createRowEditor } from "../../../emulator/faults/edit-rows.ts";
import type { Row } from "../../../emulator/styles/read-view.ts";
import type { EntityModel } from "../../../src/dialects/entity-model.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { createRowStore } from "../../support/create-row-store.ts";

const MODEL = parseEntities(
  `
  enum Kind { one two }
  interface Named { id: ID! name: String! }
  type Depot implements Named @entity {
    id: ID!
    name: String!
    kind: Kind!
    kinds: [Kind!]!
    size: BigInt!
    boxes: [Box!]! @derivedFrom(field: "depot")
  }
  type Box @entity { id: Bytes! depot: Depot! label: String }
  `,
  "a test",
);

/** Returns `Entity.field: type` and members of enums, one per line. */
function shapeOf({ definitions }: EntityModel): string[] {
  return definitions.flatMap((definition) => {
    if (definition.kind === "enum")
      return (definition.values ?? []).map(({ name }) => `${definition.name} ${name}`);
    if (!("fields" in definition)) return [];
    return definition.fields.map((field) => {
      const source = "derivedFrom" in field && field.derivedFrom ? ` from ${field.derivedFrom}` : "";
      return `${definition.name}.${field.name}: ${field.type}${source}`;
    });
  });
}

/** Returns the lines of the shape that an edit removes and adds, as a diff. */
function changes(edit: ModelEdit): readonly string[] {
  const after = editModel(MODEL, edit);
  if ("problem" in after) throw new Error(after.problem);
  const [before, now] = [shapeOf(MODEL), shapeOf(after)];
  return [
    ...before.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}

describe("editModel", () => {
  const boxes = "- Depot.boxes: [Box!]! from depot";
  const depot = "- Box.depot: Depot!";
  const names = ["- Named.name: String!", "- Depot.name: String!"];
  it.each<[edit: ModelEdit, changes: readonly string[]]>([
    [{ kind: "drop-field", field: "Depot.size" }, ["- Depot.size: BigInt!"]],
    [{ kind: "drop-field", field: "Depot.boxes" }, [boxes]],
    [{ kind: "drop-field", field: "Box.depot" }, [boxes, depot]],
    [{ kind: "drop-field", field: "Named.name" }, names],
    [
      { kind: "rename-field", field: "Box.depot", to: "home" },
      [boxes, depot, "+ Depot.boxes: [Box!]! from home", "+ Box.home: Depot!"],
    ],
    [
      { kind: "rename-field", field: "Named.name", to: "title" },
      [...names, "+ Named.title: String!", "+ Depot.title: String!"],
    ],
    [{ kind: "retype-field", field: "Box.depot", type: "Depot" }, [depot, "+ Box.depot: Depot"]],
    [{ kind: "retype-field", field: "Box.depot", type: "String!" }, [boxes, depot, "+ Box.depot: String!"]],
    [{ kind: "add-field", field: "Named.note", type: "Kind" }, ["+ Named.note: Kind", "+ Depot.note: Kind"]],
    [{ kind: "add-enum-member", member: "Kind.three" }, ["+ Kind three"]],
  ])("%j", (edit, want) => {
    expect(changes(edit)).toEqual(want);
  });

  it.each<[edit: ModelEdit, problem: string]>([
    [{ kind: "drop-field", field: "Depot.name" }, 'Depot has "name" of the interface Named.'],
    [{ kind: "drop-field", field: "Depot.id" }, 'Every entity needs its "id", Depot too.'],
    [{ kind: "rename-field", field: "Depot.kind", to: "size" }, 'Depot has "size" already.'],
    [
      { kind: "retype-field", field: "Depot.boxes", type: "String" },
      "Depot.boxes is derived, so its type cannot be set.",
    ],
    [{ kind: "retype-field", field: "Depot.size", type: "Number" }, 'There is no type "Number".'],
    [{ kind: "retype-field", field: "Depot.size", type: "[Int" }, '"[Int" is not a type.'],
    [{ kind: "add-field", field: "Depot.size", type: "Int" }, 'Depot has "size" already.'],
    [{ kind: "add-field", field: "Kind.size", type: "Int" }, 'There is no entity "Kind".'],
    [{ kind: "add-enum-member", member: "Kind.one" }, 'Kind has "one" already.'],
    [{ kind: "add-enum-member", member: "Depot.one" }, 'There is no enum "Depot".'],
  ])("returns a problem for %j", (edit, problem) => {
    expect(editModel(MODEL, edit)).toMatchObject({ problem });
  });
});

describe("createRowEditor", () => {
  const depots: Row[] = [
    { id: "a", name: "A", kind: "one", kinds: ["two"], size: "12" },
    { id: "b", name: "true", kind: "two", kinds: [], size: "-1" },
  ];
  const boxes: Row[] = [{ id: "0x01", depot: "a", label: null }];
  const store = () => createRowStore(() => new Map(Object.entries({ Depot: depots, Box: boxes })), 7);
  const edited = (edit: ModelEdit) => createRowEditor(MODEL, edit)(store());

  it.each<[type: string, values: readonly unknown[]]>([
    ["String!", ["12", "-1"]],
    ["Int", [12, -1]],
    ["Float", [12, -1]],
    ["Boolean!", [true, true]],
    ["Bytes", ["0x3132", "0x2d31"]],
    ["BigDecimal!", ["12", "-1"]],
    ["[BigInt!]!", [["12"], ["-1"]]],
    ["Kind", [null, null]],
    ["Kind!", ["one", "one"]],
    ["Box", [null, null]],
    ["Box!", ["0x01", "0x01"]],
  ])("converts a BigInt to %s", (type, values) => {
    const { rows, find } = edited({ kind: "retype-field", field: "Depot.size", type });
    expect(rows("Depot").map((row) => row["size"])).toEqual(values);
    expect(find("Depot", "b")).toBe(rows("Depot")[1]);
  });

  it.each<[type: string, value: unknown]>([
    ["Int", null],
    ["Int!", 0],
    ["[String!]", null],
    ["[String!]!", []],
    ["Bytes!", "0x"],
    ["Timestamp!", "0"],
    ["Boolean!", false],
  ])("converts null to %s", (type, value) => {
    const { rows } = edited({ kind: "retype-field", field: "Box.label", type });
    expect(rows("Box").map((row) => row["label"])).toEqual([value]);
  });

  it("finds renamed, retyped and untouched values", () => {
    const renamed = edited({ kind: "rename-field", field: "Box.depot", to: "home" });
    expect(renamed.rows("Box")).toEqual([{ id: "0x01", home: "a", label: null }]);
    expect(renamed.matching("Box", "home", "a")).toEqual(renamed.rows("Box"));
    expect(renamed.matching("Depot", "kind", "two")).toEqual([depots[1]]);
    const retyped = edited({ kind: "retype-field", field: "Depot.size", type: "Int" });
    expect(retyped.matching("Depot", "size", 12).map((row) => row["id"])).toEqual(["a"]);
    expect(retyped.matching("Depot", "size", "12")).toEqual([]);
    expect(retyped.matching("Depot", "kinds", "two")).toEqual([retyped.find("Depot", "a")]);
  });

  it("sets the new enum member in the first row only", () => {
    const { rows, matching } = edited({ kind: "add-enum-member", member: "Kind.three" });
    expect(rows("Depot")).toEqual([{ ...depots[0], kind: "three", kinds: ["three"] }, depots[1]]);
    expect(rows("Depot")[1]).toBe(depots[1]);
    expect(matching("Depot", "kind", "one")).toEqual([]);
    expect(rows("Box")).toBe(boxes);
  });

  it("keeps writtenAt, and returns the same store for the same input", () => {
    const before = store();
    const editor = createRowEditor(MODEL, { kind: "rename-field", field: "Depot.size", to: "room" });
    const after = editor(before);
    expect(editor(before)).toBe(after);
    expect(after.writtenAt("Depot", "a")).toBe(7);
  });
});
