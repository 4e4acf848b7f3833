import {
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  Kind,
  parse,
  print,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { assessOperations } from "../../compare/impact/assess-operations.ts";
import type { Effect } from "../../compare/impact/effect.ts";
import { type ApiNames, applyEdits, invertNames, renameDocument } from "../../operations/rename-document.ts";
import { isValidAlone, rulesFor } from "../../workspace/valid-alone.ts";
import { documentOf } from "./find-notes.ts";
import type { Rewriting, RewrittenOperation } from "./rewrite.ts";

/** What speaks against an operation, and what changes although it is valid. */
export type Proof = {
  readonly reasons: readonly {
    readonly code: ProofCode;
    readonly message: string;
    /** Null for the operation. */
    readonly node: ASTNode | null;
  }[];
  /** The effects of what changed beside the names. */
  readonly effects: readonly Effect[];
};

type ProofCode = "adapt/not-valid" | "adapt/not-same-question" | "adapt/other-answer";

/** Proves that an adapted operation is valid, asks the same question, and has an answer of the same shape. */
export function proveOperation(operation: RewrittenOperation, rewriting: Rewriting): Proof {
  const { after, aligned } = rewriting;
  const invalid = findErrors(after.graphql, operation.after);
  if (invalid.length > 0) {
    const reasons = invalid.map(
      ({ message, nodes }) => ({ code: "adapt/not-valid", message, node: nodes?.[0] ?? null }) as const,
    );
    return { reasons, effects: [] };
  }
  const failed = (code: ProofCode, message: string): Proof => ({
    reasons: [{ code, message, node: null }],
    effects: [],
  });
  for (const [was, is] of operation.changed) {
    if (!isValidAlone(aligned.graphql, is)) {
      return failed("adapt/not-same-question", "The old API with the new names does not accept it.");
    }
    const before = answerOf(documentOf(was), rewriting.before.graphql, rewriting.names);
    const now = answerOf(documentOf(is), aligned.graphql, null);
    const other = before.find((line, index) => line !== now[index]);
    if (other !== undefined || before.length !== now.length) {
      return failed(
        "adapt/other-answer",
        `The answer would have another type, from ${other ?? now.at(-1)} on.`,
      );
    }
  }
  if (!leadsBack(operation, rewriting)) {
    return failed("adapt/not-same-question", "With the old names again, it would not be the same text.");
  }
  const [assessed] = assessOperations(
    [{ name: "", document: operation.after }],
    { before: aligned.api, after: after.api },
    { exhaustiveEnums: false },
  );
  const effects = assessed?.effects ?? [];
  const broken = effects.find(({ impact }) => impact === "broken");
  if (broken) return failed("adapt/not-valid", broken.message);
  return { reasons: [], effects };
}

/** Returns the errors of a document. */
export function findErrors(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document, rulesFor(document));
}

/** Returns whether the old names in the adapted text give the text that was read, aliases that equal the name aside. */
function leadsBack({ unit }: RewrittenOperation, { aligned, names }: Rewriting): boolean {
  const changed = [...unit.rewritten].filter(([before, after]) => before !== after);
  const definitions = changed.flatMap(([before, after]) => (print(before) === print(after) ? [] : [after]));
  const edits = renameDocument({ kind: Kind.DOCUMENT, definitions }, aligned.graphql, invertNames(names));
  const back = parse(applyEdits(unit.text, edits));
  return printPlain(back) === printPlain(unit.unit.document);
}

/** Prints a document without aliases that equal the name. */
function printPlain(document: DocumentNode): string {
  return print(
    visit(document, {
      Field: ({ alias, ...node }) =>
        alias && alias.value !== node.name.value ? undefined : { ...node, alias: undefined },
    }),
  );
}

/**
 * Describes an answer: the response keys of a document in its order, with their types, and the conditions of fragments.
 *
 * @param names the new names; null if the document has them already.
 */
export function answerOf(document: DocumentNode, schema: GraphQLSchema, names: ApiNames | null): string[] {
  const lines: string[] = [];
  const typeName = (name: string) => names?.types.get(name) ?? name;
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      VariableDefinition: () => false,
      Argument: () => false,
      FragmentDefinition: (node) => void lines.push(`on ${typeName(node.typeCondition.name.value)}`),
      InlineFragment: (node) =>
        void lines.push(`on ${node.typeCondition ? typeName(node.typeCondition.name.value) : ""}`),
      FragmentSpread: (node) => void lines.push(`...${node.name.value}`),
      SelectionSet: { leave: () => void lines.push("}") },
      Field: (node) => {
        const type = info.getType();
        const named = getNamedType(type);
        const values = isEnumType(named)
          ? named.getValues().map(({ name }) => names?.members.get(`${named.name}.${name}`) ?? name)
          : [];
        const shown = `${type}`.replace(/\w+/, typeName);
        lines.push(`${node.alias?.value ?? node.name.value}: ${shown} ${values.sort().join("|")}`);
      },
    }),
  );
  return lines;
}
