/** True for the byte or character code of an ASCII digit; false beyond the end of what is read. */
export function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 48 && code <= 57;
}
