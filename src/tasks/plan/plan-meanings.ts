import {
  type ASTNode,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldNode,
  getNamedType,
  isAbstractType,
  Kind,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { indexSchema, readSide } from "../../compare/indexed-schema.ts";
import type { ApiSchema } from "../../dialects/api-schema.ts";
import type { EntityText } from "../../dialects/derive-entities.ts";
import { locateNode, type Place } from "../../dialects/locate.ts";
import { originKey } from "../../dialects/origin.ts";
import { argumentOf, stringArgument } from "../../dialects/parse-sdl.ts";
import type { Style } from "../../dialects/style.ts";
import type { PlacedOperation } from "../../operations/operation-set.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import { type Finding, type OperationImpact, SEVERITIES, type Where } from "../../report/finding.ts";

/** Two entity schemas that are compared by what no API shows of them. */
export type MeaningComparison = {
  readonly before: EntityText;
  readonly after: EntityText;
  readonly style: Style;
  /** The API that operations are written for. */
  readonly api: ApiSchema;
  readonly operations: readonly PlacedOperation[];
  readonly where: Where;
  readonly locate: (coordinate: string) => Place | null;
};

/** Finds changed intervals of aggregations, and parts that mean something else under the same name and type. */
export function planMeanings(comparison: MeaningComparison): Finding[] {
  const { before, after, style } = comparison;
  const old = new Map(readHidden(before, style).map((part) => [keyOf(part), part]));
  const changes = readHidden(after, style).flatMap((is): HiddenChange[] => {
    const was = old.get(keyOf(is));
    // An API shows that a part is new.
    if (was === undefined) return [];
    const gone = was.intervals.filter((interval) => !is.intervals.includes(interval));
    const added = is.intervals.filter((interval) => !was.intervals.includes(interval));
    return [
      ...gone.map((interval) => ({ ...is, interval, before: `interval ${interval}`, after: null })),
      ...added.map((interval) => ({ ...is, interval, before: null, after: `interval ${interval}` })),
      ...(was.text === is.text ? [] : [{ ...is, interval: null, before: was.text, after: is.text }]),
    ];
  });
  const findUses = changes.length === 0 ? () => [] : createUseFinder(comparison);
  return changes.map((change) => buildFinding(change, findUses(change), comparison));
}

/** A part of an entity schema that the platform reads, and that no API shows. */
type HiddenPart = {
  /** `Stats`, `Stats.volume`, `Query.search`. */
  readonly coordinate: string;
  readonly directive: string;
  /** The directive with its hidden arguments: `@aggregate(fn: "sum", arg: "price")`. */
  readonly text: string;
  /** The intervals of an aggregation; none for other parts. */
  readonly intervals: readonly string[];
};

function keyOf({ coordinate, directive }: HiddenPart): string {
  return `${coordinate} ${directive}`;
}

/** Reads what no API of a platform shows of an entity schema. */
export function readHidden({ text }: EntityText, { platform }: Style): HiddenPart[] {
  return parse(text).definitions.flatMap((node) => {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION) return [];
    const type = node.name.value;
    return [
      ...(node.directives ?? []).flatMap((directive) => {
        const search = directive.name.value === "fulltext" ? stringArgument(directive, "name") : null;
        return readPart(search === null ? type : `Query.${search}`, directive);
      }),
      ...(node.fields ?? []).flatMap(({ name, directives = [] }) =>
        directives.flatMap((directive) => readPart(`${type}.${name.value}`, directive)),
      ),
    ];
  });

  function readPart(coordinate: string, directive: ConstDirectiveNode): HiddenPart[] {
    const name = directive.name.value;
    const hidden = platform.hiddenArguments.get(name);
    if (hidden === undefined) return [];
    const args = hidden.flatMap((argument) => {
      const value = argumentOf(directive, argument);
      // False is the default of all flags.
      if (value === undefined || (value.kind === Kind.BOOLEAN && !value.value)) return [];
      return [`${argument}: ${print(value)}`];
    });
    const intervals = argumentOf(directive, "intervals");
    return [
      {
        coordinate,
        directive: name,
        text: `@${name}${args.length === 0 ? "" : `(${args.join(", ")})`}`,
        intervals: (intervals?.kind === Kind.LIST ? intervals.values : []).flatMap((value) =>
          value.kind === Kind.STRING ? [value.value] : [],
        ),
      },
    ];
  }
}

type HiddenChange = Pick<HiddenPart, "coordinate" | "directive"> & {
  readonly before: string | null;
  readonly after: string | null;
  /** The interval that was added or removed; null for another change. */
  readonly interval: string | null;
};

