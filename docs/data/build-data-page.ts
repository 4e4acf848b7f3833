import { capitalize } from "../../src/base/text.ts";
import type {
  DescribedData,
  DescribedEntity,
  DescribedEnum,
  DescribedField,
  FieldType,
} from "../../src/tasks/describe/described-data.ts";
import { describe } from "../../src/tasks/describe.ts";

/**
 * Builds the reference of the data of the built-in protocols, from the snapshots of Lockflow's repository.
 *
 * @param root the folder of the repository.
 * @returns the page by its path from there.
 */
export async function buildDataPage(root: string): Promise<Record<string, string>> {
  const data = await describe({ cwd: root });
  const protocols = [...new Set(data.entities.map(({ protocol }) => protocol))];
  const parts = [INTRODUCTION, ...protocols.flatMap((protocol) => renderProtocol(protocol, data))];
  return { "docs/data.md": `${[...parts, "---", END].join("\n\n")}\n` };
}

const INTRODUCTION = `# Data

This page lists the entities, fields, relations and enums of Lockup and Flow. \`lockflow describe\` prints the same in a
terminal, for your own protocols too, with the operations of your project that select each field:

\`\`\`sh
npx lockflow describe
npx lockflow describe Stream --protocol lockup
npx lockflow describe Stream.sender
npx lockflow describe vesting --json
\`\`\`

An argument that is not the name of an entity, field or enum is a word: all names and descriptions with it are listed.
The exit code is 1 if nothing has the name or word. \`--json\` prints an object of the type
[\`DescribedData\`](api/lockflow.md#describeddata).

In the tables, a type with \`!\` is never null. A multichain API shows every relation to one row as nullable, addresses and
hashes as \`String\`, and enums as scalars. [How the two styles differ](styles.md) has the rules. A time is in seconds since
1970.`;

const END = "Made by `npm run docs` from the snapshots of Lockflow's repository.";

function renderProtocol(protocol: string, { entities, enums }: DescribedData): string[] {
  const own = entities.filter((one) => one.protocol === protocol);
  return [
    `## ${capitalize(protocol)}`,
    table(
      ["entity", "description"],
      own.map((one) => [linked(one.name, protocol), cell(one.description)]),
    ),
    ...own.flatMap((entity) => renderEntity(entity)),
    ...enums.filter((one) => one.protocol === protocol).flatMap(renderEnum),
  ];
}

function renderEntity({ protocol, name, description, styles, fields }: DescribedEntity): string[] {
  const only = styles.length === 1 ? [`It is only on ${styles.join()}.`] : [];
  return [
    heading(protocol, name),
    [text(description), ...only].filter(Boolean).join(" "),
    table(
      ["field", ...styles, "description"],
      fields.map((field) => [
        `\`${field.name}\``,
        ...styles.map((style) => typeCell(field[style])),
        [cell(field.description), ...linksOf(field, protocol)].filter(Boolean).join(" "),
      ]),
    ),
  ];
}

function typeCell(type: FieldType | null): string {
  return type === null ? "–" : `\`${type.type}\``;
}

function linksOf({ relation, enum: name, isTime }: DescribedField, protocol: string): string[] {
  if (isTime) return ["(time)"];
  if (name !== null) return [`(${linked(name, protocol)})`];
  if (relation === null) return [];
  const through = relation.through === null ? "" : `, through \`${relation.through}\``;
  return [`(${relation.isList ? "many" : "one"} ${linked(relation.entity, protocol)}${through})`];
}

function renderEnum({ protocol, name, description, members, multichain }: DescribedEnum): string[] {
  return [
    heading(protocol, name),
    [text(description), multichain === null ? "" : `An enum; the scalar \`${multichain}\` on multichain.`]
      .filter(Boolean)
      .join(" "),
    table(
      ["member", "description"],
      (members ?? []).map((member) => [`\`${member.name}\``, cell(member.description)]),
    ),
  ];
}

function heading(protocol: string, name: string): string {
  return `### ${capitalize(protocol)}: ${name}`;
}

function linked(name: string, protocol: string): string {
  return `[${name}](#${protocol}-${name.toLowerCase()})`;
}

function text(description: string | null): string {
  return description ?? "";
}

function cell(description: string | null): string {
  return text(description).replaceAll("|", "\\|");
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
