import { isDeepStrictEqual } from "node:util";
import type { OperatorSettings } from "../../../../emulator/styles/served-style.ts";
import { IndexerError } from "../../../../packages/client/src/client/indexer-error.ts";
import { mapVariables } from "../../../../packages/client/src/variables/map-variables.ts";
import { parseEntities } from "../../../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../../../src/dialects/surface.ts";
import type { CompiledOperation } from "../../../../src/operations/portable/compiled-operation.ts";
import type { PortableContext } from "../../../../src/operations/portable/read-entities.ts";
import type { Finding } from "../../../../src/report/finding.ts";
import { type EntityFacts, readFacts } from "../../../emulator/agreement/facts.ts";
import { type Answer, type Ask, type Releases, serveBoth } from "../../../emulator/agreement/serve-both.ts";
import type { Tables } from "../../../emulator/agreement/tables.ts";
import type { Document } from "../../../emulator/agreement/write-document.ts";
import { compileText, contextOf } from "../compile-text.ts";
import type { RandomOperation } from "./dress-operation.ts";
import { buildOperations, type Loaded, textsOf } from "./load-operations.ts";
import { readAnswer } from "./read-answer.ts";
import { joinTables, putOnChain } from "./rows-on-chains.ts";

type Variables = Readonly<Record<string, unknown>>;

/** How both styles are served and queried. */
export type WorldOptions = {
  readonly releases?: Releases;
  readonly settings?: OperatorSettings;
  readonly chainPath?: Readonly<Record<string, string>>;
  /** Whether each request also selects the head block, like requests of the client. */
  readonly withHead?: boolean;
};

/** A compiled operation with the values of its variables. */
export type Portable = {
  readonly compiled: CompiledOperation;
  readonly loaded: Loaded;
  readonly variables: Variables;
};

/**
 * The result of both styles: rows, no rows, an error of both, variables that are rejected before sending, or JSON numbers
 * that lost digits, which the client rejects.
 */
export type Outcome = "rows" | "nothing" | "error" | "refused" | "lost";

/** Two indexers of the same entities, one of them with more chains, and all steps from an operation to its answers. */
export type World = {
  readonly facts: ReadonlyMap<string, EntityFacts>;
  readonly context: PortableContext;
  /** Replaces the rows of both: the subgraph gets those of chain 1, multichain those of two chains. */
  readonly replace: (tables: Tables) => void;
  /** The rows of tables that the subgraph gets. */
  readonly onChain: (tables: Tables) => Tables;
  /** Compiles operations; each is portable or not. */
  readonly compile: (operations: readonly RandomOperation[]) => {
    readonly portable: readonly Portable[];
    readonly refused: readonly Finding[];
  };
  /** The requests to both styles; null if the variables are rejected before. */
  readonly requests: (portable: Portable) => Requests | null;
  /** Both answers as the client reads them. */
  readonly read: (answers: Answers, portable: Portable) => Answers;
  /** The raw answer of the multichain indexer. */
  readonly askMultichain: Ask;
  /** The answers of the subgraph and of the multichain indexer, as the client reads them. */
  readonly ask: (portable: Portable) => Answers | null;
};

/** Two answers. */
export type Answers = readonly [subgraph: Answer, multichain: Answer];

type Requests = readonly [subgraph: Document, multichain: Document];

const CHAIN = 1;
const OTHER_CHAIN = 10;

/** Creates a world of an entity schema. */
export function createWorld(entities: string, options: WorldOptions = {}): World {
  const { releases = {}, settings = {}, chainPath = {}, withHead = false } = options;
  const facts = readFacts(parseEntities(entities, "test.graphql"));
  const context = contextOf(entities, {
    multichain: { release: releases.multichain ?? "3.8" },
    subgraph: { release: releases.subgraph ?? "0.45" },
    chainPath,
  });
  const one = serveBoth(entities, new Map(), settings, releases);
  const all = serveBoth(entities, new Map(), settings, releases);
  return {
    facts,
    context,
    onChain: (tables) => putOnChain(tables, CHAIN, facts),
    replace: (tables) => {
      one.replace(putOnChain(tables, CHAIN, facts));
      all.replace(joinTables([CHAIN, OTHER_CHAIN].map((chain) => putOnChain(tables, chain, facts))));
    },
    compile: (operations) => {
      const { operations: compiled, findings } = compileText(
        operations.map(({ query }) => query).join("\n\n"),
        context,
      );
      const loaded = buildOperations(compiled, context, textsOf(compiled));
      const portable = operations.flatMap(({ name, variables }): Portable[] => {
        const found = loaded.get(name);
        const own = compiled.find((operation) => operation.name === name);
        return found && own ? [{ compiled: own, loaded: found, variables }] : [];
      });
      return { portable, refused: findings.filter(({ severity }) => severity === "breaking") };
    },
    requests,
    read,
    askMultichain: all.multichain,
    ask: (portable) => {
      const sent = requests(portable);
      return sent && read([one.subgraph(sent[0]), all.multichain(sent[1])], portable);
    },
  };

  function requests({ loaded, variables }: Portable): Requests | null {
    const map = (style: StyleName): Variables => mapVariables(loaded, style, variables as never, [CHAIN]);
    try {
      return [
        { query: withMeta(loaded.subgraph, metaAt(loaded.at ?? "$block")), variables: map("subgraph") },
        { query: withMeta(loaded.multichain, CHAINS), variables: map("multichain") },
      ];
    } catch (error) {
      if (error instanceof IndexerError && error.code === "invalid-variables") return null;
      throw error;
    }
  }

  function read([subgraph, multichain]: Answers, { loaded }: Portable): Answers {
    return [withoutHead(subgraph, "_meta"), readAnswer(withoutHead(multichain, "lockflow"), loaded, CHAIN)];
  }

  /** Adds the selection of the head block at the end of the operation, which is printed before its fragments. */
  function withMeta(text: string, meta: string): string {
    return withHead ? text.replace("\n}", `\n  ${meta}\n}`) : text;
  }

  function withoutHead(answer: Answer, key: string): Answer {
    if (!withHead || answer.data === undefined) return answer;
    const { [key]: head, ...data } = answer.data;
    if (head === undefined) throw new Error(`No ${key}: ${JSON.stringify(answer)}`);
    return { ...answer, data };
  }
}

const metaAt = (block: string) => `_meta(block: ${block}) { block { number hash } hasIndexingErrors }`;
const CHAINS = `lockflow: chain_metadata(where: { chain_id: { _in: [${CHAIN}] } }) { chain_id }`;

/** Classifies two answers; null if they differ. */
export function judge(answers: Answers | null): Outcome | null {
  if (answers === null) return "refused";
  const [subgraph, multichain] = answers;
  if (subgraph.errors === undefined && multichain.errors?.[0]?.message.startsWith("an invalid number")) {
    return "lost";
  }
  if (subgraph.errors !== undefined || multichain.errors !== undefined) {
    return subgraph.errors !== undefined && multichain.errors !== undefined ? "error" : null;
  }
  if (!isDeepStrictEqual(subgraph.data, multichain.data)) return null;
  const hasRows = Object.values(subgraph.data ?? {}).some(
    (value) => value !== null && (!Array.isArray(value) || value.length > 0),
  );
  return hasRows ? "rows" : "nothing";
}
