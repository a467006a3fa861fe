import { fieldsOf } from "../../base/narrow.ts";
import type { Texts } from "../../domain/locale.ts";
import { faultOfUrl, type UrlFault } from "../store/database-url.ts";
import type { SettingProblem } from "./explain-issue.ts";

const FAULTS: Readonly<Record<UrlFault, Texts>> = {
  "not-postgres": {
    en: "this is not the address of a PostgreSQL database; expected postgres://user:password@host:5432/database. Escape @ / : ? # % in the password: @ becomes %40",
    ja: "PostgreSQL のデータベースのアドレスではありません。postgres://user:password@host:5432/database の形で書いてください。パスワードの @ / : ? # % は、@ を %40 とするようにエスケープしてください。",
  },
  "no-host": {
    en: "the address names no host; write postgres://user:password@localhost/database, or add ?host=/folder/of/the/socket",
    ja: "アドレスにホストがありません。postgres://user:password@localhost/database のように書くか、?host=/ソケットのフォルダー を付けてください。",
  },
  "no-database": {
    en: "the address names no database; write its name after the host: postgres://user:password@host:5432/kuromajutsu",
    ja: "アドレスにデータベースの名前がありません。postgres://user:password@host:5432/kuromajutsu のように、ホストの後に書いてください。",
  },
  "plain-text": {
    en: "the database is on another host, and the connection would not be encrypted and verified; add ?sslmode=verify-full (and &sslrootcert=/path/to/ca.pem for a CA of your own)",
    ja: "データベースが別のホストにあり、このままでは接続が暗号化も検証もされません。?sslmode=verify-full を付けてください（独自の CA なら &sslrootcert=/path/to/ca.pem も）。",
  },
};

/** `name` is where the address is written: a setting, a variable or a file. */
export function problemOfUrl(name: string, url: string): Texts | undefined {
  const fault = faultOfUrl(url);
  if (!fault) return undefined;
  return { en: `${name}: ${FAULTS[fault].en}`, ja: `${name}: ${FAULTS[fault].ja}` };
}

/** The schema would show the value that it refuses, and this one has a password. */
export function checkStore(value: unknown): readonly SettingProblem[] {
  const { url, urlFile } = fieldsOf(fieldsOf(value)["store"]);
  const path = ["store", "url"];
  if (url !== undefined && urlFile !== undefined) {
    const text = {
      en: "store: url and urlFile are both there; remove one",
      ja: "store: url と urlFile が両方あります。片方を消してください。",
    };
    return [{ path: ["store", "urlFile"], text }];
  }
  const text = typeof url === "string" ? problemOfUrl("store.url", url) : undefined;
  return text ? [{ path, text }] : [];
}
