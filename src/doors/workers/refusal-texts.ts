import type { Texts } from "../../domain/locale.ts";
import type { Worker, WorkerDetails } from "../../domain/workers/worker.ts";

export function protocolRefused(workerVersion: string, serverVersion: string): Texts {
  return {
    en: `This worker has version ${workerVersion}, and the server ${serverVersion}. They are too far apart. Install the version of the server on this machine.`,
    ja: `このワーカーのバージョンは ${workerVersion}、サーバーは ${serverVersion} で、離れすぎています。サーバーと同じバージョンをこのマシンにインストールしてください。`,
  };
}

export function labelsRefused({ name, allowedLabels }: Worker, labels: readonly string[]): Texts {
  const allowed = allowedLabels?.join(", ");
  return {
    en: `Worker ${name} may not have the label ${labels.join(", ")}. Its token allows: ${allowed || "none"}. Leave the label out, or make a token with \`kuromajutsu worker add --label\`.`,
    ja: `ワーカー ${name} にラベル ${labels.join(", ")} は使えません。このトークンで使えるラベル: ${allowed || "なし"}。ラベルを外すか、\`kuromajutsu worker add --label\` でトークンを作ってください。`,
  };
}

export function takenRefused({ name }: Worker, by: WorkerDetails | null): Texts {
  const where = by ? ` (${by.host}, pid ${by.pid})` : "";
  return {
    en: `Worker ${name} is connected already, from another data directory${where}. Stop that one, or make another token with \`kuromajutsu worker add\`. If you did not start it, revoke the token: \`kuromajutsu worker revoke ${name}\`.`,
    ja: `ワーカー ${name} は、別のデータディレクトリからすでに接続しています${where}。そちらを止めるか、\`kuromajutsu worker add\` で別のトークンを作ってください。心当たりがなければ \`kuromajutsu worker revoke ${name}\` でトークンを取り消してください。`,
  };
}
