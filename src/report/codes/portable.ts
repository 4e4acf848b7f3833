import { listSome } from "../../base/clean-text.ts";
import type { StyleName } from "../../dialects/surface.ts";
import type { Code } from "../finding.ts";

/** How many columns a note names. */
const MOST_NAMES = 5;

/** The last resort: an operation of one style. */
export const ONE_STYLE = "move the operation to the folder of one style: operations/<protocol>/<style>/.";

/** Codes for parts of portable operations that cannot be compiled for both styles with the same result. */
export const PORTABLE = {
  "portable/not-in-multichain": {
    severity: "breaking",
    message: (name: string, style: StyleName) => `The ${style} snapshot has no ${name}.`,
    fix: `leave it out, or ${ONE_STYLE} If the indexer has it by now, update the snapshots.`,
  },
  "portable/type-differs": {
    severity: "breaking",
    message: (name: string, authored: string, written: string) =>
      `${name} is \`${authored}\` in one style and \`${written}\` in the other.`,
    fix: `${ONE_STYLE} \`lockflow diff\` lists all fields that differ.`,
  },
  "portable/scalar": {
    severity: "breaking",
    message: (name: string, scalar: string) => `${name} is a ${scalar}, which the styles format differently.`,
    fix: `leave it out, or ${ONE_STYLE}`,
  },
  "portable/root": {
    severity: "breaking",
    message: (name: string) => `\`${name}\` is not portable: it is not a list or a lookup of entities.`,
    fix: `for the progress of indexers, call health() of the client; otherwise ${ONE_STYLE}`,
  },
  "portable/root-typename": {
    severity: "breaking",
    message: "The `__typename` of the query itself is not portable.",
    fix: "select `__typename` in an entity instead.",
  },
  "portable/interface": {
    severity: "breaking",
    message: (name: string, style: StyleName) => `${name} is an interface; ${style} style has none.`,
    fix: "select from the entities that implement it.",
  },
  "portable/argument": {
    severity: "breaking",
    message: (name: string) => `The argument \`${name}\` is not portable.`,
    fix: `remove it, or ${ONE_STYLE}`,
  },
  "portable/past-block": {
    severity: "cosmetic",
    message: (variable: string | null) =>
      variable === null
        ? "Only subgraphs answer this operation, because it names a block."
        : `Only subgraphs answer if \`${variable}\` is given.`,
    fix: "for the last block in either style, leave the argument out: the client has an option `block`.",
  },
  "portable/subgraph-error": {
    severity: "cosmetic",
    message: "`subgraphError` is not sent to multichain indexers.",
    fix: "leave it out: the client reports indexing errors as errors in any case.",
  },
  "portable/progress": {
    severity: "cosmetic",
    message: (name: string) => `\`${name}\` is not part of the answer.`,
    fix: "read `head` of the client's result: the block, its hash and its time.",
  },
  "portable/decimal": {
    severity: "cosmetic",
    message: (names: readonly string[]) =>
      `${listSome(names, MOST_NAMES)}: subgraphs keep 34 significant digits, multichain indexers those of their column.`,
    fix: "compare decimals with a tolerance if they may have more digits.",
  },
  "portable/first-range": {
    severity: "breaking",
    message: (value: string, most: number) => `\`first\` must be an integer from 1 to ${most}; got ${value}.`,
    fix: "page by a cursor, such as `where: { id_gt: $after }`.",
  },
  "portable/skip-range": {
    severity: "breaking",
    message: (value: string, most: number) => `\`skip\` must be an integer from 0 to ${most}; got ${value}.`,
    fix: "page by a cursor, such as `where: { id_gt: $after }`.",
  },
  "portable/direction-without-order": {
    severity: "cosmetic",
    message: "`orderDirection` is ignored without `orderBy`: rows are ordered by id, ascending.",
    fix: "add `orderBy`, or remove `orderDirection`.",
  },
  "portable/order": {
    severity: "breaking",
    message: (entity: string, name: string, reason: string) =>
      `${entity} cannot be ordered by \`${name}\`: ${reason}.`,
    fix: "order by a column.",
  },
  "portable/mixed-filter": {
    severity: "breaking",
    message: (word: string, others: string) => `One filter object has both \`${word}\` and ${others}.`,
  },
  "portable/nested-child-filter": {
    severity: "breaking",
    message: (name: string) =>
      `\`${name}\` filters by another entity inside a filter that already does; subgraphs allow one level.`,
    fix: `query from the other entity, or ${ONE_STYLE}`,
  },
  "portable/null-filter": {
    severity: "breaking",
    message: (name: string) => `\`${name}\` cannot be null.`,
    fix: "leave the condition out. Only `f: null` and `f_not: null` of a field `f` compare with null.",
  },
  "portable/empty-not-in": {
    severity: "breaking",
    message: (name: string) =>
      `\`$${name}\` of a \`_not_in\` is an empty list by default, which may match no row or every row.`,
    fix: "remove the default.",
  },
  "portable/pattern": {
    severity: "breaking",
    message: (name: string, reason: string) => `\`${name}\` ${reason}.`,
    fix: "compare whole values, or use `_contains`.",
  },
  "portable/bad-number": {
    severity: "breaking",
    message: (value: string, type: string) => `Indexers do not all parse ${value} as the same \`${type}\`.`,
    fix: 'write digits only, and quote a number of more than 64 bits: "18446744073709551616".',
  },
  "portable/list-filter": {
    severity: "breaking",
    message: (name: string, reason: string) => `\`${name}\` ${reason}.`,
    fix: "use `_contains`, or write the list out in brackets.",
  },
  "portable/change-block": {
    severity: "breaking",
    message: (name: string, style: StyleName) =>
      `\`${name}\` filters by the block of a change, which ${style} style does not record.`,
    fix: `leave it out, or ${ONE_STYLE}`,
  },
  "portable/bad-bytes": {
    severity: "breaking",
    message: (value: string, reason: string) => `${value} is not valid as bytes: ${reason}.`,
    fix: "write 0x and two hexadecimal digits for each byte.",
  },
  "portable/id-form": {
    severity: "breaking",
    message: (value: string, reason: string) => `${value} ${reason}.`,
    fix: "compare whole ids (`id`, `id_not`, `id_in`), written as subgraphs write them, or as a variable.",
  },
  "portable/nullable-variable": {
    severity: "breaking",
    message: (name: string) => `\`$${name}\` may be null, but the comparison needs a value.`,
  },
  "portable/variable-type": {
    severity: "breaking",
    message: (name: string, type: string, reason: string) => `\`$${name}: ${type}\` ${reason}.`,
    fix: `write the value out, or ${ONE_STYLE}`,
  },
  "portable/unused-variable": {
    severity: "cosmetic",
    message: (name: string) => `\`$${name}\` is not used, and not sent.`,
    fix: "remove it, or use it.",
  },
  "portable/reserved-name": {
    severity: "breaking",
    message: (what: string) => `${what} is reserved by Lockflow.`,
    fix: "rename it.",
  },
  "portable/directive": {
    severity: "breaking",
    message: (name: string, isTwice: boolean) =>
      isTwice ? `\`@${name}\` is used twice on one node.` : `\`@${name}\` is not allowed here.`,
    fix: `use \`@skip\` and \`@include\` once on a field or a fragment; for another directive, ${ONE_STYLE}`,
  },
  "portable/all-conditional": {
    severity: "breaking",
    message: (where: string) => `Everything in ${where} may be skipped.`,
    fix: "select `id` without a condition.",
  },
  "portable/no-chain-path": {
    severity: "breaking",
    message: (entity: string) => `No path of required references leads from ${entity} to a chain.`,
  },
  "portable/ambiguous-field": {
    severity: "breaking",
    message: (field: string) =>
      `The name of the field \`${field}\` ends like an operator, so filters by it are misread.`,
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
      `\`${key}\` looks up a row without its \`chainId\`. In multichain style, clients other than lockflow-client may get a row of another chain.`,
    fix: "select `chainId`.",
  },
  "portable/internal": {
    severity: "breaking",
    message: (style: StyleName, said: string) => `The text compiled for ${style} style is not valid: ${said}`,
    fix: "report it with the output of `lockflow compile <operation> --json`.",
  },
} as const satisfies Readonly<Record<string, Code>>;

const BOTH: readonly StyleName[] = ["multichain", "subgraph"];

/** The styles that a code comes from. A protocol that is not deployed in all of them does not get its findings. */
export const CAUSES: ReadonlyMap<keyof typeof PORTABLE, readonly StyleName[]> = new Map([
  ["portable/not-in-multichain", ["multichain"]],
  ["portable/type-differs", BOTH],
  ["portable/interface", ["multichain"]],
  ["portable/past-block", ["multichain"]],
  ["portable/subgraph-error", ["multichain"]],
  ["portable/decimal", BOTH],
  ["portable/change-block", ["multichain"]],
  ["portable/nullable-variable", ["multichain"]],
  ["portable/no-chain-path", ["multichain"]],
  ["portable/unscoped-lookup", ["multichain"]],
]);
