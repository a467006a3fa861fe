import type { AuditVerified } from "../../../app/people/verify-audit.ts";
import { ADMIN_TEXTS } from "../admin-texts.ts";
import type { Cli } from "../cli.ts";
import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

export const auditVerify = defineCommand({
  name: "audit verify",
  summary: {
    en: "verify the audit log; exits with 1 if it was altered",
    ja: "監査の記録が書き換えられたり削除されたりしていないか確かめます",
  },
  details: {
    en: "Exit codes: 0 the audit is whole, 1 it is not.",
    ja: "終了コード: 0 問題なし、1 書き換えか欠落がある。",
  },
  examples: ["kuromajutsu audit verify", "kuromajutsu audit verify --json"],
  arguments: {},
  options: { json: flag({ en: "print JSON", ja: "JSON で出力します" }), ...CONFIG_OPTION },
  async run(cli, _args, { json }) {
    const verified = (await askDaemon(cli)) ?? (await (await cli.audit()).verify());
    const texts = ADMIN_TEXTS[await cli.locale()];
    process.stdout.write(`${json ? JSON.stringify(verified) : texts.audit(verified)}\n`);
    return verified.ok ? 0 : 1;
  },
});

/** While a daemon runs, only it may open the database. */
async function askDaemon(cli: Cli): Promise<AuditVerified | undefined> {
  const status = await cli.daemon().ask("status");
  if (!status) return undefined;
  if (status.url === null) throw new Error(ADMIN_TEXTS[await cli.locale()].noAddressYet);
  const { createApi } = await import("../terminal/api.ts");
  const api = createApi(status.url, {
    token: process.env["KUROMAJUTSU_TOKEN"] || undefined,
    locale: await cli.locale(),
  });
  const { verifyAudit } = await import("../../../contract/routes/people.ts");
  return api.call(verifyAudit);
}
