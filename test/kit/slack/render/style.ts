/** The light theme of Slack, near enough to judge a card by. */
export const STYLE = `
* { box-sizing: border-box; }
body { margin: 0; background: #fff; }
main { display: inline-flex; gap: 16px; padding: 12px; align-items: flex-start; }
.column { width: 560px; display: flex; flex-direction: column; gap: 14px; }
body { font: 15px/1.46 "Inter Variable", "Noto Sans CJK JP", sans-serif; color: #1d1c1d; }
.emoji { font-family: "Noto Color Emoji"; font-weight: 400; }
.message { display: flex; gap: 8px; }
.avatar { flex: none; width: 36px; height: 36px; border-radius: 8px; background: #1f1035; color: #d9c7ff; font-weight: 700; display: grid; place-items: center; }
.body { flex: 1; min-width: 0; }
.only { color: #616061; font-size: 12px; }
.name { display: flex; gap: 6px; align-items: center; margin-bottom: 2px; }
.app { background: #ddd; color: #616061; font-size: 10px; font-weight: 700; padding: 0 4px; border-radius: 2px; }
.time { color: #616061; font-size: 12px; }
.attachment { border-left: 4px solid; border-radius: 4px; padding: 2px 0 2px 12px; }
h2 { font-size: 18px; line-height: 1.33; margin: 6px 0; font-weight: 800; overflow-wrap: anywhere; }
hr { border: 0; border-top: 1px solid #ddd; margin: 10px 0; }
.section { margin: 6px 0; display: flex; gap: 16px; justify-content: space-between; overflow-wrap: anywhere; }
.section .text { min-width: 0; flex: 1; }
.section > .button { align-self: flex-start; }
.fields { flex: 1; display: grid; grid-template-columns: 1fr 1fr; gap: 8px 16px; }
.context { color: #616061; font-size: 13px; display: flex; flex-wrap: wrap; gap: 2px 12px; margin: 6px 0; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; }
.button { border: 1px solid #bbbabb; border-radius: 4px; padding: 3px 12px; font-size: 13px; font-weight: 700; background: #fff; white-space: nowrap; }
.button.primary { background: #007a5a; border-color: #007a5a; color: #fff; }
.button.danger { background: #e01e5a; border-color: #e01e5a; color: #fff; }
.confirm { border: 1px dashed #bbbabb; border-radius: 8px; padding: 8px 12px; margin: 8px 0 0 16px; font-size: 13px; color: #454245; max-width: 420px; }
.confirm .from { color: #868686; font-size: 12px; }
.confirm .answers { display: flex; gap: 8px; justify-content: flex-end; margin-top: 6px; }
.confirm .button { font-size: 12px; padding: 1px 10px; }
code { font: 12px/1.5 "JetBrains Mono Variable", "Noto Sans Mono CJK JP", "Noto Sans CJK JP", monospace; color: #c01343; background: #f6f6f6; border: 1px solid #ddd; border-radius: 3px; padding: 1px 3px; }
pre { font: 12px/1.5 "JetBrains Mono Variable", "Noto Sans Mono CJK JP", "Noto Sans CJK JP", monospace; background: #f8f8f8; border: 1px solid #ddd; border-radius: 4px; padding: 8px; margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { margin: 0; padding-left: 12px; border-left: 4px solid #ddd; }
.mention { background: #e8f5fa; color: #1264a3; border-radius: 3px; padding: 0 2px; }
a { color: #1264a3; }
.modal { border: 1px solid #ddd; border-radius: 8px; box-shadow: 0 6px 20px #0003; width: 520px; }
.modal .title { display: flex; justify-content: space-between; padding: 14px 20px; font-size: 18px; border-bottom: 1px solid #eee; }
.modal .content { padding: 8px 20px; }
.modal .footer { display: flex; justify-content: flex-end; gap: 10px; padding: 12px 20px; border-top: 1px solid #eee; }
.modal .footer .button { font-size: 15px; padding: 5px 14px; }
.input { margin: 12px 0; }
.area { border: 1px solid #868686; border-radius: 4px; min-height: 56px; padding: 8px 10px; margin-top: 6px; color: #8d8d8d; }
.optional { color: #616061; font-size: 13px; }
.radio { display: flex; gap: 8px; align-items: center; margin-top: 6px; }
.radio i { width: 16px; height: 16px; border: 1px solid #868686; border-radius: 50%; }
.radio.chosen i { border: 5px solid #1264a3; }
.home { border: 1px solid #ddd; border-radius: 8px; padding: 8px 20px 14px; }
`;
