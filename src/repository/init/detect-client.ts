/** The library of a package that sends operations, or has those that `fetch` sends in its care. */
export type Client = {
  /** As package.json calls it; `fetch` where there is none. */
  readonly name: string;
  /** What an operation is handed to. */
  readonly sends: "graphql-request" | "apollo" | "urql" | "fetch";
};

const CLIENTS: readonly (readonly [pattern: RegExp, sends: Client["sends"]])[] = [
  [/^graphql-request$/, "graphql-request"],
  [/^@apollo\/client$/, "apollo"],
  [/^(urql|@urql\/core)$/, "urql"],
  [/^@tanstack\/[a-z]+-query$/, "fetch"],
  [/^swr$/, "fetch"],
];

/** Detects the client library of a package by its dependencies. */
export function detectClient(dependencies: ReadonlySet<string>): Client {
  for (const [pattern, sends] of CLIENTS) {
    const name = [...dependencies].find((dependency) => pattern.test(dependency));
    if (name !== undefined) return { name, sends };
  }
  return { name: "fetch", sends: "fetch" };
}
