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
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { type Fragment, usedFragments } from "../../operations/operation-set.ts";
import { type ApiNames, applyEdits, renameDocument } from "../../operations/rename-document.ts";
import type { AdaptNote, AdaptReason } from "./adapt-types.ts";
import type { ConfigurationMembers } from "./describe-configuration.ts";
import { documentOf, findNotes, type NodeNote } from "./find-notes.ts";
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
  readonly group: Group;
  readonly units: readonly RewrittenUnit[];
  readonly operations: readonly JudgedOperation[];
};

/** What decides how a group is adapted. */
type GroupContext = {
  /** Returns the rewriting of a unit; null if all of its definitions are valid as they are. */
  readonly rewritingOf: (unit: Unit) => Rewriting | null;
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
  const units = group.units.map((unit) => rewriteUnit(unit, context.rewritingOf(unit), context.isChanged));
  const compiled = {
    before: once(() => context.prepare(units, "before")),
    after: once(() => context.prepare(units, "after")),
  };
  const operations = units.flatMap((own) =>
    own.unit.document.definitions.flatMap((node) => {
      if (node.kind !== Kind.OPERATION_DEFINITION) return [];
      return [judgeOperation(own, node, { units, compiled, context })];
    }),
  );
  return { group, units, operations };
}

type Judging = {
  readonly units: readonly RewrittenUnit[];
  readonly compiled: { readonly [When in "before" | "after"]: () => Prepared | null };
  readonly context: GroupContext;
};

function judgeOperation(
  own: RewrittenUnit,
  node: OperationDefinitionNode,
  { units, compiled, context }: Judging,
): JudgedOperation {
  const name = node.name?.value ?? "";
  const { unit } = own;
  const before = fragmentsFor(unit, units, "before", compiled.before);
  const after = fragmentsFor(unit, units, "after", compiled.after);
  const used = usedFragments(node.selectionSet, before);
  const changed = [node, ...used].filter(context.isChanged);
  const rewriting = context.rewritingOf(unit);
  const judged = {
    name,
    unit,
    node,
    fragments: used,
    isChanged: changed.length > 0 || context.isMoved,
    from: rewriting?.version.from ?? null,
  };
  if (rewriting === null || changed.length === 0)
    return { ...judged, rewritten: null, reasons: [], notes: [] };
  const next = own.rewritten.get(node) as OperationDefinitionNode;
  const rewritten: RewrittenOperation = {
    name,
    unit: own,
    node,
    fragments: used,
    changed: [node, ...used].flatMap((one) => {
      const owner = units.find(({ rewritten: pairs }) => pairs.has(one));
      const other = owner?.rewritten.get(one);
      return owner && other && context.isChanged(one) && owner.unit.surface.style === unit.surface.style
        ? [[one, other] as const]
        : [];
    }),
    before: documentOf(node, ...used),
    after: documentOf(next, ...usedFragments(next.selectionSet, after)),
  };
  const proof = proveOperation(rewritten, rewriting);
  const reasons = proof.reasons.map(({ code, message, node: at }): AdaptReason => {
    const place = placeIn(units, at ?? node, unit.path);
    return { code, message: endSentence(message), ...place };
  });
  const invalid = proof.reasons.some(({ code }) => code === "adapt/not-valid");
  const advised = invalid ? advise(reasons, rewritten, rewriting) : reasons;
  const { values } = context;
  const notes = findNotes(rewritten.before, rewriting, values).map((note) => ({
    ...note,
    place: placeIn(units, note.node, unit.path),
  }));
  const isConfirmed = values.every(({ why }) => why === "confirmed");
  const isRefusal = ({ code }: NodeNote) => code === "adapt/answer-values" && !isConfirmed;
  return {
    ...judged,
    rewritten,
    reasons: [
      ...advised,
      ...notes.filter(isRefusal).map(({ message, place }): AdaptReason => {
        return { code: "adapt/answer-values", message, ...place };
      }),
    ],
    notes: [
      ...notes
        .filter((note) => !isRefusal(note))
        .map(({ code, message, place }) => ({ code, message, ...place })),
      ...proof.effects.flatMap(({ impact, message, file, line, column }): AdaptNote[] => {
        if (impact === "deprecated" || impact === "broken") return [];
        const other = units.find((rewrittenUnit) => rewrittenUnit.unit.path === file);
        const place = other ? originalPlace(other, { line, column }) : { line, column };
        return [{ code: `adapt/${impact}`, message: endSentence(message), file, ...place }];
      }),
    ],
  };
}

/** Names the possible renames that would repair an operation. */
function advise(
  reasons: readonly AdaptReason[],
  { node, fragments, after }: RewrittenOperation,
  rewriting: Rewriting,
): readonly AdaptReason[] {
  const count = findErrors(rewriting.after.graphql, after).length;
  const hints = rewriting.renames.flatMap((rename) => {
    if (rename.certain) return [];
    const { names, followers } = supposeRename(rewriting, rename);
    const definitions = [node, ...fragments].map((one) => rewriteDefinition(one, rewriting, names));
    if (findErrors(rewriting.after.graphql, documentOf(...definitions)).length >= count) return [];
    const { owner, from, to } = rename;
    const follow = followers === 0 ? "" : ` (${followers} more ${followers === 1 ? "follows" : "follow"})`;
    return [`confirm with --rename ${owner === null ? "" : `${owner}.`}${from}=${to}${follow}`];
  });
  if (hints.length === 0) return reasons;
  return reasons.map((reason) => ({
    ...reason,
    message: `${withoutSuggestion(reason.message)} If it was renamed, ${hints.join(" or ")}.`,
  }));
}

/** Returns the names in the API if a possible rename is confirmed, and how many others follow. */
function supposeRename(rewriting: Rewriting, rename: Rename) {
  const ofRewriting = cached(supposed, rewriting, () => new Map<Rename, Supposed>());
  return cached(ofRewriting, rename, (): Supposed => {
    const { before, style, models, confirmed, between, certain } = rewriting;
    const followers = findFollowers(models, rename, { confirmed, between });
    const names = findApiNames(before.api, [...certain, rename, ...followers], style);
    return { names, followers: followers.length };
  });
}

type Supposed = { readonly names: ApiNames; readonly followers: number };

const supposed = new WeakMap<Rewriting, Map<Rename, Supposed>>();

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
  units: readonly RewrittenUnit[],
  when: "before" | "after",
  prepare: () => Prepared | null,
): ReadonlyMap<string, Fragment> {
  const { surface, folder } = unit;
  const fragments = new Map<string, Fragment>();
  const add = (rewrittenUnit: RewrittenUnit) => {
    for (const definition of rewrittenUnit.unit.document.definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
      const node = (
        when === "before" ? definition : rewrittenUnit.rewritten.get(definition)
      ) as FragmentDefinitionNode;
      fragments.set(node.name.value, {
        name: node.name.value,
        file: rewrittenUnit.unit,
        node,
      });
    }
  };
  if (surface.style === AUTHORED_STYLE || isPortableUnit(unit))
    units.filter((rewrittenUnit) => isPortableUnit(rewrittenUnit.unit)).forEach(add);
  else if (units.some((rewrittenUnit) => isPortableUnit(rewrittenUnit.unit))) {
    const compiled = prepare()?.surfaces.find(({ style }) => style === surface.style)?.compiled;
    for (const [name, fragment] of compiled?.sets[surface.style].fragments ?? [])
      fragments.set(name, fragment);
  }
  units.filter((rewrittenUnit) => rewrittenUnit.unit.folder === folder).forEach(add);
  return fragments;
}
