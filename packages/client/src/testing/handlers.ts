import type { WebResponse } from "../proxy/web.ts";
import { type Answers, answerBody, type TestProject } from "./answering.ts";

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
  const resolve: Resolver = async ({ request }) => answerBody(project, answers, await request.text());
  return [http.post(url, resolve)];
}

/** The URL of the proxy, as the client requests it, and `http` of MSW. */
type MockedProxy<Handler> = { readonly http: HttpMocks<Handler>; readonly url: string };
