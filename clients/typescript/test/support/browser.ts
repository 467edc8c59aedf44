// A real Chromium, and a server for the pages that it opens.
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, extname, join, normalize } from "node:path";

import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

function executable(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = process.env["CHROMIUM"] ?? paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error("no Chromium on PATH; install it, or set CHROMIUM");
  return found;
}

/** Starts Chromium with a profile of its own, which ends with it. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable(),
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
};

/** Serves a folder on a free port; `extra` holds files that are made for a test. */
export async function serve(
  folder: string,
  extra: Record<string, string> = {},
): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const name = path === "/" ? "/index.html" : path;
    const file = join(folder, name);
    const content = extra[name] ?? (existsSync(file) ? readFileSync(file) : undefined);
    response.writeHead(content === undefined ? 404 : 200, {
      "content-type": TYPES[extname(name)] ?? "application/octet-stream",
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}
