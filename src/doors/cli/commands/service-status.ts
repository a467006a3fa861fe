import { defineCommand } from "../define-command.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { SERVICE_OPTIONS, serviceOptions } from "../service/service-options.ts";
import { SERVICE_TEXTS } from "../service/service-texts.ts";

const NOT_INSTALLED = 3;

export const serviceStatus = defineCommand({
  name: "service status",
  summary: {
    en: "what systemd or launchd says about the service",
    ja: "サービスについて systemd や launchd が示す状態を表示します",
  },
  details: {
    en: "Exit codes: that of systemctl or launchctl; 3 the service is not installed.",
    ja: "終了コード: systemctl か launchctl のもの。3 サービスがインストールされていない。",
  },
  examples: ["kuromajutsu service status"],
  arguments: {},
  options: SERVICE_OPTIONS,
  async run(cli, _args, options) {
    const texts = SERVICE_TEXTS[await cli.locale()];
    const services = await cli.services();
    const plan = services.plan(serviceOptions(options));
    if (services.isInstalled(plan)) return services.status(plan);
    writeWrapped(process.stderr, `${texts.notInstalled(plan.path)}\n`);
    return NOT_INSTALLED;
  },
});
