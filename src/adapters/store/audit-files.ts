import { createHmac, timingSafeEqual } from "node:crypto";
import { renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { AuditHead } from "../../app/ports/audit-anchor.ts";
import { parseJson } from "../../base/narrow.ts";
import { headText } from "../../domain/people/audit.ts";
import { readIfThere, readKeyFile, syncDirectory, writeNewKey, writeWhole } from "../key-file.ts";

const headShape = z.object({
  version: z.literal(1),
  seq: z.int().nonnegative(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  mac: z.string().regex(/^[0-9a-f]{64}$/),
});

export type AuditFiles = {
  readonly keyPath: string;
  readonly headPath: string;
};

export function auditFilesOf(dataDir: string, keyFile: string | undefined): AuditFiles {
  return { keyPath: keyFile || join(dataDir, "audit.key"), headPath: join(dataDir, "audit.head") };
}

/** undefined: there is none. A key that is too short throws. */
export function readKey({ keyPath }: AuditFiles): Buffer | undefined {
  return readKeyFile(keyPath);
}

/** A key that was generated for an anchoring that is not finished. */
export function readDraftKey(files: AuditFiles): Buffer | undefined {
  return readKeyFile(draftOf(files));
}

/**
 * The key counts only from `keepKey` on: a key without a head means that the head was deleted, so
 * the head must be written first. A key of an interrupted anchoring is used again.
 */
export function draftKey(files: AuditFiles): Buffer {
  const drawn = readDraftKey(files);
  if (drawn) return drawn;
  return writeNewKey(draftOf(files));
}

export function keepKey(files: AuditFiles): void {
  renameSync(draftOf(files), files.keyPath);
  syncDirectory(dirname(files.keyPath));
}

/** Beside the key: a directory that protects the key also protects this file. */
function draftOf({ keyPath }: AuditFiles): string {
  return `${keyPath}.new`;
}

/** undefined: there is none. "damaged": it was not written with this key. */
export function readHead({ headPath }: AuditFiles, key: Buffer): AuditHead | "damaged" | undefined {
  const text = readIfThere(headPath);
  if (text === undefined) return undefined;
  const head = headShape.safeParse(parseJson(text)).data;
  if (!head) return "damaged";
  const { seq, hash } = head;
  const isOurs = timingSafeEqual(Buffer.from(head.mac, "hex"), macOf(key, { seq, hash }));
  return isOurs ? { seq, hash } : "damaged";
}

export function hasHead({ headPath }: AuditFiles): boolean {
  return readIfThere(headPath) !== undefined;
}

export function writeHead({ headPath }: AuditFiles, key: Buffer, { seq, hash }: AuditHead): void {
  const mac = macOf(key, { seq, hash }).toString("hex");
  writeWhole(headPath, `${JSON.stringify({ version: 1, seq, hash, mac })}\n`);
}

function macOf(key: Buffer, head: AuditHead): Buffer {
  return createHmac("sha256", key).update(headText(head)).digest();
}
