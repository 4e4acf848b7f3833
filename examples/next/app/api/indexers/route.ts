import { StreamById, StreamsByParticipant } from "lockflow-operations/lockup/portable";
import { createProxy } from "lockflow-operations/proxy";

/** What the page asks goes through here: the key stays on the server, and nothing else can be asked. */
export const POST = createProxy({ operations: [StreamById, StreamsByParticipant] });
