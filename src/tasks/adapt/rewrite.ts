import { type DefinitionNode, type DocumentNode, type GraphQLSchema, Kind, parse, Source } from "graphql";
import {
  type ConfirmedRename,
  findApiRenames,
  type Rename,
  type RenameOptions,
} from "../../compare/find-api-renames.ts";
import { readSide } from "../../compare/indexed-schema.ts";
import { findApiNames, renameApi } from "../../compare/rename-api.ts";
import type { ApiSchema } from "../../dialects/api-schema.ts";
import type { EntityModel } from "../../dialects/entity-model.ts";
import { styles } from "../../dialects/index.ts";
import type { OfSurface } from "../../dialects/surface.ts";
import { toGraphqlSchema } from "../../dialects/to-graphql-schema.ts";
import { offsetOf } from "../../operations/code-document.ts";
import {
  type ApiNames,
  applyEdits,
  renameDocument,
  type TextEdit,
} from "../../operations/rename-document.ts";
import type { SnapshotFile } from "../../workspace/snapshot.ts";
import { fileModel, graphqlSchema, parseSnapshot } from "../../workspace/snapshot-schema.ts";
import { isReadable, type SchemaVersion } from "./old-schema.ts";
import type { Unit } from "./read-units.ts";

/** An API with its schema for graphql-js. */
export type Api = { readonly api: ApiSchema; readonly graphql: GraphQLSchema };

/** The versions of a snapshot, and how renames are confirmed. */
type RewritingInput = {
  readonly surface: OfSurface;
  readonly version: SchemaVersion;
  readonly next: SnapshotFile;
  /** The versions in between, the newest first. */
  readonly between: readonly SchemaVersion[];
  readonly confirm: (models: Rewriting["models"]) => readonly ConfirmedRename[];
};

/** The way from an old version of a snapshot to the new one. */
export type Rewriting = RewritingInput & {
  readonly before: Api;
  /** The old API with the new names. */
  readonly aligned: Api;
  readonly after: Api;
  readonly models: { readonly before: EntityModel; readonly after: EntityModel };
  /** All renames, the possible ones too. */
  readonly renames: readonly Rename[];
  /** Those that are certain. */
  readonly certain: readonly Rename[];
  readonly names: ApiNames;
  /** The options that the renames were found with. */
  readonly options: Required<RenameOptions>;
};

/** Finds what was renamed from a version to the next one. */
export function createRewriting(input: RewritingInput): Rewriting {
  const { surface, version, next, confirm } = input;
  const style = styles[surface.style];
  const before = { api: parseSnapshot(version.file), graphql: graphqlSchema(version.file) };
  const after = { api: parseSnapshot(next), graphql: graphqlSchema(next) };
  const models = { before: readSide(before.api, style).model, after: readSide(after.api, style).model };
  const between = input.between.filter(isReadable).map(({ file }) => fileModel(style.name, file));
  const options = { confirmed: confirm(models), between: between.reverse() };
  const renames = findApiRenames(models.before, models.after, options);
  const certain = renames.filter((rename) => rename.certain);
  const names = findApiNames(before.api, certain, style);
  const api = renameApi(before.api, names);
  const aligned = { api, graphql: toGraphqlSchema(api) };
  return { ...input, before, aligned, after, models, renames, certain, names, options };
}

/** Returns the certain renames of some kinds, each once. */
export function certainRenames(rewritings: readonly Rewriting[], kinds: readonly Rename["kind"][]): Rename[] {
  const renames = new Map<string, Rename>();
  for (const rename of rewritings.flatMap(({ certain }) => certain)) {
    if (kinds.includes(rename.kind)) renames.set(`${rename.owner} ${rename.from}`, rename);
  }
  return [...renames.values()];
}

/** Returns the new names of renamed entities by their old ones. */
export function entityNames(renames: readonly Rename[]): Map<string, string> {
  return new Map(renames.filter(({ kind }) => kind === "entity").map(({ from, to }) => [from, to]));
}

/** A unit with the new names. */
export type RewrittenUnit = {
  readonly unit: Unit;
  readonly edits: readonly TextEdit[];
  readonly text: string;
  readonly document: DocumentNode;
  /** The definitions with the new names by those of the unit. */
  readonly rewritten: ReadonlyMap<DefinitionNode, DefinitionNode>;
};

/** Writes the new names in the definitions of a unit that are not valid as they are. */
export function rewriteUnit(
  unit: Unit,
  rewriting: Rewriting | null,
  isChanged: (node: DefinitionNode) => boolean,
): RewrittenUnit {
  const definitions = unit.document.definitions.filter(isChanged);
  const edits =
    rewriting === null
      ? []
      : renameDocument({ kind: Kind.DOCUMENT, definitions }, rewriting.before.graphql, rewriting.names);
  const text = applyEdits(unit.text, edits);
  const document = edits.length === 0 ? unit.document : parse(new Source(text, unit.path));
  const rewritten = new Map(
    unit.document.definitions.map((node, index) => [node, document.definitions[index] ?? node]),
  );
  return { unit, edits, text, document, rewritten };
}

/** Returns the place in a unit as it was read, of a line and a column of its new text. */
export function originalPlace(
  { unit, edits, text }: RewrittenUnit,
  { line, column }: { readonly line: number; readonly column: number },
): { readonly line: number; readonly column: number } {
  if (edits.length === 0) return { line, column };
  const offset = offsetOf(text, line, column);
  let shift = 0;
  for (const { start, end, text: replacement } of edits) {
    if (offset < start + shift) break;
    if (offset < start + shift + replacement.length) {
      shift = offset - start;
      break;
    }
    shift += replacement.length - (end - start);
  }
  const original = offset - shift;
  let token = unit.document.loc?.startToken.next ?? null;
  while (token?.next && token.next.start <= original && token.next.kind !== "<EOF>") token = token.next;
  return { line: token?.line ?? 1, column: token?.column ?? 1 };
}

/** An operation with the fragments that it uses, before and after. */
export type RewrittenOperation = {
  readonly unit: RewrittenUnit;
  /** The changed definitions of its surface, before and after. */
  readonly changed: readonly (readonly [before: DefinitionNode, after: DefinitionNode])[];
  readonly before: DocumentNode;
  readonly after: DocumentNode;
};
