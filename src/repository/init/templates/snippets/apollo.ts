import { ApolloClient, HttpLink, InMemoryCache } from "@apollo/client";
import { StreamsByRecipientDocument } from "lockflow-operations/lockup/subgraph";

const link = new HttpLink({ uri: "http://127.0.0.1:4350/testing/protocol-lockup-mainnet" });
const client = new ApolloClient({ link, cache: new InMemoryCache() });
const recipient = "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac";
const { data } = await client.query({ query: StreamsByRecipientDocument, variables: { recipient } });
console.log(data?.streams);
