export type { AnyOperation } from "./client/forward.ts";
export { createProxy, type ProxyOptions } from "./proxy/create-proxy.ts";
export type { WebRequest, WebResponse } from "./proxy/web.ts";
