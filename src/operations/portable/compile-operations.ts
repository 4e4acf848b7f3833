import {
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  KnownDirectivesRule,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  UniqueDirectivesPerLocationRule,
  type ValidationRule,
  validate,
} from "graphql";
import { compareCodeUnits } from "../../base/collections.ts";
import { displayText } from "../../base/text.ts";
import type { Place } from "../../dialects/locate.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import type { StyleName } from "../../dialects/surface.ts";
import { OPERATION_RULES, validateDocuments } from "../../dialects/validate-documents.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import { ONE_STYLE } from "../../report/codes/portable.ts";
import { type Finding, isBreaking, uniqueFindings } from "../../report/finding.ts";
import type { Fragment, Operation, OperationSet } from "../operation-set.ts";
import { ownerOf } from "../validate-operations.ts";
import { describeReplacements } from "../variable-types.ts";
import { compileFragmentBody, compileOperationBody, findMixed, nameVariables } from "./compile-definition.ts";
import { compileOperation } from "./compile-operation.ts";
import type { CompiledOperation } from "./compiled-operation.ts";
import { mayBeNull } from "./plan-variables.ts";
import { type Facts, inStyles, isDeployed, type PortableContext, readFacts } from "./read-entities.ts";
import { retypeVariables } from "./retype-variables.ts";
import { createScope } from "./scope.ts";

/** The compiled portable operations of a protocol. */
export type CompiledOperations = {
  /** The operations without breaking findings, in the order of the sources. */
  readonly operations: readonly CompiledOperation[];
  /** Every fragment in each style's form, also if only operations of one style use it. */
  readonly fragments: { readonly [S in StyleName]: readonly FragmentDefinitionNode[] };
  readonly findings: readonly Finding[];
};

/** Compiles all portable operations of a protocol, and reports everything in them that is not portable. */
export function compileOperations(set: AuthoredOperations, context: PortableContext): CompiledOperations {
  const facts = readFacts(context);
  const authored = [...set.fragments.values()];
  const types = new Map(authored.map(({ name, node }) => [name, node.typeCondition]));
  const drafts = set.operations.map((operation) => {
    const { node, declared: declaredAs } = retypeVariables(operation, facts.authored.graphql);
    const nullable = new Set(
      (node.variableDefinitions ?? []).filter(mayBeNull).map(({ variable }) => variable.name.value),
    );
    const scope = createScope(operation, { facts, fragments: types, nullable });
    return { ...operation, node, declaredAs, body: compileOperationBody(node, scope) };
  });
  // Fragments on the progress of the indexer are removed with that field.
  const progress = new Set(facts.authored.grammar.progress.types);
  const bodies = authored
    .filter(({ node }) => !progress.has(node.typeCondition.name.value))
    .map((fragment) => {
      const { node } = fragment;
      const users = drafts.filter(({ fragments }) => fragments.includes(node));
      const nullable = new Set(users.flatMap(({ body }) => [...body.scope.nullable]));
      const scope = createScope(fragment, { facts, fragments: types, nullable });
      return compileFragmentBody(node, scope);
    });
  const operations = drafts.map((draft) => {
    const fragments = draft.fragments.flatMap((node) => bodies.find((body) => body.node === node) ?? []);
    const mixed = findMixed([draft.body, ...fragments].flatMap(({ uses }) => uses));
    return { draft, fragments, mixed };
  });
  const declared = new Set(
    drafts.flatMap(({ node }) => (node.variableDefinitions ?? []).map(({ variable }) => variable.name.value)),
  );
  // A fragment is written once, so its variables have the same names in all operations.
  const names = nameVariables(
    bodies.flatMap(({ uses }) => uses),
    new Map(),
    { declared, required: new Set(), mixed: new Set(operations.flatMap(({ mixed }) => [...mixed])) },
  );
  const results = operations.map(({ draft, fragments, mixed }) => {
    const result = compileOperation(draft, { fragments, names, declared, mixed });
    const findings = [draft.body, ...fragments].flatMap(({ scope }) => [...scope.findings.values()]);
    return { result, findings };
  });
  // The refusals of a fragment are reported with every operation that uses it.
  const refused = uniqueFindings([
    ...results.flatMap(({ findings }) => findings),
    ...bodies.flatMap(({ scope }) => [...scope.findings.values()]),
  ]);
  const invalid = findInvalid(drafts, authored, { schema: facts.authored.graphql, refused });
  const portable = results
    .filter(({ findings }) => !findings.some(isBreaking))
    .map(({ result }) => result)
    .filter(({ name }) => !invalid.some(({ owners }) => owners.has(name)));
  const written = facts.written.style;
  const faults = isDeployed(facts, written)
    ? findFaults(portable, facts.written)
    : new Map<string, Finding>();
  return {
    operations: portable.filter(({ name }) => !faults.has(name)),
    fragments: inStyles(
      bodies.map(({ nodes }) => nodes.authored),
      bodies.map(({ nodes }) => nodes.written),
    ),
    findings: [
      ...withoutConsequences(refused, invalid),
      // A variable of a wrong type is wrong in every place.
      ...uniqueFindings(invalid.map(({ finding }) => finding)),
      ...faults.values(),
    ]
      .map((finding) => withOwnFix(finding, context.definition, written))
      .sort((a, b) => comparePlaces(a.place, b.place)),
  };
}

