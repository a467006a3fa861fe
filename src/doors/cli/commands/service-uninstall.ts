import { ServiceFailed } from "../../../app/ports/service.ts";
import { defineCommand } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { SERVICE_OPTIONS, serviceOptions } from "../service/service-options.ts";
import { SERVICE_TEXTS } from "../service/service-texts.ts";

export const serviceUninstall = defineCommand({
  name: "service uninstall",
  summary: {
    en: "stop the service and remove its file; the data stays",
    ja: "サービスを停止し、そのファイルを削除します。データは残ります",
  },
  examples: ["kuromajutsu service uninstall"],
  arguments: {},
  options: SERVICE_OPTIONS,
  async run(cli, _args, options) {
    await refuseAgents(cli, "service uninstall");
    const texts = SERVICE_TEXTS[await cli.locale()];
    const services = await cli.services();
    const plan = services.plan(serviceOptions(options));
    if (!services.isInstalled(plan)) {
      writeWrapped(process.stderr, `${texts.notInstalled(plan.path)}\n`);
      return 1;
    }
    try {
      services.uninstall(plan);
    } catch (error) {
      if (!(error instanceof ServiceFailed)) throw error;
      writeWrapped(process.stderr, `${texts.failed(error.command, error.message)}\n`);
      return 1;
    }
    writeWrapped(process.stdout, `${texts.removed(plan)}\n`);
    return 0;
  },
});