function buildFinding(
  { coordinate, directive, before, after }: HiddenChange,
  operations: readonly OperationImpact[],
  { where, locate }: MeaningComparison,
): Finding {
  const finding = buildFileFinding("plan/hidden-changed", [coordinate, before, after], {
    subject: coordinate,
    before,
    after,
    where,
    place: locate(directive === "fulltext" ? "_Schema_" : coordinate),
    severity: SEVERITIES.find((level) => operations.some(({ severity }) => severity === level)) ?? "cosmetic",
    fix: operations.length === 0 ? null : "correct the operations, or give the changed part a new name.",
  });
  // It is about what an indexer will serve, so it can be accepted.
  return { ...finding, layer: "entity", coordinate, operations };
}

type UseFinder = (change: HiddenChange) => OperationImpact[];

/** Creates a function that finds the operations which send a removed interval, or use a part that means something else. */
function createUseFinder({ api, style, operations }: MeaningComparison): UseFinder {
  const schema = indexSchema(api).graphql();
  const originsOf = style.deriver.traceOrigins([readSide(api, style).model], api);
  const used = operations.map((operation) => ({ ...operation, nodes: findNodes(operation.document) }));
  return (change) =>
    used.flatMap(({ nodes, ...operation }) =>
      nodes.flatMap((usedNode) => {
        const effect = effectOn(change, usedNode, operation.document);
        return effect === null ? [] : [placeImpact(operation, usedNode.node, effect)];
      }),
    );

  /** Finds the fields and inputs of a document, with the parts of the entity schema that each depends on. */
  function findNodes(document: DocumentNode): UsedNode[] {
    const nodes: UsedNode[] = [];
    const info = new TypeInfo(schema);
    const add = (node: ASTNode, owners: readonly (string | undefined)[], member: string) => {
      const coordinates = owners.map((owner) => `${owner}.${member}`);
      const parts = new Set([
        ...coordinates,
        ...coordinates.flatMap((coordinate) => originsOf(coordinate).map(originKey)),
      ]);
      const type = node.kind === Kind.FIELD ? (getNamedType(info.getType())?.name ?? null) : null;
      nodes.push({ node, parts, type });
    };
    visit(
      document,
      visitWithTypeInfo(info, {
        Field: (node) => {
          const parent = info.getParentType();
          const possible = isAbstractType(parent) ? schema.getPossibleTypes(parent) : [];
          add(node, [parent?.name, ...possible.map(({ name }) => name)], node.name.value);
        },
        ObjectField: (node) => add(node, [getNamedType(info.getParentInputType())?.name], node.name.value),
        EnumValue: (node) => add(node, [getNamedType(info.getInputType())?.name], node.value),
      }),
    );
    return nodes;
  }
}

type UsedNode = {
  readonly node: ASTNode;
  /** The coordinates of parts of the entity schema. */
  readonly parts: ReadonlySet<string>;
  /** The type of a field; null for an input. */
  readonly type: string | null;
};

type UseEffect = Pick<OperationImpact, "impact" | "severity" | "message">;

/** Builds the impact on an operation at one of its nodes. */
export function placeImpact(
  { name, place }: Pick<PlacedOperation, "name" | "place">,
  node: ASTNode,
  effect: UseEffect,
): OperationImpact {
  const { file, line, column } = locateNode(node.loc?.source.name ?? place.file, node);
  return { file, line: line ?? 1, column: column ?? 1, name, ...effect };
}

function effectOn(
  { coordinate, directive, interval, before, after }: HiddenChange,
  { node, parts, type }: UsedNode,
  document: DocumentNode,
): UseEffect | null {
  const isOfType = node.kind === Kind.FIELD && type === coordinate;
  if (interval !== null) {
    const sent = isOfType && after === null ? findInterval(node, document) : null;
    if (sent === null || (sent.value !== interval && !sent.isVariable)) return null;
    const message = `${coordinate} has no interval ${interval}.`;
    return sent.value === interval
      ? { impact: "broken", severity: "breaking", message }
      : { impact: "at-risk", severity: "risky", message: `${message} A variable may send it.` };
  }
  // Whether the rows of an entity change says nothing about their values.
  const isUsed = coordinate.includes(".") ? parts.has(coordinate) : isOfType && directive !== "entity";
  if (!isUsed) return null;
  const message = `${coordinate} was ${before}, and is ${after}.`;
  return { impact: "changes-meaning", severity: "breaking", message };
}

/** Returns the interval that a field sends, a literal or the default of a variable; null if it has no such argument. */
function findInterval({ arguments: args = [] }: FieldNode, { definitions }: DocumentNode) {
  const argument = args.find(({ name }) => name.value === "interval")?.value;
  if (argument === undefined) return null;
  const isVariable = argument.kind === Kind.VARIABLE;
  const value = isVariable
    ? definitions
        .flatMap((definition) =>
          definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
        )
        .find(({ variable }) => variable.name.value === argument.name.value)?.defaultValue
    : argument;
  return { value: value?.kind === Kind.ENUM ? value.value : null, isVariable };
}
