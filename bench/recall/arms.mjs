import { HOSTS } from "./arms/hosts.mjs";
import { OWN } from "./arms/own.mjs";
import { installedVersion, PACKAGES } from "./arms/packages.mjs";

/**
 * Every way of showing an output, with the version that it stands for. `load()` gives
 * `(text, file, folder, question) => shown`, where `file` holds the whole text and `folder` may be written to.
 */
export function armsOf(ownVersion) {
  return [
    ...OWN.map((arm) => ({ ...arm, version: ownVersion })),
    ...HOSTS.map(({ show, ...arm }) => ({ ...arm, load: async () => show })),
    ...PACKAGES.map((arm) => ({ ...arm, version: installedVersion(arm.package) })),
  ];
}
