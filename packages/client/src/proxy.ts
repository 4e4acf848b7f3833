export { createProxy, type ProxyOptions } from "./proxy/create-proxy.ts";
export type { AnyOperation } from "./proxy/parse-call.ts";
export type { WebRequest, WebResponse } from "./proxy/web.ts";
