/** The modules of this name use Node; a page has `<name>.page.ts` in their place. */
export const STAND_INS = { find: /^(.*\/(?:sha256|match-in-time))\.ts$/, replacement: "$1.page.ts" };
