import { sortRows } from "../calls/merged.ts";
import type { BlockRef, BuildPart, Client } from "../client/client-types.ts";
import { IndexerError, type PlainError, throwable } from "../client/indexer-error.ts";
import { IS_SHARED, type Kind, type PortableOperation } from "../client/portable-operation.ts";
import { isObject, sizeOf } from "../client/values.ts";
import type { Routes, StyleName } from "../manifest/manifest-types.ts";
import { findRoute } from "../manifest/routes.ts";
import { createProxy } from "../proxy/create-proxy.ts";
import { type MinimalRequest, type WebRequest, type WebResponse, web } from "../proxy/web.ts";
import { HEALTH } from "../requests/heads.ts";
import type { Fetch, Signal } from "../requests/platform.ts";
import { parseJson } from "../requests/read-answer.ts";
import { convertVariables } from "../variables/map-variables.ts";

/** The project of a test: `routes` of `generated/routes.ts`, and everything that `portable.ts` exports. */
export type TestProject<Module extends object> = {
  readonly routes: Routes;
  readonly operations: Module;
  /** The head of every chain. @default 1_000_000 */
  readonly block?: number | bigint | undefined;
};

/** The request, without its variables. */
export type AnswerContext = {
  readonly chain: string;
  readonly chainId: number;
  readonly style: StyleName;
  /** The requested block; undefined for the last one. */
  readonly block: BlockRef<number> | undefined;
};

/** A function for each operation, which returns its data or throws an `IndexerError`. */
export type Answers<Module extends object> = {
  readonly [Name in keyof Module as Module[Name] extends AnyOperation ? Name : never]?: Module[Name] extends {
    readonly __types?: (variables: infer V) => readonly [infer R, Kind, unknown];
  }
    ? (variables: V, context: AnswerContext) => R | Promise<R>
    : never;
};

type AnyOperation = PortableOperation<string, unknown, never, Kind>;

/**
 * Returns a `fetch` that answers from functions, heads included: for a client, and for one behind a proxy.
 *
 * @example
 * ```ts
 * const fetch = answering({ routes, operations: lockup }, { StreamById: () => ({ stream: null }) });
 * const client = createClient({ fetch });
 * ```
 */
export function answering<Module extends object>(
  project: TestProject<Module>,
  answers: Answers<Module>,
): Fetch {
  return openAnswers(project, answers as UntypedAnswers).fetch;
}

/** Answers clients, and a page as a proxy of such a client does. */
function openAnswers(project: TestProject<object>, answers: UntypedAnswers) {
  const { routes, operations } = project;
  const send = async (_: unknown, init?: { readonly body?: unknown; readonly signal?: Signal }) => {
    const body = String(init?.body);
    const question = parseJson(body);
    if (isObject(question) && "call" in question) return page(body, init?.signal);
    if (!isObject(question) || typeof question["operation"] !== "string") {
      throw new TypeError(
        "answering() needs a client: createClient({ fetch: answering(project, answers) }).",
      );
    }
    const answer = await answerQuestion(project, answers, question as Question).then(
      (data) => ({ data }),
      (error: unknown) => {
        if (!IndexerError.is(error)) throw error;
        return { failure: { ...error.toJSON(), style: question["style"] } };
      },
    );
    return new web.Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  };
  const testClient: Partial<Client> = {
    buildPart: buildQuestion,
    addKeys: () => {},
    readAnswer: (value) => {
      const { data, failure } = value as { readonly data: object; readonly failure?: PlainError };
      if (failure) throw throwable(failure);
      return { data, code: null, messages: [] };
    },
    endpoint: (request) => {
      const found = findRoute(routes, { ...request, environment: undefined });
      const url = "https://indexers.test";
      return found && { url, deployment: found.name, chains: found.chains };
    },
  };
  const fetch = Object.assign(send, { tested: testClient }) as unknown as Fetch;
  const proxy = createProxy(routes, Object.values(operations), { fetch, retries: 0 });
  return { fetch, page };

  function page(text: string, signal?: Signal): Promise<WebResponse> {
    const rest = [new web.TextEncoder().encode(text)];
    const read = async () => {
      const value = rest.pop();
      return value ? { done: false, value } : { done: true };
    };
    const request: MinimalRequest = {
      method: "POST",
      headers: { get: () => "application/json" },
      body: { getReader: () => ({ read, cancel: async () => {} }) },
      signal,
    };
    return proxy(request as unknown as WebRequest);
  }
}

