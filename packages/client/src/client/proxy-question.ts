import type { StyleName } from "../manifest/project.ts";
import type { BlockRef } from "./inquiry.ts";

/** What a client asks of its proxy: the name of an operation, and neither its text nor where it is asked. */
export type ProxyQuestion = {
  readonly protocol: string;
  readonly operation: string;
  readonly style: StyleName;
  /** Keys or ids; several where one endpoint serves them all. */
  readonly chains: readonly (string | number)[];
  /** As the operation has them in both styles. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly block?: BlockRef | undefined;
  /** Whether the answer has to tell its block. */
  readonly heads: boolean;
};
