import { StreamsByRecipientDocument } from "lockflow-operations/lockup/subgraph.strings";

const url = "http://127.0.0.1:4350/testing/protocol-lockup-mainnet";
const recipient = "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac";
const body = JSON.stringify({ query: StreamsByRecipientDocument, variables: { recipient } });
const headers = { "content-type": "application/json" };
const response = await fetch(url, { method: "POST", headers, body });
const { data, errors } = JSON.parse(await response.text());
console.log(errors ?? data.streams);
