/** The names of the fields that an id is made of, by its template: `{contract}-{tokenId}`. Each stands there once. */
export function fieldsOfId(template: string): string[] {
  return [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))];
}
