import type { Tsdoc } from "./parse-tsdoc.ts";
import type { Item, Member, Page, TypeText } from "./read-reference.ts";

/** Where a name is described: `emulator.md#fault`. */
type Places = ReadonlyMap<string, string>;

/** Renders the reference: a Markdown file for every entry of the package, by its name. */
export function renderReference(pages: readonly Page[]): Record<string, string> {
  const places: Places = new Map(
    pages.toReversed().flatMap(({ file, items }) =>
      items.flatMap((item): [string, string][] => {
        const place = `${file}#${item.name.toLowerCase()}`;
        const errors = item.kind === "errors" ? item.errors : [];
        return [[item.name, place], ...errors.map(({ name }): [string, string] => [name, place])];
      }),
    ),
  );
  return Object.fromEntries(pages.map((page) => [page.file, renderPage(page, places)]));
}

function renderPage({ entry, file, doc, items, elsewhere }: Page, places: Places): string {
  const here: Places = new Map(
    [...places].map(([name, place]) => [
      name,
      place.startsWith(`${file}#`) ? place.slice(file.length) : place,
    ]),
  );
  const exported = items.filter((item) => item.exported);
  const named = items.filter((item) => !item.exported);
  const parts = [
    `# ${entry}`,
    doc.text,
    "A name with `?` may be left out, and everything is read-only.",
    table(
      ["export", ""],
      exported.map(({ name, doc }) => [`[\`${name}\`](#${name.toLowerCase()})`, firstSentence(doc.text)]),
    ),
    elsewhere.length === 0
      ? ""
      : `It also exports ${elsewhere.map((name) => linked(name, name, places)).join(", ")}.`,
    ...exported.flatMap((item) => renderItem(item, here)),
    ...(named.length === 0
      ? []
      : [
          "## Types named above",
          "They are part of what is exported and have no export of their own.",
          ...named.flatMap((item) => renderItem(item, here, "###")),
        ]),
    "---",
    "Made by `npm run docs` from the comments of the sources.",
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function renderItem(item: Item, places: Places, mark = "##"): string[] {
  const { name, doc } = item;
  return [
    `${mark} ${name}`,
    doc.text,
    ...renderBody(item, places),
    ...doc.throws.map((text) => renderThrows(text, places)),
    ...doc.examples,
  ];
}

function renderBody(item: Item, places: Places): string[] {
  switch (item.kind) {
    case "function": {
      const meaning = item.doc.returns === null ? "" : `: ${oneLine(item.doc.returns)}`;
      return [
        renderMembers("parameter", item.parameters, places),
        `Returns ${renderType(item.returns, places)}${meaning}${/[.]$/.test(meaning) ? "" : "."}`,
      ];
    }
    case "alias":
      return [renderType(item.type, places)];
    case "object":
      return [
        renderBases(item.bases, places),
        renderMembers("member", item.members, places),
        ...item.members.flatMap(({ name, doc }) =>
          doc.examples.flatMap((example) => [`For example \`${name}\`:`, example]),
        ),
      ];
    case "variants":
      return [
        renderBases(item.bases, places),
        table(
          ["`kind`", "members", ""],
          item.variants.map(({ kind, members, doc }) => [
            `\`${kind}\``,
            members.map((member) => `${renderName(member)}: ${renderType(member.type, places)}`).join(", "),
            [renderMeaning(doc, places), ...members.map((member) => renderMemberMeaning(member, places))]
              .filter((text) => text !== "")
              .join(" "),
          ]),
        ),
      ];
    case "errors":
      return [
        renderMembers("member", item.members, places),
        table(
          ["`name`", "`code`", ""],
          item.errors.map(({ name, codes, doc }) => [
            `\`${name}\``,
            codes.map((code) => `\`${code}\``).join(" "),
            renderMeaning(doc, places),
          ]),
        ),
      ];
  }
}

function renderBases(bases: readonly TypeText[], places: Places): string {
  if (bases.length === 0) return "";
  return `Everything of ${bases.map((base) => renderType(base, places)).join(" and ")}, and`;
}

function renderMembers(title: string, members: readonly Member[], places: Places): string {
  return table(
    [title, "type", ""],
    members.map((member) => [
      renderName(member),
      renderType(member.type, places),
      renderMeaning(member.doc, places),
    ]),
  );
}

function renderName({ name, optional }: Member): string {
  return `\`${name}${optional ? "?" : ""}\``;
}

function renderMemberMeaning(member: Member, places: Places): string {
  const meaning = renderMeaning(member.doc, places);
  return meaning === "" ? "" : `\`${member.name}\`: ${meaning}`;
}

function renderMeaning({ text, defaultValue, throws }: Tsdoc, places: Places): string {
  const sentences = [
    // The description of a parameter begins in lower case; here it is a sentence.
    oneLine(text).replace(/^[a-z](?=[a-z ])/, (letter) => letter.toUpperCase()),
    defaultValue === null
      ? ""
      : `Default: ${isLiteral(defaultValue) ? `\`${defaultValue}\`` : oneLine(defaultValue)}.`,
    ...throws.map((each) => renderThrows(each, places)),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function isLiteral(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function renderThrows(text: string, places: Places): string {
  const [, name = "", rest = ""] = /^(\w+)([\s\S]*)$/.exec(oneLine(text)) ?? [];
  return `Throws ${linked(name, name, places)}${rest}${rest.endsWith(".") ? "" : "."}`;
}

/** A type as code that leads to what it names. */
function renderType({ text, names }: TypeText, places: Places): string {
  const known = names.filter((name) => places.has(name));
  const [only] = known;
  if (only === undefined) return `\`${text}\``;
  if (known.length === 1) return linked(text, only, places);
  const inner = /^\((.*)\)$/.exec(text)?.[1];
  if (inner !== undefined) return `(${renderType({ text: inner, names }, places)})`;
  for (const operator of [" | ", " & "]) {
    const parts = splitOutside(text, operator);
    if (parts.length === 1) continue;
    const types = parts.map((part) => ({ text: part, names: known.filter((name) => mentions(part, name)) }));
    return types.map((type) => renderType(type, places)).join(operator);
  }
  return `\`${text}\` (${known.map((name) => linked(name, name, places)).join(", ")})`;
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

/** The parts of a type between operators that stand in no brackets. */
function splitOutside(text: string, operator: string): string[] {
  const parts = [""];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (depth === 0 && text.startsWith(operator, at)) {
      parts.push("");
      at += operator.length - 1;
      continue;
    }
    const sign = text.charAt(at);
    if ("([{<".includes(sign)) depth += 1;
    if (")]}>".includes(sign) && text[at - 1] !== "=") depth -= 1;
    parts.push(`${parts.pop()}${sign}`);
  }
  return parts[0] === "" ? parts.slice(1) : parts;
}

function linked(text: string, name: string, places: Places): string {
  const place = places.get(name);
  return place === undefined ? `\`${text}\`` : `[\`${text}\`](${place})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/.exec(oneLine(text))?.[0] ?? oneLine(text);
}
