import type { Environment, StyleName } from "../dialects/surface.ts";
import type { ProjectOptions } from "../project/load-project.ts";
import type { BlockRef } from "../runtime/client/inquiry.ts";
import type { AskedChain, AskedRows, PagePlace } from "./ask/ask-chains.ts";
import type { Column } from "./ask/rows.ts";

export type { AskedChain, AskedRows, PagePlace } from "./ask/ask-chains.ts";

export type { Column } from "./ask/rows.ts";

/** Prepares a question: see `ask` of `src/index.ts`. */
export async function ask(options: AskOptions): Promise<Asked> {
  const { openProject } = await import("../project/load-project.ts");
  const { prepareQuestion } = await import("./ask/prepare-question.ts");
  const { openClient, usualEnvironment } = await import("./ask/open-client.ts");
  const { askChains } = await import("./ask/ask-chains.ts");
  const { identifyQuestion } = await import("./ask/open-client.ts");
  const { toExact } = await import("./ask/coerce-value.ts");
  const { hasHost } = await import("../project/variables.ts");
  const { protocol = null, style = null, chains, variables = {}, texts = [], pages = false } = options;
  const { env, emulator = false, maxLag, block, onNotice = () => {} } = options;
  // The chains are those of the question, and not what is left of the project.
  const { cwd, config, concurrency, timeout } = options;
  const project = await openProject({ cwd, config, concurrency, timeout });
  const exact = toExact(variables) as Readonly<Record<string, unknown>>;
  const question = await prepareQuestion(project, {
    ...{ operation: options.operation, cwd, protocol, style },
    chains: chains.map(String),
    variables: { texts, values: exact },
    usesPages: pages,
    isAsOfBlock: block !== undefined,
  });
  const useEmulator = emulator || !hasHost(project, env);
  const { operation, styles, freshness, shape, columns } = question;
  const usual = useEmulator ? "production" : usualEnvironment(project, operation.protocol, env);
  const environment = options.environment ?? usual;
  return {
    operation: operation.name,
    protocol: operation.protocol,
    chains: question.chains,
    columns,
    isRecord: shape.list === null && question.chainKey === null,
    identity: identifyQuestion(question, {
      block,
      source: `${useEmulator ? "emulator" : "hosts"} ${environment}`,
    }),
    rows: async function* ({
      signal,
      places = new Map(),
      done = new Set<string>(),
      onChain = () => {},
    } = {}) {
      const clientOptions = { env, environment, useEmulator: emulator, styles, maxLag, freshness };
      const opened = await openClient(project, operation.protocol, clientOptions);
      try {
        if (opened.emulated !== null) onNotice(opened.emulated);
        question.notices.forEach(onNotice);
        yield* askChains(opened.client, question, { signal, block, from: places, done, onChain });
      } finally {
        await opened.close();
      }
    },
  };
}

/** The options of `ask`. */
export type AskOptions = Pick<ProjectOptions, "cwd" | "config" | "concurrency" | "timeout"> & {
  /** Receives lines for people, such as where an emulator serves. @default ignored */
  readonly onNotice?: ((notice: string) => void) | undefined;
  /**
   * The name of an operation, of which one that is written once comes first; or the path of a file with one, from `cwd`,
   * wherever it is: it is written as for the subgraph style.
   */
  readonly operation: string;
  /** The protocol it is of. @default the only one it can be of */
  readonly protocol?: string | undefined;
  /** Keys or ids of chains, `all` and `mainnets`. */
  readonly chains: readonly (string | number)[];
  /** Its variables; big numbers may be bigints or text. @default none */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Further variables, each as `name=value`, which are read by their types. @default none */
  readonly texts?: readonly string[] | undefined;
  /** Whether to ask for all rows, page after page. @default false */
  readonly pages?: boolean | undefined;
  /** The only style to be asked. @default both, multichain first */
  readonly style?: StyleName | undefined;
  /** The block that answers have to be of, which subgraphs know. @default the last one */
  readonly block?: BlockRef | undefined;
  /** How late an answer may be, in seconds. @default as late as it is */
  readonly maxLag?: number | undefined;
  /** Which URLs of subgraphs are meant. @default production, unless only testing ones are configured */
  readonly environment?: Environment | undefined;
  /** Asks the emulator on this machine, whatever is configured. It is asked as well where no host is. @default false */
  readonly emulator?: boolean | undefined;
  /** The variables that hold keys and hosts, as `process.env` has them. None is read that is not given here. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** A question that is ready to be asked. */
export type Asked = {
  /** The name of the operation. */
  readonly operation: string;
  /** The key of its protocol. */
  readonly protocol: string;
  /** The keys of its chains, in their order. */
  readonly chains: readonly string[];
  /** The columns of its rows, by what it selects. */
  readonly columns: readonly Column[];
  /** Whether the answer is one object, or nothing. */
  readonly isRecord: boolean;
  /** What is asked, by aspect: rows of questions that differ in one do not belong into one file. */
  readonly identity: Readonly<Record<string, string>>;
  /** Asks, and gives rows as they come. A chain that fails spoils no other, and is told by `onChain`. */
  readonly rows: (options?: RowsOptions) => AsyncGenerator<AskedRows, void, undefined>;
};

/** How rows are asked for. */
export type RowsOptions = {
  /** Ends the asking. @default nothing does */
  readonly signal?: AbortSignal | undefined;
  /** Where pages go on, by chain: the last `place` of each. @default at the beginning */
  readonly places?: ReadonlyMap<string, PagePlace> | undefined;
  /** The chains whose pages were read to the end. @default none */
  readonly done?: ReadonlySet<string> | undefined;
  /** Is told what came of each chain. @default nobody is told */
  readonly onChain?: ((chain: AskedChain) => void) | undefined;
};
