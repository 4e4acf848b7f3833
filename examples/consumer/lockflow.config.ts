import { defineConfig } from "lockflow";

/** Both protocols on all chains; hosts and keys are variables. */
export default defineConfig({});
