import type { RoleFields } from "../../contract/shapes/roles.ts";
import type { PersonRole } from "../../domain/people/person.ts";

/** One change of the file's `roles`. */
export type RoleEdit =
  /** Adds the entry where there is none. null takes a field out. */
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
  /** Of `after`. */
  readonly hash: string;
  readonly created: boolean;
};

/**
 * The configuration file a person may also edit by hand: what an edit does not concern stays as it
 * is, to the byte. Refuses with CONFIG_CHANGED when the file is no longer the one with
 * `expectedHash`, CONFIG_INVALID with every problem, CONFIG_NOT_EDITABLE when the change cannot be
 * made without disturbing the rest, CONFIG_NOT_WRITABLE with the path and the reason.
 */
export type ConfigFile = {
  readonly path: string;
  /** Everything but the writing. */
  preview(edit: RoleEdit, expectedHash: string): Promise<EditedConfig>;
  /** Written whole or not at all; an edit that changes nothing writes nothing. */
  editRoles(edit: RoleEdit, expectedHash: string): Promise<EditedConfig>;
};
