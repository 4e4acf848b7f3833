export { createProxy, type ProxyOptions } from "./proxy/create-proxy.ts";
export type { AnyOperation } from "./proxy/forward.ts";
export type { WebRequest, WebResponse } from "./proxy/web.ts";
