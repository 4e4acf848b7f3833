import type { ArgumentNode, DirectiveNode, FieldNode, NamedTypeNode, ValueNode, VariableNode } from "graphql";
import { baseTypeName, isList } from "../../dialects/api-schema.ts";
import type { IdForms } from "../../dialects/id-forms.ts";
import { locateNode } from "../../dialects/locate.ts";
import { type Placed, variableNode } from "../../dialects/make-node.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import { CAUSES, type PORTABLE } from "../../report/codes/portable.ts";
import type { FactsOf, Finding } from "../../report/finding.ts";
import type { Operation } from "../operation-set.ts";
import type { AppliedRule, RuleName } from "./compiled-operation.ts";
import type { EntityFacts, Facts, RelationFacts } from "./read-entities.ts";

/** The compilation of an operation or a fragment: its context, and what it has recorded so far. */
export type Scope = ScopeContext & {
  /** Whether a default is compiled, which cannot contain variables. */
  readonly isDefault?: boolean;
  readonly roots: NotedRoot[];
  /** The root fields with the progress of the indexer. */
  readonly progress: FieldNode[];
  readonly uses: VariableUse[];
  /** The applied rules, once for each place. */
  readonly rules: ReadonlyMap<string, AppliedRule>;
  /** The reasons why it is not portable, once for each place. */
  readonly findings: ReadonlyMap<string, Finding>;
  /** Records where a rule of the translation is applied. */
  readonly apply: (rule: RuleName, node: Placed) => void;
  /** Records the use of a variable, and returns its node in the written document. */
  readonly use: (variable: VariableNode, use: NotedUse) => VariableNode;
  /**
   * Records a reason why it is not portable. Reasons that come from a style in which the protocol is not deployed are
   * left out.
   *
   * @param node the place, with a fix if it is better than that of the code.
   * @returns null, to return in place of the refused node.
   */
  readonly refuse: <C extends keyof typeof PORTABLE>(
    code: C,
    facts: FactsOf<(typeof PORTABLE)[C]>,
    node: Placed & { readonly fix?: string },
  ) => null;
};

/** The input of the compilation of an operation or a fragment. */
export type ScopeContext = {
  readonly facts: Facts;
  /** The type conditions of fragments by their names. */
  readonly fragments: ReadonlyMap<string, NamedTypeNode>;
  /** The variables that may be null in an operation that uses it. */
  readonly nullable: ReadonlySet<string>;
};

/** A root field with rows. */
export type NotedRoot = {
  /** The authored block; null for the last one. */
  readonly block: ValueNode | null;
  /** The argument that pins it to the requested block, if its author names none. */
  readonly pin: ArgumentNode | null;
};

/** A use of a variable. */
export type VariableUse = {
  readonly authored: VariableNode;
  /** The node in the written document. It gets its name when all uses are known, and keeps it. */
  readonly written: VariableNode & { readonly name: { value: string } };
  readonly treatment: Treatment;
  /**
   * The effect of a missing value: `same` in both styles, an `error` in both, so that the variable is required, or it
   * `differs`, so that the variable is refused.
   */
  readonly ifNull: "same" | "error" | "differs";
  /** Whether an empty list matches no row in one style and every row in the other. */
  readonly isNotIn: boolean;
  /** Compiles the default of the variable like a value in this place; null if it is refused. */
  readonly compileDefault: (value: ValueNode) => ValueNode | null;
};

/** A use of a variable to record. By default, a missing value has the same effect in both styles, and defaults are unchanged. */
export type NotedUse = Pick<VariableUse, "treatment"> & Partial<Omit<VariableUse, "authored" | "written">>;

/** How the value of a variable is changed. A variable is declared once for each treatment and type. */
export type Treatment =
  | {
      readonly kind: "value";
      /** Whether it is an id with bytes among its parts. */
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
  /** A literal id of that kind. The compiler adds a variable for it, because the chain is part of it. */
  | { readonly kind: "literal"; readonly forms: IdForms; readonly value: string }
  | {
      readonly kind: "pattern";
      readonly name: string;
      readonly before: string;
      readonly after: string;
      /** Whether a value that begins or ends with `%` is the whole pattern. */
      readonly isWhole: boolean;
      /** Whether the pattern has the digits of bytes instead of the text. */
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

/** Creates the scope of an operation or a fragment. */
export function createScope(
  { name: subject, file }: Pick<Operation, "name" | "file">,
  context: ScopeContext,
): Scope {
  const deployed = context.facts.definition.styles;
  const uses: VariableUse[] = [];
  const rules = new Map<string, AppliedRule>();
  const findings = new Map<string, Finding>();
  return {
    ...context,
    roots: [],
    progress: [],
    uses,
    rules,
    findings,
    apply: (rule, { loc }) => {
      const { line = 0, column = 0 } = loc?.startToken ?? {};
      rules.set(`${rule} ${line} ${column}`, { rule, file: loc?.source.name ?? "", line, column });
    },
    use: (authored, use) => {
      const written = variableNode(authored.name.value, authored.loc);
      const defaults = {
        ifNull: "same",
        isNotIn: false,
        compileDefault: (value: ValueNode) => value,
      } as const;
      uses.push({ ...defaults, ...use, authored, written });
      return written;
    },
    refuse: (code, facts, { fix, ...node }) => {
      if (CAUSES.get(code)?.some((style) => !deployed.includes(style))) return null;
      // The source of a node names its file: a fragment may be in another file than the operation.
      const place = locateNode(node.loc?.source.name ?? file.path, node);
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

/** Refuses the directives of a definition. */
export function refuseDirectives(
  { directives = [] }: { readonly directives?: readonly DirectiveNode[] | undefined },
  scope: Scope,
): void {
  for (const directive of directives) {
    scope.refuse("portable/directive", [directive.name.value, false], directive);
  }
}

/** Whether a relation has the same rows in both styles: the stored one, or all that refer to the row. */
export function isSameRelation(field: RelationFacts): boolean {
  const { writtenType, target } = field;
  if (writtenType === null || baseTypeName(writtenType) !== target) return false;
  if (field.kind === "reference") return field.isStored && !isList(writtenType);
  return !field.isStored && isList(writtenType) && field.through === null;
}

/** Refuses a relation that does not exist in both styles, or does not have the same rows. */
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
  const authored = through === null ? authoredType : `${authoredType} through ${through.authored}`;
  const written = through === null ? writtenType : `${writtenType} through ${through.written}`;
  scope.refuse("portable/type-differs", [coordinate, authored, written], node);
  return false;
}