/** A request to an endpoint: it has the name of an operation, but no text. */
type Question = {
  readonly protocol: string;
  readonly operation: string;
  readonly style: StyleName;
  readonly chains: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly block?: BlockRef<number> | undefined;
  readonly heads: boolean;
};

const buildQuestion: BuildPart = ({ operation, variables, block, heads }, style, chains): Question => ({
  protocol: operation.protocol,
  operation: operation.name,
  style,
  chains,
  variables: convertVariables(operation, "subgraph", { variables }),
  block: operation.pinned ? undefined : block,
  heads,
});

type UntypedAnswers = Readonly<
  Record<string, ((variables: object, context: AnswerContext) => unknown) | undefined>
>;

async function answerQuestion(
  { routes, operations, block: head = 1_000_000 }: TestProject<object>,
  answers: UntypedAnswers,
  { protocol, operation: name, style, chains, variables, block, heads }: Question,
): Promise<object> {
  const contexts = chains.map((chain): AnswerContext => {
    const chainId = routes.chains[chain]?.chainId ?? 0;
    return { chain: String(chain), chainId, style, block };
  });
  const tested = Object.values(operations).find(
    (operation: Partial<AnyOperation>) => operation.name === name && operation.protocol === protocol,
  ) as AnyOperation | undefined;
  const answer = tested && answers[name];
  if (name !== HEALTH && !answer) {
    throw new IndexerError("rejected", `The test has no answer for ${name} of ${protocol}.`);
  }
  // Tests have ids in the form of subgraphs.
  if (tested?.answer && IS_SHARED[style])
    throw new IndexerError("not-served", "The test answers as a subgraph.");
  const answered = answer
    ? await Promise.all(contexts.map(async (context) => answer(variables, context) as Promise<object>))
    : [];
  const data = tested ? joinAnswers(tested, answered, variables) : {};
  return heads || name === HEALTH
    ? { ...data, ...HEADS[style](contexts, block?.number ?? Number(head)) }
    : data;
}

/** One answer for several chains: their rows in the operation's order, cut to its size. */
function joinAnswers(
  { list }: AnyOperation,
  answers: readonly object[],
  variables: Readonly<Record<string, unknown>>,
): object {
  const [first = {}, ...others] = answers;
  if (!list || others.length === 0) return first;
  const { key, order } = list;
  const rows = answers.flatMap((data) => (data as Readonly<Record<string, readonly object[]>>)[key] ?? []);
  return { ...first, [key]: sortRows([rows], order, sizeOf(list, variables)) };
}

/** The members of an answer with the heads of its chains, by style. */
const HEADS: Readonly<Record<StyleName, (chains: readonly AnswerContext[], block: number) => object>> = {
  multichain: (chains, block) => ({
    lockflow: chains.map(({ chainId }) => ({
      chain_id: chainId,
      latest_processed_block: block,
      block_height: block,
      timestamp_caught_up_to_head_or_endblock: "2026-01-01T00:00:00Z",
    })),
  }),
  subgraph: ([only], number) => {
    const hash = only?.block?.hash ?? `0x${number.toString(16).padStart(64, "0")}`;
    const timestamp = Math.floor(Date.now() / 1000);
    return { _meta: { block: { number, hash, timestamp }, hasIndexingErrors: false } };
  },
};

/** The object `http` of Mock Service Worker 2. */
export type HttpMocks<Handler> = { post(url: string, resolver: Resolver): Handler };

type Resolver = (info: { readonly request: { text(): Promise<string> } }) => Promise<WebResponse>;

/**
 * Returns handlers for Mock Service Worker that answer the proxy at a URL from functions, heads included.
 *
 * @example
 * ```ts
 * const project = { http, url: "https://app.test/api/indexers", routes, operations: lockup };
 * const worker = setupWorker(...handlers(project, { StreamById: () => ({ stream: null }) }));
 * ```
 */
export function handlers<Module extends object, Handler>(
  { http, url, ...project }: TestProject<Module> & MockedProxy<Handler>,
  answers: Answers<Module>,
): Handler[] {
  const { page } = openAnswers(project, answers as UntypedAnswers);
  const resolve: Resolver = async ({ request }) => page(await request.text());
  return [http.post(url, resolve)];
}

/** The URL of the proxy, as the client requests it, and `http` of MSW. */
type MockedProxy<Handler> = { readonly http: HttpMocks<Handler>; readonly url: string };
