import { Kind, parse } from "graphql";

const META_FIELDS = ["__schema", "__type", "__typename"];

/**
 * Whether a document asks for the schema and nothing else, so that every deployment of a protocol and style
 * gives the same answer.
 */
export function isPureIntrospection(query: string): boolean {
  if (!query.includes("__schema")) return false;
  try {
    const operations = parse(query, { noLocation: true }).definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    return (
      operations.length === 1 &&
      operations.every(({ selectionSet }) =>
        selectionSet.selections.every(
          (selection) => selection.kind === Kind.FIELD && META_FIELDS.includes(selection.name.value),
        ),
      )
    );
  } catch {
    return false;
  }
}
