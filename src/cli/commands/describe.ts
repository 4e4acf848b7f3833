import { displayText } from "../../base/text.ts";
import { STYLE_NAMES } from "../../dialects/surface.ts";
import { renderTable, wrapBehind } from "../../report/terminal.ts";
import type {
  DescribedData,
  DescribedEntity,
  DescribedEnum,
  DescribedField,
  SelectingOperation,
} from "../../tasks/describe/described-data.ts";
import { describe } from "../../tasks/describe.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { projectOptions, renderJson } from "../task-options.ts";

/** `lockflow describe`: the data of the project's protocols. Exits with 1 if nothing has the name or word. */
export async function runDescribe(context: CommandContext, options: Options<"describe">): Promise<ExitCode> {
  const { config, protocol } = options;
  const [subject] = context.positionals;
  const data = await describe({ ...projectOptions(context, { config, protocol }), subject });
  const isFound = data.entities.length > 0 || data.enums.length > 0;
  if (options.json) context.out(renderJson(data));
  else if (isFound) context.out(`${RENDERERS[data.match](data, createTable(context.width))}\n`);
  if (!isFound) context.err(renderNothing(subject ?? "", data.nearest));
  return isFound ? 0 : 1;
}

function renderNothing(subject: string, nearest: readonly string[]): string {
  const hint =
    nearest.length === 0
      ? "`lockflow describe` lists the entities."
      : `did you mean ${nearest.map((name) => displayText(name, [])).join(", ")}?`;
  return `lockflow: No entity, field or description has "${displayText(subject, [])}".\nHint: ${hint}\n`;
}

type Render = (data: DescribedData, table: Table) => string;

const RENDERERS: Readonly<Record<DescribedData["match"], Render>> = {
  all: renderList,
  word: renderHits,
  entity: (data, table) =>
    data.entities.map((entity) => renderEntity(entity, enumsOf(entity, data), table)).join("\n\n"),
  field: (data, table) =>
    data.entities
      .flatMap((entity) =>
        entity.fields.map((field) => renderField(entity, field, { enums: enumsOf(entity, data), table })),
      )
      .join("\n\n"),
  enum: (data, table) => data.enums.map((item) => renderEnum(item, data, table)).join("\n\n"),
};

function enumsOf({ protocol, fields }: DescribedEntity, { enums }: DescribedData): DescribedEnum[] {
  return enums.filter(
    (item) => item.protocol === protocol && fields.some((field) => field.enum === item.name),
  );
}

function renderList({ entities }: DescribedData, table: Table): string {
  const protocols = [...new Set(entities.map(({ protocol }) => protocol))];
  return protocols
    .map((protocol) => {
      const ofProtocol = entities.filter((entity) => entity.protocol === protocol);
      const rows = ofProtocol.map((entity) => [
        entity.name,
        restriction(entity, ofProtocol),
        clean(entity.description),
      ]);
      return `${protocol}\n${table(rows)}`;
    })
    .join("\n\n");
}

/** Names the only style of an entity if others have more styles; else nothing. */
function restriction({ styles }: DescribedEntity, others: readonly DescribedEntity[]): string {
  return others.some((entity) => entity.styles.length > styles.length) ? `only ${styles.join()}` : "";
}

function renderHits({ entities, enums }: DescribedData, table: Table): string {
  const ofEntities = entities.flatMap(({ protocol, name, description, isSelected, fields }) => [
    ...(isSelected ? [[protocol, name, clean(description)]] : []),
    ...fields.map((field) => [protocol, `${name}.${field.name}`, clean(field.description)]),
  ]);
  const ofEnums = enums.map(({ protocol, name, description, members }) => [
    protocol,
    name,
    [clean(description), (members ?? []).map((member) => member.name).join(", ")].filter(Boolean).join(" "),
  ]);
  return table([...ofEntities, ...ofEnums], "");
}

function renderEntity(entity: DescribedEntity, enums: readonly DescribedEnum[], table: Table): string {
  const { protocol, name, kind, styles, description, fields, operations } = entity;
  const header = ["field", ...styles, "null", "description"];
  const rows = fields.map((field) => [
    field.name,
    ...styles.map((style) => field[style]?.type ?? "–"),
    nullRule(field),
    clean(field.description),
  ]);
  return [
    `${protocol}: ${kind} ${name}, on ${styles.join(" and ")}`,
    ...(description === null ? [] : [table([[clean(description)]])]),
    table([header, ...rows]),
    ...(enums.length === 0 ? [] : [`enums\n${table(enums.map(enumCells))}`]),
    renderOperations(operations),
  ].join("\n\n");
}

