#!/usr/bin/env bash
# Installs from Debian what single tests look for: zsh, fish and a keychain. Says so and goes on where that cannot be done.
set -uo pipefail
missing=()
for pair in zsh:zsh fish:fish dbus-run-session:dbus gnome-keyring-daemon:gnome-keyring secret-tool:libsecret-tools; do
  command -v "${pair%%:*}" > /dev/null || missing+=("${pair#*:}")
done
[ ${#missing[@]} -eq 0 ] && exit 0
{ command -v apt-get && [ "$(id -u)" = 0 ]; } > /dev/null || { echo "Skipped: ${missing[*]} are not installed; their tests do not run."; exit 0; }
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq > /dev/null 2>&1 && apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null 2>&1 ||
  echo "Skipped: apt-get could not install ${missing[*]}; their tests do not run."
