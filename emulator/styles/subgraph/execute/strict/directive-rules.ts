import type { StrictRule } from "./rule.ts";

export const knownDirectives: StrictRule = ({ directives }, report) => ({
  directive: ({ name }, location) => {
    const directive = directives.get(name.value);
    if (directive === undefined) report(`Unknown directive "@${name.value}".`);
    else if (!directive.locations.includes(location)) {
      report(`Directive "@${name.value}" may not be used on ${location}`);
    }
  },
});

export const uniqueDirectivesPerLocation: StrictRule = ({ directives }, report) => ({
  directives: (nodes) => {
    const seen = new Set<string>();
    for (const { name } of nodes) {
      if (!directives.has(name.value)) continue;
      if (seen.has(name.value)) report(`Duplicate directive "${name.value}"`);
      seen.add(name.value);
    }
  },
});
