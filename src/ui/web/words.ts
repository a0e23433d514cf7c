export { formatBytes as bytes } from "../../bytes/format-bytes.ts";

import { signal } from "./source.ts";

/** 1203 as "1,203". */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A time of today as the clock has it, another one with its date. */
export function time(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const today = new Date().toDateString() === at.toDateString();
  return today ? clock : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}

/** A share in percent, never 100 for less than all. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const share = (100 * part) / whole;
  return share > 99.9 && part < whole ? ">99.9 %" : `${share.toFixed(share >= 10 ? 0 : 1)} %`;
}

/** The page's texts, in English and Chinese. */
const WORDS = {
  now: ["Now", "实时"],
  sessions: ["Sessions", "会话"],
  savings: ["Savings", "节省"],
  health: ["Health", "状态"],
  search: ["Search all outputs", "搜索全部输出"],
  searchHint: ["words in any saved output", "任何已保存输出中的词语"],
  live: ["live", "已连接"],
  away: ["not connected", "未连接"],
  time: ["Time", "时间"],
  tool: ["Tool", "工具"],
  command: ["Command", "命令"],
  from: ["From", "来源"],
  size: ["Output", "输出"],
  shown: ["Shown to the model", "模型看到"],
  shape: ["Shape", "形态"],
  strategy: ["Strategy", "策略"],
  outcome: ["Ended", "结果"],
  all: ["all", "全部"],
  filter: ["Filter", "筛选"],
  nothingYet: ["Nothing was over a limit yet.", "还没有超出限制的输出。"],
  nothingHint: ["Run something long, for example:", "运行一个输出很长的命令，例如："],
  older: ["older outputs", "更早的输出"],
  modelSaw: ["What the model saw", "模型看到的内容"],
  whole: ["The whole output", "完整输出"],
  exact: ["byte for byte as it was shown", "与当时展示的内容逐字节一致"],
  notExact: ["made again; the original notice may have differed", "重新生成；提示语可能与当时不同"],
  changed: ["as it would be shown with these settings", "按这些设置会展示的内容"],
  atMost: ["Shows at most", "至多展示"],
  maxLines: ["lines", "行"],
  maxBytes: ["bytes", "字节"],
  maxChars: ["characters", "字符"],
  maxTokens: ["tokens", "token"],
  events: ["events", "个事件"],
  question: ["Question", "问题"],
  reset: ["As it was shown", "恢复当时的展示"],
  reasons: ["Why each block was kept", "每段被保留的原因"],
  reason: ["Reason", "原因"],
  lines: ["Lines", "行号"],
  score: ["Score", "分值"],
  find: ["Find in this output", "在此输出中查找"],
  matches: ["matches", "处匹配"],
  download: ["Download", "下载"],
  copyPath: ["Copy path", "复制路径"],
  copyHint: ["Copy hint", "复制提示"],
  copied: ["Copied", "已复制"],
  open: ["open", "展开"],
  close: ["close", "收起"],
  jump: ["Go to line", "跳到行"],
  view: ["View", "视图"],
  text: ["text", "文本"],
  reading: ["Reading…", "读取中…"],
  unanswered: ["Nothing in the output matches the question.", "输出中没有与问题相符的内容。"],
  requests: ["Tokens of each request", "每次请求的 token 数"],
  results: ["results", "工具结果"],
  stubs: ["stubs", "存根"],
  words: ["text", "文字"],
  window: ["context window", "上下文窗口"],
  saved: ["Saved", "节省"],
  tokens: ["tokens", "token"],
  estimated: ["estimated", "估算"],
  outputs: ["Outputs", "输出数"],
  baseline: ["Without Spillway", "没有 Spillway 时"],
  baselineHint: [
    "what the agent itself would have shown of it, or at most one context window",
    "智能体自己会展示的部分，至多一个上下文窗口",
  ],
  reread: ["Read back", "回读"],
  byTool: ["by tool", "按工具"],
  byOrigin: ["by origin", "按来源"],
  byShape: ["by shape", "按形态"],
  exportCsv: ["as CSV", "导出 CSV"],
  exportJson: ["as JSON", "导出 JSON"],
  stores: ["Where outputs are kept", "输出保存在哪里"],
  artifacts: ["artifacts", "个存档"],
  unfinished: ["unfinished", "未完成"],
  retention: ["Kept for", "保留"],
  days: ["days", "天"],
  quota: ["Quota", "配额"],
  none: ["none", "无"],
  leaving: ["What goes when", "何时清理"],
  verify: ["Check every artifact", "检查所有存档"],
  verified: ["checked", "已检查"],
  problems: ["problems", "个问题"],
  clean: ["Remove expired", "清理过期存档"],
  dryRun: ["What would be removed?", "会清理哪些？"],
  wouldRemove: ["would be removed", "将被清理"],
  removed: ["removed", "已清理"],
  readOnly: [
    "This page only reads. Start it with --write to remove artifacts here.",
    "本页只读。用 --write 启动后可在此清理。",
  ],
  noSessions: ["No sessions of `spillway agent` below this root.", "此目录下没有 `spillway agent` 的会话。"],
  turnedStub: ["sent as a stub later", "之后以存根发送"],
  subAgent: ["sub-agent", "子智能体"],
  keys: [
    "Keys: / search · j k next and previous · e reasons · g go to line · ? this help",
    "按键：/ 搜索 · j k 下一个和上一个 · e 原因 · g 跳到行 · ? 帮助",
  ],
  exportedAt: ["Exported", "导出于"],
  secretsOut: ["secrets were removed", "密钥已去除"],
  longLine: ["long line; show more", "长行；显示更多"],
} as const;

export type Language = "en" | "zh";

const stored = (() => {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
})();

/** The language of the page. */
export const language = signal<Language>(
  stored === "en" || stored === "zh" ? stored : navigator.language.startsWith("zh") ? "zh" : "en",
);

/** A word of the page in its language. */
export function word(key: keyof typeof WORDS): string {
  return WORDS[key][language.value === "zh" ? 1 : 0];
}
