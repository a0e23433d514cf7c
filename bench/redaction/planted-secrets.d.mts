/** One secret, and the text that it stands in. */
export interface PlantedSecret {
  readonly kind: string;
  readonly secret: string;
  readonly text: string;
}

export function plantedSecrets(seed?: number): Iterable<PlantedSecret>;
