import { createLog } from "../../adapters/log.ts";
import { openAuditAnchor, type FileAuditAnchor } from "../../adapters/store/audit-anchor.ts";
import { systemTokens } from "../../adapters/world.ts";
import { verifyAudit } from "../../app/people/verify-audit.ts";
import type { Store } from "../../app/ports/store.ts";
import type { OfflineAudit } from "../../doors/cli/cli.ts";
import { hasDatabase, type StorePlace, withStore } from "./with-store.ts";

export function createOfflineAudit(place: StorePlace): OfflineAudit {
  const { dataDir } = place;
  return {
    async verify() {
      if (!hasDatabase(place)) return { ok: true, entries: 0 };
      return withStore(place, (store) =>
        verifyAudit({ store, tokens: systemTokens, auditAnchor: anchorOf(dataDir, store) }),
      );
    },
    anchor: () =>
      withStore(place, async (store) => {
        const chain = await verifyAudit({ store, tokens: systemTokens });
        if (chain.ok) await anchorOf(dataDir, store).renew();
        return chain;
      }),
  };
}

function anchorOf(dataDir: string, store: Store): FileAuditAnchor {
  const keyFile = process.env["KUROMAJUTSU_AUDIT_KEY_FILE"];
  const log = createLog("warn", (line) => void process.stderr.write(line));
  return openAuditAnchor({ dataDir, keyFile, log, store, mayCreate: false });
}
