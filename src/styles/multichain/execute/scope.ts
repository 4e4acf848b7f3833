import type { FragmentDefinitionNode } from "graphql";
import type { Catalog } from "./catalog.ts";
import type { QueryFault } from "./fault.ts";
import type { Input } from "./input.ts";

/** What is known while one request is planned. */
export type Scope = {
  readonly catalog: Catalog;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: ReadonlyMap<string, Variable>;
  /** The most rows a list holds, whatever `limit` says (C.1). */
  readonly rowCap: number;
  /**
   * Keeps a fault that only the database would find. Validation of the whole request comes before it (D.3),
   * so the first one kept is thrown when planning is over.
   */
  readonly postpone: (fault: QueryFault) => void;
};

export type Variable = {
  readonly name: string;
  /** The declared type as a type expression. */
  readonly type: string;
  readonly hasDefault: boolean;
  /** Undefined when neither the request nor a default gives one. */
  readonly value: Input | undefined;
};
