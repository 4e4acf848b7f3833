import { Client, fetchExchange } from "@urql/core";
import { StreamsByRecipientDocument } from "lockflow-operations/lockup/subgraph";

const url = "http://127.0.0.1:4350/testing/protocol-lockup-mainnet";
const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false });
const recipient = "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac";
const { data, error } = await client.query(StreamsByRecipientDocument, { recipient });
console.log(error ?? data?.streams);
