import type { Core } from "../core.ts";
import { revalidateRole } from "../health/validate-model.ts";

/** A CLI may take its time to name its models; the answer comes as `healthcheck:*` events. */
export function revalidateSoon(core: Core, roleId: string): void {
  revalidateRole(core, roleId).catch((error: unknown) => {
    core.log.warn("The model of a changed role could not be checked.", {
      role: roleId,
      error: String(error),
    });
  });
}