function enumCells({ name, members }: DescribedEnum): string[] {
  return [name, members?.map((member) => member.name).join(", ") ?? "members are not shown"];
}

/** In which styles a field can be null: `no`, `yes` or the style. */
function nullRule(field: DescribedField): string {
  const present = STYLE_NAMES.filter((style) => field[style] !== null);
  const nullable = present.filter((style) => field[style]?.nullable);
  if (nullable.length === 0) return "no";
  return nullable.length === present.length ? "yes" : nullable.join();
}

function renderField(
  { protocol, name: entity }: DescribedEntity,
  field: DescribedField,
  { enums, table }: { readonly enums: readonly DescribedEnum[]; readonly table: Table },
): string {
  const { name, description, difference, relation, isTime, operations } = field;
  const types = STYLE_NAMES.map((style) => {
    const type = field[style];
    if (type === null) return [style, "–"];
    return [style, `${type.type}, ${type.nullable ? "can be null" : "never null"}`];
  });
  const through = relation?.through ? `, through ${relation.entity}.${relation.through}` : "";
  const facts = [
    ...types,
    ...(difference === null ? [] : [["difference", clean(difference)]]),
    ...(relation === null
      ? []
      : [["relation", `${relation.isList ? "many" : "one"} ${relation.entity}${through}`]]),
    ...(isTime ? [["time", "seconds since 1970"]] : []),
  ];
  const items = enums.filter((item) => item.name === field.enum);
  return [
    `${protocol}: ${entity}.${name}`,
    ...(description === null ? [] : [table([[clean(description)]])]),
    table(facts),
    ...items.map((item) => `enum ${item.name}\n${renderMembers(item, table)}`),
    renderOperations(operations),
  ].join("\n\n");
}

function renderEnum(item: DescribedEnum, { entities }: DescribedData, table: Table): string {
  const { protocol, name, description } = item;
  const names = STYLE_NAMES.map((style) => [style, item[style] ?? "–"]);
  const users = entities
    .filter((entity) => entity.protocol === protocol)
    .flatMap((entity) => entity.fields.map((field) => `${entity.name}.${field.name}`));
  return [
    `${protocol}: enum ${name}`,
    ...(description === null ? [] : [table([[clean(description)]])]),
    renderTable([...names, ["fields", users.join(", ")]], INDENT),
    `members\n${renderMembers(item, table)}`,
  ].join("\n\n");
}

function renderMembers({ members }: DescribedEnum, table: Table): string {
  if (members === null) return `${INDENT}are not shown by the API.`;
  return table(members.map((member) => [member.name, clean(member.description)]));
}

function renderOperations(operations: readonly SelectingOperation[]): string {
  if (operations.length === 0) return "no operation selects it";
  const rows = operations.map(({ name, styles, isPortable, file, line }) => [
    name,
    isPortable ? "portable" : styles.join(),
    `${displayText(file, [])}:${line}`,
  ]);
  return `operations\n${renderTable(rows, INDENT)}`;
}

function clean(text: string | null): string {
  return displayText(text ?? "", []);
}

const INDENT = "  ";

/** Renders rows as a table, by default indented. */
type Table = (rows: readonly (readonly string[])[], indent?: string) => string;

/**
 * Creates a function that renders tables. On a terminal, the last column is wrapped, if enough of the line is left for it.
 *
 * @param width the width of the terminal; undefined elsewhere.
 */
function createTable(width: number | undefined): Table {
  return (rows, indent = INDENT) => {
    const leads = rows.map((row) => row.slice(0, -1));
    const gap = leads.some((lead) => lead.length > 0) ? "  " : "";
    const heads = renderTable(leads, indent).split("\n");
    const longest = Math.max(...heads.map((head) => head.length));
    const isWrapped = width !== undefined && width - longest - gap.length >= LEAST_ROOM;
    return rows
      .flatMap((row, at) => {
        const head = `${(heads[at] ?? "").padEnd(longest)}${gap}`;
        const text = row.at(-1) ?? "";
        return isWrapped ? wrapBehind(head, text, width) : [`${head}${text}`];
      })
      .map((line) => line.trimEnd())
      .join("\n");
  };
}

const LEAST_ROOM = 24;
