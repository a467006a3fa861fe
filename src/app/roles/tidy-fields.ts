import type { RoleFields } from "../../contract/shapes/roles.ts";

/** Normalizes line ends: a browser's form may send CRLF. */
export function tidyFields(fields: RoleFields): RoleFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === "string" ? value.replaceAll("\r\n", "\n") : value,
    ]),
  );
}
