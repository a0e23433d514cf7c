/** The key in a result's `_meta` that holds `McpTruncation`. */
export const TRUNCATION_META_KEY = "spillway/truncation";
