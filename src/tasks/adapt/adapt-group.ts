import {
  type ASTNode,
  type DefinitionNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
} from "graphql";
import { cached, once } from "../../base/collections.ts";
import { endSentence } from "../../base/text.ts";
import { findFollowers, type Rename } from "../../compare/find-api-renames.ts";
import { withoutSuggestion } from "../../compare/impact/assess-operations.ts";
import { findApiNames } from "../../compare/rename-api.ts";
import { styles } from "../../dialects/index.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { surfaceId } from "../../dialects/surface.ts";
import { type Fragment, usedFragments } from "../../operations/operation-set.ts";
import { type ApiNames, applyEdits, renameDocument } from "../../operations/rename-document.ts";
import type { AdaptNote, AdaptReason } from "./adapt-types.ts";
import type { ConfigurationMembers } from "./describe-configuration.ts";
import { documentOf, findNotes } from "./find-notes.ts";
import { findErrors, proveOperation } from "./prove.ts";
import type { Prepared } from "./prove-generated.ts";
import { type Group, isPortableUnit, type Unit } from "./read-units.ts";
import {
  originalPlace,
  type Rewriting,
  type RewrittenOperation,
  type RewrittenUnit,
  rewriteUnit,
} from "./rewrite.ts";

/** A note, and what it says to write in the configuration. */
export type JudgedNote = AdaptNote & { readonly configuration?: readonly ConfigurationMembers[] };

/** An operation of a group, with what was found about it. */
export type JudgedOperation = {
  readonly name: string;
  readonly unit: Unit;
  readonly node: OperationDefinitionNode;
  /** Every fragment that it uses, as it was read. */
  readonly fragments: readonly FragmentDefinitionNode[];
  readonly rewritten: RewrittenOperation | null;
  readonly from: string | null;
  readonly isChanged: boolean;
  readonly reasons: readonly AdaptReason[];
  readonly notes: readonly JudgedNote[];
};

/** Returns the place of the name of an operation. */
export function placeOf({ unit, node }: Pick<JudgedOperation, "unit" | "node">): AdaptPlace {
  const { line = 1, column = 1 } = (node.name ?? node).loc?.startToken ?? {};
  return { file: unit.path, line, column };
}

/** A group with the new names. */
export type JudgedGroup = {
  readonly units: readonly RewrittenUnit[];
  readonly operations: readonly JudgedOperation[];
};

/** What decides how a group is adapted. */
type GroupContext = {
  /** By surface. A surface is left out if all of its definitions are valid as they are. */
  readonly rewritings: ReadonlyMap<string, Rewriting>;
  /** Returns whether a definition is not valid as it is. */
  readonly isChanged: (node: DefinitionNode) => boolean;
  /** Whether operations move to another protocol, also those whose text stays. */
  readonly isMoved: boolean;
  /** Renamed values of enums of the protocol, in any style. */
  readonly values: readonly Rename[];
  /** Prepares what is generated before or after, from texts by path. */
  readonly prepare: (units: readonly RewrittenUnit[], when: "before" | "after") => Prepared | null;
};

/** Rewrites the definitions of a group, and proves each of its operations. */
export function judgeGroup(group: Group, context: GroupContext): JudgedGroup {
  const { rewritings, isChanged } = context;
  const units = group.units.map((unit) =>
    rewriteUnit(unit, rewritings.get(surfaceId(unit.surface)) ?? null, isChanged),
  );
  const prepared = {
    before: once(() => context.prepare(units, "before")),
    after: once(() => context.prepare(units, "after")),
  };
  const operations = units.flatMap((rewrittenUnit) =>
    rewrittenUnit.unit.document.definitions.flatMap((node) =>
      node.kind === Kind.OPERATION_DEFINITION
        ? [judgeOperation(rewrittenUnit, node, { ...context, units, prepared })]
        : [],
    ),
  );
  return { units, operations };
}

type Judging = GroupContext & {
  readonly units: readonly RewrittenUnit[];
  readonly prepared: { readonly [When in "before" | "after"]: () => Prepared | null };
};

