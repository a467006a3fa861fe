import type { RoleFields } from "../../contract/shapes/roles.ts";
import type { PersonRole } from "../../domain/people/person.ts";

/** One change of the file's `roles`. */
export type RoleEdit =
  /** Adds the entry if there is none. null removes a field. */
  | {
      readonly kind: "set";
      readonly id: string;
      readonly fields: RoleFields & { readonly disabled?: boolean | null };
    }
  | { readonly kind: "remove"; readonly id: string };

/** One change of the file's `auth.users`. */
export type UserEdit =
  | {
      readonly kind: "set";
      readonly id: string;
      readonly fields: {
        readonly name?: string | null;
        readonly role?: PersonRole;
        readonly tokenHash?: string;
      };
    }
  | { readonly kind: "remove"; readonly id: string };

export type EditedConfig = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The hash of `after`. */
  readonly hash: string;
  readonly created: boolean;
};

/**
 * The configuration file, which people also edit by hand: an edit leaves every other byte as it is.
 * Refuses with CONFIG_CHANGED if the file does not have `expectedHash`, with CONFIG_INVALID and all
 * problems, with CONFIG_NOT_EDITABLE if the change would affect other parts of the file, and with
 * CONFIG_NOT_WRITABLE, the path and the reason.
 */
export type ConfigFile = {
  readonly path: string;
  /** Like an edit, but writes nothing. */
  preview(edit: RoleEdit, expectedHash: string): Promise<EditedConfig>;
  /** Writes atomically; an edit that changes nothing writes nothing. */
  editRoles(edit: RoleEdit, expectedHash: string): Promise<EditedConfig>;
};
