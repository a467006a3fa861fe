import { errorCode } from "../../../../base/error-code.ts";
import type { Locale } from "../../../../domain/locale.ts";
import { Refusal, type RefusalCode, type RefusalText } from "../../../../domain/refusal.ts";

type Fault = {
  /** Codes of PostgreSQL, of the network or of TLS. */
  readonly codes: RegExp;
  readonly messages?: RegExp;
  readonly refusal: RefusalCode;
  readonly texts: (reason: string) => Readonly<Record<Locale, RefusalText>>;
};

/** The first one that matches explains the error. */
const FAULTS: readonly Fault[] = [
  {
    codes: /^53100$/,
    refusal: "STORE_FULL",
    texts: () => ({
      en: [
        "PostgreSQL has no space left; nothing was written.",
        "Free some space on the disk of the database, then try again. Reading still works.",
      ],
      ja: [
        "PostgreSQL の空き容量がありません。何も書き込んでいません。",
        "データベースのディスクに空きを作ってから、もう一度試してください。読み取りはできます。",
      ],
    }),
  },
  {
    codes: /^25006$/,
    refusal: "STORE_READ_ONLY",
    texts: () => ({
      en: [
        "PostgreSQL is read-only here; nothing was written.",
        "Let store.url name the primary server, not a replica.",
      ],
      ja: [
        "この PostgreSQL は読み取り専用です。何も書き込んでいません。",
        "store.url にはレプリカではなくプライマリのサーバーを指定してください。",
      ],
    }),
  },
  {
    codes: /^28...$/,
    messages: /password must be a string|no password/i,
    refusal: "STORE_UNAVAILABLE",
    texts: (reason) => ({
      en: [
        `PostgreSQL does not accept the user or the password of store.url (${reason}).`,
        "Correct them, then try again. Characters such as @ / : % in a password must be escaped: @ is %40.",
      ],
      ja: [
        `PostgreSQL が、store.url のユーザー名かパスワードを受け付けません（${reason}）。`,
        "直してから、もう一度試してください。パスワードの @ / : % などは、@ を %40 とするようにエスケープします。",
      ],
    }),
  },
  {
    codes: /^3D000$/,
    refusal: "STORE_UNAVAILABLE",
    texts: (reason) => ({
      en: [
        `The database that store.url names does not exist (${reason}).`,
        "Create it, for example with `createdb`, or correct its name; then run `kuromajutsu migrate`.",
      ],
      ja: [
        `store.url のデータベースがありません（${reason}）。`,
        "`createdb` などで作るか名前を直してから、`kuromajutsu migrate` を実行してください。",
      ],
    }),
  },
  {
    codes: /^42501$/,
    refusal: "STORE_NOT_SUPPORTED",
    texts: (reason) => ({
      en: [
        `The user of store.url may not do this in the database (${reason}).`,
        "Run `kuromajutsu migrate` as the owner of the database, and let the user of `serve` read and write its tables.",
      ],
      ja: [
        `store.url のユーザーには、このデータベースでの権限が足りません（${reason}）。`,
        "`kuromajutsu migrate` はデータベースの所有者で実行し、`serve` のユーザーにはテーブルの読み書きを許可してください。",
      ],
    }),
  },
  {
    // A lock or an answer took too long, or a transaction was idle for too long.
    codes: /^(?:55P03|57014|25P03)$/,
    refusal: "STORE_UNAVAILABLE",
    texts: (reason) => ({
      en: [
        `PostgreSQL did not do this in time, and nothing was written (${reason}).`,
        "Try again in a moment. If it persists, a server or another program holds a lock for long: `pg_stat_activity` shows it.",
      ],
      ja: [
        `PostgreSQL の処理が時間内に終わらず、何も書き込んでいません（${reason}）。`,
        "少し待ってから、もう一度試してください。続くときは、サーバーかほかのプログラムがロックを長く保持しています。`pg_stat_activity` で確認できます。",
      ],
    }),
  },
  {
    codes: /^(?:CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO$)/,
    messages: /does not support SSL|SSL required|no encryption/i,
    refusal: "STORE_UNAVAILABLE",
    texts: (reason) => ({
      en: [
        `The encrypted connection to PostgreSQL could not be made or verified (${reason}).`,
        "Turn TLS on in PostgreSQL, use the host name of its certificate in store.url, and name your own CA with sslrootcert=/path/to/ca.pem.",
      ],
      ja: [
        `PostgreSQL との暗号化された接続を確立、または検証できません（${reason}）。`,
        "PostgreSQL の TLS を有効にし、store.url には証明書のホスト名を使い、独自の CA は sslrootcert=/path/to/ca.pem で指定してください。",
      ],
    }),
  },
  {
    codes:
      /^(?:08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|EACCES|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/,
    messages:
      /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|server closed/,
    refusal: "STORE_UNAVAILABLE",
    texts: (reason) => ({
      en: [
        `PostgreSQL does not answer (${reason}).`,
        "Try again in a moment. If it persists, check that the database of store.url runs and that its host and port can be reached.",
      ],
      ja: [
        `PostgreSQL が応答しません（${reason}）。`,
        "少し待ってから、もう一度試してください。続くときは、store.url のデータベースが動いていて、そのホストとポートに接続できるか確認してください。",
      ],
    }),
  },
];

const LOCK_NOT_AVAILABLE = "55P03";

/** Another transaction has kept a lock for longer than `lock_timeout`. */
export class LockTimeout extends Refusal {}

/** Turns faults of the database into refusals, which never contain the connection string. */
export function throwFault(error: unknown): never {
  throw toPostgresFault(error);
}

function toPostgresFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error;
  const code = errorCode(error);
  const fault = FAULTS.find(
    ({ codes, messages }) => codes.test(code ?? "") || messages?.test(error.message),
  );
  if (!fault) return error;
  const { refusal } = fault;
  const texts = fault.texts(code ?? error.message);
  return code === LOCK_NOT_AVAILABLE
    ? new LockTimeout(refusal, texts)
    : new Refusal(refusal, texts);
}
