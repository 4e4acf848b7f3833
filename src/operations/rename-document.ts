import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  type Location,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

/** The new names in an API: of types by their old names, and of members by their old coordinates, such as `Query.streams`. */
export type ApiNames = {
  readonly types: ReadonlyMap<string, string>;
  readonly members: ReadonlyMap<string, string>;
};

/** A replacement in a text. Offsets are in UTF-16 code units. */
export type TextEdit = { readonly start: number; readonly end: number; readonly text: string };

/**
 * Returns the edits that write a document with the new names of its API. Response keys stay: a renamed field gets its old
 * name as an alias, and an alias that equals the new name is removed. Everything else in the text stays.
 *
 * @param schema the API with the old names.
 */
export function renameDocument(
  document: DocumentNode,
  schema: GraphQLSchema,
  { types, members }: ApiNames,
): TextEdit[] {
  const edits: TextEdit[] = [];
  const info = new TypeInfo(schema);
  const replace = ({ loc }: ASTNode, text: string | undefined) => {
    if (loc && text !== undefined) edits.push({ start: loc.start, end: loc.end, text });
  };
  visit(
    document,
    visitWithTypeInfo(info, {
      // Conditions of fragments and types of variables.
      NamedType: (node) => replace(node, types.get(node.name.value)),
      Field: (node) => {
        const name = members.get(`${info.getParentType()?.name}.${node.name.value}`);
        if (name !== undefined) edits.push(...renameField(node, name));
      },
      ObjectField: (node) => {
        const parent = getNamedType(info.getParentInputType());
        replace(node.name, members.get(`${parent?.name}.${node.name.value}`));
      },
      EnumValue: (node) => {
        const type = getNamedType(info.getInputType());
        replace(node, members.get(`${type?.name}.${node.value}`));
      },
    }),
  );
  return edits.sort((a, b) => a.start - b.start);
}

function renameField({ alias, name, loc }: FieldNode, to: string): TextEdit[] {
  if (!name.loc || !loc) return [];
  const { start, end } = name.loc;
  if (alias === undefined) return [{ start, end, text: `${name.value}: ${to}` }];
  const isPlain = alias.loc && !hasComment(alias.loc, name.loc);
  return [{ start: alias.value === to && isPlain ? loc.start : start, end, text: to }];
}

/** Returns whether there is a comment between an alias and its field. */
function hasComment({ endToken }: Location, { startToken }: Location): boolean {
  for (let token = endToken.next; token && token !== startToken; token = token.next) {
    if (token.kind === "Comment") return true;
  }
  return false;
}

/** Applies edits to a text. They must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** Returns the names that lead back. */
export function invertNames({ types, members }: ApiNames): ApiNames {
  return {
    types: new Map([...types].map(([from, to]) => [to, from])),
    members: new Map(
      [...members].map(([coordinate, to]) => {
        const dot = coordinate.indexOf(".");
        const owner = coordinate.slice(0, dot);
        return [`${types.get(owner) ?? owner}.${to}`, coordinate.slice(dot + 1)];
      }),
    ),
  };
}
