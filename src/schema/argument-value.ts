import { type FieldNode, Kind, type ValueNode } from "graphql";

/** What a field of a document is given for an argument; null where that is null, or nothing. */
export function argumentValue({ arguments: given = [] }: FieldNode, name: string): ValueNode | null {
  const value = given.find((argument) => argument.name.value === name)?.value;
  return value === undefined || value.kind === Kind.NULL ? null : value;
}
