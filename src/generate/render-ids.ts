import type { IdKind } from "../../packages/client/src/create-id-codec.ts";
import { compareCodeUnits } from "../base/collections.ts";
import type { OutputFile } from "../base/output-file.ts";
import { capitalize, propertyName, quote, typescriptLiteral } from "../base/text.ts";
import { baseTypeName } from "../dialects/api-schema.ts";
import { type EntityField, type EntityModel, isRowDefinition } from "../dialects/entity-model.ts";
import { kindOfPart, piecesOf } from "../dialects/id-forms.ts";
import { parseEntities } from "../dialects/parse-entities.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { fieldsOfId, isChainField } from "../dialects/protocol.ts";
import type { Protocol } from "../dialects/surface.ts";
import { snapshotModel } from "../workspace/snapshot-schema.ts";
import { renderHeader } from "./format-files.ts";
import type { PreparedSurface } from "./prepare-documents.ts";
import { type Imports, runtimeModule } from "./runtime.ts";
import { freeName } from "./type-names.ts";
import { docComment } from "./type-tree.ts";

/** Returns the path of the ids of a protocol, from the output folder. */
export function idsPath(protocol: Protocol): string {
  return `${protocol}/ids.ts`;
}

/** The parts of a definition that describe ids. */
export type IdSource = Pick<ResolvedProtocol, "key" | "identity" | "ids">;

/**
 * Renders the ids that a definition describes: a codec and two types for each entity.
 *
 * @param models the entities of the protocol, of each style that is known; the most detailed one first.
 * @returns null if none of them has an entity whose ids are described.
 */
export function renderIds(
  definition: IdSource,
  models: readonly EntityModel[],
  imports: Imports,
): OutputFile | null {
  const taken = new Set<string>();
  const codecs = Object.entries(definition.ids)
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .flatMap(([entity, ids]) => {
      const templates = typeof ids === "string" ? [ids] : [ids.subgraph, ids.multichain];
      return [...new Set(templates)].flatMap((template, index) => {
        const parts = readParts(entity, template, { ...definition, models });
        if (!parts) return [];
        const constant = constantName(`${entity}${index === 0 ? "" : "Multichain"}`, taken);
        return [renderCodec({ entity, template, parts, constant })];
      });
    });
  if (codecs.length === 0) return null;
  const header = renderHeader(` from the definition of ${definition.key}`);
  const module = runtimeModule("ids", imports, definition.key);
  const imported = `${header}\nimport { createIdCodec, type IdCodec } from "${module}";\n\nexport type { IdCodec };`;
  return { path: idsPath(definition.key), content: `${[imported, ...codecs].join("\n\n")}\n` };
}

/** A part of an id that is a field. */
type Part = { readonly name: string; readonly kind: IdKind; readonly description: string | null };

/** Returns the fields of an id in the order of its template, each once; null if one of them is unknown. */
function readParts(
  entity: string,
  template: string,
  { identity, models }: IdSource & { readonly models: readonly EntityModel[] },
): Part[] | null {
  const definitions = models.flatMap((model) => model.definitions.filter(isRowDefinition));
  const fields = definitions.filter(({ name }) => name === entity).flatMap((definition) => definition.fields);
  const names = fieldsOfId(template);
  const parts = names.flatMap((name): Part[] => {
    const matches = fields.filter((field) => field.name === name);
    const isChain = isChainField(identity.chain, entity, name);
    // The chain in an id of all chains may not be a field.
    if (matches.length === 0 && !isChain) return [];
    const description = matches.find((field) => field.description !== null)?.description ?? null;
    return [{ name, kind: isChain ? "chain" : kindOf(matches), description }];
  });
  return parts.length > 0 && parts.length === names.length ? parts : null;
}

/** Multichain indexers have strings for bytes, so the more specific type of both styles counts. */
function kindOf(fields: readonly EntityField[]): IdKind {
  const types = fields.map(({ type }) => baseTypeName(type));
  const kinds = types.map(kindOfPart);
  if (kinds.includes("bytes")) return "bytes";
  return kinds.includes("number") && !types.includes("BigDecimal") ? "number" : "text";
}

/** Names the codec of an entity: `Stream` → `streamId`, `NFTOwner` → `nftOwnerId`. No two entities share a name. */
function constantName(entity: string, taken: Set<string>): string {
  const start = entity.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (letters) => letters.toLowerCase());
  const name = freeName(`${start}Id`, (id) => taken.has(id));
  taken.add(name);
  return name;
}

type Codec = {
  readonly entity: string;
  readonly template: string;
  readonly parts: readonly Part[];
  readonly constant: string;
};

function renderCodec({ entity, template, parts, constant }: Codec): string {
  const type = capitalize(constant);
  const byName = new Map(parts.map((part) => [part.name, part]));
  const pieces = piecesOf(template, (name) => byName.get(name)?.kind ?? "text");
  const literal = pieces.map((piece) =>
    typeof piece === "string" ? piece.replaceAll(/[\\`]|\$/g, "\\$&") : TYPES[piece[1]].inId,
  );
  const numbers = parts.filter(({ kind }) => kind === "chain" || kind === "number");
  const members = parts.map(
    ({ name, kind, description }) =>
      `${docComment(description, "  ")}  readonly ${propertyName(name)}: ${TYPES[kind].read};`,
  );
  const union = numbers.map(({ name }) => quote(name)).join(" | ") || "never";
  return [
    `${docComment(`The id of ${entity}: \`${template}\`.`, "")}export type ${type} = \`${literal.join("")}\`;`,
    "",
    `/** The parts of an id of ${entity}. */`,
    `export type ${type}Parts = {`,
    ...members,
    "};",
    "",
    `/** Parses and formats ids of ${entity}. */`,
    `export const ${constant}: IdCodec<${type}, ${type}Parts, ${union}> = /* @__PURE__ */ createIdCodec(${quote(entity)}, ${typescriptLiteral(pieces)});`,
  ].join("\n");
}

/** The types of a part: within an id, and parsed. */
const TYPES: { readonly [K in IdKind]: { readonly inId: string; readonly read: string } } = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is the text of a type.
  bytes: { inId: "0x${string}", read: "`0x${string}`" },
  chain: { inId: "${number}", read: "number" },
  number: { inId: "${bigint}", read: "string" },
  text: { inId: "${string}", read: "string" },
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is the text of a type.
};

/** Renders the ids of each protocol that has operations and whose definition describes ids. */
export function renderIdFiles(
  definitions: readonly IdSource[],
  prepared: readonly PreparedSurface[],
  imports: Imports,
): OutputFile[] {
  return definitions.flatMap((definition) => {
    const { key, ids } = definition;
    const item = prepared.find(
      ({ protocol, sources, portable }) => protocol === key && (sources.length > 0 || portable !== null),
    );
    if (!item || Object.keys(ids).length === 0) return [];
    const { siblings, entities } = item;
    const file = renderIds(
      definition,
      [...(entities ? [parseEntities(entities.text, entities.path)] : []), ...siblings.map(snapshotModel)],
      imports,
    );
    return file ? [file] : [];
  });
}
