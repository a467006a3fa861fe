import { open } from "node:fs/promises";
import { isOid } from "./fields.ts";

/** What a bundle says of itself before its objects. */
export type BundleHeader = {
  readonly refs: readonly { readonly oid: string; readonly name: string }[];
  readonly prerequisites: readonly string[];
};

const MAX_HEADER_BYTES = 256 * 1024;
const SIGNATURE = /^# v[23] git bundle$/;
/** A capability could ask for more than objects, such as a filter. Only the kind of ids may be named. */
const CAPABILITY = /^@object-format=sha(1|256)$/;

export async function readBundleHeader(file: string): Promise<BundleHeader | undefined> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0);
    return parseBundleHeader(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** undefined: it is no bundle that we would make, or its header is longer than these bytes. */
export function parseBundleHeader(bytes: Uint8Array): BundleHeader | undefined {
  const text = Buffer.from(bytes).toString("latin1");
  const end = text.indexOf("\n\n");
  if (end < 0) return undefined;
  const [signature = "", ...lines] = text.slice(0, end).split("\n");
  if (!SIGNATURE.test(signature)) return undefined;
  const refs: { oid: string; name: string }[] = [];
  const prerequisites: string[] = [];
  for (const line of lines) {
    if (line.startsWith("@")) {
      if (!CAPABILITY.test(line)) return undefined;
      continue;
    }
    const isPrerequisite = line.startsWith("-");
    const [oid = "", ...rest] = line.slice(isPrerequisite ? 1 : 0).split(" ");
    if (!isOid(oid)) return undefined;
    if (isPrerequisite) prerequisites.push(oid);
    else refs.push({ oid, name: rest.join(" ") });
  }
  return { refs, prerequisites };
}
