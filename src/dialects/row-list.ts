/** An operation that lists the rows of an entity, newest first, for any style to write. */
export type RowList = {
  readonly name: string;
  /** A line for people. */
  readonly comment: string;
  readonly entity: string;
  /** The key of the rows in the answer: the subgraph's root field, or the entity. */
  readonly rows: string;
  /** A field with an address to find rows by; null for all rows. */
  readonly by: string | null;
  /** The field that orders the rows. */
  readonly order: string;
  /** Whether the operation skips rows to page; in the order of a cursor, the cursor does that. */
  readonly isPaged: boolean;
  readonly fields: readonly RowField[];
};

/** A field without fields of its own, or a reference with some of its fields. */
export type RowField = string | { readonly reference: string; readonly fields: readonly string[] };

/** Renders the operation with what differs between dialects: a variable for `by`, the root field and its arguments. */
export function renderRowList(
  { name, comment, fields, isPaged }: RowList,
  {
    variable,
    root,
    args,
  }: { readonly variable: string | null; readonly root: string; readonly args: readonly string[] },
): string {
  const variables = [variable, "first: Int! = 100", isPaged ? "skip: Int! = 0" : null];
  const given = variables.filter((one) => one !== null).map((one) => `$${one}`);
  return [
    `# ${comment}`,
    `query ${name}(${given.join(", ")}) {`,
    `  ${root}(`,
    ...args.map((arg) => `    ${arg}`),
    "  ) {",
    ...fields.flatMap((field) =>
      typeof field === "string"
        ? [`    ${field}`]
        : [`    ${field.reference} {`, ...field.fields.map((one) => `      ${one}`), "    }"],
    ),
    "  }",
    "}",
    "",
  ].join("\n");
}
