/** The server panics: it closes the connection and answers nothing, so that this leaves the executor. */
export class ServerPanic extends Error {}
