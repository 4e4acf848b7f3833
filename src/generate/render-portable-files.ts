import type { Memo } from "../base/create-memo.ts";
import type { OutputFile } from "../base/disk/output-file.ts";
import { isOf } from "../project/surface.ts";
import { type Protocol, STYLE_NAMES } from "../project/vocabulary.ts";
import type { PreparedSurface } from "./generate-documents.ts";
import { CLIENT_PATH, renderClient } from "./render-client.ts";
import { portablePath, renderPortable } from "./render-portable.ts";
import { PROXY_PATH, renderProxy } from "./render-proxy.ts";

/**
 * Renders what programs ask both styles by: a file for each protocol that has written something once and is generated in
 * both styles, and for all of them the client and the proxy.
 *
 * @returns the files, and the paths of those that cannot be made before errors are mended.
 */
export function renderPortableFiles(
  protocols: readonly Protocol[],
  prepared: readonly PreparedSurface[],
  memo: Memo,
): { readonly files: readonly OutputFile[]; readonly withheld: readonly string[] } {
  const files: OutputFile[] = [];
  const withheld: string[] = [];
  const portable: Protocol[] = [];
  for (const protocol of protocols) {
    const [multichain, subgraph] = STYLE_NAMES.map((style) => prepared.find(isOf({ protocol, style })));
    const { compiled } = subgraph ?? {};
    // What names the texts of both is nothing without one of them.
    if (!multichain || !subgraph || !compiled) continue;
    const documents = { multichain: multichain.documents, subgraph: subgraph.documents };
    const coverage = { multichain: multichain.coverage, subgraph: subgraph.coverage };
    const ingredients = [compiled, ...Object.values(documents), JSON.stringify(coverage)];
    const file = memo(`portable file ${protocol}`, ingredients, () =>
      documents.multichain && documents.subgraph
        ? renderPortable(compiled.compiled, {
            documents: { multichain: documents.multichain, subgraph: documents.subgraph },
            coverage,
            context: compiled.context,
          })
        : null,
    );
    portable.push(protocol);
    if (file) files.push(file);
    else withheld.push(portablePath(protocol));
  }
  if (files.length > 0) files.push(memo("client", [], renderClient));
  else if (withheld.length > 0) withheld.push(CLIENT_PATH);
  // It imports the operations of all.
  if (withheld.length > 0) withheld.push(PROXY_PATH);
  else if (files.length > 0) files.push(memo("proxy", [portable.join()], () => renderProxy(portable)));
  return { files, withheld };
}
