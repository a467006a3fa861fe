import { ServiceFailed, type ServicePlan } from "../../../app/ports/service.ts";
import type { Locale } from "../../../domain/locale.ts";
import { defineCommand, flag } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { SERVICE_OPTIONS, serviceOptions } from "../service/service-options.ts";
import { SERVICE_TEXTS, type ServiceTexts } from "../service/service-texts.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";
import { createConsole } from "../terminal/console.ts";

export const serviceInstall = defineCommand({
  name: "service install",
  summary: {
    en: "run the daemon of this folder as a service (systemd, launchd)",
    ja: "このフォルダーのデーモンをサービスとして動かします（systemd、launchd）",
  },
  details: {
    en: "Shows the file first and asks. The service uses the configuration, the data directory and the PATH of here.\n\nExit codes: 0 installed or printed, 1 nothing was changed.",
    ja: "書き込むファイルを先に表示して確認します。サービスは、ここでの設定、データディレクトリ、PATH を使います。\n\n終了コード: 0 インストールした、または表示した、1 何も変えなかった。",
  },
  examples: ["kuromajutsu service install", "kuromajutsu service install --print"],
  arguments: {},
  options: {
    print: flag({ en: "only print the file", ja: "ファイルの内容を表示するだけにします" }),
    yes: flag({ en: "do not ask", ja: "確認せずにインストールします" }),
    ...SERVICE_OPTIONS,
  },
  async run(cli, _args, options) {
    const texts = SERVICE_TEXTS[await cli.locale()];
    const services = await cli.services();
    const chosen = serviceOptions(options);
    const plan = services.plan(chosen);
    if (options.print) {
      process.stdout.write(plan.text);
      return 0;
    }
    await refuseAgents(cli, "service install");
    const problem = services.problem(chosen);
    if (problem) {
      writeWrapped(process.stderr, `${texts.problems[problem.kind]}\n`);
      return 1;
    }
    process.stdout.write(describe(plan, texts));
    if (plan.needsRoot) {
      writeWrapped(process.stderr, `${texts.asRoot}\n`);
      return 1;
    }
    if (!options.yes && !(await isWanted(texts, await cli.locale()))) return 1;
    try {
      services.install(plan);
    } catch (error) {
      if (!(error instanceof ServiceFailed)) throw error;
      writeWrapped(process.stderr, `${texts.failed(error.command, error.message)}\n`);
      return 1;
    }
    writeWrapped(process.stdout, `${texts.installed(plan)}\n`);
    if (plan.manager === "systemd" && plan.scope === "user") {
      writeWrapped(process.stdout, `${texts.linger}\n`);
    }
    return 0;
  },
});

function describe(plan: ServicePlan, texts: ServiceTexts): string {
  const commands = plan.start.map((command) => `  ${command.join(" ")}`);
  const parts = [
    texts.willWrite(plan.path),
    "",
    plan.text,
    texts.secrets(plan.environmentFile),
    texts.willRun,
    ...commands,
  ];
  return `${parts.join("\n")}\n`;
}

async function isWanted(texts: ServiceTexts, locale: Locale): Promise<boolean> {
  if (!process.stdin.isTTY) {
    writeWrapped(process.stderr, `${texts.sayYes}\n`);
    return false;
  }
  const console = createConsole({ input: process.stdin, output: process.stdout }, () => {});
  try {
    const isYes = await askYesNo(console, texts.ask, locale);
    if (!isYes) writeWrapped(process.stderr, `${texts.nothing}\n`);
    return isYes;
  } finally {
    console.close();
  }
}
