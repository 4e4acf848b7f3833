import type { ArgumentNode, FieldNode, NamedTypeNode, ValueNode, VariableNode } from "graphql";
import { baseTypeName, isList } from "../../dialects/api-schema.ts";
import type { IdForms } from "../../dialects/id-forms.ts";
import { locateNode } from "../../dialects/locate.ts";
import type { Placed } from "../../dialects/make-node.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import type { PORTABLE } from "../../report/codes/portable.ts";
import type { FactsOf, Finding } from "../../report/finding.ts";
import type { RuleName } from "./compiled-operation.ts";
import type { EntityFacts, Facts, FieldFacts } from "./read-entities.ts";

/** What an operation or a fragment is compiled with, and what is learned of it meanwhile. */
export type Scope = Refusals & {
  readonly facts: Facts;
  /** Whether a default is compiled, in which no variable can stand. */
  readonly isDefault?: boolean;
  /** The type conditions of fragments by their names. */
  readonly fragments: FragmentTypes;
  /** Variables that may be null where they are used. */
  readonly nullable: ReadonlySet<string>;
  /** Notes a root field with rows, and the progress of the indexer. */
  readonly noteRoot: (root: NotedRoot) => void;
  /** Notes a rule of the translation where it is applied. */
  readonly apply: (rule: RuleName, node: Placed) => void;
  /** Notes the use of a variable, and returns what stands for it in the written document. */
  readonly use: (variable: VariableNode, use: Omit<VariableUse, "authored" | "written">) => VariableNode;
};

/** A root field. */
export type NotedRoot =
  | {
      readonly kind: "rows";
      /** Its block as its author wrote it; null for the last one. */
      readonly block: ValueNode | null;
      /** The argument that pins it to the requested block, if its author names none. */
      readonly pin: ArgumentNode | null;
    }
  | { readonly kind: "progress"; readonly node: FieldNode };

/** The type conditions of fragments by their names. */
export type FragmentTypes = ReadonlyMap<string, NamedTypeNode>;

/** A variable where it is used. */
export type VariableUse = {
  readonly authored: VariableNode;
  /** The node in the written document. It gets its name when all uses are known, and keeps it. */
  readonly written: VariableNode & { readonly name: { value: string } };
  readonly treatment: Treatment;
  /**
   * What a missing value does: both styles do the same (`same`), both fail, so that it is required (`error`), or they
   * differ, so that it is refused (`differs`).
   */
  readonly ifNull: "same" | "error" | "differs";
  /** Whether an empty list has no row in one style and every row in the other. */
  readonly isNotIn: boolean;
  /** Compiles the default of the variable as a value in this place is; null where it is refused. */
  readonly compileDefault: (value: ValueNode) => ValueNode | null;
};

/** What becomes of the value of a variable. A variable is declared once for each treatment, and for each type. */
export type Treatment =
  | {
      readonly kind: "value";
      /** Whether an id with bytes among its parts is meant. */
      readonly isIdWithBytes?: boolean;
      /** The pattern of an id that contains its chain. */
      readonly chainInId?: string | null;
    }
  | { readonly kind: "bytes" | "first" | "skip" | "direction" | "chains" | "chain" }
  | {
      /** A whole comparison: with the value, or with null if it is missing. */
      readonly kind: "comparison";
      readonly name: string;
      readonly ofNull: ValueNode;
      readonly isBytes: boolean;
      readonly isIdWithBytes: boolean;
    }
  | {
      /** An id that the styles write differently. */
      readonly kind: "id";
      readonly forms: IdForms;
      readonly isBytes: boolean;
      readonly isIdWithBytes: boolean;
      readonly chainInId?: string | null;
    }
  /** Such an id that the author wrote out: a variable of the compiler holds it, because the chain is part of it. */
  | { readonly kind: "literal"; readonly forms: IdForms; readonly value: string }
  | {
      readonly kind: "pattern";
      readonly name: string;
      readonly before: string;
      readonly after: string;
      /** Whether a `%` at either end of the value says that the value is the whole pattern. */
      readonly isWhole: boolean;
      /** Whether the digits of bytes are taken and not the text. */
      readonly isBytes: boolean;
    }
  | {
      readonly kind: "filter";
      readonly entity: string;
      readonly isChild: boolean;
      readonly isList: boolean;
    }
  | {
      readonly kind: "order";
      readonly entity: string;
      readonly isNested: boolean;
      readonly direction: VariableNode | "asc" | "desc";
    };

/** Collects why an operation or a fragment is not portable, each thing where its author wrote it. */
export type Refusals = {
  readonly findings: readonly Finding[];
  /**
   * @param node with a fix where the code has none, or a worse one.
   * @returns null, for what stands in the place of what is refused.
   */
  readonly refuse: <C extends keyof typeof PORTABLE>(
    code: C,
    facts: FactsOf<(typeof PORTABLE)[C]>,
    node: Placed & { readonly fix?: string },
  ) => null;
};

/** Creates the refusals of one operation or fragment. */
export function createRefusals(subject: string, path: string): Refusals {
  const findings = new Map<string, Finding>();
  return {
    get findings() {
      return [...findings.values()];
    },
    refuse: (code, facts, { fix, ...node }) => {
      // The source of a node names its file, which is another one than the operation's for fragments.
      const place = locateNode(node.loc?.source.name ?? path, node);
      const finding = buildFileFinding(code, facts, {
        subject,
        place,
        ...(fix === undefined ? {} : { fix }),
      });
      // A value with several uses, such as the default of a variable, is reported once.
      const key = JSON.stringify([code, place, finding.message]);
      if (!findings.has(key)) findings.set(key, finding);
      return null;
    },
  };
}

/** A field that leads to rows of an entity. */
export type RelationFacts = Exclude<FieldFacts, { kind: "column" }>;

/** Whether a relation leads to the same rows in both styles: to one that is stored, or to all that refer to the row. */
export function isSameRelation(field: RelationFacts): boolean {
  const { writtenType, target } = field;
  if (writtenType === null || baseTypeName(writtenType) !== target) return false;
  if (field.kind === "reference") return field.isStored && !isList(writtenType);
  return !field.isStored && isList(writtenType) && field.through === null;
}

/** Refuses a relation that is not there, or does not lead to the same rows. */
export function requireSameRelation(
  { entity, field }: { readonly entity: EntityFacts; readonly field: RelationFacts },
  node: Placed,
  scope: Scope,
): boolean {
  if (isSameRelation(field)) return true;
  const coordinate = `${entity.name}.${field.name}`;
  const { authoredType, writtenType } = field;
  if (writtenType === null) {
    scope.refuse("portable/not-in-multichain", [coordinate, scope.facts.written.style], node);
    return false;
  }
  const through = field.kind === "list" ? field.through : null;
  const types =
    through === null
      ? ([authoredType, writtenType] as const)
      : ([
          `${authoredType} through ${through.authored}`,
          `${writtenType} through ${through.written}`,
        ] as const);
  scope.refuse("portable/type-differs", [coordinate, ...types], node);
  return false;
}
