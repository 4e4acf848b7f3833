import type { Signal } from "../requests/platform.ts";

/** The platform's `Request`; in a project without its type, a minimal one. */
export type WebRequest = typeof globalThis extends { Request: { prototype: infer Known } }
  ? Known
  : MinimalRequest;

/** The platform's `Response`, likewise. */
export type WebResponse = typeof globalThis extends { Response: { prototype: infer Known } }
  ? Known
  : { readonly status: number; text(): Promise<string> };

/** The members of a request that the proxy uses. */
export type MinimalRequest = {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): BodyReader } | null;
  readonly signal?: Signal | undefined;
};

type BodyReader = {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
  cancel(): Promise<void>;
};

/** The options of a response. */
type ResponseOptions = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What the source of a stream does. */
type Source = {
  readonly start: (controller: StreamController) => void;
  readonly pull: (controller: StreamController) => Promise<void>;
  readonly cancel: () => void;
};

type StreamController = {
  readonly desiredSize: number | null;
  enqueue(bytes: Uint8Array): void;
  error(reason: unknown): void;
  close(): void;
};

type Web = {
  readonly Response: new (body: unknown, options: ResponseOptions) => WebResponse;
  readonly ReadableStream: new (source: Source, strategy: { readonly highWaterMark: number }) => unknown;
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new () => {
    decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string;
  };
  readonly Headers: new (values: unknown) => Iterable<readonly [name: string, value: string]>;
  readonly URL: new (
    url: string,
  ) => { readonly host: string; readonly hostname: string; readonly pathname: string };
};

/** The members of the platform that the proxy uses. */
export const web: Web = globalThis as unknown as Web;
