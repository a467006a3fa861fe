import type { RoleFields } from "../../contract/shapes/roles.ts";

/** Line ends as the file has them everywhere: a form in a browser may send others. */
export function tidyFields(fields: RoleFields): RoleFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === "string" ? value.replaceAll("\r\n", "\n") : value,
    ]),
  );
}
