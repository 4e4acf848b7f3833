import { createClient, merged } from "lockflow-operations/client";
import { decodeRecentStreams, RecentStreams } from "lockflow-operations/lockup/portable";
import { connection } from "next/server";
import { Suspense } from "react";
import { Participant } from "./participant";
import { StreamTable } from "./stream-table";

/** The server queries the indexers itself, with its own key. */
const client = createClient();

export default function Page() {
  return (
    <main>
      <h1>Streams</h1>
      <Suspense fallback={<p>Loading…</p>}>
        <Newest />
      </Suspense>
    </main>
  );
}

async function Newest() {
  // Rendered for each request, not at build time, to show the newest streams.
  await connection();
  const { rows, results, failed } = await merged(
    client,
    RecentStreams,
    { first: 10 },
    { chains: "mainnets" },
  );
  return (
    <>
      <section aria-label="Newest">
        <h2>The newest of {results.length - failed.length} chains</h2>
        {failed.length > 0 && <p role="alert">No answer for {failed.join(", ")}.</p>}
        <StreamTable rows={decodeRecentStreams(rows)} />
      </section>
      <Participant initial={rows[0]?.recipient ?? "0x"} />
    </>
  );
}
