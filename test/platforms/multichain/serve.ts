import { parseMultichainRequest } from "../../../emulator/adapters/multichain.ts";
import { createMultichainExecutor } from "../../../emulator/styles/multichain/execute.ts";
import type { RowStore } from "../../../emulator/styles/read-view.ts";
import { deriveMultichain } from "../../../src/dialects/multichain/derive.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { Tables } from "../../emulator/agreement/tables.ts";
import { createRowStore } from "../../support/create-row-store.ts";
import { ENTITIES, FACTS } from "./schema.ts";

/** The answer to a query: rows or aggregates, or an error. */
export type Answer = { readonly data: unknown } | { readonly refused: string };

/** Queries the emulator's executor, which uses the latest given rows. */
export function createEmulated(rowCap: number | null): {
  readonly replace: (tables: Tables) => void;
  readonly ask: (body: string) => Answer;
} {
  const release = "3.8";
  const model = parseEntities(ENTITIES, "test.graphql");
  let store: RowStore = createRowStore(() => new Map(), 1);
  const execute = createMultichainExecutor({
    model,
    schema: deriveMultichain(model, { release, aggregates: [...FACTS.keys()] }),
    release,
    settings: { rowCap },
    now: () => ({ store, chains: [] }),
    history: null,
    deploymentHash: "",
    mostWork: 1e9,
  });
  return {
    replace: (tables) => {
      store = createRowStore(() => tables, 1);
    },
    ask: (body) => {
      const parsed = parseMultichainRequest(body);
      if (!("request" in parsed)) throw new Error(`Not a request: ${body}`);
      const { data, errors } = JSON.parse(JSON.stringify(execute(parsed.request))) as {
        readonly data?: { readonly answer: unknown };
        readonly errors?: readonly [{ readonly message: string }];
      };
      return data === undefined ? { refused: errors?.[0].message ?? "" } : { data: data.answer };
    },
  };
}
