import { escapeSeparators, propertyName, typescriptLiteral } from "../../base/text.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols.ts";
import { changedParts, renderParts, writeParts } from "./rename-definition.ts";

/** A definition as it is in the configuration, and as it has to be. */
type Configured = {
  readonly definition: ResolvedProtocol;
  readonly now: ResolvedProtocol;
  readonly scalars: Readonly<Record<string, string>>;
};

/** What to write below a key of the configuration, such as `protocols.vesting`. */
export type ConfigurationMembers = {
  readonly key: string;
  readonly members: Readonly<Record<string, unknown>>;
};

/**
 * Returns what to write in the configuration after a rename; empty if nothing changes. A built-in protocol has no text in
 * the configuration, so its definition is complete.
 */
export function findConfiguration(
  { definition, now, scalars }: Configured,
  types: ReadonlyMap<string, string>,
): ConfigurationMembers[] {
  const parts = changedParts(definition, now);
  const { key } = definition;
  const changes: ConfigurationMembers[] = [];
  if (Object.keys(parts).length > 0) {
    changes.push(
      BUILT_IN_PROTOCOLS.includes(key)
        ? { key: "protocols", members: { [key]: writeParts(now) } }
        : { key: `protocols.${key}`, members: parts },
    );
  }
  if (Object.keys(scalars).some((name) => types.has(name))) {
    const all = Object.entries(scalars).map(([name, type]) => [types.get(name) ?? name, type]);
    changes.push({ key: "scalars", members: Object.fromEntries(all) });
  }
  return changes;
}

/** Describes what to write in one sentence. */
export function describeConfiguration(changes: readonly ConfigurationMembers[]): string {
  const texts = changes.map(({ key, members }) => {
    if (key === "scalars") return `"${key}": ${typescriptLiteral(members)}`;
    if (key !== "protocols") return `"${key}": ${renderParts(members)}`;
    const [name = "", parts] = Object.entries(members)[0] ?? [];
    return `"${key}": ${propertyName(name)}: defineProtocol(${typescriptLiteral(parts)})`;
  });
  return `Write in the configuration ${texts.join(", and ")}.`;
}

/** Renders what to write as members of an object: TypeScript, or JSON for a file of JSON. */
export function renderConfiguration({ key, members }: ConfigurationMembers, file: string): string {
  if (file.endsWith(".json")) {
    const lines = escapeSeparators(JSON.stringify(members, null, 2))
      .split("\n")
      .slice(1, -1);
    return lines.map((line) => line.slice(2)).join("\n");
  }
  const wrap = (text: string) => (key === "protocols" ? `defineProtocol(${text})` : text);
  return Object.entries(members)
    .map(([name, value]) => `${propertyName(name)}: ${wrap(renderValue(value, ""))},`)
    .join("\n");
}

/** Renders a value on one line if it fits, else with a line for each member. */
function renderValue(value: unknown, indent: string): string {
  const line = typescriptLiteral(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= LONGEST) return line;
  const deeper = `${indent}  `;
  const members = Object.entries(value).map(([name, member]) => {
    const key = Array.isArray(value) ? "" : `${propertyName(name)}: `;
    return `${deeper}${key}${renderValue(member, deeper)},\n`;
  });
  return `${line[0]}\n${members.join("")}${indent}${line.at(-1)}`;
}

const LONGEST = 80;
