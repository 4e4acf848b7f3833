import { StreamsByRecipientDocument } from "protocol/style.strings";

const url = "http://127.0.0.1:4350/deployment";
const recipient = "0x…";
const body = JSON.stringify({ query: StreamsByRecipientDocument, variables: { recipient } });
const headers = { "content-type": "application/json" };
const response = await fetch(url, { method: "POST", headers, body });
const { data, errors } = JSON.parse(await response.text());
console.log(errors ?? data.streams);
