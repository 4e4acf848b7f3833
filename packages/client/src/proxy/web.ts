import type { forward } from "./forward.ts";

/** The platform's `Request`; to a project that does not know its type, what is used of it. */
export type WebRequest = typeof globalThis extends { Request: { prototype: infer Known } } ? Known : Asked;

/** The platform's `Response`, likewise. */
export type WebResponse = typeof globalThis extends { Response: { prototype: infer Known } }
  ? Known
  : { readonly status: number; text(): Promise<string> };

/** What is used of a request. */
export type Asked = {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): BodyReader } | null;
  readonly signal?: Parameters<typeof forward>[3];
};

type BodyReader = {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
  cancel(): Promise<void>;
};

/** How a response is described. */
type Described = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

type Web = {
  readonly Response: new (body: string | null, described: Described) => WebResponse;
  readonly TextDecoder: new () => {
    decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string;
  };
  readonly Headers: new (values: unknown) => Iterable<readonly [name: string, value: string]>;
  readonly URL: new (
    url: string,
  ) => { readonly host: string; readonly hostname: string; readonly pathname: string };
};

/** What is used of the platform. */
export const web: Web = globalThis as unknown as Web;
