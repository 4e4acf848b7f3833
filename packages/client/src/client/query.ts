import type { Project } from "../manifest/project.ts";
import { type Chain, findKey } from "./chain-ref.ts";
import type { Client } from "./client-options.ts";
import { type EachOptions, each } from "./each.ts";
import { mapVariables } from "./map-variables.ts";
import type { Row } from "./merged.ts";
import { platform, type Signal } from "./platform.ts";
import type { Given, Kind, PortableOperation } from "./portable-operation.ts";
import { firstPlace, type PageOptions, type PageRead, type Place, readPage } from "./read-page.ts";
import { type RunOptions, run } from "./run.ts";
import type { Settled, Success } from "./settled.ts";

/** What a library that keeps answers needs to know of a question: TanStack Query takes it as it is. */
export type Query<T, Context> = {
  /** The same for equal questions. */
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: Context) => Promise<T>;
  /** The client asks again by itself. */
  readonly retry: false;
};

/** `run` for a library that keeps answers: `useQuery(query(client, StreamById, { id }, { chain }))`. */
export function query<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: RunOptions<T[P]>,
): Query<Success<R, Chain<T[P]>>, { readonly signal: Signal }> {
  return {
    queryKey: keyOf(operation, variables, findKey(client, options.chain), options),
    queryFn: (context) => run(client, operation, variables, { ...options, signal: either(options, context) }),
    retry: false,
  };
}

/** `each` for a library that keeps answers. */
export function queryEach<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: EachOptions<T[P], R>,
): Query<readonly Settled<R, Chain<T[P]>>[], { readonly signal: Signal }> {
  const { chains } = options;
  const isWord = chains === "all" || chains === "mainnets";
  const where = isWord ? chains : [chains].flat().map((chain) => findKey(client, chain));
  return {
    queryKey: keyOf(operation, variables, where, {}),
    queryFn: (context) =>
      each(client, operation, variables, { ...options, signal: either(options, context) }),
    retry: false,
  };
}

/** `pages` for a library that keeps answers and asks for the next page itself: `useInfiniteQuery(queryPages(…))`. */
export function queryPages<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: PageOptions<T[P]>,
): Query<PageRead<Row<R>>, { readonly signal: Signal; readonly pageParam: Place }> & {
  readonly initialPageParam: Place;
  readonly getNextPageParam: (last: PageRead<Row<R>>) => Place | null;
} {
  const { chain, size = 1000, after } = options;
  return {
    queryKey: [...keyOf(operation, variables, findKey(client, chain), options), "pages", size, after ?? null],
    queryFn: (context) =>
      readPage(
        client,
        operation,
        variables,
        { ...options, signal: either(options, context) },
        context.pageParam,
      ),
    initialPageParam: firstPlace(options),
    getNextPageParam: ({ next }) => next,
    retry: false,
  };
}

/** Equal for equal questions: variables are as they are sent. What is usual is left out. */
function keyOf<P extends string, R, V>(
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  where: unknown,
  { style, block, maxLag }: Partial<RunOptions>,
): readonly unknown[] {
  let own: unknown;
  try {
    own = mapVariables(operation, "subgraph", variables);
  } catch (error) {
    // Who asks is told so; a key is made while a page is rendered.
    own = String(error);
  }
  const rest = [style, block, maxLag].some((one) => one !== undefined) ? [{ style, block, maxLag }] : [];
  return ["lockflow", operation.protocol, operation.name, where, own, ...rest];
}

/** Aborted as soon as either is. */
function either(
  { signal }: { readonly signal?: Signal | undefined },
  context: { readonly signal: Signal },
): Signal {
  return signal ? platform.AbortSignal.any([signal, context.signal]) : context.signal;
}
