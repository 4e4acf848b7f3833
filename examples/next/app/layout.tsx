import type { ReactNode } from "react";
import { Providers } from "./providers";
import "./styles.css";

export const metadata = { title: "Streams" };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
}
