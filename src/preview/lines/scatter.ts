/** Orders indices so that the first ones of any number are spread over the range, whatever its length turns out to be. */
export function scatter(index: number): number {
  return (Math.imul(index, 0x9e3779b1) >>> 0) / 4294967296;
}
