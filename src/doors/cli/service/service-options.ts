import { z } from "zod";
import type { ServiceOptions } from "../../../app/ports/service.ts";
import { checkedOption, CONFIG_OPTION, flag } from "../define-command.ts";

/** Options of every `service` command. */
export const SERVICE_OPTIONS = {
  name: checkedOption(z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/), {
    placeholder: "NAME",
    text: {
      en: "name of this service, where one machine has several (kuromajutsu-NAME)",
      ja: "1 台のマシンで複数動かすときのサービスの名前（kuromajutsu-NAME）",
    },
    expected: {
      en: "lower-case letters, digits and hyphens",
      ja: "英小文字、数字、ハイフン",
    },
  }),
  system: flag({
    en: "a service of the machine instead of your user (systemd; needs root)",
    ja: "ユーザーではなくマシンのサービスにします（systemd。root 権限が必要です）",
  }),
  as: checkedOption(z.string().regex(/^[a-z_][a-z0-9_-]{0,31}$/), {
    placeholder: "USER",
    text: {
      en: "with --system: the user that the daemon and its agents run as",
      ja: "--system のとき、デーモンとエージェントを動かすユーザー",
    },
    expected: { en: "the name of a user", ja: "ユーザー名" },
  }),
  ...CONFIG_OPTION,
};

export function serviceOptions(options: {
  readonly name?: string | undefined;
  readonly system: boolean;
  readonly as?: string | undefined;
}): ServiceOptions {
  const runAs = options.as ?? process.env["SUDO_USER"];
  return { name: options.name, scope: options.system ? "system" : "user", runAs };
}
