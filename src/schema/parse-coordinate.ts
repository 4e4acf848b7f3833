/** The parts of a coordinate. */
export type Coordinate = {
  /** The name of a type, or of a directive with its `@`. */
  readonly type: string;
  /** A field, an input field or an enum value. */
  readonly member: string | null;
  readonly argument: string | null;
};

/** Takes a coordinate apart: `Query.stream(id:)` is the argument `id` of the member `stream` of `Query`. */
export function parseCoordinate(coordinate: string): Coordinate {
  const paren = coordinate.indexOf("(");
  const path = paren < 0 ? coordinate : coordinate.slice(0, paren);
  const dot = path.indexOf(".");
  return {
    type: dot < 0 ? path : path.slice(0, dot),
    member: dot < 0 ? null : path.slice(dot + 1),
    // It ends in a colon and the parenthesis.
    argument: paren < 0 ? null : coordinate.slice(paren + 1, -2),
  };
}
