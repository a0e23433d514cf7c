export function ordinaryLog(bytes: number, seed?: number): string;
