import { Client, fetchExchange } from "@urql/core";
import { StreamsByRecipientDocument } from "protocol/style";

const url = "http://127.0.0.1:4350/deployment";
const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false });
const recipient = "0x…";
const { data, error } = await client.query(StreamsByRecipientDocument, { recipient });
console.log(error ?? data?.streams);