/** The portable operations of a protocol as their authors wrote them. */
type AuthoredOperations = Pick<OperationSet, "operations" | "fragments">;

/** A schema that was derived from an entity file is not updated automatically. */
function withOwnFix(finding: Finding, { entities }: ResolvedProtocol, written: StyleName): Finding {
  if (finding.code !== "portable/not-in-multichain") return finding;
  const file = entities[written];
  if (file === undefined) return finding;
  return { ...finding, fix: `add it to ${displayText(file, [])} and introspect again, or ${ONE_STYLE}` };
}

/** Compares places by file, line and column. */
export function comparePlaces(a: Place | null, b: Place | null): number {
  return (
    compareCodeUnits(a?.file ?? "", b?.file ?? "") ||
    (a?.line ?? 0) - (b?.line ?? 0) ||
    (a?.column ?? 0) - (b?.column ?? 0)
  );
}

/** An error by the authored schema, and the operations that have it. */
type InvalidPart = { readonly finding: Finding; readonly owners: ReadonlySet<string> };

/** Leaves out the findings that follow from an error that is already reported. */
function withoutConsequences(
  findings: readonly Finding[],
  invalid: readonly InvalidPart[],
): readonly Finding[] {
  return findings.filter(
    ({ code, subject }) =>
      !CONSEQUENCES.has(code) ||
      !invalid.some(({ finding, owners }) => finding.subject === subject || owners.has(subject)),
  );
}

const CONSEQUENCES: ReadonlySet<string> = new Set(["portable/all-conditional", "portable/internal"]);

/** Rules of graphql-js whose errors other findings report better. */
const SAID_BETTER: readonly ValidationRule[] = [
  KnownDirectivesRule,
  NoUnusedVariablesRule,
  UniqueDirectivesPerLocationRule,
];

const AUTHORED_RULES = OPERATION_RULES.filter((rule) => !SAID_BETTER.includes(rule));

/** Finds errors by the authored schema, unless a refusal already explains the same place. */
function findInvalid(
  operations: readonly Operation[],
  fragments: readonly Fragment[],
  { schema, refused }: { readonly schema: GraphQLSchema; readonly refused: readonly Finding[] },
): readonly InvalidPart[] {
  const nodes = fragments.map(({ node }) => node);
  const errors = validateDocuments(schema, { operations, fragments: nodes }, AUTHORED_RULES);
  const fixes = errors.length === 0 ? new Map() : describeReplacements(operations, schema);
  return errors.flatMap((error) => {
    const owner = ownerOf(error, [...operations, ...fragments]);
    const { line = null, column = null } = error.locations?.[0] ?? {};
    const isSaid = refused.some(
      (finding) =>
        isBreaking(finding) &&
        !CONSEQUENCES.has(finding.code) &&
        finding.place?.file === owner?.file.path &&
        error.locations?.some((at) => finding.place?.line === at.line && finding.place?.column === at.column),
    );
    if (isSaid) return [];
    const [node] = error.nodes ?? [];
    const finding = buildFileFinding("operation/invalid", [error.message], {
      subject: owner?.name ?? "an operation",
      place: owner === undefined ? null : { file: owner.file.path, line, column },
      ...(fixes.has(node) && { fix: fixes.get(node) }),
    });
    const owners = operations.filter(
      (operation) =>
        owner === undefined ||
        operation === owner ||
        operation.fragments.some((fragment) => fragment === owner.node),
    );
    return [{ finding, owners: new Set(owners.map(({ name }) => name)) }];
  });
}

/** Finds operations that were not refused but are invalid in the written schema: bugs of the compiler. */
function findFaults(
  operations: readonly CompiledOperation[],
  { style, graphql }: Facts["written"],
): Map<string, Finding> {
  const faults = new Map<string, Finding>();
  const nodes = operations.map(({ documents }) => documents[style]);
  const fragments = new Set(nodes.flatMap((document) => document.fragments));
  const isValid = validateNodes([...nodes.map(({ node }) => node), ...fragments], graphql).length === 0;
  if (isValid) return faults;
  for (const { name, documents } of operations) {
    const { node, fragments: used } = documents[style];
    const [error] = validateNodes([node, ...used], graphql);
    if (error === undefined) continue;
    const { line = null, column = null } = error.locations?.[0] ?? {};
    const file = error.source?.name ?? node.loc?.source.name;
    faults.set(
      name,
      buildFileFinding("portable/internal", [style, error.message], {
        subject: name,
        place: file === undefined ? null : { file, line, column },
      }),
    );
  }
  return faults;
}

function validateNodes(
  definitions: readonly (OperationDefinitionNode | FragmentDefinitionNode)[],
  schema: GraphQLSchema,
): readonly GraphQLError[] {
  return validate(schema, { kind: Kind.DOCUMENT, definitions }, OPERATION_RULES);
}
