/** The type of the global `fetch`; `never` in a project without it. */
type GlobalFetch = typeof globalThis extends { fetch: infer Known extends (...args: never) => unknown }
  ? Known
  : never;

/**
 * The platform's `AbortSignal`. The types of Cloudflare's workers declare it as a class, which is not a member
 * of `globalThis`: there it is the signal that `fetch` takes. A project with neither type gets a minimal one.
 */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : [GlobalFetch] extends [never]
    ? MinimalSignal
    : SignalOf<Parameters<GlobalFetch>[1]>;

type SignalOf<Options> = [NonNullable<Options>] extends [{ signal?: infer Known }]
  ? NonNullable<Known>
  : MinimalSignal;

type MinimalSignal = {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: (event: { readonly target: unknown }) => void): void;
  removeEventListener(type: "abort", listener: (event: { readonly target: unknown }) => void): void;
};

/** The signature of the platform's `fetch`, without the further members that it has in Bun. */
export type Fetch = [GlobalFetch] extends [never]
  ? (url: string, init: FetchOptions) => Promise<FetchResponse>
  : (...request: Parameters<GlobalFetch>) => ReturnType<GlobalFetch>;

/** The headers of a request, and the secrets in their values, which no error may contain. */
export type Headers = { readonly headers: Record<string, string>; readonly secrets: string[] };

/** The values from which the platform creates `Headers`. */
export type HeaderValues = typeof globalThis extends {
  Headers: new (values?: infer Known) => unknown;
}
  ? Known
  : Readonly<Record<string, string>>;

/** The options that the client passes to `fetch`. */
type FetchOptions = {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: "manual";
  readonly signal: Signal;
};

/** The members of a response that the client uses. */
export type FetchResponse = {
  readonly status: number;
  readonly url?: string;
  readonly redirected?: boolean;
  readonly headers: { get(name: string): string | null };
  readonly body?: { getReader(): Reader } | null;
  text(): Promise<string>;
};

type Reader = {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
};

type Platform = {
  readonly fetch: Fetch;
  readonly setTimeout: (done: () => void, milliseconds: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
  readonly AbortController: new () => { readonly signal: Signal; abort(reason?: unknown): void };
  readonly Headers: new (values?: unknown) => Iterable<[name: string, value: string]>;
  readonly TextDecoder: new (
    label?: string,
    options?: { readonly fatal: boolean },
  ) => { decode(bytes: Uint8Array | undefined, options?: { readonly stream: boolean }): string };
  readonly performance: { now(): number };
  readonly URL: new (
    url: string,
    base?: string,
  ) => { readonly host: string; readonly hostname: string; readonly protocol: string };
  readonly process?: { readonly env?: Readonly<Record<string, unknown>> };
  /** In browsers. */
  readonly location?: unknown;
  readonly navigator?: { readonly userAgent?: string };
};

/** The members of the platform that the client uses. */
export const platform: Platform = globalThis as unknown as Platform;

/** Returns milliseconds of a clock that does not jump, unlike the time of day. */
export function readClock(): number {
  return platform.performance.now();
}

/** Whether it is the runtime of Cloudflare's workers. */
export function isWorker(): boolean {
  return platform.navigator?.userAgent === "Cloudflare-Workers";
}

/** The default of `now`. */
export const systemTime = (): number => Date.now();
