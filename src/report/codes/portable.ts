import type { StyleName } from "../../dialects/surface.ts";
import type { Code } from "../finding.ts";

export const ONE_STYLE = "write it in the folder of the style that has it: operations/<protocol>/<style>/.";

/** Parts of portable operations that the styles would answer differently. */
export const PORTABLE = {
  "portable/not-in-multichain": {
    severity: "breaking",
    message: (name: string, style: StyleName) => `The ${style} snapshot has no ${name}.`,
    fix: `update the snapshot, or ${ONE_STYLE}`,
  },
  "portable/type-differs": {
    severity: "breaking",
    message: (name: string, authored: string, written: string) =>
      `${name} is \`${authored}\` in one style and \`${written}\` in the other.`,
    fix: `${ONE_STYLE} \`lockflow diff\` shows all that differ.`,
  },
  "portable/scalar": {
    severity: "breaking",
    message: (name: string, scalar: string) => `${name} is a ${scalar}, which the styles write differently.`,
    fix: `leave it out, or ${ONE_STYLE}`,
  },
  "portable/root": {
    severity: "breaking",
    message: (name: string) => `Only one style has \`${name}\`.`,
    fix: `ask for the progress of indexers with health() of the client; anything else: ${ONE_STYLE}`,
  },
  "portable/root-typename": {
    severity: "breaking",
    message: "The `__typename` of the query itself is not the same in the styles.",
    fix: "ask for it in an entity.",
  },
  "portable/interface": {
    severity: "breaking",
    message: (name: string, style: StyleName) => `${name} is an interface, and ${style} knows none.`,
    fix: "select from the entities.",
  },
  "portable/argument": {
    severity: "breaking",
    message: (name: string) => `\`${name}:\` cannot be written here.`,
    fix: "leave it out: the height is an option of the client, and a subgraph with errors an error.",
  },
  "portable/first-range": {
    severity: "breaking",
    message: (given: string, most: number) => `\`first\` has to be 1 to ${most}, and is ${given}.`,
    fix: "page by a cursor, such as `where: { id_gt: $after }`.",
  },
  "portable/skip-range": {
    severity: "breaking",
    message: (given: string, most: number) => `\`skip\` has to be 0 to ${most}, and is ${given}.`,
    fix: "page by a cursor, such as `where: { id_gt: $after }`.",
  },
  "portable/direction-without-order": {
    severity: "cosmetic",
    message: "`orderDirection` is ignored without `orderBy`: rows come by id, ascending.",
    fix: "add `orderBy`, or remove it.",
  },
  "portable/order": {
    severity: "breaking",
    message: (entity: string, name: string, reason: string) =>
      `${entity} cannot be ordered by \`${name}\`: ${reason}.`,
    fix: "order by a column.",
  },
  "portable/mixed-filter": {
    severity: "breaking",
    message: (word: string, others: string) => `\`${word}\` stands beside ${others}.`,
  },
  "portable/nested-child-filter": {
    severity: "breaking",
    message: (name: string) => `\`${name}\` is a filter of another entity inside a filter of another entity.`,
    fix: `ask from the other side, or ${ONE_STYLE}`,
  },
  "portable/null-filter": {
    severity: "breaking",
    message: (name: string) => `\`${name}: null\` means nothing.`,
    fix: "only `f: null` and `f_not: null` of a field `f` do.",
  },
  "portable/empty-not-in": {
    severity: "breaking",
    message: (name: string) =>
      `\`$${name}\` of a \`_not_in\` is empty by default, which is no row in one style and every row in the other.`,
    fix: "give it no default.",
  },
  "portable/pattern": {
    severity: "breaking",
    message: (name: string, reason: string) => `\`${name}\` ${reason}.`,
    fix: "compare whole values, or use `_contains`.",
  },
  "portable/bad-number": {
    severity: "breaking",
    message: (given: string, type: string) => `${given} is no \`${type}\` that both styles read alike.`,
    fix: 'write digits, and quote a number beyond 64 bits: "18446744073709551616".',
  },
  "portable/list-filter": {
    severity: "breaking",
    message: (name: string, reason: string) => `\`${name}\` ${reason}.`,
    fix: "use `_contains`, or write the list out in brackets.",
  },
  "portable/change-block": {
    severity: "breaking",
    message: (name: string, style: StyleName) => `\`${name}\` asks for what ${style} does not know.`,
    fix: `leave it out, or ${ONE_STYLE}`,
  },
  "portable/bad-bytes": {
    severity: "breaking",
    message: (given: string, reason: string) => `${given} is no bytes: ${reason}.`,
    fix: "write 0x and two hexadecimal digits for each byte.",
  },
  "portable/id-form": {
    severity: "breaking",
    message: (given: string, reason: string) => `${given} ${reason}.`,
    fix: "compare whole ids (`id`, `id_not`, `id_in`), written as subgraphs write them, or as a variable.",
  },
  "portable/nullable-variable": {
    severity: "breaking",
    message: (name: string) => `\`$${name}\` may be null where a value is compared.`,
  },
  "portable/variable-type": {
    severity: "breaking",
    message: (name: string, type: string, reason: string) => `\`$${name}: ${type}\` ${reason}.`,
    fix: `write the value out, or ${ONE_STYLE}`,
  },
  "portable/unused-variable": {
    severity: "breaking",
    message: (name: string) => `\`$${name}\` is not used.`,
    fix: "remove it, or use it.",
  },
  "portable/reserved-name": {
    severity: "breaking",
    message: (what: string) => `${what} belongs to Lockflow.`,
    fix: "rename it.",
  },
  "portable/directive": {
    severity: "breaking",
    message: (name: string, isTwice: boolean) =>
      isTwice ? `\`@${name}\` stands twice on one node.` : `\`@${name}\` cannot be written here.`,
    fix: `write \`@skip\` and \`@include\` once on a field or a fragment; any other directive: ${ONE_STYLE}`,
  },
  "portable/all-conditional": {
    severity: "breaking",
    message: (where: string) => `Everything in ${where} may be skipped.`,
    fix: "select `id` without a condition.",
  },
  "portable/no-chain-path": {
    severity: "breaking",
    message: (entity: string) => `There is no way from ${entity} to a chain that loses no row.`,
  },
  "portable/ambiguous-field": {
    severity: "breaking",
    message: (field: string) => `The name of the field \`${field}\` reads as an operator.`,
    fix: ONE_STYLE,
  },
  "portable/operation": {
    severity: "breaking",
    message: (kind: string) => `A ${kind} is not portable.`,
    fix: "write a query.",
  },
  "portable/unscoped-lookup": {
    severity: "cosmetic",
    message: (key: string) =>
      `\`${key}\` looks up a row without its \`chainId\`. Clients other than lockflow-client get rows of other chains in one style.`,
    fix: "select `chainId`.",
  },
  "portable/internal": {
    severity: "breaking",
    message: (style: StyleName, said: string) => `What is compiled for ${style} is not valid: ${said}`,
    fix: "report it with the output of `lockflow compile <operation> --json`.",
  },
} as const satisfies Readonly<Record<string, Code>>;
