import type { BlockRef, Client } from "../../packages/client/src/client/client-types.ts";
import { UsageError } from "../base/errors.ts";
import { type Environment, IS_PER_CHAIN, STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import { openClient, shareClient, usualEnvironment } from "../fleet/open-client.ts";
import { openProject, type ProjectOptions } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { hasHost } from "../project/variables.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { askChains } from "./ask-chains.ts";
import { createHeadReader } from "./ask-pages.ts";
import type { AskChainsOptions, AskedChain, AskedRows, LogBatch, PagePlace } from "./asked-rows.ts";
import { toExact } from "./coerce-value.ts";
import type { LoggedQuestion } from "./export/log-state.ts";
import { identifyQuestion } from "./identify-question.ts";
import { createBlockFinders, type ListedBlock, type PastBlocks, resolvePast } from "./past-blocks.ts";
import { prepareQuestions, type Question } from "./prepare-question.ts";
import type { ReadLogOptions } from "./read-chain.ts";
import { readLog } from "./read-log.ts";
import type { Column, Field } from "./rows.ts";

/** Prepares a question: see `ask` of `src/index.ts`. */
export async function ask({ operation, ...options }: AskOptions): Promise<Asked> {
  const { asked } = await askTogether({ ...options, operations: [operation], isLogged: false });
  return asked[0] as AskedQuestion;
}

/** Prepares questions that share a client, and the requests for heads. */
export async function askTogether({ operations, isLogged, ...options }: AskTogetherOptions) {
  const { cwd, protocol = null, chains, variables = {}, texts = [], block, at, blocks } = options;
  const { pages = false, follow = false, confirmations = 0, now = Date.now() } = options;
  const inPast =
    (pages && confirmations > 0 && "confirmations") || (at !== undefined && "--at") || (blocks && "--blocks");
  // Only subgraphs have past blocks.
  const style = options.style ?? (inPast ? "subgraph" : null);
  if (inPast && style !== null && !IS_PER_CHAIN[style]) {
    throw new UsageError({
      sentence: `${inPast} needs subgraphs, because multichain indexers only have their last block.`,
      hint: "omit the style.",
    });
  }
  // The chains belong to the question: they do not narrow the project.
  const { config, concurrency, timeout } = options;
  const project = await openProject({ cwd, config, concurrency, timeout });
  const past = resolvePast({ at, blocks, now }, project.chains);
  const questions = await prepareQuestions(openWorkspace(project), {
    operations,
    cwd,
    protocol,
    style,
    isLogged,
    chains: chains.map(String),
    variables: { texts, values: toExact(variables) as Readonly<Record<string, unknown>> },
    usesPages: pages || follow,
    isAsOfBlock: block !== undefined,
    now,
    past,
    units: options.units ?? false,
  });
  const share = shareQuestions(project, { ...options, past }, questions);
  return {
    asked: questions.map((question) => createAsked(question, { project, options, share })),
    /** Opens the client before the first rows; it stays open until the returned function is called. */
    open: async () => (await share()).close,
  };
}

/** Returns a function that opens the client of questions for one more user. */
function shareQuestions(
  project: Project,
  options: AskingOptions & { readonly past: PastBlocks | null },
  questions: readonly Question[],
) {
  const { env, emulator = false, maxLag, environment = "production", onNotice = () => {}, past } = options;
  const protocols = [...new Set(questions.map(({ protocol }) => protocol))];
  return shareClient(async () => {
    const clientOptions = { env, environment, useEmulator: emulator, styles: STYLE_NAMES, maxLag };
    const opened = await openClient(project, protocols, { ...clientOptions, freshness: true });
    if (opened.emulated !== null) onNotice(opened.emulated);
    for (const { notices } of questions) notices.forEach(onNotice);
    const findersOf = past && createBlockFinders(past, onNotice);
    return { ...opened, readHead: createHeadReader(), sharesBlocks: questions.length > 1, findersOf };
  });
}

function createAsked(
  question: Question,
  context: {
    readonly project: Project;
    readonly options: AskingOptions;
    readonly share: ReturnType<typeof shareQuestions>;
  },
): AskedQuestion {
  const { project, options, share } = context;
  const { env, emulator = false, block, follow = false, onNotice = () => {} } = options;
  const { confirmations = 0 } = options;
  const useEmulator = emulator || !hasHost(project, env);
  const { operation, styles, freshness, shape } = question;
  const usual = useEmulator ? "production" : usualEnvironment(project, operation.protocol, env);
  const environment = options.environment ?? usual;
  return {
    operation: operation.name,
    protocol: operation.protocol,
    chains: question.chains,
    columns: question.columns,
    fields: question.fields,
    chainKey: question.chainKey,
    isRecord: shape.list === null && question.chainKey === null,
    canBePaged: operation.page !== undefined,
    isOfAllChains: question.isUnscoped,
    identity: identifyQuestion(question, {
      block,
      source: useEmulator ? "emulator" : "hosts",
      environment,
    }),
    isAppendable: operation.page?.direction === "asc" && operation.page.cursor !== "id",
    isCursor: (text, feed) => isCursor(question, text, feed),
    rows: ({ signal, places = new Map(), done = new Set<string>(), onChain = () => {} } = {}) =>
      send(signal, (client, shared) =>
        askChains({ ...client, freshness }, question, {
          ...shared,
          signal,
          confirmations,
          from: places,
          done,
          onChain,
          follow: follow ? { confirmations, onNotice } : null,
        }),
      ),
    log: (logOptions) =>
      send(logOptions.signal, (client, shared) =>
        readLog({ ...client, freshness: true }, question, {
          ...logOptions,
          ...shared,
          confirmations: options.confirmations,
        }),
      ),
  };

  /** Yields rows while the client is open. */
  async function* send<T>(
    signal: AbortSignal | undefined,
    read: (client: Client, shared: SharedOptions) => AsyncGenerator<T, void, undefined>,
  ): AsyncGenerator<T, void, undefined> {
    const { close, readHead, sharesBlocks, findersOf, ...opened } = await share();
    try {
      const client = { ...opened.client, environment, styles };
      const past = findersOf?.(client, question.clock, signal);
      yield* read(client, { readHead, sharesBlocks, block, past });
    } finally {
      await close();
    }
  }
}

type SharedOptions = Required<Pick<AskChainsOptions, "readHead" | "sharesBlocks">> &
  Pick<AskChainsOptions, "block" | "past">;

/** Returns whether the client accepts a text of a state as a cursor. */
export function isCursor({ operation, changes }: Question, text: string, feed: string | null): boolean {
  const list = feed === null ? operation : feed === changes?.name ? changes.feed : null;
  if (list?.page?.kind === "number") return /^-?\d+$/.test(text);
  const read = list?.variables?.[list.page?.after ?? ""];
  try {
    return typeof read !== "function" || read(text, "") !== undefined;
  } catch {
    return false;
  }
}

type AskingOptions = Omit<AskOptions, "operation">;

/** The options of `askTogether`. */
export type AskTogetherOptions = AskingOptions & {
  /** The operations, each as in `ask`. */
  readonly operations: readonly string[];
  /** Whether the rows go to logs. */
  readonly isLogged: boolean;
};

/** A prepared question whose rows may go to a log. */
export type AskedQuestion = Asked & {
  readonly isCursor: LoggedQuestion["isCursor"];
  /** Asks for the rows that a log does not have yet. */
  readonly log: (
    options: Omit<ReadLogOptions, "confirmations" | "readHead" | "block" | "past">,
  ) => AsyncGenerator<LogBatch, void, undefined>;
};

/** The options of `ask`. */
export type AskOptions = Pick<ProjectOptions, "cwd" | "config" | "concurrency" | "timeout"> & {
  /** Receives notices as text, such as that the emulator is used. @default ignored */
  readonly onNotice?: ((notice: string) => void) | undefined;
  /**
   * The name of an operation; portable operations come first. Or the path of a file with one operation, from `cwd`, in
   * the subgraph style.
   */
  readonly operation: string;
  /** The protocol of the operation. @default the only one that has it */
  readonly protocol?: string | undefined;
  /** Keys or ids of chains, `all` and `mainnets`. */
  readonly chains: readonly (string | number)[];
  /** The variables; big numbers can be bigints or text, and times also dates. @default none */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Further variables, each as `name=value`, read by their types. @default none */
  readonly texts?: readonly string[] | undefined;
  /** The time that times such as `-7d` count from, in milliseconds since 1970. @default Date.now() */
  readonly now?: number | undefined;
  /** Whether to add amounts in whole units of their asset: `depositAmount.units`. @default false */
  readonly units?: boolean | undefined;
  /** Whether to fetch all rows, page by page. @default false */
  readonly pages?: boolean | undefined;
  /** Whether to return new rows as they appear, after those that exist, until the signal is aborted. @default false */
  readonly follow?: boolean | undefined;
  /** How many blocks a row of `follow` or `pages` must have above it. @default 0 */
  readonly confirmations?: number | undefined;
  /** The only style to use. @default both, multichain first */
  readonly style?: StyleName | undefined;
  /** The block of the answers; only subgraphs can query past blocks. @default the latest */
  readonly block?: BlockRef<number> | undefined;
  /**
   * The time of the answers: those of each chain are of its last change at or before it. Seconds since 1970, or text such
   * as `2025-06-30T00:00Z`. Only subgraphs have past blocks. @default the latest
   */
  readonly at?: number | string | undefined;
  /** The block of each chain, instead of the one that its indexer finds for `at`. @default none */
  readonly blocks?: readonly ListedBlock[] | undefined;
  /** Maximum lag of an answer in seconds. @default no limit */
  readonly maxLag?: number | undefined;
  /** The environment of subgraph URLs. @default production; testing if only testing URLs are configured */
  readonly environment?: Environment | undefined;
  /** Uses the emulator on this machine even if a host is configured. Without a host it is used anyway. @default false */
  readonly emulator?: boolean | undefined;
  /** The variables of keys, hosts and proxies, such as `process.env`. No other variables are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** A prepared question. */
export type Asked = {
  /** The name of the operation. */
  readonly operation: string;
  /** The key of its protocol. */
  readonly protocol: string;
  /** The keys of its chains, in their order. */
  readonly chains: readonly string[];
  /** The columns of the rows, by the selection. */
  readonly columns: readonly Column[];
  /** The fields of the rows, with those of references and lists below them. */
  readonly fields: readonly Field[];
  /** The column of the chain, which is not of the selection; null if one chain was named. */
  readonly chainKey: string | null;
  /** Whether the answer is one object or null. */
  readonly isRecord: boolean;
  /** Whether `pages` can read all of its rows. */
  readonly canBePaged: boolean;
  /** Whether the rows are of all chains of the indexer, because nothing filters them by chain. */
  readonly isOfAllChains: boolean;
  /** Whether new rows come after all others, so that a later run can continue after the last one. */
  readonly isAppendable: boolean;
  /** The question by aspect. Rows of questions that differ in an aspect do not belong in one file. */
  readonly identity: Readonly<Record<string, string>>;
  /** Asks, and yields rows as they arrive. A chain that fails does not affect others; `onChain` gets its error. */
  readonly rows: (options?: RowsOptions) => AsyncGenerator<AskedRows, void, undefined>;
};

/** The options of `rows`. */
export type RowsOptions = {
  /** Ends the requests. @default no signal */
  readonly signal?: AbortSignal | undefined;
  /** Where pages continue, by chain: the last `place` of each. @default at the beginning */
  readonly places?: ReadonlyMap<string, PagePlace> | undefined;
  /** The chains whose pages were read to the end. @default none */
  readonly done?: ReadonlySet<string> | undefined;
  /** Called with the result of each chain. @default not called */
  readonly onChain?: ((chain: AskedChain) => void) | undefined;
};
