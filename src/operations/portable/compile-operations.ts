import {
  type FragmentDefinitionNode,
  type GraphQLError,
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
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import type { Protocol, StyleName } from "../../dialects/surface.ts";
import { OPERATION_RULES, validateDocuments } from "../../dialects/validate-documents.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import { ONE_STYLE } from "../../report/codes/portable.ts";
import { type Finding, isBreaking, uniqueFindings } from "../../report/finding.ts";
import { describeReplacements } from "../variable-types.ts";
import { compileFragmentBody, compileOperationBody, findMixed, nameVariables } from "./compile-definition.ts";
import { type CompiledFragment, compileOperation, findVariables } from "./compile-operation.ts";
import type { CompiledOperation } from "./compiled-operation.ts";
import { mayBeNull } from "./plan-variables.ts";
import { isDeployed, type PortableContext, readFacts } from "./read-entities.ts";
import { retypeVariables } from "./retype-variables.ts";
import { createRefusals } from "./scope.ts";

export type { PortableContext };

/** The portable operations of a protocol as their authors wrote them. */
export type PortableSources = {
  readonly protocol: Protocol;
  readonly operations: readonly {
    readonly name: string;
    readonly path: string;
    readonly node: OperationDefinitionNode;
    /** Every fragment it uses, directly or not, in order of name. */
    readonly fragments: readonly FragmentDefinitionNode[];
  }[];
  readonly fragments: readonly {
    readonly name: string;
    readonly path: string;
    readonly node: FragmentDefinitionNode;
  }[];
};

/** The compiled portable operations of a protocol. */
export type CompiledOperations = {
  /** The operations without breaking findings, in the order of the sources. */
  readonly operations: readonly CompiledOperation[];
  /** Every fragment in each style's form, also if only operations of one style use it. */
  readonly fragments: { readonly [S in StyleName]: readonly FragmentDefinitionNode[] };
  readonly findings: readonly Finding[];
};

/** Compiles all portable operations of a protocol, and reports everything in them that is not portable. */
export function compileOperations(sources: PortableSources, context: PortableContext): CompiledOperations {
  const facts = readFacts(context);
  const { styles } = context.definition;
  const types = new Map(sources.fragments.map(({ name, node }) => [name, node.typeCondition]));
  const drafts = sources.operations.map((operation) => {
    const { node, declared: declaredAs } = retypeVariables(operation, facts.authored.graphql);
    const refusals = createRefusals(operation, styles);
    const nullable = findNullable(node);
    const body = compileOperationBody(node, { facts, fragments: types, refusals, nullable });
    return { ...operation, node, declaredAs, refusals, nullable, body };
  });
  const declared = new Set(
    drafts.flatMap(({ node }) => (node.variableDefinitions ?? []).map(({ variable }) => variable.name.value)),
  );
  // Fragments on the progress of the indexer are removed with that field.
  const progress = new Set(facts.authored.grammar.progress.types);
  const isOfRows = ({ typeCondition }: FragmentDefinitionNode) => !progress.has(typeCondition.name.value);
  const bodies = sources.fragments
    .filter(({ node }) => isOfRows(node))
    .map(({ name, path, node }) => {
      const users = drafts.filter(({ fragments }) => fragments.includes(node));
      const nullable = new Set(users.flatMap((draft) => [...draft.nullable]));
      const refusals = createRefusals({ name, path }, styles);
      const compiled = compileFragmentBody(node, { facts, fragments: types, refusals, nullable });
      return { name, node, compiled };
    });
  const operations = drafts.map((draft) => {
    const shared = bodies.filter(({ node }) => draft.fragments.includes(node));
    const uses = shared.flatMap(({ compiled }) => compiled.uses);
    return { ...draft, mixed: findMixed([...draft.body.uses, ...uses]) };
  });
  // A fragment is written once, so its variables have the same names in all operations.
  const names = nameVariables(
    bodies.flatMap(({ compiled }) => compiled.uses),
    new Map(),
    { declared, given: new Set(), mixed: new Set(operations.flatMap(({ mixed }) => [...mixed])) },
  );
  const fragments = new Map(
    bodies.map(({ name, node, compiled }): [string, CompiledFragment] => [
      name,
      { node, compiled, names, variables: findVariables(node) },
    ]),
  );
  const compiled = operations.map((operation) => {
    const { name, refusals } = operation;
    const used = operation.fragments.flatMap((fragment) => fragments.get(fragment.name.value) ?? []);
    const result = compileOperation(operation, { ...operation, fragments: used, declared });
    const findings = [refusals, ...used.map((fragment) => fragment.compiled.refusals)].flatMap(
      (each) => each.findings,
    );
    return { name, result, findings };
  });
  // The refusals of a fragment are reported with every operation that uses it.
  const refused = uniqueFindings([
    ...compiled.flatMap(({ findings }) => findings),
    ...bodies.flatMap((body) => body.compiled.refusals.findings),
  ]);
  const invalid = findInvalid({ ...sources, operations }, facts.authored.graphql, refused);
  const portable = compiled
    .filter(
      ({ name, findings }) => !findings.some(isBreaking) && !invalid.some(({ owners }) => owners.has(name)),
    )
    .map(({ result }) => result);
  const written = facts.written.style;
  const faults = isDeployed(facts, written)
    ? findFaults(portable, facts.written)
    : new Map<string, Finding>();
  return {
    operations: portable.filter(({ name }) => !faults.has(name)),
    fragments: {
      multichain: [],
      subgraph: [],
      [facts.authored.style]: bodies.map((body) => body.compiled.nodes.authored),
      [written]: bodies.map((body) => body.compiled.nodes.written),
    },
    findings: [
      ...withoutConsequences(refused, invalid),
      // A variable of a wrong type is wrong in every place.
      ...uniqueFindings(invalid.map(({ finding }) => finding)),
      ...faults.values(),
    ]
      .map((finding) => withOwnFix(finding, context.definition, written))
      .sort(comparePlaces),
  };
}

/** Finds the variables that may be null. */
function findNullable({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlySet<string> {
  const nullable = variableDefinitions.filter(mayBeNull);
  return new Set(nullable.map(({ variable }) => variable.name.value));
}

/** A schema that was derived from an entity file is not updated automatically. */
function withOwnFix(finding: Finding, { entities }: ResolvedProtocol, written: StyleName): Finding {
  if (finding.code !== "portable/not-in-multichain") return finding;
  const file = entities[written];
  if (file === undefined) return finding;
  return { ...finding, fix: `add it to ${displayText(file, [])} and introspect again, or ${ONE_STYLE}` };
}

function comparePlaces({ place: a }: Finding, { place: b }: Finding): number {
  return (
    compareCodeUnits(a?.file ?? "", b?.file ?? "") ||
    (a?.line ?? 0) - (b?.line ?? 0) ||
    (a?.column ?? 0) - (b?.column ?? 0)
  );
}

/** Errors that follow from one that is already reported. */
function withoutConsequences(
  findings: readonly Finding[],
  invalid: readonly { readonly finding: Finding; readonly owners: ReadonlySet<string> }[],
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
  { operations, fragments }: PortableSources,
  schema: Parameters<typeof validate>[0],
  refused: readonly Finding[],
): { readonly finding: Finding; readonly owners: ReadonlySet<string> }[] {
  const nodes = fragments.map(({ node }) => node);
  const errors = validateDocuments(schema, { operations, fragments: nodes }, AUTHORED_RULES);
  const fixes = errors.length === 0 ? new Map() : describeReplacements(operations, schema);
  return errors.flatMap((error) => {
    const owner = ownerOf(error, [...operations, ...fragments]);
    const { line = null, column = null } = error.locations?.[0] ?? {};
    const place = owner === undefined ? null : { file: owner.path, line, column };
    const isSaid = refused.some(
      (finding) =>
        isBreaking(finding) &&
        !CONSEQUENCES.has(finding.code) &&
        finding.place?.file === owner?.path &&
        error.locations?.some((at) => finding.place?.line === at.line && finding.place?.column === at.column),
    );
    if (isSaid) return [];
    const name = owner?.name ?? "an operation";
    const owners = operations.filter(
      ({ node, fragments: used }) =>
        node === owner?.node || used.some((fragment) => fragment === owner?.node),
    );
    return [
      {
        finding: buildFileFinding("operation/invalid", [error.message], {
          subject: name,
          place,
          ...(fixes.has(error.nodes?.[0]) && { fix: fixes.get(error.nodes?.[0]) }),
        }),
        owners: new Set((owner === undefined ? operations : owners).map((operation) => operation.name)),
      },
    ];
  });
}

function ownerOf<T extends { readonly node: OperationDefinitionNode | FragmentDefinitionNode }>(
  error: GraphQLError,
  definitions: readonly T[],
): T | undefined {
  const { start = -1, source } = error.nodes?.[0]?.loc ?? {};
  return definitions.find(
    ({ node: { loc } }) => loc && loc.source === source && loc.start <= start && start < loc.end,
  );
}

/** Finds operations that were not refused but are invalid in the written schema: bugs of the compiler. */
function findFaults(
  operations: readonly CompiledOperation[],
  { style, graphql }: { readonly style: StyleName; readonly graphql: Parameters<typeof validate>[0] },
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
  schema: Parameters<typeof validate>[0],
): readonly GraphQLError[] {
  return validate(schema, { kind: Kind.DOCUMENT, definitions }, OPERATION_RULES);
}
