import fc from "fast-check";
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  parse,
  validate,
} from "graphql";

/** Descriptions are the coordinates of fields. */
export const RANDOM_SDL = `
  interface Node { "Node.id" id: ID! "Node.next" next: Node }
  interface Named { "Named.name" name: String }
  type A implements Node & Named { "A.id" id: ID! next: Node name: String "A.b" b: [B!]! "A.thing" thing: Thing }
  type B implements Node { id: ID! "B.next" next: A "B.kind" kind: Kind! "B.things" things: [[Thing]!] }
  type C implements Named { "C.name" name: String "C.kind" kind: Kind! "C.node" node: Node! }
  union Thing = A | B | C
  enum Kind { X Y }
  type Query { "Query.a" a(n: Int): A "Query.nodes" nodes: [Node!]! "Query.named" named: Named! "Query.thing" thing: Thing }
`;

const TYPES = ["A", "B", "C", "Node", "Named", "Thing"];

/** Valid operations with up to two fragments: aliases, conditions, fragments of all kinds at every level. */
export function randomOperations(schema: GraphQLSchema): fc.Arbitrary<string> {
  return fc
    .infiniteStream(fc.nat(999))
    .map((choices) => {
      const pick = <T>(from: readonly T[]): T => from[(choices.next().value ?? 0) % from.length] as T;
      const fragments: { readonly name: string; readonly text: string }[] = [];
      for (const name of pick([[], ["F"], ["F", "G"]])) {
        const condition = pick(TYPES);
        const selections = select(schema, schema.getType(condition), 2, fragments, pick);
        fragments.push({ name, text: `fragment ${name} on ${condition} { ${selections} }` });
      }
      const query = select(schema, schema.getQueryType(), 0, fragments, pick);
      // Fragments may use those before them.
      let text = `query Q($f: Boolean = true, $g: Boolean!) { ${query} a_9: a @skip(if: $f) { id @include(if: $g) } }`;
      for (const fragment of fragments.reverse()) {
        if (text.includes(`...${fragment.name} `)) text += `\n${fragment.text}`;
      }
      return text;
    })
    .filter((text) => validate(schema, parse(text)).length === 0);
}

function select(
  schema: GraphQLSchema,
  type: GraphQLNamedType | null | undefined,
  depth: number,
  fragments: readonly { readonly name: string }[],
  pick: <T>(from: readonly T[]) => T,
): string {
  const condition = () =>
    pick([
      "",
      "",
      "",
      "@include(if: $f) ",
      "@skip(if: $f) ",
      "@include(if: $g) ",
      "@skip(if: false) ",
      "@skip(if: $g) @include(if: $f) ",
    ]);
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const selections = Array.from({ length: pick([1, 2, 3]) }, () => {
    const kind = pick(["field", "field", "field", "inline", "spread", "typename"]);
    if (kind === "inline" && depth < 4) {
      const target = pick([type?.name ?? "", ...TYPES]);
      return `... on ${target} ${condition()}{ ${select(schema, schema.getType(target), depth + 1, fragments, pick)} }`;
    }
    if (kind === "spread" && fragments.length > 0) return `...${pick(fragments).name} ${condition()}`;
    if (kind === "typename" || fields.length === 0) return "__typename";
    const field = pick(fields);
    const result = getNamedType(field.type);
    const alias = pick(["", "", `${field.name}_1: `, `${field.name}_2: `]);
    if (isLeafType(result)) return `${alias}${field.name} ${condition()}`;
    if (depth >= 4) return "__typename";
    return `${alias}${field.name} ${condition()}{ ${select(schema, result, depth + 1, fragments, pick)} }`;
  });
  return selections.join(" ");
}
