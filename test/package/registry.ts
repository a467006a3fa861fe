import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";

/** PATH as a user has it: without the Node and the programs of this checkout. */
export const USER_PATH = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);

/** `npm pack` of a folder, without its scripts. Returns the path of the tarball. */
export function pack(folder: string, into: string): string {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", into];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: folder, encoding: "utf8" }));
  return join(into, String(packed.filename));
}

/** A package in place of the platform's Node: it starts the Node of these tests. */
export function aNodePackage(folder: string, version: string) {
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(join(folder, "bin"), { recursive: true });
  const manifest = { name, version, os: [process.platform], cpu: [process.arch], files: ["bin"] };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const script = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(join(folder, "bin", "node"), script, { mode: 0o755 });
  return manifest;
}

type Published = { readonly manifest: Record<string, unknown>; readonly tarball: string };

/** A registry on loopback that has only these packages. Returns its address. */
export async function aRegistry(packages: Readonly<Record<string, Published>>): Promise<string> {
  const server = createServer((request, response) => {
    const [name = "", ...rest] = decodeURIComponent(request.url ?? "/")
      .slice(1)
      .split("/-/");
    const found = packages[name];
    if (!found) return void response.writeHead(404).end("{}");
    const bytes = readFileSync(found.tarball);
    if (rest.length > 0) return void response.end(bytes);
    const version = String(found.manifest["version"]);
    const dist = {
      tarball: `${url}/${name}/-/${version}.tgz`,
      integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
    };
    const versions = { [version]: { ...found.manifest, dist } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${portOf(server.address())}`;
  return url;
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === "object" && address ? address.port : 0;
}
