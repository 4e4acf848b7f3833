import { createClient, run } from "output/client";
import { StreamsByRecipient } from "protocol/portable";

const client = createClient();
const recipient = "0x…";
const { data, style } = await run(client, StreamsByRecipient, { recipient }, { chain: "ethereum" });
console.log(style, data.streams);
