/** The query of every client, with the URLs of both styles. */
export type Question = {
  readonly urls: { readonly multichain: string; readonly subgraph: string };
  readonly sender: `0x${string}`;
};

/** The ids of the streams that a client was given. */
export type Answers = { readonly multichain: readonly string[]; readonly subgraph: readonly string[] };
