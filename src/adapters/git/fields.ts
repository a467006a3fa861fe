import type { Oid } from "../../app/ports/git.ts";

const OID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

export function isOid(text: string): boolean {
  return OID.test(text);
}

/** Ids come from our own rows. Anything else could be read as an option or a name by git. */
export function requireOid(...ids: readonly Oid[]): void {
  for (const id of ids) {
    if (!isOid(id)) throw new Error(`${JSON.stringify(id)} is not the id of a git object.`);
  }
}

/**
 * The fields of an output made with `-z`. Latin-1 keeps every byte of a name, so that it can be given
 * back to git even if it is not valid UTF-8; `nameOf` makes it readable.
 */
export function fieldsOfZ(output: Buffer): string[] {
  const fields = output.toString("latin1").split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}

export function nameOf(field: string): string {
  return Buffer.from(field, "latin1").toString("utf8");
}

export function bytesOf(fields: readonly string[]): Buffer {
  return Buffer.from(fields.map((field) => `${field}\0`).join(""), "latin1");
}

/** The text of a one-line answer. */
export function lineOf(output: Buffer): string {
  return output.toString("utf8").replace(/\n$/, "");
}
