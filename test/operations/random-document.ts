import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";

/** Returns a valid document of a schema: fields, filters, orders, variables with defaults, fragments, comments, CRLF. */
export function randomDocument(schema: GraphQLSchema, pick: <T>(items: readonly T[]) => T): string {
  const variables: string[] = [];
  let keys = 0;
  const fragments: string[] = [];
  const blank = () => pick([" ", " ", "\r\n  ", "\n# Stream a asset\n", ", "]);
  const query = schema.getQueryType() as GraphQLObjectType;
  const body = select(query, 0);
  const head = variables.length === 0 ? "query Q" : `query Q(${variables.join(blank())})`;
  return `${pick(["", "\uFEFF"])}${head} {${blank()}${body}${blank()}}${fragments.join("\n\n")}\n`;

  function select(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields()).filter(
      ({ type: result }) => depth < 2 || isLeafType(getNamedType(result)),
    );
    const selections = Array.from({ length: pick([1, 2, 3]) }, (): string => {
      const kind = pick(["field", "field", "field", "inline", "spread"]);
      if (kind === "inline" && depth > 0 && depth < 2)
        return `... on ${type.name} { ${select(type, depth + 1)} }`;
      if (kind === "spread" && depth > 0 && depth < 2) {
        const name = `F${fragments.length}`;
        fragments.push("");
        const at = fragments.length - 1;
        fragments[at] = `\nfragment ${name} on ${type.name} {${blank()}${select(type, depth + 1)} }`;
        return `...${name}`;
      }
      const field = fields.length === 0 ? undefined : pick(fields);
      if (field === undefined) return "__typename";
      const result = getNamedType(field.type);
      const args = writeArguments(field.args);
      // Each use with arguments has an alias of its own, so that no two conflict.
      const alias = args === "" && pick([true, false]) ? "" : `r${keys++}: `;
      if (isLeafType(result)) return `${alias}${field.name}${args}`;
      const below = isObjectType(result) ? select(result, depth + 1) : "__typename";
      return `${alias}${field.name}${args} {${blank()}${below} }`;
    });
    return selections.join(blank());
  }

  function writeArguments(args: readonly GraphQLArgument[]): string {
    const given = args
      .filter(
        ({ type, defaultValue }) =>
          (isNonNullType(type) && defaultValue === undefined) || pick([true, false]),
      )
      .map(({ name, type }) => `${name}: ${writeValue(type, 0, true)}`);
    return given.length === 0 ? "" : `(${given.join(blank())})`;
  }

  function writeValue(type: GraphQLInputType, depth: number, mayVary: boolean): string {
    if (mayVary && pick([true, false, false])) {
      const name = `v${variables.length}`;
      const at = variables.push("") - 1;
      const value = isNonNullType(type) || pick([true, false]) ? "" : ` = ${writeValue(type, 1, false)}`;
      variables[at] = `$${name}: ${type}${value}`;
      return `$${name}`;
    }
    const inner = getNullableType(type);
    if (isListType(inner)) return `[${writeValue(inner.ofType, depth + 1, mayVary)}]`;
    if (isEnumType(inner)) return pick(inner.getValues()).name;
    if (isInputObjectType(inner)) {
      const all = Object.values(inner.getFields());
      const fields = depth > 2 ? all.filter(({ type: one }) => isLeafType(getNamedType(one))) : all;
      const required = all.filter(({ type: one }) => isNonNullType(one));
      const chosen = new Set([...required, ...(fields.length > 0 ? [pick(fields)] : [])]);
      const members = [...chosen].map(
        ({ name, type: one }) => `${name}: ${writeValue(one, depth + 1, mayVary)}`,
      );
      return `{ ${members.join(blank())} }`;
    }
    return LITERALS.get(getNamedType(inner).name) ?? '"1"';
  }
}

const LITERALS: ReadonlyMap<string, string> = new Map([
  ["Boolean", "true"],
  ["Int", "1"],
  ["Float", "1.5"],
]);