function judgeOperation(
  rewrittenUnit: RewrittenUnit,
  node: OperationDefinitionNode,
  judging: Judging,
): JudgedOperation {
  const { unit } = rewrittenUnit;
  const { units, isChanged, isMoved, values } = judging;
  const fragments = usedFragments(node.selectionSet, fragmentsFor(unit, "before", judging));
  const changed = [node, ...fragments].filter(isChanged);
  const rewriting = judging.rewritings.get(surfaceId(unit.surface));
  const judged = {
    name: node.name?.value ?? "",
    unit,
    node,
    fragments,
    isChanged: changed.length > 0 || isMoved,
    from: rewriting?.version.from ?? null,
  };
  if (rewriting === undefined || changed.length === 0) {
    return { ...judged, rewritten: null, reasons: [], notes: [] };
  }
  const next = rewrittenUnit.rewritten.get(node) as OperationDefinitionNode;
  const rewritten: RewrittenOperation = {
    unit: rewrittenUnit,
    changed: changed.flatMap((definition) => {
      const owner = units.find((candidate) => candidate.rewritten.has(definition));
      const after = owner?.rewritten.get(definition);
      return owner && after && owner.unit.surface.style === unit.surface.style
        ? [[definition, after] as const]
        : [];
    }),
    before: documentOf(node, ...fragments),
    after: documentOf(next, ...usedFragments(next.selectionSet, fragmentsFor(unit, "after", judging))),
  };
  const proof = proveOperation(rewritten, rewriting);
  const isInvalid = proof.reasons.some(({ code }) => code === "adapt/not-valid");
  const advice = isInvalid ? advise(judged, rewritten, rewriting) : null;
  const reasons = proof.reasons.map(({ code, message, node: at }): AdaptReason => {
    const sentence = endSentence(message);
    return {
      code,
      message: advice === null ? sentence : `${withoutSuggestion(sentence)} ${advice}`,
      ...placeIn(units, at ?? node, unit.path),
    };
  });
  const notes: AdaptNote[] = [];
  const isConfirmed = values.every(({ why }) => why === "confirmed");
  for (const { code, message, node: at } of findNotes(rewritten.before, rewriting, values)) {
    const place = placeIn(units, at, unit.path);
    if (code === "adapt/answer-values" && !isConfirmed) reasons.push({ code, message, ...place });
    else notes.push({ code, message, ...place });
  }
  for (const { impact, message, file, line, column } of proof.effects) {
    if (impact === "deprecated" || impact === "broken") continue;
    const owner = units.find((candidate) => candidate.unit.path === file);
    const place = owner ? originalPlace(owner, { line, column }) : { line, column };
    notes.push({ code: `adapt/${impact}`, message: endSentence(message), file, ...place });
  }
  return { ...judged, rewritten, reasons, notes };
}

/** Names the possible renames that would repair an operation; null without one. */
function advise(
  { node, fragments }: Pick<JudgedOperation, "node" | "fragments">,
  { after }: RewrittenOperation,
  rewriting: Rewriting,
): string | null {
  const count = findErrors(rewriting.after.graphql, after).length;
  const hints = rewriting.renames.flatMap((rename) => {
    if (rename.certain) return [];
    const { names, followers } = supposeRename(rewriting, rename);
    const definitions = [node, ...fragments].map((definition) =>
      rewriteDefinition(definition, rewriting, names),
    );
    if (findErrors(rewriting.after.graphql, documentOf(...definitions)).length >= count) return [];
    const { owner, from, to } = rename;
    const follow = followers === 0 ? "" : ` (${followers} more ${followers === 1 ? "follows" : "follow"})`;
    return [`confirm with --rename ${owner === null ? "" : `${owner}.`}${from}=${to}${follow}`];
  });
  return hints.length === 0 ? null : `If it was renamed, ${hints.join(" or ")}.`;
}

/** Returns the names in the API if a possible rename is confirmed, and how many others follow. */
function supposeRename({ surface, before, models, options, certain }: Rewriting, rename: Rename): Supposed {
  return cached(supposed, rename, () => {
    const followers = findFollowers(models, rename, options);
    const names = findApiNames(before.api, [...certain, rename, ...followers], styles[surface.style]);
    return { names, followers: followers.length };
  });
}

type Supposed = { readonly names: ApiNames; readonly followers: number };

/** Each rename belongs to one rewriting. */
const supposed = new WeakMap<Rename, Supposed>();

function rewriteDefinition(
  node: OperationDefinitionNode | FragmentDefinitionNode,
  { before }: Rewriting,
  names: ApiNames,
): DefinitionNode {
  const { loc } = node;
  if (!loc) return node;
  const edits = renameDocument(documentOf(node), before.graphql, names);
  const shifted = edits.map(({ start, end, text }) => ({
    start: start - loc.start,
    end: end - loc.start,
    text,
  }));
  const [definition = node] = parse(
    applyEdits(loc.source.body.slice(loc.start, loc.end), shifted),
  ).definitions;
  return definition;
}

/** Returns the place of a node of the old or the new text of a unit. */
function placeIn(units: readonly RewrittenUnit[], node: ASTNode, path: string): AdaptPlace {
  const { line = 1, column = 1 } = node.loc?.startToken ?? {};
  const source = node.loc?.source;
  const before = units.find(({ unit }) => unit.document.loc?.source === source);
  if (before) return { file: before.unit.path, line, column };
  const after = units.find(({ document }) => document.loc?.source === source);
  return after
    ? { file: after.unit.path, ...originalPlace(after, { line, column }) }
    : { file: path, line, column };
}

type AdaptPlace = Pick<AdaptReason, "file" | "line" | "column">;

/** Returns the fragments that a unit may spread: those of its folder, and portable ones in the form of its style. */
function fragmentsFor(
  unit: Unit,
  when: "before" | "after",
  { units, prepared }: Judging,
): ReadonlyMap<string, Fragment> {
  const { style } = unit.surface;
  const fragments = new Map<string, Fragment>();
  const add = ({ unit: file, rewritten }: RewrittenUnit) => {
    for (const definition of file.document.definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
      const node = (when === "before" ? definition : rewritten.get(definition)) as FragmentDefinitionNode;
      fragments.set(node.name.value, { name: node.name.value, file, node });
    }
  };
  const portable = units.filter((candidate) => isPortableUnit(candidate.unit));
  if (style === AUTHORED_STYLE || isPortableUnit(unit)) portable.forEach(add);
  else if (portable.length > 0) {
    const compiled = prepared[when]()?.surfaces.find((surface) => surface.style === style)?.compiled;
    for (const [name, fragment] of compiled?.sets[style].fragments ?? []) fragments.set(name, fragment);
  }
  units.filter((candidate) => candidate.unit.folder === unit.folder).forEach(add);
  return fragments;
}
