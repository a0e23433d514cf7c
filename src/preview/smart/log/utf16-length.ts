/** UTF-16 units that a decoder makes of UTF-8 bytes, with one U+FFFD for each maximal invalid part. */
export function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let units = 0;
  let index = start;
  while (index < end) {
    const lead = bytes[index] ?? 0;
    index++;
    units++;
    if (lead < 0x80) continue;
    let needed = 0;
    let low = 0x80;
    let high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) needed = 1;
    else if (lead >= 0xe0 && lead <= 0xef) {
      needed = 2;
      if (lead === 0xe0) low = 0xa0;
      else if (lead === 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      needed = 3;
      if (lead === 0xf0) low = 0x90;
      else if (lead === 0xf4) high = 0x8f;
    } else continue;
    let taken = 0;
    while (taken < needed && index < end) {
      const byte = bytes[index] ?? 0;
      if (byte < low || byte > high) break;
      low = 0x80;
      high = 0xbf;
      index++;
      taken++;
    }
    if (taken === 3) units++;
  }
  return units;
}
