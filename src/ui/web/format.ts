export { formatBytes as bytes } from "../../bytes/format-bytes.ts";

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
