import { defineTexts } from "../../i18n/texts.ts";

/** What a person may do, by their role. */
export const ROLE_WORDS = defineTexts({
  ja: {
    roles: { viewer: "閲覧者", operator: "操作者", admin: "管理者" },
    notes: {
      viewer: "閲覧できます。",
      operator: "閲覧のほか、依頼・承認・停止ができます。",
      admin: "閲覧・依頼・承認・停止のほか、職種の変更やツールの受け入れができます。",
    },
    mayNot: "閲覧者のため、この操作はできません。",
    noSignIn: "サインインは設定されていません。このマシンから使う人は全員 local です。",
    noSignInShort: "サインインなし",
  },
  en: {
    roles: { viewer: "Viewer", operator: "Operator", admin: "Admin" },
    notes: {
      viewer: "Can view.",
      operator: "Can view, request, approve and stop.",
      admin: "Can view, request, approve and stop, change roles and accept tools.",
    },
    mayNot: "As a viewer, you cannot do this.",
    noSignIn: "Sign-in is not configured. Everyone using this machine is local.",
    noSignInShort: "No sign-in",
  },
});
