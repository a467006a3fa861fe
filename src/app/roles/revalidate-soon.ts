import type { Core } from "../core.ts";
import { revalidateRole } from "../health/validate-model.ts";

/** Does not wait: a CLI may list its models slowly. The result arrives as `healthcheck:*` events. */
export function revalidateSoon(core: Core, roleId: string): void {
  revalidateRole(core, roleId).catch((error: unknown) => {
    core.log.warn("The model of a changed role could not be checked.", {
      role: roleId,
      error: String(error),
    });
  });
}
