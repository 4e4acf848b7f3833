/** The look of the query page, in light and dark. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --panel: #ffffff; --line: #dde1e7; --ink: #1c2430; --faint: #667085;
  --accent: #2f5fde; --accent-ink: #ffffff; --good: #177245; --bad: #b42318; --type: #8250b5;
  --key: #2f5fde; --text: #177245; --value: #a8590d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161d; --panel: #1a202a; --line: #2d3542; --ink: #e6eaf0; --faint: #94a0b2;
    --accent: #6c93ff; --accent-ink: #0d1220; --good: #5fce95; --bad: #ff8f86; --type: #c8a2f2;
    --key: #8fb0ff; --text: #7fd6a8; --value: #f0b070;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 14px/1.5 system-ui, sans-serif; }
header { display: flex; align-items: center; gap: 10px; padding: 10px 16px; background: var(--panel);
  border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 15px; font-weight: 600; }
.tag { padding: 1px 8px; border: 1px solid var(--line); border-radius: 99px; color: var(--faint); font-size: 12px; }
#endpoint { min-width: 0; overflow: hidden; color: var(--faint); font-size: 12px; text-overflow: ellipsis; white-space: nowrap; }
.spacer { flex: 1; }
#status, #history, #run, .tag { flex: none; }
#status { color: var(--faint); font-variant-numeric: tabular-nums; }
#status.good { color: var(--good); }
#status.bad { color: var(--bad); }
button, select { font: inherit; cursor: pointer; }
#history { width: 108px; padding: 5px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel);
  color: inherit; }
#run { padding: 6px 14px; border: 0; border-radius: 6px; background: var(--accent); color: var(--accent-ink);
  font-weight: 600; }
#run:disabled { opacity: .6; cursor: progress; }
kbd { margin-left: 6px; font: inherit; font-weight: 400; font-size: 12px; opacity: .8; }
main { flex: 1; min-height: 0; display: grid; grid-template-columns: 5fr 6fr 4fr; gap: 12px; padding: 12px; }
section { min-width: 0; min-height: 0; display: flex; flex-direction: column; padding: 10px 12px; background: var(--panel);
  border: 1px solid var(--line); border-radius: 8px; }
label, .label { margin-bottom: 6px; color: var(--faint); font-size: 12px; font-weight: 600; }
textarea, pre, .docs code { font: 13px/1.55 ui-monospace, "SF Mono", Menlo, Consolas, monospace; tab-size: 2; }
textarea { width: 100%; padding: 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground);
  color: inherit; resize: none; }
#query { flex: 1; min-height: 120px; margin-bottom: 10px; }
#variables { height: 110px; }
textarea:focus, input:focus, button:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
pre { flex: 1; min-height: 80px; margin: 0; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
pre .key { color: var(--key); }
pre .text { color: var(--text); }
pre .value { color: var(--value); }
#headers { margin-top: 10px; padding-top: 8px; border-top: 1px solid var(--line); color: var(--faint); font-size: 12px; }
#headers summary { cursor: pointer; }
#headers dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; max-height: 240px; margin: 6px 0 0;
  overflow: auto; font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
#headers dd { margin: 0; color: var(--ink); overflow-wrap: anywhere; }
input { width: 100%; margin-bottom: 8px; padding: 6px 8px; border: 1px solid var(--line); border-radius: 6px;
  background: var(--ground); color: inherit; font: inherit; }
#docs { flex: 1; overflow: auto; }
#docs h2 { margin: 10px 0 4px; font-size: 12px; color: var(--faint); }
#docs h2:first-child { margin-top: 0; }
#docs details { margin: 1px 0; }
#docs summary { cursor: pointer; }
#docs ul { margin: 2px 0 6px; padding: 0 0 0 16px; list-style: none; }
#docs button { padding: 0 2px; border: 0; border-radius: 4px; background: none; color: var(--accent); text-align: left; }
#docs button:hover { text-decoration: underline; }
#docs .of { color: var(--type); }
#docs p { margin: 0 0 4px; color: var(--faint); font-size: 12px; }
@media (max-width: 900px) {
  body { height: auto; min-height: 100%; }
  main { grid-template-columns: 1fr; }
  #query { height: 240px; flex: none; }
  section.docs { max-height: 70vh; }
  #endpoint { display: none; }
}
`;
