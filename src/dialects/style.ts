import type { FieldNode, ObjectFieldNode, ValueNode } from "graphql";
import { UsageError } from "../base/errors.ts";
import type { ApiSchema, RootNames } from "./api-schema.ts";
import type { EntityModel } from "./entity-model.ts";
import type { Origin } from "./origin.ts";
import type { PagedList, PortableForm } from "./portable-style.ts";
import type { FieldName } from "./protocol.ts";
import type { RowList } from "./row-list.ts";
import type { StyleName } from "./surface.ts";

/** What the toolkit needs of one GraphQL dialect. A third style is one more folder with the same files. */
export type Style = {
  readonly name: StyleName;
  readonly platform: Platform;
  /**
   * Checks the text of an entity schema as the platform does when it is deployed. `place` names the text in errors.
   *
   * @throws SchemaError with all of the platform's reasons to refuse it.
   */
  readonly validate: (text: string, place: string, options?: DeriveOptions) => Promise<void>;
  /** The API schema the platform makes of an entity model, in the server's own order. */
  readonly derive: (model: EntityModel, options?: DeriveOptions) => ApiSchema;
  /** The type for which all queries of a deployment fail though the platform takes the model, and why; else null. */
  readonly findBreakage: (model: EntityModel) => { readonly name: string; readonly reason: string } | null;
  /** The entity model inside an API schema: `read(derive(model))` gives what the platform shows of the model. */
  readonly read: (schema: ApiSchema) => EntityModel;
  /** Traces coordinates of an API schema back to the models it was derived from: both models, where two are compared. */
  readonly provenance: (models: readonly EntityModel[], roots: RootNames) => Provenance;
  /** The names of what the platform derived from an entity, if the entity had another name. */
  readonly renameDerived: DerivedNames;
  /** Which release of the platform an API schema is of, and what the operator set, as far as it shows. */
  readonly recognize: (schema: ApiSchema) => Recognized;
  readonly capabilities: (schema: ApiSchema) => Capabilities;
  readonly probe: Probe;
  /** Null where the platform orders text by bytes whoever runs it. */
  readonly textOrder: TextOrderProbe | null;
  /** Writes an operation that lists rows. */
  readonly listRows: (list: RowList) => string;
  /** Reads a list at the root of an operation as far as a cursor may page it; null where it says more or less than that. */
  readonly readPagedList: (node: FieldNode) => PagedList | null;
  readonly pitfalls: Pitfalls;
  readonly scalars: ReadonlyMap<string, ScalarFacts>;
  /** How it has operations that are written once for all styles. */
  readonly portable: PortableForm;
};

/** The software that serves the indexers of a style. */
export type Platform = {
  /** The beginning of its releases' full names: `graph-node` of `graph-node-0.44`. */
  readonly name: "graph-node" | "envio";
  /** The releases that can be derived for, oldest first. */
  readonly releases: readonly string[];
  /** The release that was current when the chain data were taken. */
  readonly defaultRelease: string;
  readonly settings: readonly (keyof SchemaSettings)[];
  /** Names of the features that are columns of the platform's own in the tables of entities. */
  readonly ownColumns: ReadonlySet<string>;
  /** How the text of a block string is read, where not as the GraphQL specification says; else null. */
  readonly readBlockString: ((body: string) => string) | null;
};

/** What decides whether a coordinate exists and what it is: parts of models, then features of the platform. */
export type Provenance = (coordinate: string) => readonly Origin[];

/** Renames types and root fields; null for one that the platform did not make of the entity. */
export type DerivedNames = (
  from: string,
  to: string,
) => {
  readonly type: (name: string) => string | null;
  readonly rootField: (name: string) => string | null;
};

/** What an API schema shows of the platform behind it. */
export type Recognized = {
  /** The oldest release it can be of, e.g. `graph-node-0.42`; null when nothing shows it. */
  readonly release: string | null;
  /** Names of the platform's features that show, as origins have them, in code-unit order. */
  readonly features: readonly string[];
  /** What to derive with to get a schema that shows the same: the release and the operator's settings. */
  readonly options: DeriveOptions;
};

export type DeriveOptions = SchemaSettings & {
  /** One of the style's `releases`; by default its `defaultRelease`. */
  readonly release?: string | undefined;
  /** Whether the model was read from an API: scalars may be the API's, and nothing is refused. */
  readonly asRead?: boolean | undefined;
  /** The entities whose API is wanted of a slice; what belongs to others only may be left out. */
  readonly sliceFor?: ReadonlySet<string> | undefined;
  /** False where an API shows no streaming subscriptions (multichain). @default true */
  readonly streams?: boolean | undefined;
  /** The most members worth deriving; of more a style may throw, since references multiply them. */
  readonly most?: number | undefined;
};

/** What the operator of a deployment decided and its schema shows; each style has its own of these, and defaults. */
export type SchemaSettings = {
  /** Entities whose aggregates are public (multichain). @default none */
  readonly aggregates?: readonly string[] | undefined;
  /** Whether entities are kept per chain unless they are `@crossChain` (multichain, since 3.6). @default false */
  readonly perChainEntities?: boolean | undefined;
  /** False where `and` and `or` are switched off (subgraph). @default true */
  readonly boolFilters?: boolean | undefined;
  /** False where ordering by the field of a reference is switched off (subgraph). @default true */
  readonly childSorting?: boolean | undefined;
};

export type { RowList };

