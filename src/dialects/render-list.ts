/** What an operation that lists rows is called, and which fields it asks for. */
type List = {
  readonly name: string;
  /** A line for people. */
  readonly comment: string;
  readonly fields: readonly Field[];
  /** Whether it asks for a page by the rows before it. */
  readonly isPaged: boolean;
};

/** A field, or a reference with fields of its own. */
type Field = string | readonly [reference: string, ...fields: string[]];

/** Renders an operation that lists rows, with the arguments that its dialect has for it; a page is in its variables. */
export function renderList(
  { name, comment, fields, isPaged }: List,
  variable: string | null,
  root: string,
  args: readonly string[],
): string {
  const variables = [
    ...(variable === null ? [] : [variable]),
    "first: Int! = 100",
    ...(isPaged ? ["skip: Int! = 0"] : []),
  ];
  return [
    `# ${comment}`,
    `query ${name}(${variables.map((one) => `$${one}`).join(", ")}) {`,
    `  ${root}(`,
    ...args.map((arg) => `    ${arg}`),
    "  ) {",
    ...fields.flatMap(renderField),
    "  }",
    "}",
    "",
  ].join("\n");
}

function renderField(field: Field): string[] {
  if (typeof field === "string") return [`    ${field}`];
  const [name, ...own] = field;
  return [`    ${name} {`, ...own.map((one) => `      ${one}`), "    }"];
}
