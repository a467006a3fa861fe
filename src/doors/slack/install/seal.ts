import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const VERSION = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a secret of one workspace. The result cannot be used for another workspace. */
export function seal(key: Uint8Array, team: string, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, cipherKey(key), iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(team));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), text].map((part) => part.toString("base64url"));
  return [VERSION, ...parts].join(".");
}

/** undefined: it was sealed with another key or for another workspace, or it was changed. */
export function unseal(key: Uint8Array, team: string, sealed: string): string | undefined {
  const [version, ...parts] = sealed.split(".");
  const [iv, tag, text] = parts.map((part) => Buffer.from(part, "base64url"));
  if (version !== VERSION || !iv || !tag || !text || tag.length !== TAG_BYTES) return undefined;
  try {
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv(ALGORITHM, cipherKey(key), iv, options);
    decipher.setAAD(Buffer.from(team));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Key files are texts of any length from 32 characters on. */
function cipherKey(key: Uint8Array): Buffer {
  return createHash("sha256").update("kuromajutsu slack tokens\0").update(key).digest();
}
