import { servedStyles } from "../../../emulator/styles/index.ts";
import type { ReadView, Row, RowStore } from "../../../emulator/styles/read-view.ts";
import type { OperatorSettings } from "../../../emulator/styles/served-style.ts";
import type { EntityModel } from "../../../src/dialects/entity-model.ts";
import { styles } from "../../../src/dialects/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../../src/dialects/surface.ts";
import { createRowStore } from "../../support/create-row-store.ts";
import type { Document } from "./write-document.ts";

export type Answer = {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly message: string }[];
};

/** Rows by entity, or a store of them. */
export type Rows = ReadonlyMap<string, readonly Row[]> | RowStore;

export type Ask = (document: Document) => Answer;

export type Both = {
  readonly subgraph: Ask;
  readonly multichain: Ask;
  /** Replaces the rows of both, as a new block does. */
  readonly replace: (rows: Rows) => void;
};

const createExecutor = {
  multichain: await servedStyles.multichain.loadExecutor(),
  subgraph: await servedStyles.subgraph.loadExecutor(),
};

/** The release that serves a style; by default the newest. */
export type Releases = { readonly [S in StyleName]?: string | undefined };

/** The entities of each style, if they differ. */
export type EntitiesOfStyles = { readonly [S in StyleName]: string };

/** Serves a schema and its rows in both styles. Answers are serialized to JSON and parsed again. */
export function serveBoth(
  entities: string | EntitiesOfStyles,
  rows: Rows,
  settings: OperatorSettings = {},
  releases: Releases = {},
): Both {
  const texts = typeof entities === "string" ? { multichain: entities, subgraph: entities } : entities;
  const model = parseEntities(texts.subgraph, "test.graphql");
  // Only graph-node accepts Bytes as the type of an id.
  const textIds = parseEntities(texts.multichain.replaceAll("id: Bytes!", "id: String!"), "test.graphql");
  let view = viewOf(rows);
  const now = () => view;
  return {
    subgraph: serve("subgraph", model, { ...settings, release: releases.subgraph }, now),
    multichain: serve("multichain", textIds, { ...settings, release: releases.multichain }, now),
    replace: (others) => {
      view = viewOf(others);
    },
  };
}

function serve(
  style: StyleName,
  model: EntityModel,
  { release: name, ...settings }: OperatorSettings & { readonly release: string | undefined },
  now: () => ReadView,
): Ask {
  const { deriver, platform } = styles[style];
  const release = name ?? platform.releases.at(-1) ?? "";
  const execute = createExecutor[style]({
    model,
    schema: deriver.derive(model, { ...settings, release }),
    release,
    settings,
    now,
    history: null,
    deploymentHash: "QmTest",
  });
  return ({ query, variables }) =>
    JSON.parse(JSON.stringify(execute({ query, variables, operationName: null }))) as Answer;
}

const HEAD = { number: 10, hash: "0x01", parentHash: "0x00", timestamp: 1_700_000_000 };

function viewOf(rows: Rows): ReadView {
  return {
    store: "find" in rows ? rows : createRowStore(() => rows, 1),
    chains: [
      { chainId: 1, startBlock: 1, earliestBlock: 1, head: HEAD, chainHead: HEAD.number, errorBlock: null },
    ],
  };
}
