import { request } from "graphql-request";
import { StreamsByRecipientDocument } from "lockflow-operations/lockup/subgraph";

const url = "http://127.0.0.1:4350/testing/protocol-lockup-mainnet";
const recipient = "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac";
console.log(await request(url, StreamsByRecipientDocument, { recipient }));
