import { availableParallelism } from "node:os";
import { z } from "zod";
import { MAX_SLOTS } from "../../../contract/workers/messages.ts";
import { LABEL } from "../../../domain/workers/labels.ts";
import {
  checkedOption,
  defineCommand,
  option,
  PARAMETER_HELP,
  repeatedOption,
} from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { readWorkerToken, requireServers } from "../workers/worker-options.ts";

const slotsSchema = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((slots) => slots >= 1 && slots <= MAX_SLOTS);

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

const durationSchema = z
  .string()
  .regex(/^\d{1,6}[smh]$/)
  .transform((text) => {
    const unit = text.endsWith("s") ? "s" : text.endsWith("m") ? "m" : "h";
    return Number(text.slice(0, -1)) * UNITS[unit];
  });

const DEFAULT_DRAIN_MS = 10 * UNITS.m;

const labels = z.array(z.string().regex(LABEL)).optional();
PARAMETER_HELP.add(labels, {
  placeholder: "LABEL",
  isRepeated: true,
  text: {
    en: "what agents can ask for, such as repo:app; repeat it for several",
    ja: "エージェントが指定できるラベル（repo:app など）。繰り返せます",
  },
  expected: {
    en: "small letters, digits and . _ : / -",
    ja: "小文字の英字、数字、. _ : / - だけのラベル",
  },
});

export const worker = defineCommand({
  name: "worker",
  summary: {
    en: "run agents on this machine for servers elsewhere",
    ja: "別のマシンのサーバーのために、このマシンでエージェントを動かします",
  },
  details: {
    en: "The servers use PostgreSQL. The token comes from `kuromajutsu worker add` and is read from --token-file or from KUROMAJUTSU_WORKER_TOKEN. The worker needs no other access: no database, no open port.\n\nA signal (Ctrl-C, SIGTERM) lets its agents finish and takes no more; after --drain, or with a second signal, it ends and its agents go on until it is started again. If no server is reached for the time of a lease, it ends its agents, because the servers take them for lost.\n\nExit codes: 0 stopped by a signal, 1 refused.",
    ja: "サーバーは PostgreSQL を使います。トークンは `kuromajutsu worker add` で作り、--token-file か KUROMAJUTSU_WORKER_TOKEN で渡します。ワーカーに必要な権限はそれだけで、データベースも、開いたポートも要りません。\n\nシグナル（Ctrl-C、SIGTERM）を受けると新しいエージェントを受け付けず、実行中のものが終わるのを待ちます。--drain の時間が過ぎるか、もう一度シグナルを受けると終了し、エージェントはそのまま動き続けて、次に起動したワーカーが引き継ぎます。リースの時間サーバーに届かないと、サーバーはエージェントを失われたものとして扱うため、ワーカーが終わらせます。\n\n終了コード: 0 シグナルで終了した、1 拒否された。",
  },
  examples: [
    "kuromajutsu worker --server https://kuro.example.com --token-file ~/worker-token --slots 8",
    "kuromajutsu worker --server https://kuro.example.com --token-file ~/worker-token --label repo:app --label gpu",
    "kuromajutsu worker --server https://a.example.com --server https://b.example.com --token-file ~/worker-token",
  ],
  arguments: {},
  options: {
    server: repeatedOption("URL", {
      en: "the address of a server, or of the load balancer in front of several; repeat it to name several servers, which are tried in turn",
      ja: "サーバー、または複数のサーバーの前にあるロードバランサーのアドレス。複数のサーバーを指定するには繰り返します（順に接続を試みます）",
    }),
    tokenFile: option("FILE", {
      en: "a file with the token, which only you can read",
      ja: "トークンを書いたファイル（自分だけが読めるもの）",
    }),
    slots: checkedOption(slotsSchema, {
      placeholder: "N",
      text: {
        en: "how many agents run at once (default: the number of processors)",
        ja: "同時に動かすエージェントの数（省略時はプロセッサーの数）",
      },
      expected: { en: `a number from 1 to ${MAX_SLOTS}`, ja: `1 から ${MAX_SLOTS} までの数` },
    }),
    label: labels,
    drain: checkedOption(durationSchema, {
      placeholder: "TIME",
      text: {
        en: "how long to wait for agents when it is stopped (default: 10m)",
        ja: "停止するときにエージェントを待つ時間（省略時は 10m）",
      },
      expected: { en: "a time such as 30s, 10m or 1h", ja: "30s、10m、1h などの時間" },
    }),
    data: option("DIR", {
      en: "the data directory (default: one for each token)",
      ja: "データディレクトリ（省略時はトークンごとに一つ）",
    }),
  },
  async run(cli, _args, { server, tokenFile, slots, label, drain, data }) {
    await refuseAgents(cli, "worker");
    return cli.work({
      servers: requireServers(server),
      token: await readWorkerToken(tokenFile),
      slots: slots ?? availableParallelism(),
      labels: [...new Set(label)],
      dataDir: data,
      drainMs: drain ?? DEFAULT_DRAIN_MS,
    });
  },
});