/** What can be asked of an indexer, in words that are no dialect's. */
export const CAPABILITIES = [
  "one by id",
  "filter: equal",
  "filter: order",
  "filter: in a list",
  "filter: null",
  "filter: text",
  "filter: lists",
  "filter: relations",
  "filter: and",
  "filter: or",
  "filter: not",
  "filter: changed since",
  "order: one field",
  "order: several fields",
  "order: field of a relation",
  "page",
  "page: of a list field",
  "distinct",
  "aggregates",
  "roll-ups by interval",
  "search",
  "time travel",
  "live updates",
  "progress and health",
] as const;

/** One thing that can be asked of an indexer. */
export type Capability = (typeof CAPABILITIES)[number];

/** How a schema lets each thing be asked, as its dialect writes it; null where it does not. */
export type Capabilities = Readonly<Record<Capability, string | null>>;

/** Where a valid operation of a dialect is refused or answered otherwise than its author means, and nothing says so. */
export type Pitfalls = {
  /** The argument for how many rows a list answers. */
  readonly size: ListArgument & {
    /** How many it answers without the argument; null for all. */
    readonly unsaid: number | null;
  };
  /** The argument for how many rows a list passes over. */
  readonly skip: ListArgument;
  /** The types in which the platform tells how far it is, in one row for each chain. */
  readonly ownTypes: ReadonlySet<string>;
  /** The columns that a list is ordered by, the first first; null where a variable decides. */
  readonly orderOf: (list: FieldNode) => readonly string[] | null;
  /** The key of a filter whose entries have to hold together. */
  readonly conjunction: string;
  /** What an entry of a filter compares a column with, if that is what it does; else null. */
  readonly operandOf: (entry: ObjectFieldNode, column: string, comparison: Comparison) => ValueNode | null;
  /** Writes the entry of a filter that goes on behind a cursor. */
  readonly writeAfter: (cursor: string) => string;
  /** Leaving out what is in a list, and of which rows that is true when the list is empty. */
  readonly exclusion: {
    readonly isOperator: (key: string) => boolean;
    readonly ofNothing: "no row" | "every row";
  };
  /** Whether two texts that differ only in case differ for an operator. */
  readonly comparesCase: (scalar: string, operator: string) => boolean;
};

/** An argument of lists that is a number. */
export type ListArgument = {
  readonly name: string;
  /** The numbers that are not refused, and who refuses the others; null where none is. */
  readonly range: { readonly least: number; readonly most: number; readonly by: string } | null;
};

/** How an entry of a filter compares a column: with one value, with some, or by order. */
export type Comparison = "equal" | "in" | "order";

/** What scalars of the two styles have in common. */
export type ScalarFamily = "text" | "integer" | "number" | "float" | "boolean" | "timestamp" | "json";

export type ScalarFacts = {
  readonly family: ScalarFamily;
  /** The TypeScript type of the JSON that travels, e.g. `string` for a big number. */
  readonly typescript: string;
};

/** Makes the question which chains a deployment serves and how far it is, of what its schema has. */
export type Probe = (schema: ApiSchema, chain: ChainField | null) => Question;

/** Makes the question by which rules a deployment orders text; null where its schema has no text that would tell. */
export type TextOrderProbe = (schema: ApiSchema) => {
  readonly query: string;
  /** Reads the answer's `data`, which is hostile input. */
  readonly parse: (data: unknown) => TextOrder;
} | null;

/** By the bytes of UTF-8, by a language's rules, or so that the rows which were seen do not tell. */
export type TextOrder = "bytes" | "language" | "unknown";

/** The field that holds the chain's id, in the one row that its entity has for each chain. */
export type ChainField = FieldName;

/** What is asked of a deployment, and how its answer is read. */
export type Question = {
  readonly query: string;
  /** Reads the answer's `data`, which is hostile input; what is missing or malformed is null. */
  readonly parse: (data: unknown) => ProbeReading;
};

export type ProbeReading = {
  /** The ids of the chains that are really served; null when the deployment does not say. */
  readonly chainIds: readonly number[] | null;
  /** The last block indexed, per chain where the style knows it (`chainId` null where it does not). */
  readonly heads: readonly {
    readonly chainId: number | null;
    readonly block: number;
    /** When the block was made, in Unix seconds; left out where the style does not say. */
    readonly timestamp?: number;
  }[];
  readonly hasIndexingErrors: boolean;
  /** What the platform calls the deployment, one name for each; null where it gives none. */
  readonly deployment: string | null;
};

/**
 * The known release of a platform that a name means, `graph-node-0.41.2` or `0.41.2`: the greatest one not above it. Null
 * for a version newer or older than all known ones; a patch of the newest release is that release.
 *
 * @param platform its releases, oldest first.
 */
export function resolveRelease(
  name: string,
  platform: { readonly name: string; readonly releases: readonly string[] },
): string | null {
  const version = name.startsWith(`${platform.name}-`) ? name.slice(platform.name.length + 1) : name;
  if (!/^\d+(?:\.\d+){0,3}$/.test(version)) return null;
  const release = platform.releases.findLast((one) => compareVersions(one, version) <= 0);
  const parts = numbers(version);
  const isPatch = numbers(release ?? "").every((part, index) => part === (parts[index] ?? 0));
  return release !== undefined && (isPatch || release !== platform.releases.at(-1)) ? release : null;
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return version.split(".").map(Number);
}

/**
 * Resolves the release of a platform that a name means.
 *
 * @throws UsageError for one that the platform does not have.
 */
export function requireRelease(name: string, platform: Platform): string {
  const release = resolveRelease(name, platform);
  if (release !== null) return release;
  throw new UsageError({
    sentence: `${platform.name} has no release "${name}".`,
    hint: `the releases are ${platform.releases.join(", ")}.`,
  });
}
